"""What every language model does; the extractive model's own promises are at the end."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.engines.embedded.extractive import MOST, MOST_CHARACTERS, ExtractiveModel
from careline.knowledge import tables
from careline.model import Chunk, Hit, ReadWindow
from careline.ports import LanguageModel, PromptInput, Source
from careline.search.quotable import quotables
from tests.builders import a_passage
from tests.emulators.openai import MODEL, serving
from tests.fakes import FakeEmbedder, ScriptedModel

embedder = FakeEmbedder()
VISIT = (
    "Bezoek mag elke dag van 14 tot 20 uur. Op de kinderafdeling mogen ouders dag en nacht blijven. "
    "Hoe laat mag ik op bezoek? Parkeren kost twee euro per uur in parking A. De cafetaria sluit om 18 uur."
)
LIST = "Breng bij uw opname het volgende mee:\n- uw identiteitskaart\n- een lijst van uw medicatie\n- een pyjama"
TABLE = tables.read(
    tables.cells_of([["Parking", "Tarief"], ["Parking A", "twee euro per uur"], ["Parking B", "gratis"]], headers=1)
)


def a_source(text: str = VISIT, number: int = 1, *, kind: Any = "text", language: str = "nl", **said: Any) -> Source:
    passage = a_passage(text, kind=kind, **{"facts": {"language": language, "title": "Op bezoek"}, **said})
    return Source(number, "Op bezoek", language, Hit(passage, 0.9))


def a_prompt_input(question: str = "Hoe laat is het bezoek elke dag?", *sources: Source, **said: Any) -> PromptInput:
    vector = said.pop("vector", embedder.vector(question))
    chosen = {"language": "nl", "system": "Antwoord kort.", "sources": sources or (a_source(),), **said}
    return PromptInput(question=question, search_text=question, vector=vector, **chosen)


async def answer(model: LanguageModel, prompt_input: PromptInput) -> str:
    return "".join([completion.text async for completion in model.write(prompt_input)])


@pytest.fixture(params=["embedded", "fake", "openai"])
async def model(request: pytest.FixtureRequest) -> AsyncIterator[LanguageModel]:
    if request.param == "embedded":
        yield ExtractiveModel(embedder)
    elif request.param == "fake":
        yield ScriptedModel(["Bezoek mag ", "tot 20 uur [1]."])
    else:
        from openai import AsyncOpenAI

        from careline.engines.openai.model import ModelTimeouts, OpenAIModel, Prices

        with serving() as endpoint:
            async with AsyncOpenAI(api_key="k", base_url=endpoint.url, max_retries=0) as client:
                yield OpenAIModel(client, MODEL, Prices(1, 2), ModelTimeouts())


async def test_an_answer_arrives_in_pieces_with_markers_and_its_usage_last(model: LanguageModel) -> None:
    chunks = [completion async for completion in model.write(a_prompt_input())]
    assert [completion.usage is not None for completion in chunks] == [False] * (len(chunks) - 1) + [True]
    assert len(chunks) > 1
    assert re.findall(r"\[(\d+)\]", "".join(completion.text for completion in chunks)) == ["1"]
    assert all(set(completion.sources) <= {1} for completion in chunks)
    assert model.name


async def test_a_reader_may_go_away_at_any_piece(model: LanguageModel) -> None:
    async with aclosing(model.write(a_prompt_input())) as chunks:
        assert (await anext(chunks)).text


extractive = ExtractiveModel(embedder)


async def test_what_is_said_stands_word_for_word_in_its_source() -> None:
    said = await answer(extractive, a_prompt_input())
    assert said == "Bezoek mag elke dag van 14 tot 20 uur. [1]"
    assert said.replace(" [1]", "") in VISIT


async def test_without_a_source_nothing_is_said() -> None:
    chunks = [completion async for completion in extractive.write(a_prompt_input(sources=()))]
    assert [completion.text for completion in chunks] == [""]
    assert chunks[0].usage is not None


async def test_the_question_in_a_document_is_never_quoted() -> None:
    said = await answer(extractive, a_prompt_input("Hoe laat mag ik op bezoek?"))
    assert said
    assert "?" not in said
    only_questions = a_source("Hoe laat mag ik op bezoek? Waar kan ik parkeren?")
    assert await answer(extractive, a_prompt_input("Hoe laat mag ik op bezoek?", only_questions)) == ""


async def test_a_list_is_quoted_with_its_lead_in_and_its_marker_there() -> None:
    said = await answer(extractive, a_prompt_input("Wat breng ik mee bij mijn opname?", a_source(LIST, 3)))
    assert said.splitlines()[0] == "Breng bij uw opname het volgende mee: [3]"
    assert said.splitlines()[1:] == ["- uw identiteitskaart", "- een lijst van uw medicatie", "- een pyjama"]


async def test_a_row_of_a_table_is_said_with_the_names_of_its_columns() -> None:
    said = await answer(extractive, a_prompt_input("Wat kost parking A?", a_source(tables.text_of(TABLE), table=TABLE)))
    assert said.startswith("Parking A – Tarief: twee euro per uur. [1]")


async def test_a_table_that_has_not_what_is_asked_for_is_not_told_and_nothing_else_with_a_figure_is() -> None:
    sources = (a_source(tables.text_of(TABLE), table=TABLE), a_source("Een dagkaart kost 8 euro.", number=2))
    assert await answer(extractive, a_prompt_input("Wat kost parking voor een motor?", *sources)) == ""


async def test_a_price_of_a_table_is_said_as_a_sentence_with_what_the_table_tells_of() -> None:
    prices = tables.read(tables.cells_of([["", "Bezoekers", "Personeel"], ["Eerste uur", "1,50 €", "1 €"]], 1))
    source = a_source(tables.text_of(prices), table=replace(prices, caption="Parkeren campus Oost"))
    said = await answer(extractive, a_prompt_input("wat kost het eerste uur parkeren voor bezoekers", source))
    assert said == "Parkeren campus Oost, Bezoekers: het eerste uur kost 1,50 €. [1]"


async def test_no_fact_is_said_twice_and_no_yes_without_its_question() -> None:
    twice = a_source("Bezoek mag elke dag van 14 tot 20 uur. Bezoek mag elke dag van 14 tot 20 uur.")
    assert (await answer(extractive, a_prompt_input("bezoek elke dag", twice))).count("20 uur") == 1
    assert await answer(extractive, a_prompt_input("bezoek elke dag", a_source("Ja."))) == ""


async def test_the_dose_of_one_medicine_is_not_told_for_another() -> None:
    doses = tables.read(tables.cells_of([["Indicatie", "Dosis"], ["Migraine", "1000 mg"], ["Koorts", "500 mg"]], 1))
    source = a_source(tables.text_of(doses), table=doses, facts={"title": "Paracetamol", "language": "nl"})
    assert "1000 mg" in await answer(extractive, a_prompt_input("dosis paracetamol bij migraine", source))
    assert await answer(extractive, a_prompt_input("dosis ibuprofen bij migraine", source)) == ""


async def test_a_source_in_another_language_is_announced_and_set_in_quotation_marks() -> None:
    notices = {"nl": "« {title} » (en néerlandais) : ", "it": "non questo"}
    french = a_prompt_input("bezoek elke dag", language="fr", foreign_notices=notices)
    said = await answer(extractive, french)
    assert said.startswith("« Op bezoek » (en néerlandais) : ")
    assert "“Bezoek mag elke dag van 14 tot 20 uur” (14h; 20h)." in said
    spoken = await answer(extractive, replace(french, voice=True))
    assert "“Bezoek mag elke dag van 14 tot 20 uur.”" in spoken
    assert "néerlandais" not in await answer(extractive, a_prompt_input(foreign_notices=notices))


async def test_a_source_in_another_language_behind_one_in_the_callers_is_announced_too() -> None:
    own = replace(a_source("La cantine est ouverte à midi."), language="fr", read=(ReadWindow(0, 4.0),))
    other = replace(a_source("Een maaltijd kost 8 euro."), number=2, read=(ReadWindow(0, 3.9, question=1),))
    notices = {"nl": "« {title} » (en néerlandais) : "}
    asked = "quand ouvre la cantine et combien coûte un repas"
    said = await answer(extractive, a_prompt_input(asked, own, other, language="fr", foreign_notices=notices))
    assert said.startswith("La cantine est ouverte à midi. [1]")
    assert "« Op bezoek » (en néerlandais) : " in said
    assert said.endswith("“Een maaltijd kost 8 euro.” [2]")


@pytest.mark.parametrize(("relevance", "is_said"), [(2.9, True), (3.0, False)])
async def test_a_quote_that_the_reader_is_not_sure_of_is_announced_as_such(relevance: float, is_said: bool) -> None:
    source = replace(a_source("De kapel is altijd open."), read=(ReadWindow(0, relevance),))
    limits = {"unsure_notice": "Misschien niet.", "sure_from": 3.0}
    said = await answer(extractive, a_prompt_input("wanneer is de kapel open", source, **limits))
    assert said == ("Misschien niet. " if is_said else "") + "De kapel is altijd open. [1]"


@pytest.mark.parametrize("voice", [True, False])
async def test_an_answer_keeps_to_the_limits_of_its_channel(voice: bool) -> None:
    many = " ".join(f"Bezoek op afdeling {n} mag elke dag van 14 tot 20 uur en ook op zondag." for n in range(40))
    chunks = [
        completion
        async for completion in extractive.write(a_prompt_input("bezoek elke dag", a_source(many), voice=voice))
    ]
    quoted = [completion.text for completion in chunks if completion.text]
    assert 1 <= len(quoted) <= MOST[voice]
    assert sum(map(len, quoted)) <= MOST_CHARACTERS[voice] + 10 * len(quoted)


async def test_only_the_best_document_is_quoted_and_its_number_is_kept() -> None:
    other = a_source("De tuin is mooi. Het dak is rood.", 4, doc_key="garden")
    said = [
        completion
        async for completion in extractive.write(a_prompt_input("bezoek elke dag", other, a_source(VISIT, 7)))
    ]
    assert {number for completion in said for number in completion.sources} == {7}


async def test_without_a_vector_words_decide() -> None:
    assert await answer(extractive, a_prompt_input("parkeren euro", vector=None)) == (
        "Parkeren kost twee euro per uur in parking A. [1]"
    )


texts = st.lists(st.sampled_from(["a", "b. ", " | ", "\n", "- ", "1. ", ":", "?", "\n | \n"]), max_size=14).map("".join)


@given(texts, st.sampled_from(["text", "table"]), st.sampled_from(["nl", "en", "fr", "it", "de"]))
def test_whatever_a_passage_holds_its_words_can_be_quoted_and_are_its_own(text: str, kind: Any, language: str) -> None:
    for one in quotables(Chunk(0, text, kind, ("Kop",), 1, 1, 1), language):
        for voice in (True, False):
            quoted = one.text(voice)
            assert set(re.findall(r"\w+", quoted)) <= set(re.findall(r"\w+", f"{text} Kop"))
        assert one.lead or one.items
