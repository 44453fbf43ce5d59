"""Personal names in lines as callers say and type them, and what must not be taken for one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.model import LANGUAGES, SpanType
from careline.privacy.names.lists.files import fold, names
from careline.privacy.names.person import find, guess
from careline.text.frequent_words import frequent_words
from tests.growth import grows_no_faster_than_its_length

LINES = Path(__file__).parent / "person_lines"
_TAGGED = re.compile(r"(\[[^\]]*\])")


def _read(line: str) -> tuple[str, list[tuple[int, int]]]:
    text, tagged = "", []
    for part in _TAGGED.split(line):
        if part.startswith("["):
            tagged.append((len(text), len(text) + len(part) - 2))
            text += part[1:-1]
        else:
            text += part
    return text, tagged


def _lines(language: str) -> list[tuple[str, list[tuple[int, int]]]]:
    batches = yaml.safe_load((LINES / f"{language}.yaml").read_text(encoding="utf-8"))
    return [_read(line) for batch in batches.values() for line in batch.splitlines()]


def _found(text: str, language: str | None = "nl", staff: tuple[str, ...] = ()) -> list[str]:
    return [text[span.start : span.end] for span in find(text, language, staff)]


def _counts(language: str, asked: str | None) -> tuple[float, float]:
    tagged = hit = found = right = 0
    for text, expected in _lines(language):
        spans = [(span.start, span.end) for span in find(text, asked)]
        tagged += len(expected)
        found += len(spans)
        hit += sum(any(start < end_ and start_ < end for start_, end_ in spans) for start, end in expected)
        right += sum(any(start < end_ and start_ < end for start_, end_ in expected) for start, end in spans)
    return hit / tagged, right / found


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_every_name_is_found_and_nearly_every_find_is_a_name(language: str) -> None:
    recall, precision = _counts(language, language)
    assert recall >= 0.98
    assert precision >= 0.98


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_found_when_the_language_is_not_known(language: str) -> None:
    recall, precision = _counts(language, None)
    assert recall >= 0.94
    assert precision >= 0.94


def test_a_span_leaves_out_the_title_and_the_kinship_word() -> None:
    text = "mevrouw peeters en mijn dochter lotte"
    spans = list(find(text, "nl"))
    assert [text[span.start : span.end] for span in spans] == ["peeters", "lotte"]
    assert {span.type for span in spans} == {SpanType.PERSON}


def test_a_surname_takes_its_particles_along() -> None:
    assert _found("ik ben els van den broeck") == ["els van den broeck"]
    assert _found("mevrouw de backer") == ["de backer"]
    assert _found("sono pietro d'angelo", "it") == ["pietro d'angelo"]


def test_an_unlisted_name_is_found_after_a_strong_cue() -> None:
    assert _found("mijn naam is qwibo zartenbrok") == ["qwibo zartenbrok"]
    assert _found("my name is qwibo zartenbrok", "en") == ["qwibo zartenbrok"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("op 3 jan heb ik een afspraak", "nl"),
        ("ik ben ziek", "nl"),
        ("de roos en de bloem", "nl"),
        ("i hope i will be there in may", "en"),
        ("mark the form please", "en"),
        ("la carte est blanche", "fr"),
        ("une pierre au rein", "fr"),
        ("che gioia e che speranza", "it"),
    ],
)
def test_an_ordinary_word_that_is_also_a_name_is_no_name_without_a_cue(text: str, language: str) -> None:
    assert _found(text, language) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("de ziekte van parkinson en het syndroom van down", "nl"),
        ("sint-jan en campus marie curie", "nl"),
        ("baker street near saint mary's hospital", "en"),
        ("avenue louise à la clinique saint-luc", "fr"),
        ("l'ospedale san raffaele in via garibaldi", "it"),
    ],
)
def test_diseases_houses_and_streets_named_after_people_are_no_names(text: str, language: str) -> None:
    assert _found(text, language) == []


def test_staff_after_a_title_is_no_personal_data() -> None:
    assert _found("dokter peeters en professor van damme") == []
    assert _found("docteur sophie lambert", "fr") == []
    assert _found("my sister sarah saw nurse joyce", "en") == ["sarah"]


def test_staff_given_by_name_is_left_out_by_surname_but_not_by_first_name() -> None:
    staff = ("dr. Els Vermeulen",)
    assert _found("kan ik els vermeulen spreken", "nl", staff) == []
    assert _found("ik zoek vermeulen", "nl", staff) == []
    assert _found("els is gevallen", "nl", staff) == ["els"]
    assert _found("mijn naam is vermeulen", "nl", staff) == ["vermeulen"]


def test_a_spelled_name_is_a_name_and_an_abbreviation_is_none() -> None:
    assert _found("familienaam p e e t e r s") == ["p e e t e r s"]
    assert _found("een m r i van de knie") == []


def test_the_language_is_guessed_by_small_words() -> None:
    assert [guess(text) for text in ("waar is het", "where is the", "où est la", "dove è il")] == [
        "nl",
        "en",
        "fr",
        "it",
    ]


def test_folding_drops_case_and_accents() -> None:
    assert fold("Élodie Łukasz D’Angelo") == "elodie lukasz d'angelo"


def test_no_name_of_the_common_ones_is_hidden_by_a_closed_word() -> None:
    assert {"fatima", "willy", "lotte", "karim", "giulia"} <= names().first
    assert not {"fatima", "willy", "lotte", "karim"} & frequent_words("nl")


@given(st.text(max_size=300), st.sampled_from([*LANGUAGES, None, "de"]))
def test_any_text_gives_ordered_spans_inside_it(text: str, language: str | None) -> None:
    end = 0
    for span in find(text, language, ("Jan Peeters",)):
        assert end <= span.start < span.end <= len(text)
        end = span.end


_PIECES = st.sampled_from(
    "mijn naam is jan de van den p e t ' ’ - . , d'angelo dokter sint- ik ben 3 \n my O'Neill É".split(" ")
)


@settings(max_examples=200)
@given(st.lists(_PIECES, max_size=60).map(" ".join))
def test_any_mixture_of_cues_particles_and_letters_gives_ordered_spans(text: str) -> None:
    end = 0
    for span in find(text, "nl"):
        assert end <= span.start < span.end <= len(text)
        end = span.end


@pytest.mark.parametrize(
    "piece", ["van ", "d'", "a ", "p van ", "mijn naam is ", "dokter ", "x", "jan ", "a-", "niet maes maar maas "]
)
def test_steps_grow_with_the_length_and_no_faster(piece: str) -> None:
    grows_no_faster_than_its_length(lambda count: list(find(piece * count, "nl")), 500)
    list(find((piece * 100_000)[:100_000], "nl"))
