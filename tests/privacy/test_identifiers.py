"""A person is found by what they said of themselves, however it was said and however it is asked."""

from __future__ import annotations

import pytest

from careline.errors import BadRequest
from careline.privacy.detect import Detector
from careline.privacy.names.person import titled
from careline.privacy.redaction import identifiers
from tests.fakes import KEY

SAID = [
    ("mijn naam is Jan Peeters, geboren op 12 maart 1960", "nl", "Peeters Jan 12/03/1960"),
    ("ik ben Jan Peeters en ik ben geboren op twaalf maart negentienzestig", "nl", "Jan Pieter Peeters 1960-03-12"),
    ("bel me op nul vier zeven nul twaalf vierendertig zesenvijftig", "nl", "+32 470 12 34 56"),
    ("mon numéro est le 06 12 34 56 78", "fr", "0612345678"),
    ("mail jan punt peeters at gmail punt com", "nl", "Jan.Peeters@gmail.com"),
    ("mijn rijksregisternummer is acht vijf nul zeven dertig nul drie drie achtentwintig", "nl", "85.07.30-033.28"),
    ("mon nom est José Lefèvre né le 3 février 1948", "fr", "Jose Lefevre né le 1948-02-03"),
    ("my NHS number is 943 476 5919", "en", "943-476-5919"),
    ("il mio codice fiscale è RSSMRA85T10A562S", "it", "rssmra85t10a562s"),
    ("IBAN BE68 5390 0754 7034", "nl", "BE68539007547034"),
    ("my name is mary higgins born on the twelfth of march nineteen sixty", "en", "Mary Higgins 12.3.1960"),
    ("mijn dossiernummer is 12345678", "nl", "12345678"),
]


@pytest.mark.parametrize(("text", "language", "subject"), SAID)
def test_what_was_said_and_what_is_asked_meet(text: str, language: str, subject: str) -> None:
    known = identifiers.found(text, Detector().find(text, language)).names(KEY)
    assert set(known) & set(identifiers.asked(subject, KEY))
    for _, _, other in SAID:
        if other[:4].lower() not in subject.lower() and ("Peeters" not in other or "Peeters" not in subject):
            assert not set(known) & set(identifiers.asked(other, KEY))


@pytest.mark.parametrize("subject", ["Jan Peeters", "mevrouw De Wit", "Anna"])
def test_a_name_alone_finds_nobody(subject: str) -> None:
    known = identifiers.found("ik ben Jan Peeters, 12/03/1960", Detector().find("ik ben Jan Peeters, 12/03/1960", "nl"))
    if " " not in subject:
        assert not set(known.names(KEY)) & set(identifiers.asked(subject, KEY))
        return
    with pytest.raises(BadRequest, match="date of birth too"):
        identifiers.asked(subject, KEY)


def test_another_birth_date_or_another_first_name_is_another_person() -> None:
    text = "ik ben Jan Van Damme, geboren op 12/03/1960"
    known = set(identifiers.found(text, Detector().find(text, "nl")).names(KEY))
    assert known & set(identifiers.asked("Van Damme Jan 12-3-1960", KEY))
    assert not known & set(identifiers.asked("Marie Van Damme 12-3-1960", KEY))
    assert not known & set(identifiers.asked("Jan Van Damme 13-3-1960", KEY))


@pytest.mark.parametrize(
    ("text", "language", "staff", "names"),
    [
        ("een afspraak bij dokter Peeters", "nl", [], ["Peeters"]),
        ("dokter Peeters en dokter Els Janssens", "nl", ["dr. Jan Peeters"], ["Els Janssens"]),
        ("I saw doctor Higgins today", "en", [], ["Higgins"]),
        ("le docteur Lefebvre est là", "fr", [], ["Lefebvre"]),
        ("il dottor Rossi mi ha visto", "it", [], ["Rossi"]),
        ("wanneer komt de dokter langs", "nl", [], []),
    ],
)
def test_a_name_after_a_title_is_found_unless_it_is_known_to_work_here(
    text: str, language: str, staff: list[str], names: list[str]
) -> None:
    assert [text[span.start : span.end] for span in titled(text, language, staff)] == names
