"""Reads of which day and time a question is: "on Friday", "tomorrow morning", "right now", "24 December", "5 pm",
"next week"; and of a time that is gone, or that no directory holds an hour for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import product

from careline.directory.asked_day import calendar_day, clock_time, day_number, day_of_month, next_of, numbered, of_month
from careline.directory.asked_period import asked_period, nth_weekday, period_ahead, weekday_number
from careline.directory.entries import DayPart
from careline.directory.time_words import months, time_words
from careline.directory.week import DAYS, Day
from careline.text.asked_words import AskedWord, words_of

LONGEST = 5
"""Words of a phrase for a day."""
WEEK = 7
FARTHEST = 370
"""Days ahead of which a directory says nothing yet."""
AFTER = "after"
_PARTS: Mapping[str, tuple[int, DayPart | None]] = {
    "today": (0, None),
    "tonight": (0, "evening"),
    "this_morning": (0, "morning"),
    "this_afternoon": (0, "afternoon"),
    "tomorrow": (1, None),
    "tomorrow_morning": (1, "morning"),
    "tomorrow_afternoon": (1, "afternoon"),
    "tomorrow_evening": (1, "evening"),
    "day_after": (2, None),
}
"""How many days from today, and which part of it."""
_LIKE_OTHER_WORDS = frozenset(("may", "march", "mars", "mai"))
"""Months that are other words too: only a day before or behind them says that they are meant."""


@dataclass(frozen=True, slots=True)
class AskedTime:
    """Of when a question is. `weekdays` are those of every week, `days` those of the calendar. `spans` is where it
    stands in the text."""

    weekdays: tuple[Day, ...] = ()
    days: tuple[date, ...] = ()
    part: DayPart | None = None
    at: time | None = None
    is_now: bool = False
    is_weekend: bool = False
    is_holiday: bool = False
    """Public holidays in general."""
    spans: tuple[tuple[int, int], ...] = ()
    week: int | None = None
    """Weeks from this one, where a whole week is meant."""
    is_after: bool = False
    """Whether the week behind that which was asked about before is meant."""
    is_past: bool = False
    is_unknown: bool = False
    """Whether it is of a time that no directory holds an hour for: a season, the holidays of schools."""
    period: tuple[date, date] | None = None
    """First and last day of a month or a year that is asked about, from today on."""
    disagrees: bool = False
    """Whether a weekday was said with a date that lies on another one: "Friday 5 December" of a Saturday."""

    @property
    def is_any(self) -> bool:
        """Whether the question is of no day or time in particular."""
        return not self.spans

    @property
    def is_told(self) -> bool:
        """Whether a directory may hold what is so then: of a time that is gone, or far, nobody confirmed anything."""
        return not self.is_unknown and (not self.is_past or self.is_now or bool(self.days or self.weekdays))

    @property
    def is_part_of_day(self) -> bool:
        """Whether it is a part of a day or an hour alone, of a day that was said before or of none."""
        says_day = self.days or self.weekdays or self.is_now or self.is_weekend or self.is_holiday or self.period
        return bool(self.part or self.at) and not says_day and self.week is None and not self.is_unknown

    def span(self, today: date) -> tuple[date, date]:
        """The first and the last day that are asked about; today where none is."""
        if self.period is not None:
            return self.period
        if self.week is not None:
            monday = today - timedelta(days=today.weekday()) + timedelta(weeks=self.week)
            return max(monday, today), max(monday + timedelta(days=WEEK - 1), today)
        days = [*self.days, *(_coming(DAYS.index(name), today) for name in self.weekdays)]
        return min(days, default=today), max(days, default=today)


ANY_TIME = AskedTime()


@dataclass(frozen=True, slots=True)
class _Read:
    """What is said of time from a word on: so many words. `is_weekday`: a day by its name alone."""

    size: int
    time: AskedTime
    is_weekday: bool = False


def asked_time(text: str, language: str, now: datetime) -> AskedTime:
    """Of when a question is; `now` by the hospital's clocks."""
    words = words_of(text)
    found, at, ended = ANY_TIME, 0, -LONGEST
    while at < len(words):
        read = _at(words, at, text, language, now)
        if read is None:
            at += 1
            continue
        if read.time != ANY_TIME:
            span = (words[_led_in(words, at, language)].start, words[at + read.size - 1].end)
            is_one = ended >= 0 and _is_beside(words, ended, at, language)
            found = _one_day(found, read, span) if is_one else _joined(found, read.time, span)
            ended = at + read.size - 1 if read.is_weekday or read.time.days else -LONGEST
        at += read.size
    return _settled(found, words, language, now)


