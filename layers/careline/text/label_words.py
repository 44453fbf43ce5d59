"""Reads a question and the labels of a table as words that can be compared: by form, by stem and by what they mean.

`concepts.yaml` holds what words of the four languages mean in a hospital's tables, so that a French question finds the
row of a Dutch table, and which words of a question say nothing about a row or column.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.analysers import analyser, code_of
from careline.text.note_signs import SUPERSCRIPTS
from careline.text.spelling.misspelt import common_beginning, is_one_slip, is_spelt_otherwise

_LETTERS = f"[^\\W\\d_{SUPERSCRIPTS}]+"
_CODE = r"\b[a-z]{1,2}[0-9]{1,3}[a-z]?\b(?![.,:][0-9])"
"""A letter or two with a number name one thing: car park P2, ward B3, vitamin B12."""
CLOCK = re.compile(r"\b[0-9]{1,2}:[0-9]{2}\b")
"""A time of day, which is no number of anything."""
_TOKEN = re.compile(rf"{_CODE}|{CLOCK.pattern}|[0-9]+(?:[.,][0-9]+)?|{_LETTERS}(?:['’]{_LETTERS})?|%")
_THOUSANDS = re.compile(
    r"(?<![0-9.,:])(?<![0-9][ \u00a0\u202f])[1-9][0-9]{0,2}(?:[ .,'’\u00a0\u202f][0-9]{3}){1,3}(?![0-9])"
)
_NO_DIGIT = re.compile(r"[^0-9]")
_INITIALS = re.compile(r"\b([a-z])\.([a-z])\.")
"""Abbreviations by initials: "i.v." is "iv"."""
_DENIES = frozenset(("niet", "geen", "not", "non", "pas"))
"""Words that turn round what stands behind them. "Without" is none: a thing without something has its own name."""
_DENIES_OR_BEGINS = _DENIES | {"ne", "n", "no"}
_PAST = frozenset(("na", "after", "apres", "dopo"))
"""Words before an ordinal that ask for what comes behind it: "after the first hour" is not the first."""
_ORDERED = frozenset(("first", "second"))
_NO_MORE = frozenset(("meer", "plus", "longer", "more", "piu"))
"""Words behind "not" that name an end, and not what something is not: "niet meer eten" tells until when one eats."""
_LINKS = frozenset(("de", "du", "des", "di", "del", "della", "dei", "a", "of", "van"))
"""Words that join two of which one thing is named."""
WEEKDAYS = frozenset(("weekday",))
"""What "week" may mean besides in some languages."""
ARTICLES = frozenset(("een", "un", "une", "uno", "una", "one", "a", "an"))
_CONTRACTED = frozenset(("m", "s", "d", "t", "re", "ve", "ll"))
"""What stands behind the apostrophe of an English word that is cut short."""
_EACH = frozenset(("a", "an"))
_HOUR = frozenset(("hour",))
_LONGEST_TEXT = 2_000
_SHORTEST_PART = 4
_JOINT = 2
"""Letters that join the parts of a compound ("s", "en")."""
_SHORTEST_NAMED = 6
"""Letters of each part of a compound of which the second names nothing."""
_SHORTEST_TYPED_WRONG = 5
_KEPT_LABELS = 4_000
"""Labels and lines whose words are kept, of about two kilobytes each."""
_SHORT_IN_QUESTIONS = frozenset(("ic", "ct", "tv", "rx", "dr", "ei", "tc"))
"""Words of two letters that a question means; the others ("do", "ma") are abbreviations in labels only."""


@dataclass(frozen=True, slots=True)
class LabelWord:
    """A word in lower case without accents. `number` is its worth where it is one; `is_talk` when it names nothing,
    `is_denied` when "not" stands before it, and `is_ended` when "no more" does."""

    text: str
    stem: str
    concepts: frozenset[str] = frozenset()
    number: float | None = None
    is_talk: bool = False
    is_denied: bool = False
    is_ended: bool = False


@dataclass(frozen=True, slots=True)
class LabelVocabulary:
    """`concepts.yaml`, ready to be asked."""

    concepts: dict[str, dict[str, frozenset[str]]]
    """By language, the concepts of each word."""
    stems: dict[str, dict[str, frozenset[str]]]
    """By language, the concepts of each word's stem."""
    parts: dict[str, tuple[str, ...]]
    """By language, words that others are compounded of, longest first."""
    asks: dict[str, dict[str, str]]
    """By language, what a word asks for."""
    talk: dict[str, frozenset[str]]
    """By language, words and stems that name no row or column."""
    distinguishing: frozenset[str]
    generic: frozenset[str]
    before_names: frozenset[str]
    before_places: frozenset[str]
    numbers: dict[str, dict[str, float]]


