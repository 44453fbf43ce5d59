"""Names are listened for within the recogniser's limit; known mishearings are repaired whole, longest first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.directory.directory import Directory
from careline.directory.entries import Campus, Department, Doctor
from careline.errors import SettingsInvalid
from careline.speech.overlay import KEYTERM_BYTES, MOST_KEYTERMS, keyterms, read_overlays, repair
from tests.growth import grows_no_faster_than_its_length

OVERLAYS = """
nl:
  Claeskens: [klaaskens, "klas kens", clas]
  cardiologie: [kar die logie, cardio loge]
  El Ouassi: [el wasi]
"""


def test_a_known_mishearing_is_repaired_and_the_rest_stays_as_it_is() -> None:
    overlay = read_overlays(OVERLAYS, "overlay.yaml")["nl"]
    heard = "Is  dokter Klaaskens,\tof El-Wasi, van kar die logie er?"
    assert repair(heard, overlay) == "Is  dokter Claeskens,\tof El Ouassi, van cardiologie er?"


def test_only_whole_words_are_repaired_and_the_longest_wins() -> None:
    overlay = read_overlays("nl: {Kar: [kaar], cardiologie: [kaar die logie]}", "o")["nl"]
    assert (
        repair("kaar die logie, kaar, kaartje, kaar. die logie", overlay) == "cardiologie, Kar, kaartje, Kar. die logie"
    )


def test_a_language_without_repairs_changes_nothing() -> None:
    assert repair("klaaskens", read_overlays(OVERLAYS, "o")["fr"]) == "klaaskens"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("- a", "expected keys"),
        ("nl: {A b: [", "not YAML at line 1"),
        ("de: {Meyer: [maier]}", "de: no language of the line"),
        ("nl: {Meyer: maier}", "nl.Meyer: Input should be a valid list"),
        ("nl: {Meyer: []}", "nl.Meyer: List should have at least 1"),
        ("nl: {Meyer: [ab]}", "at least 3 characters"),
        ("nl: {Meyer: ['...']}", "one to 6 words"),
        ("nl: {Meyer: [een twee drie vier vijf zes zeven]}", "one to 6 words"),
        ("nl: {Meyer: [maier], Maes: [Maier]}", "also stands under 'Meyer'"),
        ("nl: {Meyer: [maier], Maier Jan: [jan maes]}", "would itself be repaired"),
        ("nl: &x {Meyer: [maier]}\nfr: *x", "instead of referring"),
        ("nl: " + "[" * 100_000, "nested too deeply"),
        ("- " * 90_000, "nested too deeply"),
        ("? " * 90_000, "nested too deeply"),
        ("\n".join(" " * depth + "k:" for depth in range(500)), "nested too deeply"),
        ("#" * 300_000, "longer than"),
    ],
)
def test_an_overlay_that_cannot_be_used_is_refused_at_load_with_the_place(written: str, message: str) -> None:
    with pytest.raises(SettingsInvalid, match=r"overlay\.yaml") as refused:
        read_overlays(written, "overlay.yaml")
    assert message in refused.value.message


@given(st.text(max_size=80))
def test_a_repaired_text_stays_as_it_is(heard: str) -> None:
    overlay = read_overlays(OVERLAYS, "o")["nl"]
    once = repair(heard, overlay)
    assert repair(once, overlay) == once


def test_repair_takes_time_in_proportion_to_the_text() -> None:
    overlay = read_overlays(OVERLAYS, "o")["nl"]
    grows_no_faster_than_its_length(lambda count: repair("kar die klas " * count, overlay), 200)


def directory(doctors: list[str], departments: list[str], campuses: Sequence[str] = ()) -> Directory:
    return Directory(
        doctors=[Doctor(id=f"d{n}", last_name=name, department="x") for n, name in enumerate(doctors)],
        departments=[Department(id=f"e{n}", names={"nl": name}) for n, name in enumerate(departments)],
        campuses=[Campus(id=f"c{n}", names={"nl": name}) for n, name in enumerate(campuses)],
    )


def test_doctors_departments_and_campuses_are_listened_for_in_turns_each_once() -> None:
    hospital = directory(["Claeskens", "El Ouassi", "Claeskens"], ["Cardiologie", "Neurologie", "Urologie"], ["Noord"])
    names = ["Claeskens", "Cardiologie", "Noord", "El Ouassi", "Neurologie", "Urologie"]
    assert keyterms(hospital, "nl") == names
    assert keyterms(hospital, "fr") == ["Claeskens", "El Ouassi"]


def test_staff_of_the_record_are_listened_for_behind_the_directory() -> None:
    assert keyterms(directory(["Claeskens"], []), "nl", ["Jo Porter", "Claeskens"]) == ["Claeskens", "Jo Porter"]
    assert keyterms(Directory(), "it", ["Jo Porter"]) == ["Jo Porter"]


LABELS = st.text("abcéßž漢 -", min_size=1, max_size=200).filter(str.strip)


@given(st.lists(LABELS, max_size=120), st.lists(st.just("Dienst"), max_size=3), st.lists(LABELS, max_size=60))
def test_keyterms_never_pass_the_limit_of_the_recogniser(
    doctors: list[str], departments: list[str], staff: list[str]
) -> None:
    terms = keyterms(directory(doctors, departments), "nl", staff)
    assert sum(len(term.encode()) for term in terms) <= KEYTERM_BYTES
    assert len(terms) <= MOST_KEYTERMS
