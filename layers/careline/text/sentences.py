"""Finds where sentences end, in whole texts and in text that is still being written.

One rule serves both: `_Reader.next_end` decides about a full stop only when it has seen everything the decision
depends on, so a streamed text breaks exactly where the same text would break in one piece.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import resources

import yaml

from careline.model import LANGUAGES
from careline.text.frequent_words import frequent_words

_STOP = re.compile(r"[.!?…؟۔]+|[。！？]+|[\n\r\f\v\x85\u2028\u2029]")
_LINE_BREAK = re.compile(r"\r\n|[\n\r\f\v\x85\u2028\u2029]")
_CLOSERS = re.compile(r"(?:[)\]}\"'”’*_]|[ \u00a0\u202f]?[»›])*")
_OPENERS = re.compile(r"(?:[\"'“‘„«‹(\[{*_¿¡]+[ \u00a0\u202f]?)*")
_GAP = re.compile(r"\s*")
_MARKER = re.compile(r"\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,8}\]")
_MARKER_BEGUN = re.compile(r"\[[\d,;\s–-]*")
_LAST_PART = re.compile(r"[-–/]")
_LAST_TOKEN = re.compile(r"(?<![^\s(\[{\"'“”‘’„«»/|])[^\s(\[{\"'“”‘’„«»/|]*$")
_ENUMERATOR = re.compile(r"[\s(*_>#-]*(?:\d{1,3}(?:\.\d{1,3})*|[^\W\d_]|[ivx]{1,5}|[IVX]{1,5})")
_INITIALS = re.compile(r"(?:[^\W\d_](?:\.-?|-))*[^\W\d_]")
_SMALL_WORD_START = re.compile(r"['’][stnk][ \u00a0-]")
_NUMBER_START = "0123456789+€$£°±<>≥≤½¼¾"
_NEVER_FIRST = ":;,%&"
"""Signs that no sentence begins with: "Tél. : 011 90 44 72"."""
_CODE = re.compile(r"[A-Z]{1,2}[.-]?[0-9]|[A-Z](?=[.,;:)]|$)")
"""A room, a route or a staircase, as "C12" and "B": behind an unknown short word it is what that stands for."""
_LONE_LETTER = re.compile(r"(?<![^\W_])[A-ZÀ-Þ]$")
_BEGINNING = "S0"
"""Of what follows: it begins a sentence, whatever stands before."""
_SHORT_WORD = re.compile(r"[^\W\d_]{2,6}")
_LONGEST_CODE = 4
_AMOUNT_BEFORE = re.compile(r"[0-9][^\s.!?]{0,12}[ \u00a0]$")
_WRAPPED_LINE = 50
"""Characters from which a line that goes on in small letters was wrapped, rather than being an item of a list."""

_MARKER_LENGTH = 40
_LOOK_BACK = 80
_LOOK_BACK_LINE = 400
"""Characters before a stop that a decision may depend on: keeps the time linear however long a sentence is."""


class _Wait(Enum):
    """The text seen so far does not decide."""

    MORE_TEXT = 1


@dataclass(frozen=True, slots=True)
class _Abbreviations:
    """The words of `abbreviations.yaml` for one language together with those of every language."""

    never: frozenset[str]
    before_number: frozenset[str]
    letter_ends: frozenset[str]
    ends: frozenset[str]
    language: str


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    text = resources.files("careline.text").joinpath("abbreviations.yaml").read_text("utf-8")
    tables: dict[str, dict[str, list[str]]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return tables


@cache
def _abbreviations(language: str) -> _Abbreviations:
    """Words for a language; for one we have no table of, the words of all."""
    tables = _tables()
    own = [tables["any"], tables[language]] if language in tables else list(tables.values())
    return _Abbreviations(
        frozenset(word for row in own for word in row["never"]),
        frozenset(word for row in own for word in row["before_number"]),
        frozenset(word for row in own for word in row["letter_ends"]),
        frozenset(word for row in own for word in row.get("ends", ())),
        language,
    )


def split(text: str, language: str) -> list[str]:
    """The sentences of a text, stripped, none empty.

    A line of a list or table is a sentence of its own. `language` is an ISO 639-1 code; unknown ones get every
    language's abbreviations.
    """
    return [text[start:end] for start, end in sentence_spans(text, language)]


def sentence_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Where the sentences of `split` stand in the text: first character, and the one behind the last."""
    found = []
    for start, end in _spans(text, language):
        piece = text[start:end]
        if piece.strip():
            found.append((start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())))
    return found


