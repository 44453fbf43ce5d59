"""A yes or no is quoted with its question, and a list whole or with how many of its items are left out."""

from __future__ import annotations

import pytest

from careline.model import Chunk, Hit
from careline.passages.quotable import MOST_ITEMS, Quotable, quotables
from careline.ports import Source
from careline.safety.grounding.grounding import Grounds
from tests.builders import a_passage


def quoted(text: str, language: str, *headings: str) -> list[Quotable]:
    return quotables(Chunk(0, text, "text", headings, 1, 1, 1), language)


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Mag ik bloemen meebrengen?\nJa.", "nl", "Mag ik bloemen meebrengen? Ja."),
        ("May I bring flowers? Yes, you may.", "en", "May I bring flowers? Yes, you may."),
        ("Puis-je apporter des fleurs ?\nOui.", "fr", "Puis-je apporter des fleurs ? Oui."),
        ("Posso portare fiori? Sì, certo.", "it", "Posso portare fiori? Sì, certo."),
        ("Is roken verboden?\nJa. Dat is overal zo.", "nl", "Is roken verboden? Ja. Dat is overal zo."),
    ],
)
def test_a_yes_or_no_stands_behind_the_documents_own_question(text: str, language: str, said: str) -> None:
    (only,) = quoted(text, language)
    assert [only.text(voice) for voice in (False, True)] == [said, said]
    assert not only.is_orphan


def test_the_heading_of_a_passage_is_a_question_too() -> None:
    assert (
        quoted("Nee, nooit.", "nl", "Bezoek", "Mag mijn hond mee?")[0].text(False) == "Mag mijn hond mee? Nee, nooit."
    )


@pytest.mark.parametrize(("text", "language"), [("Ja.", "nl"), ("No.", "en"), ("Oui.", "fr"), ("Sì.", "it")])
def test_without_its_question_it_is_not_quoted(text: str, language: str) -> None:
    assert all(one.is_orphan for one in quoted(text, language, "Bezoek"))


def test_a_sentence_that_says_what_is_so_is_quoted_without_a_question() -> None:
    (only,) = quoted("Ja, bloemen mogen op alle gewone afdelingen.", "nl", "Bezoek")
    assert not only.is_orphan
    assert only.text(False) == "Ja, bloemen mogen op alle gewone afdelingen."


def a_list(count: int) -> str:
    return "Breng mee:\n" + "\n".join(f"- ding {'x' * n}" for n in range(1, count + 1))


@pytest.mark.parametrize(
    ("language", "count", "more"),
    [("nl", 11, "en nog 3 andere"), ("en", 11, "and 3 others"), ("fr", 11, "et 3 autres"), ("it", 11, "e altri 3"),
     ("nl", 9, "en nog één"), ("en", 9, "and one other")],
)  # fmt: skip
def test_a_list_that_is_cut_says_how_many_are_left_out(language: str, count: int, more: str) -> None:
    (only,) = quoted(a_list(count), language)
    lines = only.text(False).splitlines()
    assert len(lines) == 1 + MOST_ITEMS[False] + 1
    assert lines[-1] == f"- {more}"
    assert len(only.text(True).splitlines()) == 1 + MOST_ITEMS[True]


def test_a_list_of_eight_is_whole() -> None:
    assert len(quoted(a_list(8), "nl")[0].text(False).splitlines()) == 9


def test_how_many_are_left_out_is_grounded_and_any_other_number_is_not() -> None:
    source = Source(1, "Opname", "nl", Hit(a_passage(a_list(15)), 0.9))
    grounds = Grounds([source], "nl", "wat breng ik mee")
    assert grounds.ungrounded("- en nog 7 andere\n", (1,)) == ()
    assert grounds.ungrounded("- en nog 6 andere\n", (1,)) == ("claim/number",)


@pytest.mark.parametrize(
    ("language", "header", "sentence"),
    [
        ("nl", "Gewicht van het kind (kg) Ibuprofen siroop Metoclopramide zetpil en drank per gift (mg) (mg)",
         "Het gewicht (kg) en de gift (mg) staan op de fiche."),
        ("en", "Body weight of the child (kg) Ibuprofen suspension Metoclopramide oral solution each (mg) (ml/h)",
         "The weight (kg) and the dose (mg) are on the chart."),
        ("fr", "Poids corporel de l'enfant (kg) Ibuprofène sirop Métoclopramide solution buvable prise (mg) (mg)",
         "Le poids (kg) et la dose (mg) sont sur la fiche."),
        ("it", "Peso corporeo del bambino (kg) Ibuprofene sciroppo Metoclopramide soluzione orale dose (mg) (mg)",
         "Il peso (kg) e la dose (mg) stanno sulla scheda."),
    ],
)  # fmt: skip
def test_the_header_of_a_table_without_its_values_is_not_quoted(language: str, header: str, sentence: str) -> None:
    assert [one.lead for one in quoted(f"{header}\n{sentence}", language)] == [sentence]


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Iets vergeten in de bus? Bel 011 22 33 44.", "nl", ["Iets vergeten in de bus? Bel 011 22 33 44."]),
        ("Help at the barrier? Press the button.", "en", ["Help at the barrier? Press the button."]),
        ("Est-ce payant ? Le plan est gratuit. Bonne route.", "fr",
         ["Est-ce payant ? Le plan est gratuit.", "Bonne route."]),
        ("Perché io? Come andrà avanti?", "it", []),
    ],
)  # fmt: skip
def test_a_question_of_the_document_is_kept_with_what_answers_it(text: str, language: str, said: list[str]) -> None:
    assert [one.text(False) for one in quoted(text, language)] == said


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Het labo ligt vooraan. Telefoon 011 22 33 44.", "nl", ["Het labo ligt vooraan. Telefoon 011 22 33 44."]),
        ("Do not drive yourself. Call 112.", "en", ["Do not drive yourself. Call 112."]),
        ("Téléphone : 011 22 33 44.", "fr", ["Téléphone : 011 22 33 44."]),
        ("Nord 011 22 33 44; Sud 011 22 33 55", "it", ["Nord 011 22 33 44; Sud 011 22 33 55"]),
        ("011 22 33 44 011 22 33 55", "nl", []),
    ],
)
def test_a_telephone_number_is_kept_with_what_it_is_of(text: str, language: str, said: list[str]) -> None:
    assert [one.text(False) for one in quoted(text, language)] == said
