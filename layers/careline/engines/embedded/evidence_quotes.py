"""Quotes what the reader found: sentences of the best window that answer, or the cells of a row, with their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from careline.engines.embedded.asked_case import AskedCase
from careline.engines.embedded.asked_days import asked_days_first
from careline.engines.embedded.asked_thing import is_of_what_is_asked
from careline.engines.embedded.own_language import own_language_first
from careline.engines.embedded.prose_quotes import (
    AMOUNT,
    AskedKind,
    EvidenceQuote,
    WindowRead,
    answers_in_kind,
    directions,
    quote_of_prose,
    windows_read,
)
from careline.engines.embedded.read_tables import Tables
from careline.engines.embedded.table_quotes import quotes_of_runs
from careline.ports import PromptInput, Source
from careline.search.answer_kind import PREPARATION, answer_kinds
from careline.search.split_question import parts_of
from careline.search.timetable import wish_of

NEXT_BEST = 3.0
"""How far below the best window another may lie to be quoted in its place, where that one cannot be."""
BESIDE = 1.5
"""How far below the quoted window another of its document may lie to be quoted too: a fact often stands next to what
introduces it."""
MOST_RUNS = 3
"""Runs of timetables that are told: of several days or ways, where the question says none."""
TOLD_TOGETHER = 2.5
"""The same for a row where two things are asked, of which it may tell the other."""
MOST_BESIDE = 3
"""Windows that are quoted beside the best at most; more than one only where each is of another campus."""


def evidence_quotes(prompt_input: PromptInput, most: int, characters: int) -> list[EvidenceQuote]:
    """What answers each question that was asked, the best of what was read that can be said; empty where nothing can.

    Of one window `most` sentences are said at most, and `characters` in all but for the first quote of each question;
    of two questions the first has half of them.
    """
    if wish_of(prompt_input.asked, prompt_input.language) and (runs := quotes_of_runs(prompt_input)):
        return [EvidenceQuote(one.source, (one.quotable,), 0.0, one.whole, is_chosen=True) for one in runs[:MOST_RUNS]]
    ranked = sorted(windows_read(prompt_input.sources), key=lambda one: -one.read.relevance)
    tables, asked = Tables(prompt_input), parts_of(prompt_input.asked, prompt_input.language)
    found: list[EvidenceQuote] = []
    numbers = sorted({one.read.question for one in ranked})
    for number in numbers:
        room = characters // (1 + (number != numbers[-1]))
        is_first = True
        own = [one for one in ranked if one.read.question == number]
        question = asked[number] if number < len(asked) else prompt_input.question
        for quote in _of_question(own, prompt_input, tables, question, most):
            length = sum(len(one.text(prompt_input.voice)) for each in (*found, quote) for one in each.quotables)
            if (is_first or length <= room) and not any(quote.says_what(other) for other in found):
                found.append(quote)
                is_first = False
    found = [quote for quote in found if is_of_what_is_asked(quote, prompt_input)]
    # Of a follow-up that says what it is about in a question before, the last alone is answered.
    told = asked[numbers[0]] if len(numbers) == 1 and numbers[0] < len(asked) else prompt_input.asked
    if found and answers_in_kind(told, found):
        return found
    # Nothing that was read can be said; a table may hold the very cell that the question names.
    named = tables.named() if len(asked) == 1 else None
    return [] if named is None else [named]


def _of_question(
    ranked: Sequence[WindowRead], prompt_input: PromptInput, tables: Tables, question: str, most: int
) -> Iterator[EvidenceQuote]:
    """The best window that can be said, if it is nearly as good as the best of all, and what stands beside it; all
    directions of a page where preparation is asked for."""
    wanted = AskedCase(prompt_input)
    if PREPARATION in answer_kinds(question) and (directed := directions(ranked, wanted, prompt_input.language, most)):
        yield from directed
        return
    told: list[EvidenceQuote] = []
    ranked, asked = asked_days_first(ranked, question, prompt_input.language), AskedKind.of(question)
    best = max((one.read.relevance - asked.lacked(one) for one in ranked), default=0.0)
    ordered = sorted(ranked, key=lambda one: asked.lacked(one) - one.read.relevance)
    for one in own_language_first(ordered, prompt_input.language):
        if (not told and one.read.relevance < best - NEXT_BEST) or asked.is_only_priced(one):
            continue
        is_elsewhere = bool(told) and _is_another_place(one, wanted, told)
        room = TOLD_TOGETHER if wanted.is_double and one.window.row is not None else BESIDE
        if told and not is_elsewhere and (len(told) > 1 or asked.lacked(one) or not _is_beside(one, told[0], room)):
            continue
        first = told[0] if told and not is_elsewhere else None
        if one.window.row is None:
            quote = quote_of_prose(one, wanted, most, asked.kinds)
            if quote is not None and not told and AMOUNT <= asked.kinds:
                quote = tables.named_beside(quote, one.window.heading) or quote
        else:
            quote = tables.quote(one, wanted, first)
        if quote is not None:
            yield quote
            told.append(quote)
        if len(told) == MOST_BESIDE + 1:
            return
    if not told and (quote := tables.instead()) is not None:
        yield quote


def _is_another_place(one: WindowRead, wanted: AskedCase, told: Sequence[EvidenceQuote]) -> bool:
    """Whether a window says of one more campus what its document says of others in those before it: one sentence after
    the other, or a table below each name."""
    is_near = one.read.relevance >= told[0].relevance - NEXT_BEST
    is_table = one.window.row is not None
    if not is_near or any(_document(quote.source) != _document(one.source) for quote in told):
        return False
    if any((quote.whole is not None) != is_table for quote in told):
        return False
    if is_table:
        headings = [quote.source.hit.passage.chunk.heading_path[-1:] for quote in told]
        texts = [heading for path in headings for heading in path]
        return wanted.tells_of_another_place(" ".join(one.source.hit.passage.chunk.heading_path[-1:]), texts)
    texts = [quotable.text(False) for quote in told for quotable in quote.quotables]
    return all(quote.source is one.source for quote in told) and wanted.tells_of_another_place(
        f"{one.window.heading} {one.window.text}", texts
    )


def _document(source: Source) -> str:
    return source.hit.passage.document_id


def _is_beside(one: WindowRead, first: EvidenceQuote, room: float) -> bool:
    return _document(one.source) == _document(first.source) and one.read.relevance >= first.relevance - room