def _led_in(words: Sequence[AskedWord], at: int, language: str) -> int:
    """Where what leads in a time begins: "à partir du 1er janvier". By itself it asks for nothing."""
    leads, begins = time_words()["leads"][language], at
    while begins and words[begins - 1].plain in leads["before"]:
        begins -= 1
    return next((n for n in range(begins, at) if words[n].plain in leads["first"]), at)


def _is_beside(words: Sequence[AskedWord], ended: int, at: int, language: str) -> bool:
    """Whether what ends at a word and what begins at another stand side by side, or with a word between that joins no
    two: "vendredi, le 4 décembre"."""
    between = words[ended + 1 : at]
    return len(between) < 2 and not any(word.plain in time_words()["either"][language] for word in between)


def _one_day(found: AskedTime, read: _Read, span: tuple[int, int]) -> AskedTime:
    """What was read with one more part; a weekday and a date side by side are one day: "Tuesday 22 December"."""
    joined = _joined(found, read.time, span)
    if found.weekdays and len(read.time.days) == 1:
        day, said = read.time.days[0], found.weekdays[-1]
        joined = replace(joined, weekdays=found.weekdays[:-1])
    elif len(found.days) == 1 and read.is_weekday and read.time.weekdays and not found.weekdays:
        day, said = found.days[0], read.time.weekdays[0]
        joined = replace(joined, weekdays=())
    else:
        return joined
    return replace(joined, disagrees=found.disagrees or DAYS[day.weekday()] != said)


def _joined(found: AskedTime, read: AskedTime, span: tuple[int, int]) -> AskedTime:
    """What was read so far, with one more part."""
    return AskedTime(
        (*found.weekdays, *read.weekdays),
        (*found.days, *read.days),
        read.part or found.part,
        read.at or found.at,
        read.is_now or found.is_now,
        read.is_weekend or found.is_weekend,
        read.is_holiday or found.is_holiday,
        (*found.spans, span),
        read.week if read.week is not None else found.week,
        read.is_after or found.is_after,
        read.is_past or found.is_past,
        read.is_unknown or found.is_unknown,
        read.period or found.period,
        found.disagrees,
    )


def _settled(found: AskedTime, words: Sequence[AskedWord], language: str, now: datetime) -> AskedTime:
    """The whole of what was read: a weekday of a week is a day of the calendar, and so on."""
    today = now.date()
    if found.week is not None and found.weekdays:
        found = replace(found, weekdays=(), week=None, days=(*found.days, *_in_week(found.weekdays, today, found.week)))
    if found.weekdays or any(day != today for day in found.days):
        # "Now" beside another day begins a story.
        found = replace(found, is_now=False)
    apart = len(found.days) > 1 and any(word.plain in time_words()["between"][language] for word in words)
    far = any(not today <= day <= today + timedelta(days=FARTHEST) for day in found.days)
    # "On Fridays in January" is some of its days.
    part_of_period = found.period is not None and bool(found.weekdays or found.days or found.week is not None)
    return replace(found, is_unknown=True) if apart or far or part_of_period else found


def _in_week(weekdays: Sequence[Day], today: date, week: int) -> tuple[date, ...]:
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=week)
    return tuple(monday + timedelta(days=DAYS.index(name)) for name in weekdays)


