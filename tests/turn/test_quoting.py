"""What a turn quotes where no language model writes: the best window, rows with their labels, a table in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from careline.installation import DOCUMENTS, Installation, Part
from careline.model import Hit, ReadWindow, Table, TableRow
from careline.passages.windows import windows_of
from careline.ports import ReaderText, ReadingPace, Source
from careline.quoting.quotes import BESIDE, MOST_WINDOWS, quotes
from careline.quoting.quoting_input import QuotingInput
from careline.quoting.said_cells import UNSURE, WHOLE_TABLE
from careline.quoting.told_dose import DoseGate
from careline.quoting.typed_rows import dose_row_first
from careline.quoting.window_read import windows_read
from tests.builders import a_passage
from tests.turn.turns import TENANT, an_installation, answer, ask, packs, with_passages

ROOMS = Table(
    "Kamers",
    ("Kamer",),
    (("Supplement",), ("Voorschot",)),
    (TableRow(("Eenpersoonskamer",), ("€ 55", "€ 150")), TableRow(("Tweepersoonskamer",), ("€ 0", "€ 75"))),
    (),
    2,
)
DOSES = Table(
    "Dosis",
    ("Leeftijd",),
    (("Dosis per dag",),),
    (
        TableRow(("2-5 jaar",), ("720 mg",)),
        TableRow(("6-8 jaar",), ("1000 mg",)),
        TableRow(("vanaf 12 jaar",), ("3000 mg",)),
    ),
    (),
    3,
)


class Scoring:
    """A reader that gives each text the logit of the first phrase it holds."""

    def __init__(self, **logits: float) -> None:
        self._logits = logits

    async def pace(self) -> ReadingPace:
        return ReadingPace()

    async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
        return [next((each for word, each in self._logits.items() if word in one.text), -9.0) for one in texts]


def text_of(table: Table) -> str:
    return "\n".join(" | ".join((*row.labels, *row.values)) for row in table.rows)


def a_source(table: Table, *relevance: float, title: str = "Kamers") -> Source:
    """A table of which the rows were read, as relevant as given."""
    passage = a_passage(text_of(table), table=table, facts={"title": title, "language": "nl"})
    read = tuple(ReadWindow(n, each) for n, each in enumerate(relevance))
    return Source(1, title, "nl", Hit(passage, 0.9), tuple(sorted(read, key=lambda one: -one.relevance)))


def said(source: Source, question: str = "wat is het supplement", *, voice: bool = False) -> list[str]:
    asked = QuotingInput(question, question, "nl", (source,), voice=voice)
    return [one.text(voice) for quote in quotes(asked, 3, 700) for one in quote.quotables]


async def a_hospital(*passages: str, reader: Scoring, **chosen: object) -> Installation:
    installation = an_installation(reader=reader, **chosen)
    installation = replace(installation, engines=replace(installation.engines, model=None))
    documents = (
        a_passage(text, tenant=TENANT, doc_key=f"blad-{n}", document_id=f"blad-{n}") for n, text in enumerate(passages)
    )
    return await with_passages(installation, *documents)


async def test_the_window_that_the_reader_likes_best_is_quoted_with_its_source() -> None:
    hospital = await a_hospital(
        "Parkeren kost twee euro per uur.", "Bezoek is welkom tot acht uur.", reader=Scoring(Bezoek=6.0)
    )
    told = answer(await ask(hospital, "tot wanneer is bezoek welkom"))
    assert "Bezoek is welkom tot acht uur. [1]" in told.text
    assert "Parkeren" not in told.text
    assert [one.doc_key for one in told.citations] == ["blad-1"]


async def test_while_documents_are_loaded_a_quote_is_said_to_be_unsure_however_well_it_answers() -> None:
    hospital = await a_hospital("Bezoek is welkom tot acht uur.", reader=Scoring(Bezoek=6.0))
    notice = packs()["hospital_line"].template("unsure_notice", "nl")
    hospital.readiness.note(DOCUMENTS, Part(1, 2))
    early = answer(await ask(hospital, "tot wanneer is bezoek welkom"))
    assert early.text.startswith(notice)
    hospital.readiness.note(DOCUMENTS, Part(is_ready=True))
    assert not answer(await ask(hospital, "tot wanneer is bezoek welkom")).text.startswith(notice)


async def test_of_a_window_the_sentences_are_said_that_the_reader_likes() -> None:
    text = "De tuin is mooi. Bezoek is welkom tot acht uur. Honden blijven thuis."
    hospital = await a_hospital(text, reader=Scoring(Bezoek=6.0, tuin=-9.0))
    told = answer(await ask(hospital, "tot wanneer is bezoek welkom"))
    assert "Bezoek is welkom tot acht uur. [1]" in told.text
    assert "tuin" not in told.text


async def test_what_the_reader_finds_nowhere_is_not_answered() -> None:
    hospital = await a_hospital("Parkeren kost twee euro per uur.", reader=Scoring())
    assert answer(await ask(hospital, "waar leen ik een rolstoel voor mijn vader")).disposition == "escalated"


@pytest.mark.parametrize(("below", "windows"), [(BESIDE - 0.1, MOST_WINDOWS), (BESIDE + 0.1, 1)])
def test_a_second_window_of_the_document_is_quoted_where_it_answers_nearly_as_well(below: float, windows: int) -> None:
    text = "# Een\nDe balie is in de hal.\n\n# Twee\nZij is open tot vijf uur."
    passage = a_passage(text)
    count = len(windows_of(passage.chunk, "nl"))
    read = (ReadWindow(0, 5.0), ReadWindow(count - 1, 5.0 - below))
    source = Source(1, "Balie", "nl", Hit(passage, 0.9), read)
    told = quotes(QuotingInput("waar", "waar", "nl", (source,)), 3, 700)
    assert count > 1
    assert len(told) == windows


def test_a_row_that_the_reader_is_sure_of_is_told_alone_with_the_labels_of_row_and_columns() -> None:
    assert said(a_source(ROOMS, 5.0, 5.0 - BESIDE - 0.1)) == [
        "Kamers, Eenpersoonskamer: het supplement is € 55; het voorschot is € 150."
    ]


def test_a_short_table_is_shown_whole_where_the_reader_does_not_tell_its_rows_apart() -> None:
    (shown,) = said(a_source(ROOMS, 5.0, 5.0 - UNSURE + 0.1))
    assert shown.splitlines() == [
        "Kamers:",
        "- Eenpersoonskamer: het supplement is € 55; het voorschot is € 150.",
        "- Tweepersoonskamer: het supplement is € 0; het voorschot is € 75.",
    ]


def test_a_long_table_is_not_shown_whole() -> None:
    rows = tuple(TableRow((f"Kamer {n}",), (f"€ {n}", "")) for n in range(WHOLE_TABLE + 1))
    long = replace(ROOMS, rows=rows, total=len(rows))
    assert len(said(a_source(long, *(5.0 for _ in rows)))) == MOST_WINDOWS


def test_a_row_by_age_leads_alone_where_a_dose_is_asked_for_and_no_price() -> None:
    read = list(windows_read([a_source(DOSES, 5.0, 4.0, 0.0, title="Koorts")]))
    by_price, by_dose = (
        dose_row_first(read, DoseGate.of(f"{asked} voor een kind van 7 jaar", "nl")) for asked in ("prijs", "dosis")
    )
    assert by_price == read
    assert [one.window.row for one in by_dose] == [1]


def test_the_row_whose_label_holds_the_age_that_is_asked_for_is_told_whatever_was_read() -> None:
    source = a_source(DOSES, 5.0, 1.0, 0.0, title="Koorts")
    for question, own in (
        ("voor een kind van 7 jaar", "1000"),
        ("voor een kind van 4 jaar", "720"),
        ("40 jaar", "3000"),
    ):
        for voice in (False, True):
            told = " ".join(said(source, f"dosis {question}", voice=voice))
            assert {dose for dose in ("720", "1000", "3000") if dose in told} == {own}
    assert "720 mg" in said(source, "dosis bij koorts")[0]


async def test_on_the_phone_it_is_asked_which_row_is_meant() -> None:
    reader = Scoring(Eenpersoonskamer=6.0, Tweepersoonskamer=6.0)
    hospital = await a_hospital(reader=reader)
    passage = a_passage(
        text_of(ROOMS), tenant=TENANT, table=ROOMS, doc_key="kamers", facts={"title": "Kamers", "language": "nl"}
    )
    hospital = await with_passages(hospital, passage)
    low = {
        name: replace(pack, evidence=pack.evidence.model_copy(update={"min_confidence": -9.0}))
        for name, pack in hospital.packs.items()
    }
    hospital = replace(hospital, packs=low)
    asked = answer(await ask(hospital, "wat is het supplement van een kamer", channel="voice"))
    assert (asked.disposition, asked.reason) == ("clarified", "WHICH_ROW")
    assert asked.text == packs()["hospital_line"].say(
        "which_row", "nl", choices="Eenpersoonskamer", other="Tweepersoonskamer"
    )
    read = answer(await ask(hospital, "wat is het supplement van een kamer"))
    assert read.disposition == "answered"
    assert "€ 55" in read.text
    assert "€ 75" in read.text