def _spans(text: str, language: str) -> Iterator[tuple[int, int]]:
    reader = _Reader(_abbreviations(_primary(language)), ended=True)
    start = 0
    while start < len(text):
        end, _ = reader.next_end(text, start, start)
        end = len(text) if end is None else end
        yield start, end
        start = end


def _primary(language: str) -> str:
    return language.replace("_", "-").split("-")[0].lower()


def ends_sentence(text: str, stop: int, language: str) -> bool:
    """Whether the full stop at `stop` ends a sentence of a whole text."""
    start = max(0, stop - _LOOK_BACK)
    piece = text[start : stop + _LOOK_BACK]
    reader = _Reader(_abbreviations(_primary(language)), ended=True)
    end, _ = reader.next_end(piece, 0, stop - start)
    if end is None:
        return stop + 1 == len(text.rstrip())
    return not piece[stop - start + 1 : end].strip()


def is_unknown(word: str, language: str) -> bool:
    """Whether a short word in small letters is no frequent one of "nl", "en", "fr" or "it".

    Before a number it stands for a longer one. In a language that nobody knows the words of, none is."""
    if language not in LANGUAGES or not _SHORT_WORD.fullmatch(word):
        return False
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(c for c in decomposed if not unicodedata.combining(c)) not in frequent_words(language)


