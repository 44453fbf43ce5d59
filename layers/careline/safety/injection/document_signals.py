"""Reads one sentence of a document for signals: who is asked, to do what, with which thing, by which way.

No signal is wrong by itself. Clauses that warn ("never give your PIN") or tell what fraudsters do are set apart, so
that what stays is what the page itself asks of its reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import re2

from careline.safety.rules.plain_text import normalise_answer
from careline.safety.rules.rule_sets import RuleSet

_CLAUSE = re2.compile(r"[,;:()–—•]|\s-\s|\s(?:but|maar|mais|ma|però|doch|so|dus|donc|quindi)\s")
_AND = re2.compile(r"\s(?:and|en|et|e|ed)\s")
_QUOTED = re2.compile(r"\"[^\"]+\"|“[^”]+”|„[^”“]+[”“]|«[^»]+»")
_WARNS = frozenset({"NEVER", "REPORTS"})
_BEGINS = 4
"""Words at the head of a clause in which an order to the reader stands."""
_ORDERS = frozenset({"TELLS", "ENTERS", "INSTALLS", "PAYS"})
_CELLS = " | "
_STATES = 4
"""Words from which a cell of a table says something, rather than naming a time, a place or a price."""
_ROW = 3
"""Cells with words from which a row is more than a thing and what is said of it."""
_WORD = re2.compile(r"\pL{2,}")
Signals = frozenset[str]


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence with its own signals."""

    text: str
    signals: Signals


@dataclass(frozen=True, slots=True)
class DocumentSentence:
    """`whole` are the signals of all of it; `asks` of what is left without warnings; `text` as it came."""

    text: str
    whole: Signals
    clauses: tuple[Clause, ...]
    asks: Signals
    asking: tuple[Clause, ...]


def statements(line: str) -> list[str]:
    """A line as its reader takes it: a row of a table is no sentence, so that each cell stands alone.

    A cell that says something goes with the first one, which names what the row is about; so do two alone.
    """
    if _CELLS not in line:
        return [line]
    cells = [each for each in line.split(_CELLS) if _WORD.search(each)]
    if len(cells) < _ROW:
        return [": ".join(cells) or line]
    label, *rest = cells
    return [label, *(f"{label}: {each}" if len(_WORD.findall(each)) >= _STATES else each for each in rest)]


def without_quotes(sentence: str) -> str:
    """A sentence without what stands in quotation marks, where that is only told about."""
    return str(_QUOTED.sub(" ", sentence))


def read(sentence: str, rule_set: RuleSet) -> DocumentSentence:
    """One sentence with the signals of one language."""
    whole = _signals(sentence, rule_set)
    if not whole:
        return DocumentSentence(sentence, whole, (), whole, ())
    parts = [each for part in _CLAUSE.split(sentence) if part.strip() for each in _parted(part, rule_set)]
    if len(parts) < 2:
        clauses: tuple[Clause, ...] = (Clause(sentence, whole),)
    else:
        clauses = tuple(Clause(part, _signals(part, rule_set)) for part in parts)
    if not any(_WARNS & clause.signals for clause in clauses):
        return DocumentSentence(sentence, whole, clauses, whole, clauses)
    left = tuple(_without_warnings(clauses, rule_set))
    return DocumentSentence(sentence, whole, clauses, _signals(" , ".join(each.text for each in left), rule_set), left)


def _parted(clause: str, rule_set: RuleSet) -> list[str]:
    """The clause, cut where "and" begins another call: "do not drive and call 112" turns nobody away."""
    parts = _AND.split(clause)
    if len(parts) < 2 or "DISCOURAGES" not in _signals(clause, rule_set):
        return [clause]
    whole = [parts[0]]
    for part in parts[1:]:
        if "SEEKS" in _signals(" ".join(part.split()[:2]), rule_set):
            whole.append(part)
        else:
            whole[-1] += f" {part}"
    return whole


def _without_warnings(clauses: tuple[Clause, ...], rule_set: RuleSet) -> list[Clause]:
    left: list[Clause] = []
    warned = False
    for clause in clauses:
        if _WARNS & clause.signals:
            warned = True
        elif warned and _ORDERS & _signals(" ".join(clause.text.split()[:_BEGINS]), rule_set):
            warned = False
        if not warned:
            left.append(clause)
    return left


def _signals(text: str, rule_set: RuleSet) -> Signals:
    found: Mapping[str, tuple[str, ...]] = rule_set.find(normalise_answer(text))
    return frozenset(found)
