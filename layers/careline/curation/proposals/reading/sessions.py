"""Reads when consultations are held: days, hours or parts of a day, and how often; or says that it could not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from careline.curation.proposals.reading.weeks import days_in, read_week
from careline.curation.proposals.reading.words import HourWords, is_nothing, words
from careline.records.record_table import Body
from careline.text.figure_words import plain

WEEKLY = "weekly"
BY_APPOINTMENT = "by_appointment"
_SPLIT = re.compile(r" ?[,;\n] ?| (?:&|\+|en|and|et|e) ")
_TOKEN = re.compile(r"[a-z'.-]+|[0-9]+|[^\sa-z0-9()]")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Time:
    """Hours, or a part of the day."""

    hours: tuple[str, str] | None = None
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Sessions:
    """Consultations on some days, all at the same times. Without `times` only the days are named; without `days` the
    labels around have to name them. `is_closed` where it says that there are none."""

    days: tuple[str, ...] = ()
    times: tuple[Time, ...] = ()
    frequency: str = WEEKLY
    is_closed: bool = False

    def over(self, around: Sessions) -> Sessions | None:
        """With what the labels around say where this says nothing; None where both say different things."""
        if self.days and around.days and self.days != around.days:
            return None
        # Hours in the column of the morning say more than that.
        are_parts = all(one.hours is None for one in around.times) and all(one.hours for one in self.times)
        if self.times and around.times and self.times != around.times and not are_parts:
            return None
        if WEEKLY not in (self.frequency, around.frequency) and self.frequency != around.frequency:
            return None
        often = self.frequency if self.frequency != WEEKLY else around.frequency
        return Sessions(self.days or around.days, self.times or around.times, often, self.is_closed)

    def consultations(self, campus: str = "") -> Iterator[Body]:
        """As the directory writes them, `campus` by the name that a document has for it."""
        often: Body = {} if self.frequency == WEEKLY else {"frequency": self.frequency}
        at: Body = {"campus": campus} if campus else {}
        for day in self.days:
            for time in self.times or (Time(),):
                when: Body = {"from": time.hours[0], "to": time.hours[1]} if time.hours else {}
                part: Body = {"part": time.part} if time.part else {}
                yield {"weekday": day, **when, **part, **at, **often}


def sessions_in(text: str, language: str) -> tuple[Sessions, ...] | None:
    """Everything that a text says of when; empty where it says nothing, None where it is not read whole."""
    if is_nothing(text):
        return ()
    if len(text) > _LONGEST:
        return None
    pieces = [piece for part in _SPLIT.split(" ".join(text.split())) if (piece := part.strip())]
    read = [_piece(piece, language) for piece in pieces]
    known = [one for one in read if one is not None]
    return _joined(known) if len(known) == len(read) else None


def _joined(pieces: list[Sessions]) -> tuple[Sessions, ...] | None:
    """Days that stand before the hours that they share, hours that follow others of the same days."""
    found: list[Sessions] = []
    days: tuple[str, ...] = ()
    for one in pieces:
        if one.days and not one.times and one.frequency == WEEKLY and not one.is_closed:
            days += one.days
        elif one.days or days:
            found.append(replace(one, days=(*days, *one.days)))
            days = ()
        elif not found or _says_more(one, found[-1], len(found)):
            found[-1:] = [_with(found[-1], one) if found else one]
        else:
            return None
    if days:
        if found:
            # "Monday 9-12, Tuesday": whether the hours are those of Tuesday too is not said.
            return None
        found = [Sessions(days)]
    return tuple(found)


def _says_more(one: Sessions, last: Sessions, count: int) -> bool:
    """Whether a piece without days goes on with what stands before it: more hours, or how often, said once."""
    if one.is_closed or last.is_closed:
        return False
    if one.frequency != WEEKLY:
        return count == 1 and last.frequency == WEEKLY and not one.times
    if last.times:
        return last.frequency == WEEKLY
    # "The first Monday of the month, 10-12": hours behind days that say how often.
    return count == 1 and bool(last.days) and last.frequency != BY_APPOINTMENT


def _with(last: Sessions, one: Sessions) -> Sessions:
    often = one.frequency if one.frequency != WEEKLY else last.frequency
    return replace(last, times=(*last.times, *one.times), frequency=often)


def _piece(piece: str, language: str) -> Sessions | None:
    frequency, rest = frequency_in(piece)
    if frequency is None:
        return None
    reading = read_week(rest, language)
    if reading.has_hours:
        if not reading.is_whole or (reading.days and not reading.named) or frequency == BY_APPOINTMENT:
            return None
        ranges = next(iter(reading.weekly.values()))
        if any(held != ranges for held in reading.weekly.values()):
            return None
        days = tuple(reading.weekly) if reading.days else ()
        return Sessions(days, tuple(Time(hours=one) for one in ranges), frequency)
    named, left = days_in(rest, language)
    return _without_hours(named, left, frequency, language)


def _without_hours(days: tuple[str, ...], left: str, frequency: str, language: str) -> Sessions | None:
    """Days with parts of the day, a mark that somebody is there, or "closed"."""
    held = words().hours_of(language)
    left = " ".join(left.replace("(", " ").replace(")", " ").split())
    if not left or plain(left) in words().attends:
        is_some = bool(days or left or frequency != WEEKLY)
        return Sessions(days, (), frequency) if is_some else None
    if plain(left) in held.closed:
        return Sessions(days, (), frequency, is_closed=True)
    parts = _parts(left, language, held)
    return Sessions(days, tuple(Time(part=one) for one in parts), frequency) if parts else None


def _parts(text: str, language: str, held: HourWords) -> list[str]:
    """The parts of the day that a text names and nothing else; none where it says more."""
    known = words().parts.get(language) or words().parts["en"]
    low = f" {plain(text)} "
    found: list[str] = []
    for phrase, name in known:
        if f" {phrase} " in low:
            low = low.replace(f" {phrase} ", " ", 1)
            found.append(name)
    left = [word for word in _TOKEN.findall(low) if word not in held.filler]
    return found if not left else []


def frequency_in(text: str) -> tuple[str | None, str]:
    """How often, where a turn of phrase says so, and the rest of the text; None where that turn is not read."""
    low = plain(text)
    if len(low) != len(text):
        text = low
    for phrase, name in words().frequencies:
        at = low.find(phrase)
        if at >= 0 and _stands_alone(low, at, len(phrase)):
            return name, _cut(text, at, len(phrase))
    for phrase in words().of_month:
        at = low.find(phrase)
        if at >= 0:
            return _of_month(_cut(text, at, len(phrase)))
    return WEEKLY, text


def _of_month(text: str) -> tuple[str | None, str]:
    """Which of the month, as the ordinal before the day says: "every first Wednesday of the month"."""
    tokens = text.split()
    said = [(at, name) for at, token in enumerate(tokens) if (name := words().ordinals.get(plain(token).strip(".")))]
    if len(said) != 1:
        return None, text
    at, name = said[0]
    return name, " ".join((*tokens[:at], *tokens[at + 1 :]))


def _stands_alone(text: str, at: int, length: int) -> bool:
    return not (text[at - 1 : at].isalnum() or text[at + length : at + length + 1].isalnum())


def _cut(text: str, at: int, length: int) -> str:
    rest = f"{text[:at]} {text[at + length :]}"
    for empty in ("()", "( )", "(  )"):
        rest = rest.replace(empty, " ")
    return " ".join(rest.split()).strip(" ,;:–-")
