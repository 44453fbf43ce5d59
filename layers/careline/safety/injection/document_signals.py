"""Reads sentences of a document for signals: who is asked, to do what, with which thing, by which way.

No signal is wrong by itself. Clauses that warn ("never give your PIN") or tell what fraudsters do are set apart, so
that what stays is what the page itself asks of its reader.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from careline.safety.injection.contacts import with_numbers_joined
from careline.safety.injection.disguise import read_disguises
from careline.safety.rules.plain_text import Plain, normalise_answer
from careline.safety.rules.prefilter import pieces
from careline.safety.rules.rule_sets import RuleSet
from careline.text.bounded_re2 import compile_bounded

_CLAUSE = compile_bounded(r"[,;:()–—•]|\s-\s|\s(?:but|maar|mais|ma|però|doch|so|dus|donc|quindi)\s")
_AND = compile_bounded(r"\s(?:and|en|et|e|ed)\s")
_QUOTED = compile_bounded(r"\"[^\"]+\"|“[^”]+”|„[^”“]+[”“]|«[^»]+»")
_WARNS = frozenset({"NEVER", "REPORTS"})
_TELLS_ABOUT = frozenset({"DISOWNS", "NOT_OURS", "TELLS_OF"})
"""What says of its own clause, or of those before it, that they are not what the page asks."""
_ABOUT = frozenset({"ABOUT", "REPORTS"})
"""What makes a line one about fraud."""
_ITEMS = ("- ", "* ", "• ")
_BEGINS = 4
"""Words at the head of a clause in which an order to the reader stands."""
_ORDERS = frozenset({"TELLS", "ENTERS", "INSTALLS", "PAYS"})
_CELLS = " | "
_STATES = 4
"""Words from which a cell of a table says something, rather than naming a time, a place or a price."""
_ROW = 3
"""Cells with words from which a row is more than a thing and what is said of it."""
_LONGEST_DISGUISED = 600
"""Characters of a sentence that is read once more without its disguises."""
_EVERYDAY = frozenset({"parted-words", "other-script"})
"""Tricks that hyphens and foreign words look like."""
_WORD = compile_bounded(r"\pL{2,}")
_LONG_NUMBER = compile_bounded(r"\d(?:[ ./()-]{0,2}\d){6}")
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

    A cell that says something goes with the first one, which names what the row is about; so do two alone, and a cell
    with a telephone number.
    """
    return [text for text, _, _ in statement_spans(line)]


def statement_spans(line: str) -> list[tuple[str, int, int]]:
    """The same with where each stands in the line; a cell that is said with its row's name stands at its own place."""
    whole = [(line, 0, len(line))]
    if _CELLS not in line:
        return whole
    cells, at = [], 0
    for cell in line.split(_CELLS):
        if _WORD.search(cell) or _LONG_NUMBER.search(cell):
            cells.append((cell, at, at + len(cell)))
        at += len(cell) + len(_CELLS)
    if not cells:
        return whole
    if len(cells) < _ROW:
        # What a name and one cell say is said by the cell.
        _, start, end = cells[-1] if len(cells) > 1 and not _says(cells[0][0]) and _says(cells[-1][0]) else whole[0]
        return [(": ".join(cell for cell, _, _ in cells), start, end)]
    (label, *_), *rest = cells
    return [cells[0], *((f"{label}: {cell}" if _says(cell) else cell, start, end) for cell, start, end in rest)]


def _says(cell: str) -> bool:
    return len(_WORD.findall(cell)) >= _STATES or bool(_LONG_NUMBER.search(cell))


def _undisguised(line: str) -> str:
    if len(line) > _LONGEST_DISGUISED:
        return line
    readings = read_disguises().readings(line)
    return next((reading.text for reading in readings if reading.trick not in _EVERYDAY), line)


def without_quotes(sentence: str) -> str:
    """A sentence without what stands in quotation marks, where that is only told about."""
    return str(_QUOTED.sub(" ", sentence))


