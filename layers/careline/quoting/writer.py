"""Writes an answer without a language model: it quotes the sources, and invents nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from careline.ports import Source
from careline.quoting.quotes import Quote, quotes
from careline.quoting.quoting_input import QuotingInput
from careline.tables.caller_forms import beside
from careline.value_framework.units import asked_unit, unit_mismatch

MOST = {False: 3, True: 2}
"""Sentences and lists of one window that are quoted, by whether the answer is spoken."""
MOST_CHARACTERS = {False: 700, True: 420}
"""Characters of an answer but for its first quotation, by whether it is spoken."""

_OWN_MARKERS = re.compile(r"(?<![ \t])[ \t]*\[\d{1,2}(?:\s?[,;]\s?\d{1,2}){0,8}\]")
"""References of the quoted document to its own literature, which would read as markers of this answer."""


NAME = "extractive"
"""What stands in records where others have the name of a language model."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A piece of an answer that quotes: a quotation with its marker, or what is said before one."""

    text: str
    sources: tuple[int, ...] = ()
    """Numbers of the sources it was taken from."""
    is_cells: bool = False
    """Whether it says cells of a table, a row in each line: one is a sentence whatever full stops its cells hold."""


def quotations(quoting_input: QuotingInput) -> Iterator[Quotation]:
    """The answer, piece by piece, with markers [n] that refer to the input's sources; none where nothing answers."""
    chosen = chosen_quotes(quoting_input)
    before, language = "", quoting_input.language
    if chosen and sureness(chosen, quoting_input) < 0:
        before = quoting_input.unsure_notice
        yield Quotation(before)
    if units := _unit_notice(chosen, quoting_input):
        yield Quotation(_gap(before, units) + units)
        before = units
    for quote in chosen:
        source = quote.source
        notice = quoting_input.foreign_notices.get(source.language) if source.language != language else None
        if notice:
            yield Quotation(_gap(before, notice) + notice.replace("{title}", source.title), (source.number,))
            before = notice
        language = source.language
        for one in quote.quotables:
            text = _OWN_MARKERS.sub("", one.text(quoting_input.voice))
            quoted = _foreign(text, source, quoting_input) if language not in {quoting_input.language, ""} else text
            said = _gap(before, text) + _marked(quoted, source.number)
            yield Quotation(said, (source.number,), is_cells=quote.is_cells)
            before = text


def _unit_notice(chosen: Sequence[Quote], quoting_input: QuotingInput) -> str:
    """What is said before prices by another unit than was asked for; "" where they are by it, or by none."""
    texts = ("\n".join((one.heading, one.text(False))) for quote in chosen for one in quote.quotables)
    found = unit_mismatch(asked_unit(quoting_input.asked), texts)
    if found is None:
        return ""
    language = quoting_input.language
    return quoting_input.unit_notice.format(unit=found.told_in(language), asked_unit=found.asked.name(language))


def chosen_quotes(quoting_input: QuotingInput) -> list[Quote]:
    """What the answer quotes, in its order; empty where nothing answers."""
    return quotes(quoting_input, MOST[quoting_input.voice], MOST_CHARACTERS[quoting_input.voice])


def sureness(chosen: Sequence[Quote], quoting_input: QuotingInput) -> float:
    """How far the confidence of what is quoted lies above that from which it is said without a doubt, in logits; below
    0 the answer begins by saying that it may be none. Minus infinity where nothing is quoted."""
    if not chosen:
        return -math.inf
    return max(one.confidence for one in chosen) - quoting_input.sure_from


def _marked(text: str, number: int) -> str:
    """The text with its marker where a reader expects it: after a list's lead-in, else at the end."""
    lead, line_break, rest = text.partition("\n")
    if line_break:
        return f"{lead} [{number}]\n{rest.rstrip()}"
    return f"{text.rstrip()} [{number}]"


def _foreign(text: str, source: Source, quoting_input: QuotingInput) -> str:
    """A quotation in another language than the question's, the caller's forms of its figures beside it; on the phone
    its figures are spoken in its own language, as its words are."""
    if quoting_input.voice:
        return text if "\n" in text else f"“{text}”"
    lines = text.split("\n")
    written_in, language = source.language, quoting_input.language
    return "\n".join(beside(line, written_in, language, quoted=len(lines) == 1) for line in lines)


def _gap(before: str, text: str) -> str:
    """What stands between two quotations: nothing before the first, an empty line around a list."""
    if not before:
        return ""
    return "\n\n" if "\n" in before or "\n" in text else " "
