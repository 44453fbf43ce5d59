"""Whatever a directory holds is the same after it was written to a file and read again."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from careline.directory.directory import Directory
from careline.directory.formats.files import Form, read_file, write_file
from careline.directory.formats.workbook.layout import place_of, sheets
from careline.directory.formats.workbook.words import LANGUAGES, choice, written
from tests.directory.formats.demo import demo
from tests.directory.formats.directories import directories

LARGE = [HealthCheck.too_slow, HealthCheck.data_too_large]
PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
"""Without shrinking, which takes minutes for a whole hospital."""
SLOW = settings(max_examples=40, deadline=None, suppress_health_check=LARGE, phases=PHASES)


def same(directory: Directory, form: Form) -> None:
    read = read_file(f"hospital.{form}", write_file(directory, form))
    assert [str(one) for one in read.problems if not one.warning] == []
    assert read.directory is not None
    assert read.directory.to_json() == directory.to_json()
    assert read.directory == directory


@given(directories())
@SLOW
def test_a_directory_is_the_same_after_yaml(directory: Directory) -> None:
    same(directory, "yaml")


@given(directories())
@SLOW
def test_a_directory_is_the_same_after_a_workbook(directory: Directory) -> None:
    same(directory, "xlsx")


@given(directories())
@SLOW
def test_a_directory_is_the_same_after_a_bundle_of_it_was_read_into_it(directory: Directory) -> None:
    assume(directory.hospital.names or directory.campuses or directory.departments)
    read = read_file("hospital.json", write_file(directory, "fhir"), directory)
    assert [str(one) for one in read.problems if not one.warning] == []
    assert read.directory is not None
    assert read.directory.to_json() == directory.to_json()


@given(directories())
@SLOW
def test_what_fhir_holds_of_a_directory_is_the_same_after_a_bundle(directory: Directory) -> None:
    first = read_file("hospital.json", write_file(directory, "fhir"))
    assume(first.directory is not None)
    assert first.directory is not None
    again = read_file("hospital.json", write_file(first.directory, "fhir"))
    assert again.directory is not None
    assert again.directory.to_json() == first.directory.to_json()
    assert [one.full_name for one in first.directory.doctors] == [one.full_name for one in directory.doctors]


@pytest.mark.parametrize("form", ["yaml", "xlsx"])
def test_the_demo_hospital_is_the_same_after_it_was_written_and_read(form: Form) -> None:
    same(demo(), form)


@pytest.mark.parametrize("name", sorted(written()["choices"]))
@given(written_in=st.sampled_from(LANGUAGES), read_in=st.sampled_from(LANGUAGES), data=st.data())
def test_a_word_that_is_written_is_read_as_what_it_stands_for(
    name: str, written_in: str, read_in: str, data: st.DataObject
) -> None:
    known = choice(name)
    value = data.draw(st.sampled_from(sorted(known.words)))
    assert known.value(known.word(value, written_in), read_in) == value


@pytest.mark.parametrize("key", sorted(sheets()))
def test_each_heading_that_is_written_means_its_column(key: str) -> None:
    for language in LANGUAGES:
        places = list(sheets()[key].places(with_hidden=True))
        meant = [place_of(sheets()[key], place.column.heading(language, place.qualifier)) for place in places]
        assert meant == places
