"""Names of callers beside words of medicine, and pages of a hospital in which nobody is named."""

from __future__ import annotations

import pytest

from careline.model import LANGUAGES, SpanType
from careline.privacy.detect import Detector
from tests.privacy.marked import Score, parse, read


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_found_beside_words_of_medicine_which_are_none(language: str) -> None:
    detector, score = Detector(), Score()
    for line in read(f"{language}_medical"):
        score.add(line, detector.find(line.text, language))
    assert score.recall >= 0.96, score.missed
    assert score.precision >= 0.95, score.invented


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("an enzyme called lactase", "en"),
        ("a girl called <PERSON>maisie</PERSON>", "en"),
        ("my son, also called <PERSON>rex</PERSON>", "en"),
        ("it often runs in the family. Diabetes is one of those", "en"),
        ("the family <PERSON>okonkwo</PERSON> is waiting", "en"),
        ("people with wilson's disease", "en"),
        ("i came with <PERSON>wilson</PERSON>", "en"),
        ("The Mary Jones Cancer Institute is next door.", "en"),
        ("een huidziekte genaamd vitiligo", "nl"),
        ("een jongen genaamd <PERSON>lowie</PERSON>", "nl"),
        ("une bactérie appelée salmonelle", "fr"),
        ("une petite fille appelée <PERSON>capucine</PERSON>", "fr"),
        ("un ormone chiamato cortisolo", "it"),
        ("un ragazzo chiamato <PERSON>ettore</PERSON>", "it"),
    ],
)
def test_what_is_called_so_says_whether_it_is_a_name(line: str, language: str) -> None:
    marked = parse(line)
    found = Detector(types=[SpanType.PERSON]).find(marked.text, language)
    assert [(each.start, each.end) for each in found] == [(each.start, each.end) for each in marked.spans]


def test_capitals_alone_are_an_abbreviation_but_not_in_a_name() -> None:
    marked = parse(
        "Patients with PKU, SCOT or NASH see <PERSON>DUPONT Jean</PERSON> and Mrs <PERSON>SCOTT</PERSON> upstairs."
    )
    found = Detector(types=[SpanType.PERSON]).find(marked.text, "en")
    assert [(each.start, each.end) for each in found] == [(each.start, each.end) for each in marked.spans]
