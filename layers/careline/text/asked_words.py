"""The words of what somebody asks, and the phrases of `asked.yaml` by which one question leans on another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.label_words import LabelWord, folded, question_words, vocabulary

_WORD = re.compile(r"\[[A-Z_]{3,20}\\?_[0-9]{1,9}\]|[^\W_]+")
_HYPHENS = "-\u2010\u2011"
TOPIC = 2
"""Words of a topic that is named and nothing more."""
_LONGEST = 2_000
Phrases = dict[str, tuple[tuple[str, ...], ...]]
"""Phrases by their first word, longest first."""


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word as it stands at `start` to `end` of its text; `plain` is its lower case without accents."""

    text: str
    plain: str
    start: int
    end: int
    hyphened: bool = False
    """Whether a hyphen joins it to the word before."""

    @property
    def is_token(self) -> bool:
        """Whether it stands for personal data."""
        return self.text[0] == "["

    @property
    def is_name(self) -> bool:
        """Whether it is written like a name, or stands for one."""
        return self.is_token or self.text[0].isupper()


@cache
def _content() -> dict[str, dict[str, str]]:
    content: dict[str, dict[str, str]] = yaml.load(
        files("careline.text").joinpath("asked.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return content


@cache
def phrases(table: str, language: str) -> Phrases:
    """The phrases of a table of `asked.yaml`; none in a language that it has none of."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in _content()[table].get(language, "").split(","):
        words = tuple(phrase.split())
        if words:
            found.setdefault(words[0], []).append(words)
    return {first: tuple(sorted(listed, key=len, reverse=True)) for first, listed in found.items()}


def words_of(text: str) -> list[AskedWord]:
    """The words of a text in order; "l'accueil" is two."""
    return [
        AskedWord(found[0], folded(found[0]), found.start(), found.end(), text[max(found.start() - 1, 0)] in _HYPHENS)
        for found in _WORD.finditer(text)
    ]


def phrase_at(words: Sequence[AskedWord], at: int, known: Phrases) -> int:
    """How many words the longest known phrase has that stands at a place; 0 for none."""
    for phrase in known.get(words[at].plain, ()) if at < len(words) else ():
        if phrase == tuple(word.plain for word in words[at : at + len(phrase)]):
            return len(phrase)
    return 0


def holds(words: Sequence[AskedWord], known: Phrases) -> bool:
    """Whether a known phrase stands anywhere."""
    return any(phrase_at(words, at, known) for at in range(len(words)))


def without_greeting(text: str, language: str) -> str:
    """A text behind the words that greet or hesitate at its beginning; as it is where nothing else is said."""
    words, known, start = words_of(text), phrases("greets", language), 0
    while taken := phrase_at(words, start, known):
        start += taken
    return text[words[start].start :] if 0 < start < len(words) else text


def named(text: str, language: str) -> list[LabelWord]:
    """The words that name what a question is about, in order: no talk, number, measure or word that only asks."""
    generic = vocabulary().generic
    return [
        word
        for word in question_words(text[:_LONGEST], language)
        if not word.is_talk and word.number is None and not (word.concepts and word.concepts <= generic)
    ]


def said_to_be_about(text: str, language: str) -> str:
    """What a question names, without the words that ask and those of talk; small words before a name stay."""
    words = words_of(text)
    says = [
        len(word.text) > 1 and any(not label.is_talk for label in question_words(word.text, language)) for word in words
    ]
    for n in range(1, len(words)):
        if words[n].plain == "t" and text[words[n].start - 1] in "'’":
            says[n - 1] = False  # "can't" names nothing.
    said = ""
    for n, word in enumerate(words):
        leads = n + 1 < len(words) and words[n + 1].is_name and word.plain in vocabulary().before_places
        if says[n] or leads:
            said += ("-" if word.hyphened and n and says[n - 1] else " ") + word.text
    return said.strip()


def has_subject(question: str, language: str) -> bool:
    """Whether a question names something of a hospital that is no day, no person it is for and no measure."""
    return any(subjects_of(word) for word in named(question, language))


def subjects_of(word: LabelWord) -> frozenset[str]:
    """What of a hospital a word means, that is no day, no person it is for and no measure."""
    return word.concepts - _beside_subjects()


def names_topic(text: str, language: str) -> bool:
    """Whether a word or two are a topic that people name to ask about it, and are nothing besides."""
    words = words_of(text)
    topics = listed("topics", language)
    if not 1 <= len(words) <= TOPIC:
        return False
    if len(words) == TOPIC and "".join(word.plain for word in words) in vocabulary().concepts.get(language, {}):
        return True  # "pronto soccorso" is one thing.
    return all(word.plain in topics or has_subject(word.text, language) for word in words)


def is_place_alone(text: str, language: str) -> bool:
    """Whether a text is a preposition and a name, with a word around them at most: "at rivalago then"."""
    words = words_of(text)
    names = [word for word in named(text, language) if not word.concepts]
    return 2 <= len(words) <= TOPIC + 1 and len(names) == 1 and words[0].plain in vocabulary().before_places


@cache
def _beside_subjects() -> frozenset[str]:
    """The concepts that say of which day, for whom or how much, and those of what is done."""
    which = vocabulary().distinguishing - frozenset(str(_content()["subjects"]).split())
    return which | vocabulary().generic | frozenset(str(_content()["no_topics"]).split())


@cache
def listed(table: str, language: str) -> frozenset[str]:
    """The words of a table of `asked.yaml`."""
    return frozenset(word.strip() for word in _content()[table].get(language, "").replace(",", " ").split())


def languages_having(topic: str) -> list[str]:
    """The languages in which a word alone names something of a hospital; none for several words."""
    words = words_of(topic)
    if len(words) != 1:
        return []
    having = [code for code in LANGUAGES if question_words(words[0].text, code)[0].concepts]
    # "Interpreter" is English as it stands, and French only by its stem.
    return [code for code in having if words[0].plain in vocabulary().concepts[code]] or having


def language_of_most(question: str) -> str | None:
    """The one language in which more of the words name something of a hospital than in any other; None for none.

    What several languages name alike tells less: "parking sabato" is Italian.
    """
    named = dict.fromkeys(LANGUAGES, 0.0)
    for word in words_of(question[:_LONGEST]):
        having = [code for code in LANGUAGES if any(label.concepts for label in question_words(word.text, code))]
        named.update((code, named[code] + 1 / len(having)) for code in having)
    most = max(named.values())
    first = [code for code, count in named.items() if count == most]
    return first[0] if most and len(first) == 1 else None