class Reader:
    """Reads sentences with the rule sets of every language, each sentence and clause once.

    It keeps all it has read, so it is made for one passage or one turn and dropped with it.
    """

    __slots__ = ("_anywhere", "_plain", "_rule_sets", "_sentences", "_signals", "_undisguised")

    def __init__(self, rule_sets: Mapping[str, RuleSet]) -> None:
        self._rule_sets = rule_sets
        self._plain: dict[str, tuple[Plain, frozenset[str]]] = {}
        self._signals: dict[tuple[str, str], Signals] = {}
        self._sentences: dict[tuple[str, str], DocumentSentence] = {}
        self._anywhere: dict[str, Signals] = {}
        self._undisguised: dict[str, str] = {}

    @property
    def languages(self) -> Collection[str]:
        """Languages that there is a rule set of."""
        return self._rule_sets.keys()

    def read(self, sentence: str, language: str) -> DocumentSentence:
        """One sentence with the signals of one language. Raises: KeyError where there is no rule set of it."""
        read = self._sentences.get((language, sentence))
        if read is None:
            read = self._sentences[language, sentence] = self._read(sentence, language)
        return read

    def anywhere(self, sentence: str) -> Signals:
        """The signals of a whole sentence in whatever language."""
        found = self._anywhere.get(sentence)
        if found is None:
            found = frozenset[str]().union(*(self._of(sentence, language) for language in self._rule_sets))
            self._anywhere[sentence] = found
        return found

    def undisguised(self, line: str) -> str:
        """The line as its reader takes it, where letters are hidden behind others; else as it came."""
        found = self._undisguised.get(line)
        if found is None:
            found = self._undisguised[line] = _undisguised(line)
        return found

    def _read(self, sentence: str, language: str) -> DocumentSentence:
        whole = self._of(sentence, language)
        if not whole:
            return DocumentSentence(sentence, whole, (), whole, ())
        parts = [each for part in _CLAUSE.split(sentence) if part.strip() for each in self._parted(part, language)]
        if len(parts) < 2:
            clauses: tuple[Clause, ...] = (Clause(sentence, whole),)
        else:
            clauses = tuple(Clause(part, self._of(part, language)) for part in parts)
        if not any((_WARNS | _TELLS_ABOUT) & clause.signals for clause in clauses):
            return DocumentSentence(sentence, whole, clauses, whole, clauses)
        left = tuple(self._without_warnings(clauses, language))
        return DocumentSentence(
            sentence, whole, clauses, self._of(" , ".join(each.text for each in left), language), left
        )

    def _parted(self, clause: str, language: str) -> list[str]:
        """The clause, cut where "and" begins another call: "do not drive and call 112" turns nobody away."""
        parts = _AND.split(clause)
        if len(parts) < 2 or "DISCOURAGES" not in self._of(clause, language):
            return [clause]
        whole = [parts[0]]
        for part in parts[1:]:
            if "SEEKS" in self._of(" ".join(part.split()[:2]), language):
                whole.append(part)
            else:
                whole[-1] += f" {part}"
        return whole

    def _without_warnings(self, clauses: tuple[Clause, ...], language: str) -> list[Clause]:
        left: list[Clause] = []
        warned = False
        told_about = self._told_about(clauses, language)
        for at, clause in enumerate(clauses):
            if _WARNS & clause.signals:
                warned = True
            elif warned and self._orders(clause, language):
                warned = False
            if not warned and at not in told_about:
                left.append(clause)
        return left

    def _told_about(self, clauses: tuple[Clause, ...], language: str) -> set[int]:
        """Clauses that a later one, or they themselves, deny: "a caller who wants your PIN is not one of us".

        "That our hospital never does" speaks of all before it. "Is not one of us" speaks of somebody: of its own
        clause and the one before, and of neither where it orders the reader about.
        """
        told: set[int] = set()
        for at, clause in enumerate(clauses):
            if "DISOWNS" in clause.signals:
                told.update(range(at + 1))
            elif "NOT_OURS" in clause.signals:
                told.update(n for n in (at - 1, at) if n >= 0 and not self._orders(clauses[n], language))
            elif "TELLS_OF" in clause.signals:
                told.add(at)
        return told

    def _orders(self, clause: Clause, language: str) -> bool:
        return bool(_ORDERS & self._of(" ".join(clause.text.split()[:_BEGINS]), language))

    def _of(self, text: str, language: str) -> Signals:
        found = self._signals.get((language, text))
        if found is None:
            if text not in self._plain:
                plain = normalise_answer(with_numbers_joined(text))
                self._plain[text] = plain, pieces(plain)
            plain, held = self._plain[text]
            found = self._signals[language, text] = frozenset(self._rule_sets[language].find(plain, held))
        return found


def quotes_told_about(lines: Sequence[str], reader: Reader) -> list[bool]:
    """Whether what a line quotes is told about: it, or the line before, is about fraud in any language; it stands in a
    list of what false messages say; or its own sentence denies it.

    A page that begins with a warning against fraud may say anything further down.
    """
    about = [not _ABOUT.isdisjoint(reader.anywhere(line)) for line in lines]
    denied = ["DISOWNS" in reader.anywhere(line) for line in lines]
    marks = marks_of_fraud(lines, reader)
    return [any(each) for each in zip(about, [False, *about], denied, marks, strict=False)]


def marks_of_fraud(lines: Sequence[str], reader: Reader) -> list[bool]:
    """Whether a line is in a list of what false messages look like, on a page about fraud, or of what nobody of the
    house ever asks."""
    marks: list[bool] = []
    warned = listed = False
    for line in lines:
        item = line.lstrip().startswith(_ITEMS)
        marks.append(item and listed)
        if item:
            continue
        signals = reader.anywhere(line)
        warned = warned or not _ABOUT.isdisjoint(signals)
        listed = "FORSWEARS" in signals or (warned and "RECOGNISES" in signals)
    return marks
