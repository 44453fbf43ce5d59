"""Holds what `words.yaml` lists, and what the words of a label mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from careline.directory.entries import Unit
from careline.text.figure_words import plain
from careline.text.figure_words import words as figure_words
from careline.text.label_words import LabelWord, label_words, vocabulary


@dataclass(frozen=True, slots=True)
class HourWords:
    """What stands in the opening hours of one language. `every_day` and `all_day` are turns of phrase, longest first;
    each of the others is one word."""

    filler: frozenset[str]
    through: frozenset[str]
    every_day: tuple[str, ...]
    all_day: tuple[str, ...]
    closed: frozenset[str]
    holiday: frozenset[str]
    label: str
    """What a column of hours is called."""


@dataclass(frozen=True, slots=True)
class Words:
    """`words.yaml`, ready to be asked."""

    units: Mapping[str, Unit]
    per: frozenset[str]
    when: frozenset[str]
    between: frozenset[str]
    hours: Mapping[str, HourWords]
    nothing: frozenset[str]
    refunds: tuple[str, ...]
    empty_stubs: frozenset[str]
    added: frozenset[str]
    doctors: frozenset[str]
    holders: frozenset[str]
    particles: frozenset[str]
    shops: frozenset[str]
    services: frozenset[str]
    per_or_slash: frozenset[str]
    frequencies: tuple[tuple[str, str], ...]
    """Turns of phrase, longest first, and the frequency that each says."""
    of_month: tuple[str, ...]
    ordinals: Mapping[str, str]
    """Words, and the frequency that each says of a day of the month."""
    parts: Mapping[str, tuple[tuple[str, str], ...]]
    """By language turns of phrase, longest first, and the part of the day that each says."""
    attends: frozenset[str]
    remarks: frozenset[str]
    no_consultations: tuple[str, ...]
    """Beginnings of words, each behind a space."""
    transport: Mapping[str, str]
    """Words for means of public transport, and the directory's word for each."""
    lines: frozenset[str]
    stops: frozenset[str]
    campuses: frozenset[str]
    on_foot: tuple[str, ...]
    holding: frozenset[str]
    """Words that say from when prices or hours hold."""
    from_when: frozenset[str]
    until_when: frozenset[str]
    """Headers of two columns that say when something begins and ends."""

    def hours_of(self, language: str) -> HourWords:
        """The words of opening hours in a language; those of English in another."""
        return self.hours.get(language) or self.hours["en"]


@cache
def words() -> Words:
    """The word lists, read once."""
    source = files("careline.curation.proposals.reading").joinpath("words.yaml").read_text("utf-8")
    held = yaml.load(source, Loader=yaml.CSafeLoader)
    return Words(
        units={word: unit for unit, listed in held["units"].items() for word in listed.split()},
        per=figure_words().per | frozenset(held["per"].split()),
        when=frozenset(held["when"].split()),
        between=frozenset(held["between_per_and_unit"].split()),
        hours={code: _hours(listed) for code, listed in held["hours"].items()},
        refunds=tuple(held["refunds"].split()),
        nothing=frozenset(held["nothing"].split()),
        empty_stubs=frozenset(held["empty_stubs"].split()),
        added=frozenset(held["added"].split()),
        doctors=frozenset(held["doctors"].split()),
        holders=frozenset(held["holders"].split()),
        particles=frozenset(held["particles"].split()),
        shops=frozenset(held["shops"].split()),
        services=frozenset(held["services"].split()),
        per_or_slash=figure_words().per | frozenset(held["per"].split()) | {"/"},
        frequencies=_longest_first(held["frequencies"]),
        of_month=tuple(sorted(held["of_month"].split("|"), key=len, reverse=True)),
        ordinals={word: name for name, listed in held["ordinals"].items() for word in listed.split()},
        parts={code: _longest_first(listed) for code, listed in held["parts"].items()},
        attends=frozenset(held["attends"].split()),
        remarks=frozenset(held["remarks"].split()),
        no_consultations=tuple(f" {one.replace('.', ' ')}" for one in held["no_consultations"].split("|")),
        transport={word: kind for kind, listed in held["transport"].items() for word in listed.split()},
        lines=frozenset(held["lines"].split()),
        stops=frozenset(held["stops"].split()),
        campuses=frozenset(held["campuses"].split()),
        on_foot=tuple(held["on_foot"].split("|")),
        holding=frozenset(held["holding"].split()),
        from_when=frozenset(held["from_when"].split()),
        until_when=frozenset(held["until_when"].split()),
    )


def _longest_first(listed: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    pairs = [(phrase, name) for name, phrases in listed.items() for phrase in phrases.split("|")]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


def _hours(listed: Mapping[str, str]) -> HourWords:
    def phrases(name: str) -> tuple[str, ...]:
        return tuple(sorted(listed[name].split("|"), key=len, reverse=True))

    def single(name: str) -> frozenset[str]:
        return frozenset(listed[name].split())

    return HourWords(
        single("filler"), single("through"), phrases("every_day"), phrases("all_day"), single("closed"),
        single("holiday"), listed["label"],
    )  # fmt: skip


def is_nothing(value: str) -> bool:
    """Whether a cell says that there is nothing: empty, or a dash."""
    return not value.strip() or plain(value).strip() in words().nothing


def told(label: str, language: str) -> tuple[LabelWord, ...]:
    """The words of a label that name something."""
    return tuple(word for word in label_words(label, language) if not word.is_talk)


def concepts(label: str, language: str) -> frozenset[str]:
    """Everything that the words of a label mean."""
    return frozenset().union(*(word.concepts for word in label_words(label, language)))


def are_of_visitors(labels: Iterable[str], language: str) -> bool:
    """Whether hours are those of visitors, as the first of the labels and headings around them tells that says of what
    they are. A word that is a consultation too, as in Italian, tells it beside one of hours: "orari di visita"."""
    for label in labels:
        said = label_words(label, language)
        meant = frozenset[str]().union(*(word.concepts for word in said))
        doubtful = all("consultation" in word.concepts for word in said if "visit" in word.concepts)
        if "visit" in meant and (not doubtful or "hour" in meant):
            return True
        if "opening" in meant or any(
            "consultation" in word.concepts and "visit" not in word.concepts for word in said
        ):
            return False
    return False


def is_price_word(word: str, language: str) -> bool:
    """Whether a word asks for a price or names one."""
    return vocabulary().asks.get(language, {}).get(word) == "price"


def meaning(text: str, language: str) -> frozenset[str]:
    """What a text says whatever its wording and language: concepts of its words, else their stems, and numbers."""
    found: set[str] = set()
    for word in label_words(text, language):
        if word.number is not None:
            found.add(f"{word.number:g}")
        elif not word.is_talk and not is_price_word(word.text, language):
            found.update(word.concepts or (word.stem,))
    return frozenset(found)
