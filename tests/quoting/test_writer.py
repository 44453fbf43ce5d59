"""The writer without a language model: what it quotes, word for word, and what it never says."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import Chunk, Hit, ReadWindow
from careline.passages.quotable import quotables
from careline.ports import Source
from careline.quoting.quotes import MOST_WINDOWS
from careline.quoting.quoting_input import QuotingInput
from careline.quoting.writer import MOST, MOST_CHARACTERS, Quotation, quotations
from careline.tables import read as tables
from tests.builders import a_passage

VISIT = (
    "Bezoek mag elke dag van 14 tot 20 uur. Op de kinderafdeling mogen ouders dag en nacht blijven. "
    "Hoe laat mag ik op bezoek? Parkeren kost twee euro per uur in parking A. De cafetaria sluit om 18 uur."
)
LIST = "Breng bij uw opname het volgende mee:\n- uw identiteitskaart\n- een lijst van uw medicatie\n- een pyjama"
TABLE = tables.read(
    tables.cells_of([["Parking", "Tarief"], ["Parking A", "twee euro per uur"], ["Parking B", "gratis"]], headers=1)
)


def a_source(text: str = VISIT, number: int = 1, *, kind: Any = "text", language: str = "nl", **said: Any) -> Source:
    """A source whose first window was read to answer, unless another one is given."""
    read = said.pop("read", (ReadWindow(0, 4.0, confidence=2.0),))
    passage = a_passage(text, kind=kind, **{"facts": {"language": language, "title": "Op bezoek"}, **said})
    return Source(number, "Op bezoek", language, Hit(passage, 0.9), read)


def an_input(question: str = "Hoe laat is het bezoek elke dag?", *sources: Source, **said: Any) -> QuotingInput:
    chosen = {"language": "nl", "sources": sources or (a_source(),), **said}
    return QuotingInput(question=question, search_text=question, **chosen)


def answer(quoting_input: QuotingInput) -> str:
    return "".join(quotation.text for quotation in quotations(quoting_input))


def test_each_piece_names_the_source_it_was_taken_from() -> None:
    (said,) = quotations(an_input(sources=(a_source("De kapel is altijd open.", 3),)))
    assert said == Quotation("De kapel is altijd open. [3]", (3,))


def test_what_is_said_stands_word_for_word_in_its_source() -> None:
    read = (ReadWindow(0, 4.0, parts=(5.0, -3.0, -6.0, -6.0)),)
    said = answer(an_input(sources=(a_source(read=read),)))
    assert said == "Bezoek mag elke dag van 14 tot 20 uur. [1]"
    assert said.replace(" [1]", "") in VISIT


def test_without_a_source_nothing_is_said() -> None:
    assert list(quotations(an_input(sources=()))) == []


def test_the_question_in_a_document_is_never_quoted() -> None:
    said = answer(an_input("Hoe laat mag ik op bezoek?"))
    assert said
    assert "?" not in said
    only_questions = a_source("Hoe laat mag ik op bezoek? Waar kan ik parkeren?")
    assert answer(an_input("Hoe laat mag ik op bezoek?", only_questions)) == ""


def test_a_list_is_quoted_with_its_lead_in_and_its_marker_there() -> None:
    said = answer(an_input("Wat breng ik mee bij mijn opname?", a_source(LIST, 3)))
    assert said.splitlines()[0] == "Breng bij uw opname het volgende mee: [3]"
    assert said.splitlines()[1:] == ["- uw identiteitskaart", "- een lijst van uw medicatie", "- een pyjama"]


def test_a_row_of_a_table_is_said_with_the_names_of_its_columns() -> None:
    said = answer(an_input("Wat kost parking A?", a_source(tables.text_of(TABLE), table=TABLE)))
    assert said.startswith("Parking A – Tarief: twee euro per uur. [1]")


def test_a_price_of_a_table_is_said_as_a_sentence_with_what_the_table_tells_of() -> None:
    prices = tables.read(tables.cells_of([["", "Bezoekers"], ["Eerste uur", "1,50 €"]], 1))
    source = a_source(tables.text_of(prices), table=replace(prices, caption="Parkeren campus Oost"))
    said = answer(an_input("wat kost het eerste uur parkeren voor bezoekers", source))
    assert said == "Parkeren campus Oost, Bezoekers: het eerste uur kost 1,50 €. [1]"


def test_no_fact_is_said_twice_and_no_yes_without_its_question() -> None:
    twice = a_source("Bezoek mag elke dag van 14 tot 20 uur. Bezoek mag elke dag van 14 tot 20 uur.")
    assert (answer(an_input("bezoek elke dag", twice))).count("20 uur") == 1
    assert answer(an_input("bezoek elke dag", a_source("Ja."))) == ""


def test_the_dose_of_one_medicine_is_not_told_for_another() -> None:
    doses = tables.read(tables.cells_of([["Indicatie", "Dosis"], ["Migraine", "1000 mg"], ["Koorts", "500 mg"]], 1))
    source = a_source(tables.text_of(doses), table=doses, facts={"title": "Paracetamol", "language": "nl"})
    assert "1000 mg" in answer(an_input("dosis paracetamol bij migraine", source))
    assert answer(an_input("dosis ibuprofen bij migraine", source)) == ""


def test_a_source_in_another_language_is_announced_and_set_in_quotation_marks() -> None:
    notices = {"nl": "« {title} » (en néerlandais) : ", "it": "non questo"}
    french = an_input("bezoek elke dag", language="fr", foreign_notices=notices)
    said = answer(french)
    assert said.startswith("« Op bezoek » (en néerlandais) : ")
    assert "“Bezoek mag elke dag van 14 tot 20 uur” (14h; 20h)." in said
    spoken = answer(replace(french, voice=True))
    assert "“Bezoek mag elke dag van 14 tot 20 uur.”" in spoken
    assert "néerlandais" not in answer(an_input(foreign_notices=notices))


def test_a_source_in_another_language_behind_one_in_the_callers_is_announced_too() -> None:
    own = replace(a_source("La cantine est ouverte à midi."), language="fr", read=(ReadWindow(0, 4.0),))
    other = replace(a_source("Een maaltijd kost 8 euro."), number=2, read=(ReadWindow(0, 3.9, question=1),))
    notices = {"nl": "« {title} » (en néerlandais) : "}
    asked = "quand ouvre la cantine et combien coûte un repas"
    said = answer(an_input(asked, own, other, language="fr", foreign_notices=notices))
    assert said.startswith("La cantine est ouverte à midi. [1]")
    assert "« Op bezoek » (en néerlandais) : " in said
    assert said.endswith("“Een maaltijd kost 8 euro.” [2]")


@pytest.mark.parametrize(("confidence", "is_said"), [(0.2, True), (0.3, False)])
def test_a_quote_that_may_not_answer_is_announced_as_such(confidence: float, is_said: bool) -> None:
    source = replace(a_source("De kapel is altijd open."), read=(ReadWindow(0, 4.0, confidence=confidence),))
    limits = {"unsure_notice": "Misschien niet.", "sure_from": 0.3}
    said = answer(an_input("wanneer is de kapel open", source, **limits))
    assert said == ("Misschien niet. " if is_said else "") + "De kapel is altijd open. [1]"


@pytest.mark.parametrize("voice", [True, False])
def test_an_answer_keeps_to_the_limits_of_its_channel(voice: bool) -> None:
    many = " ".join(f"Bezoek op afdeling {n} mag elke dag van 14 tot 20 uur en ook op zondag." for n in range(40))
    read = tuple(ReadWindow(n, 4.0) for n in range(9))
    quoted = [said.text for said in quotations(an_input("bezoek", a_source(many, read=read), voice=voice))]
    assert 1 <= len(quoted) <= MOST_WINDOWS * MOST[voice]
    assert sum(map(len, quoted)) <= MOST_CHARACTERS[voice] + 10 * len(quoted)


def test_only_the_best_document_is_quoted_and_its_number_is_kept() -> None:
    other = a_source("De tuin is mooi. Het dak is rood.", 4, document_id="garden", read=(ReadWindow(0, 3.9),))
    said = quotations(an_input("bezoek elke dag", other, a_source(VISIT, 7)))
    assert {number for quotation in said for number in quotation.sources} == {7}


texts = st.lists(st.sampled_from(["a", "b. ", " | ", "\n", "- ", "1. ", ":", "?", "\n | \n"]), max_size=14).map("".join)


@given(texts, st.sampled_from(["text", "table"]), st.sampled_from(["nl", "en", "fr", "it", "de"]))
def test_whatever_a_passage_holds_its_words_can_be_quoted_and_are_its_own(text: str, kind: Any, language: str) -> None:
    for one in quotables(Chunk(0, text, kind, ("Kop",), 1, 1, 1), language):
        for voice in (True, False):
            quoted = one.text(voice)
            assert set(re.findall(r"\w+", quoted)) <= set(re.findall(r"\w+", f"{text} Kop"))
        assert one.lead or one.items


@pytest.mark.parametrize(
    ("question", "price", "is_told"),
    [
        ("Hoeveel kost een gipslaars?", "Een zitting logopedie kost 31 euro.", False),
        ("Hoeveel kost een zitting logopedie?", "Een zitting logopedie kost 31 euro.", True),
        ("Wat kost parkeren?", "Parkeren kost 4 euro.", True),
    ],
)
def test_the_price_of_something_else_is_not_told(question: str, price: str, is_told: bool) -> None:
    assert ("euro" in answer(an_input(question, a_source(price)))) is is_told