def behind(found: AskedTime, before: AskedTime, now: datetime) -> AskedTime:
    """The week after the one that was asked about before, or the one that is named, as days: of the weekday that is
    asked about, or was then."""
    today = now.date()
    # Of a Tuesday "next Tuesday" may be today's and that of the week to come: both were told.
    last = max(before.days, default=None) or _in_weeks(before, today)
    week = (last - (today - timedelta(days=today.weekday()))).days // WEEK + 1 if last is not None else 1
    week = week if found.week is None else found.week
    names = found.weekdays or tuple(DAYS[day.weekday()] for day in before.days) or before.weekdays
    if not names:
        return replace(found, week=week, is_after=False)
    return replace(found, weekdays=(), week=None, days=_in_week(names, today, week), is_after=False)


def on_day_of(found: AskedTime, before: AskedTime) -> AskedTime:
    """A part of the day or an hour alone, of the days that were asked about before."""
    if before.is_unknown or before.is_past or before.period is not None:
        return replace(found, is_unknown=found.is_unknown or before.is_unknown)
    return replace(found, weekdays=before.weekdays, days=before.days, is_weekend=before.is_weekend, week=before.week)


def _in_weeks(before: AskedTime, today: date) -> date | None:
    """A day of the week that was asked about."""
    if before.week is not None:
        return today + timedelta(weeks=before.week)
    return None if not before.weekdays else _coming(DAYS.index(before.weekdays[0]), today)


def _coming(weekday: int, today: date) -> date:
    return today + timedelta(days=(weekday - today.weekday()) % WEEK)


def _at(words: Sequence[AskedWord], at: int, text: str, language: str, now: datetime) -> _Read | None:
    """What is said of time from a word on."""
    today = now.date()
    if (nth := nth_weekday(words, at, language, today)) is not None:
        return _Read(nth[0], AskedTime(days=(nth[1],)) if nth[1] else AskedTime(is_unknown=True))
    for read in (
        _phrase(words, at, language, now),
        _gone(words, at, language),
        _ahead(words, at, language, today),
        _weeks_from(words, at, language, today),
    ):
        if read is not None:
            return read
    return _of_calendar(words, at, text, language, today)


def _of_calendar(words: Sequence[AskedWord], at: int, text: str, language: str, today: date) -> _Read | None:
    """A day of the calendar, a weekday, a month, a year or a time of the clock from a word on."""
    if (dated := _dated(words, at, text, language, today)) is not None:
        size, day = dated
        is_known = day is not None and not _ends_stretch(words, at, language)
        return _Read(size, AskedTime(days=(day,)) if day is not None and is_known else AskedTime(is_unknown=True))
    if (weekday := _weekday(words, at, language, today)) is not None:
        return weekday
    if (period := asked_period(words, at, language, today)) is not None:
        return _Read(period[0], AskedTime(period=period[1]))
    if (clock := clock_time(words, at, text)) is not None:
        return _Read(clock[0], AskedTime(at=clock[1]))
    return _Read(1, AskedTime(is_unknown=True)) if _is_far(words, at, language, today) else None


def _ends_stretch(words: Sequence[AskedWord], at: int, language: str) -> bool:
    """Whether a day is the last one of several that are asked about: "van 4 tot 11 december"."""
    if at < 2 or words[at - 1].plain not in time_words()["until"][language]:
        return False
    return numbered(words[at - 2]) is not None or words[at - 2].plain in months(language)


def _dated(
    words: Sequence[AskedWord], at: int, text: str, language: str, today: date
) -> tuple[int, date | None] | None:
    if words[at].plain in time_words()["day_number"][language] and at + 1 < len(words):
        dated = calendar_day(words, at + 1, text, language, today)
        return (dated[0] + 1, dated[1]) if dated is not None else day_of_month(words, at, language, today)
    return calendar_day(words, at, text, language, today)


def _phrase(words: Sequence[AskedWord], at: int, language: str, now: datetime) -> _Read | None:
    """The longest phrase of the tables that begins at a word."""
    known = _phrases(language)
    for size in range(min(LONGEST, len(words) - at), 0, -1):
        phrase = " ".join(word.plain for word in words[at : at + size])
        if (kind := known.get(phrase)) is not None:
            return _Read(size, _of_kind(*kind, now))
    return next((_Read(1, read) for read in _compound(words[at].plain, language)), None)


