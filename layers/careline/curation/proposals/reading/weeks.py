"""Reads opening hours as documents write them: days, ranges of times, and "closed"; or says that it could not."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from careline.curation.proposals.reading.words import HourWords, is_nothing, words
from careline.directory.week import DAYS, HOLIDAY
from careline.text.figure_words import plain
from careline.text.label_words import label_words, vocabulary

Ranges = dict[str, list[tuple[str, str]]]
"""By day, when it opens and closes, as "08:00"; an empty list where it is closed."""
EVERY_DAY = "everyday"
_ALL_DAY = "00:00-24:00"
WEEKDAYS, WEEKEND = DAYS[:5], DAYS[5:]
_TIME = (
    r"([0-2]?[0-9])(?:(?:[:.]|[ ]?[hu][ ]?)([0-5][0-9]))?(?![0-9])"
    r"(?:[ ]?(?:uur|u|heures|h|hours|ore|o'clock)(?![a-z]))?\.?[ ]?(am|pm)?(?![a-z0-9])"
)
_ALONE = re.compile(_TIME)
_RANGE = rf"{_TIME}[ ]?(?:-|tot|to|until|till|alle|a)[ ]?{_TIME}"
_TOKEN = re.compile(
    rf"(?P<range>(?<![0-9]){_RANGE})|(?P<word>[a-z][a-z'/.-]*[a-z]|[a-z])|(?P<dash>-)|(?P<mark>[,;:/&+.])|(?P<other>\S)"
)
_LONGEST = 400
"""Characters of hours that are read; what is longer is a text about them."""


@dataclass(slots=True)
class WeekReading:
    """What a text says of hours. `days` are those that it names, in order; `is_whole` whether every word was read, and
    `named` whether the days of all its hours are."""

    weekly: Ranges = field(default_factory=dict)
    days: tuple[str, ...] = ()
    is_whole: bool = True
    named: bool = True

    @property
    def has_hours(self) -> bool:
        """Whether there is a range of times in it."""
        return any(self.weekly.values())


def days_in(label: str, language: str) -> tuple[tuple[str, ...], str]:
    """The days that a label names, and what else stands in it: "Consultations, Monday to Friday"."""
    reader = _Reader(words().hours_of(language), language, ())
    rest = reader.read_label(_prepared(label, reader.words))
    return tuple(dict.fromkeys(reader.named)), rest


def read_week(text: str, language: str, days: Iterable[str] = ()) -> WeekReading:
    """The hours of a cell or line; those without a day of their own are on `days`, which its labels name."""
    if is_nothing(text):
        return WeekReading({day: [] for day in days}, tuple(days))
    if len(text) > _LONGEST:
        return WeekReading(is_whole=False)
    reader = _Reader(words().hours_of(language), language, tuple(days))
    return reader.read(_prepared(text, reader.words))


def merged(readings: Iterable[WeekReading]) -> WeekReading:
    """Several readings as one; where their hours overlap, it is not whole."""
    whole = WeekReading()
    for one in readings:
        whole.is_whole &= one.is_whole
        whole.named &= one.named
        whole.days = tuple(dict.fromkeys((*whole.days, *one.days)))
        for day, ranges in one.weekly.items():
            held = whole.weekly.setdefault(day, [])
            held += [each for each in ranges if each not in held]
    for ranges in whole.weekly.values():
        ranges.sort()
        whole.is_whole &= all(first[1] <= second[0] for first, second in itertools.pairwise(ranges))
    return whole


def as_json(weekly: Ranges) -> dict[str, list[dict[str, str]]]:
    """A week as the directory writes it, its days in order."""
    return {
        day: [{"from": opens, "to": closes} for opens, closes in weekly[day]]
        for day in (*DAYS, HOLIDAY)
        if day in weekly
    }


def _prepared(text: str, held: HourWords) -> str:
    """In plain letters, with turns of phrase as what they say."""
    read = " ".join(plain(text).replace("\u2192", " ").split())
    for phrase in held.every_day:
        read = read.replace(phrase, f" {EVERY_DAY} ")
    for phrase in held.all_day:
        read = _whole_phrase(read, phrase)
    return " ".join(read.split())


def _whole_phrase(text: str, phrase: str) -> str:
    at = text.find(phrase)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(phrase) : at + len(phrase) + 1]
        if not (before.isalnum() or behind.isalnum()):
            text = f"{text[:at]} {_ALL_DAY} {text[at + len(phrase) :]}"
        at = text.find(phrase, at + len(_ALL_DAY) + 2)
    return text


@dataclass(slots=True)
class _Reader:
    """One text that is read from left to right."""

    words: HourWords
    language: str
    default: tuple[str, ...]
    current: list[str] = field(default_factory=list)
    """The days that hours are read for."""
    run: list[str] = field(default_factory=list)
    """Days that dashes join: two are the first and the last of a run, three are a list."""
    before: list[str] = field(default_factory=list)
    """The current days without those of the run."""
    named: list[str] = field(default_factory=list)
    joins: bool = False
    closes: bool = False
    """Whether the next days are closed: "daily, closed on Monday"."""
    undated: list[tuple[str, str]] = field(default_factory=list)
    """Hours that no day stands before."""
    has_told: bool = False
    """Whether hours were read since the last day."""

    def read(self, text: str) -> WeekReading:
        reading = WeekReading()
        for found in _TOKEN.finditer(text):
            sort = found.lastgroup
            if found["range"]:
                self._add(reading, _range(found))
            elif sort == "dash" or (found["word"] in self.words.through and self.current and not self.has_told):
                self.joins = True
            elif sort == "word":
                self._word(reading, found["word"].rstrip("."), text, found)
            elif sort == "other":
                reading.is_whole = False
        self._close(reading)
        self._keep_named()
        reading.days = tuple(dict.fromkeys(self.named))
        self._date(reading)
        reading.is_whole &= bool(reading.weekly)
        for ranges in reading.weekly.values():
            ranges.sort()
            reading.is_whole &= all(one[1] <= other[0] for one, other in itertools.pairwise(ranges))
        return reading

    def read_label(self, text: str) -> str:
        """Note the days of a label; what is left of it."""
        rest: list[str] = []
        for found in _TOKEN.finditer(text):
            word = (found["word"] or "").rstrip(".")
            parts = word.split("-")
            if word and (days := self._days(word, text, found)):
                self._name(days)
            elif len(parts) > 1 and all(self._days(part, "", None) for part in parts):
                for at, part in enumerate(parts):
                    self.joins = at > 0
                    self._name(self._days(part, "", None))
            elif found.lastgroup == "dash" or (word in self.words.through and self.current):
                self.joins = True
            elif word not in self.words.filler and found.lastgroup != "mark":
                rest.append(found[0])
        self._keep_named()
        return " ".join(rest)

    def _word(self, reading: WeekReading, word: str, text: str, found: re.Match[str] | None) -> None:
        if days := self._days(word, text, found):
            if self.closes:
                self._shut(reading, days)
                return
            if self.has_told:
                self._keep_named()
                self.current, self.run, self.before, self.has_told, self.joins = [], [], [], False, False
            self._name(days)
        elif all(self._days(part, "", None) for part in word.split("-")) and "-" in word:
            for part in word.split("-"):
                self._word(reading, part, "", None)
                self.joins = True
            self.joins = False
        elif word in self.words.closed:
            self._close(reading)
            if self.current and not self.has_told:
                self._add(reading, None)
            else:
                self.closes = True
        elif word not in self.words.filler:
            reading.is_whole = False

    def _name(self, days: tuple[str, ...]) -> None:
        is_one = len(days) == 1 and days[0] in DAYS
        if not (self.joins and self.run and is_one):
            self.before, self.run = self.current, [days[0]] if is_one else []
            self.current = list(dict.fromkeys((*self.before, *days)))
        else:
            self.run.append(days[0])
            self.current = list(dict.fromkeys((*self.before, *_joined(self.run))))
        self.joins = False

    def _shut(self, reading: WeekReading, days: tuple[str, ...]) -> None:
        """Days that are named behind "closed"."""
        self._keep_named()
        self.current, self.run, self.before, self.has_told = list(days), list(days[:1]), [], True
        self.joins = self.closes = False
        if self.undated:
            for each in DAYS:
                reading.weekly.setdefault(each, []).extend(self.undated)
            self.undated.clear()
            reading.named = False
        for day in days:
            reading.weekly[day] = []

    def _close(self, reading: WeekReading) -> None:
        """What is closed where no day stands behind it: the days of the labels, else it is not clear what."""
        if not self.closes:
            return
        self.closes = False
        if self.has_told or self.undated:
            reading.is_whole = False
        else:
            self._add(reading, None)

    def _keep_named(self) -> None:
        self.named += self.current

    def _add(self, reading: WeekReading, ranged: tuple[str, str] | bool | None) -> None:
        days = self.current or list(self.default)
        if ranged is False:
            reading.is_whole = False
        elif not days and isinstance(ranged, tuple):
            self.undated.append(ranged)
            return
        self.has_told = True
        for day in days:
            held = reading.weekly.setdefault(day, [])
            if isinstance(ranged, tuple) and ranged not in held:
                held.append(ranged)

    def _date(self, reading: WeekReading) -> None:
        """Give hours without a day the days that stand behind them; else they are taken for those of every day."""
        if not self.undated:
            return
        is_always = all(one == ("00:00", "24:00") for one in self.undated)
        reading.named = (bool(reading.days) or is_always) and not reading.weekly
        reading.is_whole &= not reading.weekly
        for day in reading.days or DAYS:
            reading.weekly.setdefault(day, []).extend(one for one in self.undated)

    def _days(self, word: str, text: str, found: re.Match[str] | None) -> tuple[str, ...]:
        if word == EVERY_DAY:
            return DAYS
        if word in self.words.holiday:
            return (HOLIDAY,)
        meant = self._meant(word, text, found)
        named = tuple(day for day in DAYS if day in meant)
        if named:
            return named[:1]
        if "weekend" in meant:
            return WEEKEND
        if "weekday" in meant:
            return WEEKDAYS
        return (HOLIDAY,) if "holiday" in meant else ()

    def _meant(self, word: str, text: str, found: re.Match[str] | None) -> frozenset[str]:
        """What a word means, alone or with the one behind or before it: "week-end", "fine settimana"."""
        own = vocabulary().concepts.get(self.language, {})
        bare = word.replace("-", "").replace("'", "")
        if found is not None:
            behind = re.match(r" ([a-z]+)", text[found.end() : found.end() + 20])
            before = text[max(0, found.start() - 20) : found.start()].rstrip(" ").rpartition(" ")[2]
            for pair in (bare + behind[1] if behind else "", before + bare if before else ""):
                if pair and pair in own:
                    return own[pair]
        if bare in own:
            return own[bare]
        read = label_words(bare, self.language)
        return read[0].concepts if len(read) == 1 and len(bare) > 3 else frozenset()


def _joined(run: list[str]) -> tuple[str, ...]:
    """The days of a run: from the first to the last of two, else those alone."""
    if len(run) != 2:
        return tuple(run)
    first, last = (next(at for at, day in enumerate(DAYS) if day == one) for one in run)
    return DAYS[first : last + 1] if first < last else tuple(run)


def _range(found: re.Match[str]) -> tuple[str, str] | bool:
    """The two times of a range; False where they are none, or lie over midnight."""
    if found[0] == _ALL_DAY:
        return "00:00", "24:00"
    opens, closes = _clock(found[2], found[3], found[4]), _clock(found[5], found[6], found[7])
    if found[7] and not found[4] and opens and closes and int(found[2]) < 12 and opens >= closes:
        return False
    return (opens, closes) if opens and closes and opens < closes else False


def _clock(hour: str, minute: str | None, half: str | None) -> str | None:
    number = int(hour)
    if half:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if half == "pm" else 0)
    if number > 24 or (number == 24 and int(minute or 0)):
        return None
    return f"{number:02d}:{int(minute or 0):02d}"


def clock_alone(text: str) -> str | None:
    """The time of day that a text is, as "08:00"; None where it is more or none."""
    found = _ALONE.fullmatch(plain(text).strip())
    return _clock(found[1], found[2], found[3]) if found else None


def clocks(text: str) -> Iterator[str]:
    """The single times of a text, as "08:00"."""
    for found in re.finditer(r"(?<![0-9:.])([0-2]?[0-9])[:.]([0-5][0-9])(?![0-9])", text):
        if (read := _clock(found[1], found[2], None)) is not None:
            yield read
