"""A directory as YAML: what is written is read again, and what is wrong is named with its line."""

from __future__ import annotations

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