class SentenceStream:
    """Cuts text into sentences while it arrives; what it emits, put together, is exactly what it was given.

    White space stays with the sentence before it, so a sentence is emitted when the next one has begun.
    """

    def __init__(self, language: str) -> None:
        self._rules = _abbreviations(_primary(language))
        self._pending = ""
        self._seen = 0

    @property
    def unfinished(self) -> str:
        """What has come of the sentence whose end is not certain."""
        return self._pending

    def push(self, piece: str) -> list[str]:
        """Sentences whose end is now certain, in order."""
        self._pending += piece
        return self._take(_Reader(self._rules, ended=False))

    def flush(self) -> list[str]:
        """What is left when nothing more will come. The stream can be used again afterwards."""
        sentences = self._take(_Reader(self._rules, ended=True))
        if self._pending:
            sentences.append(self._pending)
        self._pending, self._seen = "", 0
        return sentences

    def _take(self, reader: _Reader) -> list[str]:
        sentences: list[str] = []
        start = 0
        while True:
            end, self._seen = reader.next_end(self._pending, start, self._seen)
            if end is None:
                break
            sentences.append(self._pending[start:end])
            start = end
        self._pending = self._pending[start:]
        self._seen -= start
        return sentences


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads a text whose end is the end of everything (`ended`) or only of what has arrived."""

    rules: _Abbreviations
    ended: bool

    def next_end(self, text: str, start: int, seen: int) -> tuple[int | None, int]:
        """Where the sentence that begins at `start` ends (past its white space), and up to where all is decided.

        `seen` is the second value of an earlier call for the same sentence, or `start`.
        """
        for stop in _STOP.finditer(text, max(_end_of(_GAP, text, start), seen)):
            end = self._judge(text, start, stop)
            if end is _Wait.MORE_TEXT:
                return None, stop.start()
            if end is not None and end < len(text):
                return end, end
        return None, len(text)

    def _judge(self, text: str, start: int, stop: re.Match[str]) -> int | _Wait | None:
        """The end of the sentence if this stop ends it, None if it does not."""
        if stop.end() == len(text) and not self.ended:
            return _Wait.MORE_TEXT
        if _LINE_BREAK.match(stop.group()):
            return self._judge_line_break(text, start, stop.start())
        closed = self._past_closers(text, stop.end())
        if isinstance(closed, _Wait):
            return closed
        gap = _end_of(_GAP, text, closed)
        if gap == len(text):
            return gap if self.ended else _Wait.MORE_TEXT
        if gap == closed and stop.group()[0] not in "。！？":
            return None
        following = self._following(text, gap)
        if isinstance(following, _Wait):
            return following
        before = text[max(start, stop.start() - _LOOK_BACK) : stop.start()]
        if stop.group() == "." and following.isupper():
            code = self._code(before, text, _end_of(_OPENERS, text, gap))
            if isinstance(code, _Wait):
                return code
            following = code or following
        return gap if self._ends(before, stop.group(), closed > stop.end(), following) else None

    def _code(self, before: str, text: str, at: int) -> str | _Wait:
        """How what follows counts where it names a room or a route: as a number behind a word that is short for one
        ("0"), as the beginning of a sentence behind a letter that would be an initial; "" where it does not."""
        is_short, is_letter = self._stands_for_more(before), _LONE_LETTER.search(before) is not None
        if not (is_short or is_letter):
            return ""
        if not self.ended and len(text) - at < _LONGEST_CODE:
            return _Wait.MORE_TEXT
        code = _CODE.match(text, at)
        if code is None:
            return ""
        return "0" if is_short else _BEGINNING if code[0][-1].isdigit() else ""

    def _past_closers(self, text: str, at: int) -> int | _Wait:
        """Past closing quotes and brackets, and past citation markers such as ` [1]` that belong to the sentence."""
        while True:
            at = _end_of(_CLOSERS, text, at)
            gap = _end_of(_GAP, text, at)
            if gap == len(text):
                return at if self.ended else _Wait.MORE_TEXT
            if text[gap] != "[" or gap - at > 1 or _LINE_BREAK.search(text, at, gap):
                return at
            marker = _MARKER.match(text, gap)
            if marker is None:
                begun = _end_of(_MARKER_BEGUN, text, gap)
                open_ended = begun == len(text) and begun - gap < _MARKER_LENGTH
                return _Wait.MORE_TEXT if open_ended and not self.ended else at
            at = marker.end()

    def _following(self, text: str, at: int) -> str | _Wait:
        """The first letter, digit or sign of what follows, in upper case where it starts a sentence for sure."""
        if len(text) - at < 3 and text[at] in "'’" and not self.ended:
            return _Wait.MORE_TEXT
        if _SMALL_WORD_START.match(text, at):
            return "S"
        begin = _end_of(_OPENERS, text, at)
        if begin == len(text):
            return "" if self.ended else _Wait.MORE_TEXT
        return text[begin]

    def _ends(self, before: str, stop: str, closed: bool, following: str) -> bool:
        if "." not in stop and "…" not in stop:
            return not (closed and following.islower())
        if following.islower() or len(stop) > 3 or (following and following in _NEVER_FIRST):
            return False
        if stop != ".":
            return True
        return not self._is_abbreviation(before, following)

    def _is_abbreviation(self, before: str, following: str) -> bool:
        found = _LAST_TOKEN.search(before)
        token = found.group() if found else ""
        word = token.lower().strip("*_")
        number_follows = following != "" and following in _NUMBER_START
        if _ENUMERATOR.fullmatch(before):
            return True
        if following == _BEGINNING:
            return False
        if word in self.rules.never and not (token.isupper() and len(token) > 1 and "." not in token):
            return True
        if number_follows:
            return self._stands_for_more(before) or (token.isdigit() and len(token) <= 2)
        return self._is_initials(before[: len(before) - len(token)], token)

    def _stands_for_more(self, before: str) -> bool:
        """Whether the word before a stop is short for one that a number follows, as "tel." or "niv."; behind a number a
        short word is what it counts. A name that nobody knows has a capital, which a first word has too."""
        found = _LAST_TOKEN.search(before)
        token = found.group().strip("*_") if found else ""
        if {token.lower(), _LAST_PART.split(token.lower())[-1]} & self.rules.before_number:
            return True  # "tel. 5", and "ma.-vr. 9 u", whose last part is short
        rest = before[: len(before) - len(token)]
        may_be = token.islower() or (token.istitle() and not rest.strip())
        if not may_be or token.lower() in self.rules.ends or _AMOUNT_BEFORE.search(rest):
            return False
        return is_unknown(token.lower(), self.rules.language)

    def _is_initials(self, before: str, token: str) -> bool:
        if not (_INITIALS.fullmatch(token) and token[0].isupper() and token[-1].isupper()):
            return False
        words = before.split()
        previous = re.split(r"['’]", words[-1].lower().strip("'\"("))[-1] if words else ""
        return previous not in self.rules.letter_ends and not previous.replace(",", "").replace(".", "").isdigit()

    def _judge_line_break(self, text: str, start: int, at: int) -> int | _Wait | None:
        """Every new line is a sentence of its own, except where running text was wrapped."""
        gap = _end_of(_GAP, text, at)
        if gap == len(text):
            return gap if self.ended else _Wait.MORE_TEXT
        breaks = len(_LINE_BREAK.findall(text, at, gap))
        line = _LINE_BREAK.split(text[max(start, at - _LOOK_BACK_LINE) : at])[-1].strip()
        wrapped = len(line) >= _WRAPPED_LINE and line[-1] not in ".!?…:;" and "|" not in line and "\t" not in line
        return None if breaks == 1 and wrapped and text[gap].islower() else gap


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
