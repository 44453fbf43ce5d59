"""Asks a caller which row of a table is meant, where the reader does not tell: nobody hears a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.conversation.pending import Choice
from careline.installation import Installation
from careline.quoting.persons_named import PersonGate
from careline.quoting.said_cells import rows_within_reach
from careline.quoting.typed_rows import typed_row_first
from careline.quoting.window_read import WindowRead, windows_read
from careline.safety.injection.document_screen import read_document_screen
from careline.text.note_signs import signs_of
from careline.turn.outcome import Clarification
from careline.turn.question.asked_persons import asked_persons
from careline.turn.turn import Turn
from careline.turn.writers import ModelWriter, writers_of

MOST_CHOICES = 4
"""Rows that are named; of more nobody remembers the first."""
LONGEST_CHOICE = 60
"""Characters of the name of a row."""


async def ask_which(turn: Turn, installation: Installation) -> Turn:
    """The turn; on the phone, where documents are quoted, finished with a question where several rows may be meant."""
    first = writers_of(turn, installation.engines)[0]
    if not turn.voice or turn.choice is not None or turn.supposed_advice or isinstance(first, ModelWriter):
        # Nobody is asked twice, and what waits for a document's own words is told in these or refused.
        return turn
    choices = _choices(_meant(turn))
    if not 2 <= len(choices) <= MOST_CHOICES or not all(map(_may_be_named, choices)):
        return turn
    if any(written_in != turn.language for _, written_in in choices):
        return turn
    asked = tuple(Choice(name, f"{turn.search_text} {name}") for name, _ in choices)
    topic = f"rows:{turn.without_phi}:{'|'.join(name for name, _ in choices)}"
    if topic in turn.conversation.asked_back:
        return turn
    return replace(turn, outcome=Clarification("WHICH_ROW", "which_row", asked, topic=topic))


def _meant(turn: Turn) -> list[WindowRead]:
    """The rows that may be meant: those that answer about as well as the best, without any that gives way to another
    one as the question names what that one holds."""
    read = sorted(windows_read(turn.sources), key=lambda one: -one.read.relevance)
    read = PersonGate.of(read, turn.search_text, turn.language, asked_persons(turn)).led(read)
    ranked = typed_row_first(read, turn.search_text, turn.language, voice=True)
    rows = rows_within_reach(ranked)
    return [row for row in rows if _leads(row, ranked, turn)]


def _leads(row: WindowRead, ranked: Sequence[WindowRead], turn: Turn) -> bool:
    """Whether a row stays first where it was read as the best."""
    others = (one for one in ranked if one is not row)
    first = typed_row_first([row, *others], turn.search_text, turn.language, voice=True)[0]
    return first.window.row == row.window.row


def _choices(rows: Sequence[WindowRead]) -> list[tuple[str, str]]:
    """What the rows are called, each by what the others are not, and the language of their table."""
    named: dict[str, str] = {}
    for one in rows:
        table = one.source.hit.passage.chunk.table
        assert table is not None
        assert one.window.row is not None
        named[_name(table.rows[one.window.row].labels)] = one.source.language
    return list(named.items())


def _name(labels: Sequence[str]) -> str:
    return ", ".join(text for label in labels if (text := signs_of(label)[0].strip(" :")))


def _may_be_named(choice: tuple[str, str]) -> bool:
    """Whether a document may have the assistant say the name of a row."""
    name, language = choice
    return 0 < len(name) <= LONGEST_CHOICE and not read_document_screen().judge(name, language)
