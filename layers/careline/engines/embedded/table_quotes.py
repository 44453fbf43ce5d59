"""Quotes from tables: of the tables among the sources, the cells that the question asks for, said with their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from careline.ports import PromptInput, Source
from careline.safety.grounding.medicines import speaks_of_medicines
from careline.search.asked_cells import AskedCells, AskedTables, WholeTable, asked_cells, whole_tables
from careline.search.quotable import Quotable
from careline.search.said_row import about_of, said_row
from careline.search.table_answer import FoundCells
from careline.search.timetable import runs_of


@dataclass(frozen=True, slots=True)
class TableQuote:
    """What a table answers. `place` is that of its source among the sources; `found` says how well it fits."""

    source: Source
    place: int
    quotable: Quotable
    found: FoundCells
    whole: WholeTable


@dataclass(frozen=True, slots=True)
class TableQuotes:
    """What the tables among the sources answer, and the tables as they were looked at."""

    quotes: tuple[TableQuote, ...]
    asked: AskedTables


def table_quotes(prompt_input: PromptInput) -> TableQuotes:
    """What the words of the question choose of the tables."""
    hits = [source.hit for source in prompt_input.sources]
    asked = asked_cells(
        prompt_input.asked, prompt_input.language, hits, partial(speaks_of_medicines, prompt_input.asked)
    )
    return TableQuotes(tuple(quote_of(one, prompt_input.sources) for one in asked.cells), asked)


def quotes_of_runs(prompt_input: PromptInput) -> list[TableQuote]:
    """The runs of the timetables among the sources that the question asks for."""
    wholes = whole_tables([source.hit for source in prompt_input.sources])
    runs = runs_of(prompt_input.asked, prompt_input.language, wholes)
    return [quote_of(AskedCells(whole, run), prompt_input.sources) for whole, run in runs]


def quote_of(one: AskedCells, among: Sequence[Source]) -> TableQuote:
    """Cells of a table as they are said."""
    sources = {source.hit.passage.chunk_id: source for source in among}
    whole, found = one.whole, one.found
    heading = " ".join(whole.headings[-1:]) or whole.hits[0].passage.facts.title
    language = whole.language
    # What the table tells of is said once: before the only row, or above the list of rows.
    about = about_of(whole.table, whole.headings, language) if len(found.rows) == 1 else ""
    said = [said_row(whole.table, whole.table.rows[row], found.columns, language, about) for row in found.rows]
    source = sources[whole.hits[found.rows[0]].passage.chunk_id]
    if len(said) == 1:
        return TableQuote(source, whole.place, Quotable(heading, said[0]), found, whole)
    lead = (whole.table.caption or heading).rstrip("?:. ") + ":"
    return TableQuote(source, whole.place, Quotable(heading, lead, tuple(said)), found, whole)