@cache
def vocabulary() -> LabelVocabulary:
    """The vocabulary of the four languages."""
    content = yaml.load(files("careline.text").joinpath("concepts.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)
    concepts: dict[str, dict[str, set[str]]] = {code: {} for code in LANGUAGES}
    asks: dict[str, dict[str, str]] = {code: {} for code in LANGUAGES}
    for name, code, word in _entries(content["concepts"]):
        concepts[code].setdefault(word, set()).add(name)
    for name, code, word in _entries(content["asks"]):
        asks[code][word] = name
    parts = {
        code: tuple(sorted((word for word in known if len(word) >= _SHORTEST_PART), key=len, reverse=True))
        for code, known in concepts.items()
    }
    numbers = {
        code: {folded(word).replace("-", ""): float(worth) for worth, word in enumerate(listed.split())}
        for code, listed in content["numbers"].items()
    }
    held = {code: {word: frozenset(names) for word, names in known.items()} for code, known in concepts.items()}
    distinguishing, generic, before_names, before_places = (
        frozenset(folded(word) for word in content[listed].split())
        for listed in ("distinguishing", "generic", "before_names", "before_places")
    )
    talk = {code: _with_stems(listed.split(), code) for code, listed in content["talk"].items()}
    stems = {code: _by_stems(known, code) for code, known in held.items()}
    return LabelVocabulary(
        held, stems, parts, asks, talk, distinguishing, generic, before_names, before_places, numbers
    )


def _by_stems(known: dict[str, frozenset[str]], language: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for word, concepts in known.items():
        stem = analyser(code_of(language)).analyze(word)
        if stem and len(word) >= _SHORTEST_PART:
            found.setdefault(stem[0], concepts)
    return found


def _with_stems(words: list[str], language: str) -> frozenset[str]:
    plain = [folded(word) for word in words]
    return frozenset(plain).union(*(analyser(code_of(language)).analyze(word) for word in plain))


def _entries(table: dict[str, str]) -> list[tuple[str, str, str]]:
    return [
        (name, code, folded(word).replace("-", "").replace("'", ""))
        for name, listed in table.items()
        for code, words in zip(LANGUAGES, listed.split("|"), strict=True)
        for word in words.split()
    ]


def folded(text: str) -> str:
    """Lower case without accents. Superscript characters stay what they are: they are no digits."""
    plain = text.lower()
    if plain.isascii():
        return plain
    return "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))


def with_whole_thousands(text: str) -> str:
    """A text with "1 500", "1.500" and "1,500" as the number they are."""
    return _THOUSANDS.sub(lambda match: _NO_DIGIT.sub("", match[0]), text)


def question_words(question: str, language: str) -> list[LabelWord]:
    """The words of a question, those without meaning included; not kept in memory."""
    return _words(question[:_LONGEST_TEXT], language, in_question=True)


@lru_cache(maxsize=_KEPT_LABELS)
def label_words(label: str, language: str) -> tuple[LabelWord, ...]:
    """The words of a label, title or heading of a document."""
    return tuple(_words(label[:_LONGEST_TEXT], language, in_question=False))


@lru_cache(maxsize=_KEPT_LABELS)
def own_words(text: str, language: str) -> tuple[LabelWord, ...]:
    """The words of a text of the hospital's own, as those of a question are read which it is held against. They are
    kept, so that no caller's text may be given here."""
    return tuple(question_words(text, language))


def _words(text: str, language: str, *, in_question: bool) -> list[LabelWord]:
    tokens = _TOKEN.findall(_INITIALS.sub(r"\1\2 ", with_whole_thousands(folded(text))))
    known = vocabulary()
    own = known.concepts.get(language, {})
    found: list[LabelWord] = []
    for n, token in enumerate(tokens):
        # "l'hopital" and "dell'ora" are their second half, "what's" is its first; "fast-food" is also one word.
        first, _, second = token.replace("’", "'").rpartition("'")
        token = first if first and second in _CONTRACTED else second
        pair = _of_two(tokens[n:], token, own)
        before = own.get(_bare(tokens[n - 1]) + _bare(token)) if n else None
        if before is None and n > 1 and _is_link(tokens[n - 1]):
            before = own.get(_bare(tokens[n - 2]) + _bare(token))
        # "not insured" is one thing, and not what its second word is.
        concepts = pair or before or _concepts(token, language, in_question)
        # A caller's words are not kept; those of documents are, once each.
        word = (_word.__wrapped__ if in_question else _word)(token, language, concepts, in_question)
        at = n - 2 if n > 1 and _is_link(tokens[n - 1]) else n - 1
        is_denied = at >= 0 and tokens[at] in _DENIES and not before and word.number is None
        is_denied |= in_question and bool(concepts & _ORDERED) and not _PAST.isdisjoint(tokens[max(n - 2, 0) : n])
        is_ended = n > 1 and tokens[n - 1] in _NO_MORE and tokens[n - 2] in _DENIES_OR_BEGINS
        found.append(replace(word, is_denied=is_denied, is_ended=is_ended) if is_denied or is_ended else word)
    return _with_one_hour(found) if in_question else found


def _with_one_hour(words: list[LabelWord]) -> list[LabelWord]:
    """The words of a question with the article before an hour as the number it may be; "an hour" is each hour."""
    return [
        replace(word, number=1.0)
        if word.text in ARTICLES and word.text not in _EACH and words[n + 1].concepts == _HOUR
        else word
        for n, word in enumerate(words[:-1])
    ] + words[-1:]


def _of_two(tokens: Sequence[str], token: str, own: dict[str, frozenset[str]]) -> frozenset[str] | None:
    """The concepts of a word with the one behind it ("fast-food"), or behind what links them ("hôpital de jour")."""
    found = own.get(token + _bare(tokens[1])) if len(tokens) > 1 else None
    if found is None and len(tokens) > 2 and _is_link(tokens[1]):
        found = own.get(token + _bare(tokens[2]))
    return found


def _is_link(token: str) -> bool:
    return token in _LINKS


def _bare(token: str) -> str:
    return token.replace("'", "")


@lru_cache(maxsize=20_000)
def _word(token: str, language: str, concepts: frozenset[str], in_question: bool) -> LabelWord:
    known = vocabulary()
    if ":" in token:
        # 09:30 is 9:30, and no number.
        return LabelWord(token.removeprefix("0"), token.removeprefix("0"))
    if "0" <= token[0] <= "9":
        return LabelWord(token, token, concepts, float(token.replace(",", ".")))
    number = known.numbers.get(language, {}).get(token)
    if number is not None:
        return LabelWord(token, token, concepts, None if token in ARTICLES else number, is_talk=number == 1)
    stems = analyser(code_of(language)).analyze(token)
    asks = in_question and token in known.asks.get(language, {})
    stem = stems[0] if stems else token
    talk = known.talk.get(language, frozenset())
    is_talk = not stems or asks or token in talk or (not concepts and stem in talk)
    if in_question and language == "nl" and not concepts and not is_talk and (named := _before_talk(token, talk)):
        token, stem = named, (analyser("nl").analyze(named) or [named])[0]
    return LabelWord(token, stem, concepts, None, is_talk=is_talk)


def _before_talk(token: str, talk: frozenset[str]) -> str:
    """What a Dutch compound names whose second part names nothing: of a "controleafspraak" the check."""
    at = next((n for n in range(_SHORTEST_NAMED, len(token) - _SHORTEST_NAMED) if token[n:] in talk), 0)
    return token[:at]


@lru_cache(maxsize=20_000)
def _concepts_of_known(token: str, language: str) -> frozenset[str]:
    known = vocabulary()
    own = known.concepts.get(language, {})
    found = own.get(token) or _by_stem(token, language)
    if found or language != "nl" or len(token) < 2 * _SHORTEST_PART - 1:
        return found or frozenset()
    asked = next((word for word in known.asks["nl"] if len(word) >= _SHORTEST_PART and token.endswith(word)), "")
    if asked:
        # "dagprijs" asks for a price, of a day.
        before = token[: len(token) - len(asked)]
        return own.get(before) or own.get(before.removesuffix("s")) or frozenset({f"={before}"})
    first = next((part for part in known.parts["nl"] if token.startswith(part)), "")
    last = next((part for part in known.parts["nl"] if token.endswith(part) and len(part) < len(token)), "")
    named = frozenset().union(*(own[part] for part in (first, last) if part))
    rest = token[len(first) : len(token) - len(last)] if len(first) + len(last) < len(token) else ""
    # What else a compound names makes it something of its own: a family room is a room, and no other room is one.
    return named | {f"={rest}"} if named and len(rest) > _JOINT else named


def _concepts(token: str, language: str, in_question: bool) -> frozenset[str]:
    if in_question and len(token) == 2 and token not in _SHORT_IN_QUESTIONS:
        return frozenset()
    if not in_question:
        return _concepts_of_known(token, language)
    # Not through the cache: a caller's words are not kept.
    return _concepts_of_known.__wrapped__(token, language)


def _by_stem(token: str, language: str) -> frozenset[str]:
    """The concepts of a word in another form than the listed one, such as a plural."""
    stems = analyser(code_of(language)).analyze(token) if len(token) >= _SHORTEST_PART else []
    return vocabulary().stems.get(language, {}).get(stems[0], frozenset()) if stems else frozenset()


def same(word: LabelWord, label: LabelWord, *, typed_wrong: bool = False) -> bool:
    """Whether a question's word names what a label's word names. `typed_wrong` allows for a slip of the keyboard."""
    if word.number is not None or label.number is not None:
        return word.number is not None and word.number == label.number
    if word.is_denied != label.is_denied and not (word.is_ended or label.is_ended):
        return False
    if word.concepts and label.concepts:
        # "single room" is a room and no double room; a question for a single room is not one for a room.
        left = word.concepts - label.concepts - (WEEKDAYS if "week" in label.concepts else frozenset())
        known = vocabulary().distinguishing
        if not left or (label.concepts <= word.concepts and not any(one in known or one[0] == "=" for one in left)):
            return True
        if not any(one[0] == "=" for one in (*left, *label.concepts)):
            return False
    if word.text == label.text or word.stem == label.stem or (not label.concepts and f"={label.text}" in word.concepts):
        return True
    if len(word.text) >= _SHORTEST_PART and len(label.text) > len(word.text):
        # A compound of the label has the question's word in it; a compound of the question is something else.
        if label.text.startswith(word.text) or (label.text.endswith(word.text) and len(word.text) > _SHORTEST_PART):
            return True
    short, long = sorted((word.text, label.text), key=len)
    if len(long) < len(short) + 4 and common_beginning(short, long) >= max(_SHORTEST_TYPED_WRONG, 0.75 * len(short)):
        return True
    is_slip = len(short) >= _SHORTEST_TYPED_WRONG and (is_one_slip(short, long) or is_spelt_otherwise(short, long))
    return typed_wrong and is_slip