@cache
def _phrases(language: str) -> Mapping[str, tuple[str, str]]:
    """What each phrase of a language is: the table it stands in, and what it says there."""
    tables = time_words()
    found: dict[str, tuple[str, str]] = {}
    for table in ("parts", "days", "feasts", "weeks", "periods"):
        found |= {phrase: (table, str(value)) for phrase, value in tables[table][language].items()}
    for table in ("no_time", "past", "unknown"):
        found |= dict.fromkeys(tables[table][language], (table, ""))
    return found


def _of_kind(table: str, value: str, now: datetime) -> AskedTime:
    match table:
        case "parts":
            return AskedTime(part=_part(value))
        case "feasts":
            month, day = map(int, value.split("-"))
            found = next_of(month, day, now.date())
            return AskedTime(days=(found,)) if found is not None else AskedTime(is_unknown=True)
        case "weeks":
            return AskedTime(is_after=True) if value == AFTER else AskedTime(week=int(value))
        case "past":
            return AskedTime(is_past=True)
        case "unknown":
            return AskedTime(is_unknown=True)
        case "periods":
            return AskedTime(period=period_ahead(value, now.date()))
        case "days":
            return _of_day(value, now)
        case _:
            return ANY_TIME


def _part(value: str) -> DayPart:
    parts: Mapping[str, DayPart] = {"morning": "morning", "afternoon": "afternoon", "evening": "evening", "day": "day"}
    return parts[value]


def _of_day(kind: str, now: datetime) -> AskedTime:
    if kind in _PARTS:
        days, part = _PARTS[kind]
        return AskedTime(days=(now.date() + timedelta(days=days),), part=part)
    return AskedTime(is_now=kind == "now", is_weekend=kind == "weekend", is_holiday=kind == "holiday")


def _compound(word: str, language: str) -> Iterator[AskedTime]:
    """A day and its part as one word: "vrijdagvoormiddag"."""
    for name, number in time_words()["weekdays"][language].items():
        part = time_words()["parts"][language].get(word.removeprefix(name)) if word.startswith(name) else None
        if part is not None:
            yield AskedTime(weekdays=(DAYS[number],), part=part)


def _weekday(words: Sequence[AskedWord], at: int, language: str, today: date) -> _Read | None:
    """A day by its name: of every week, or the coming one ("this Friday"), or one of the next two ("next Friday")."""
    for table, before in product(("this", "next", ""), (True, False)):
        size = 2 if table else 1
        marked = words[at : at + size]
        if len(marked) < size:
            continue
        marker, name = (marked[0], marked[-1]) if before else (marked[-1], marked[0])
        number = weekday_number(name, language)
        if number is None or (table and marker.plain not in time_words()[table][language]):
            continue
        coming = _coming(number, today)
        if table == "this":
            return _Read(size, AskedTime(days=(coming,)))
        if table == "next":
            later = coming + timedelta(days=WEEK)
            is_this_week = coming.isocalendar().week == today.isocalendar().week
            return _Read(size, AskedTime(days=(coming, later) if is_this_week else (coming,)))
        return _numbered_weekday(words, at, number, language, today)
    return None


def _numbered_weekday(words: Sequence[AskedWord], at: int, weekday: int, language: str, today: date) -> _Read:
    """A weekday, with the number of the day behind it where that is one: "venerdì 4"."""
    number, size = day_number(words, at + 1, language)
    follows = words[at + 1 + size].plain if at + 1 + size < len(words) else ""
    if weeks := _weeks_behind(words, at + 1, language, today):
        return _Read(1 + weeks[0], AskedTime(days=(_coming(weekday, today) + timedelta(weeks=weeks[1]),)))
    day = of_month(number, today) if number and follows not in months(language) else None
    if day is not None and day.weekday() == weekday and words[at + 1].plain.isdigit():
        return _Read(1 + size, AskedTime(days=(day,)))
    return _Read(1, AskedTime(weekdays=(DAYS[weekday],)), is_weekday=True)


