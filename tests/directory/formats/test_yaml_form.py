"""A directory as YAML: what is written is read again, and what is wrong is named with its line."""

from __future__ import annotations

import pytest

from careline.directory.directory import Directory
from careline.directory.formats.files import read_file, write_file
from tests.directory.formats.demo import demo


def test_the_demo_hospital_is_the_same_after_it_was_written_and_read() -> None:
    read = read_file("hospital.yaml", write_file(demo(), "yaml"))
    assert read.directory == demo()
    assert read.directory.to_json() == demo().to_json()


def test_a_wrong_entry_is_named_with_the_line_it_stands_on() -> None:
    source = b"departments:\n  - id: a\n    names: {en: A}\n  - id: b\n    names: {en: B}\n    phone: none\n"
    read = read_file("hospital.yaml", source)
    assert read.directory is None
    assert [(one.section, one.entry, one.field) for one in read.problems] == [("departments", "b", "phone")]
    assert read.problems[0].message.endswith("(line 6)")


def test_what_is_no_yaml_is_said_with_its_line() -> None:
    read = read_file("hospital.yaml", b"campuses: [\n")
    assert read.directory is None
    assert [one.section for one in read.problems] == ["file"]
    assert "line 2" in read.problems[0].message


def test_an_empty_directory_is_one() -> None:
    assert read_file("hospital.yaml", write_file(Directory(), "yaml")).directory == Directory()


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("campuses: []\ndepartments:\n- {id: a, names: {en: A}}\ndepartments:\n- {id: b, names: {en: B}}\n", 4),
        ("hospital:\n  phones:\n    main: 09 1\n    main: 09 2\n", 4),
        ("departments:\n- id: a\n  names: {en: A, nl: B,\n    en: C}\n", 4),
        ('"hospital": {}\nhospital: {}\n', 2),
    ],
)
def test_a_key_that_stands_twice_is_told_as_yaml_would_keep_the_last(source: str, line: int) -> None:
    read = read_file("hospital.yaml", source.encode())
    assert read.directory is None
    assert f"twice at line {line}" in read.problems[0].message


def test_a_key_may_stand_in_each_entry() -> None:
    source = "departments:\n- {id: a, names: {en: id, nl: names}}\n- {id: id, names: {en: departments}}\n"
    read = read_file("hospital.yaml", source.encode())
    assert read.directory is not None
    assert [one.id for one in read.directory.departments] == ["a", "id"]


def test_what_is_nested_line_by_line_is_told() -> None:
    deep = "\n".join(" " * n + "a:" for n in range(2_500))
    [problem] = read_file("hospital.yaml", deep.encode()).problems
    assert "nested too deeply" in problem.message