def _weeks_behind(words: Sequence[AskedWord], at: int, language: str, today: date) -> tuple[int, int] | None:
    """So many weeks behind the coming day of a name, and in how many words: "vrijdag over een week", "vendredi en
    huit"."""
    for size in range(min(LONGEST, len(words) - at), 0, -1):
        phrase = " ".join(word.plain for word in words[at : at + size])
        if (weeks := time_words()["weeks_behind"][language].get(phrase)) is not None:
            return size, weeks
    ahead = _ahead(words, at, language, today) if at < len(words) else None
    return (ahead.size, ahead.time.week) if ahead is not None and ahead.time.week is not None else None


def _gone(words: Sequence[AskedWord], at: int, language: str) -> _Read | None:
    """A day, a week or a season that is gone: "last Friday", "two weeks ago"."""
    known = time_words()
    pair = words[at : at + 2]
    if len(pair) > 1:
        for marker, named in (pair, reversed(pair)):
            if marker.plain in known["last"][language] and _is_length(named, language):
                return _Read(2, AskedTime(is_past=True))
    for phrase in known["ago_before"][language]:
        size = len(phrase.split())
        if " ".join(word.plain for word in words[at : at + size]) == phrase:
            counted = _counted(words, at + size, language)
            return _Read(size + 2, AskedTime(is_past=True)) if counted else None
    counted = _counted(words, at, language)
    is_ago = counted and at + 2 < len(words) and words[at + 2].plain in known["ago"][language]
    return _Read(3, AskedTime(is_past=True)) if is_ago else None


def _is_length(word: AskedWord, language: str) -> bool:
    """Whether a word is a day, a length of time or a season."""
    known = time_words()
    is_named = word.plain in known["lengths"][language] or word.plain in known["seasons"][language]
    return is_named or word.plain in known["parts"][language] or weekday_number(word, language) is not None


def _counted(words: Sequence[AskedWord], at: int, language: str) -> tuple[int, str] | None:
    """A number of days, weeks, months or years that begins at a word."""
    number, size = day_number(words, at, language)
    one = size == 0 and at < len(words) and words[at].plain in ("a", "een", "un", "une", "una")
    number, size = (1, 1) if one else (number, size)
    length = time_words()["lengths"][language].get(words[at + 1].plain) if size == 1 and at + 1 < len(words) else None
    return (number, length) if number and length is not None else None


def _ahead(words: Sequence[AskedWord], at: int, language: str, today: date) -> _Read | None:
    """So many days or weeks from today: "in two weeks", "tra due settimane"."""
    if words[at].plain not in time_words()["ahead"][language]:
        return None
    counted = _counted(words, at + 1, language)
    if counted is None:
        return None
    number, length = counted
    if length == "day":
        return _Read(3, AskedTime(days=(today + timedelta(days=number),)))
    return _Read(3, AskedTime(week=number) if length == "week" else AskedTime(is_unknown=True))


def _weeks_from(words: Sequence[AskedWord], at: int, language: str, today: date) -> _Read | None:
    """So many weeks from the coming day of a name: "a week on Friday"."""
    counted = _counted(words, at, language)
    if counted is None or counted[1] != "week" or at + 3 >= len(words):
        return None
    weekday = weekday_number(words[at + 3], language)
    if weekday is None or words[at + 2].plain not in time_words()["weeks_from"][language]:
        return None
    return _Read(4, AskedTime(days=(_coming(weekday, today) + timedelta(weeks=counted[0]),)))


def _is_far(words: Sequence[AskedWord], at: int, language: str, today: date) -> bool:
    """Whether a word is a month without a day, a season or another year."""
    word, known = words[at], time_words()
    if word.plain.isdigit() and len(word.plain) == 4:
        return today.year != int(word.plain) and 1900 < int(word.plain) < 2100
    before = words[at - 1].plain if at else ""
    if word.plain in months(language):
        return before in known["in_month"][language] and word.plain not in _LIKE_OTHER_WORDS
    return word.plain in known["seasons"][language]
