"""The words of one language that facts are said with: days, hours, prices, lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import groupby

from careline.directory.capabilities.days import part_of
from careline.directory.capabilities.facts import Asked, Cite, DayAsked
from careline.directory.capabilities.naming import called, campus_name
from careline.directory.entries import Closure, Consultation, Doctor
from careline.directory.sentences import wording
from careline.directory.week import DAYS, Day, Hours, WeeklyHours, day_name

EURO = "EUR"
NEAR = timedelta(days=180)
"""Within which a day is said without its year."""


@dataclass(frozen=True, slots=True)
class FactStatement:
    """A statement of the directory, and the entries that it rests on."""

    text: str
    cites: tuple[Cite, ...] = ()


class Words:
    """What is said to one question, in its language and on its channel."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self._words = wording(asked.language)

    def say(self, key: str, **values: str) -> str:
        """A sentence with its values, beginning with a capital and without a second full stop."""
        text = str(self._words[key]).format(**values).strip()
        text = text.replace("..", ".")
        return text[:1].upper() + text[1:]

    def part(self, key: str, **values: str) -> str:
        """A part of a sentence."""
        return str(self._words[key]).format(**values)

    def has(self, key: str) -> bool:
        """Whether the language has a sentence of its own for something."""
        return key in self._words

    def table(self, key: str) -> Mapping[str, str]:
        """Words of one kind by their keys."""
        found: Mapping[str, str] = self._words[key]
        return found

    def listed(self, items: Sequence[str], joint: str = "and") -> str:
        """Items as one says them: "a, b and c"."""
        if len(items) < 2:
            return "".join(items)
        return f"{', '.join(items[:-1])} {self._words[joint]} {items[-1]}"

    def as_one(self, texts: Sequence[str]) -> list[str]:
        """Statements of several places; by phone as one sentence, of which none is left out for being the third."""
        if not self.asked.voice or len(texts) < 2:
            return list(texts)
        return [f"{'; '.join(text.removesuffix('.') for text in texts)}."]

    def campus(self, campus_id: str | None) -> str:
        """The name of a campus; nothing where the hospital has one only."""
        return campus_name(campus_id, self.asked)

    def doctor(self, one: Doctor) -> str:
        """A doctor by name; by phone a woman's title as the language says it."""
        titles = self.table("titles_female")
        if not self.asked.voice or one.sex != "female" or (one.title or "").casefold() not in titles:
            return one.full_name
        return one.model_copy(update={"title": titles[(one.title or "").casefold()]}).full_name

    def name_of(self, name: str, cites: Sequence[Cite]) -> str:
        """The name of what a fact is of; of a doctor as doctors are named."""
        section, entry_id = cites[0]
        found = self.asked.directory.entry(section, entry_id) if section == "doctors" else None
        return self.doctor(found) if isinstance(found, Doctor) else name

    def weekday(self, day: Day) -> str:
        """The name of a day of the week."""
        return str(self._words["days"][day])

    def calendar_day(self, day: date) -> str:
        """A day of the calendar: "vrijdag 4 december"."""
        month = self._words["months"][day.month - 1]
        said = self.part("date", weekday=self.weekday(day_name(day)), day=str(day.day), month=month)
        # Of a day so far away nobody may be left to think of the last one of its name.
        return said if abs(day - self.asked.now.date()) <= NEAR else f"{said} {day.year}"

    def other_weekday(self, day: date) -> str:
        """That a day lies on another weekday than the one that was said with it."""
        date_alone = f"{day.day} {self._words['months'][day.month - 1]}"
        return self.say("other_weekday", date=date_alone, weekday=self.weekday(day_name(day)))

    def supposed(self, doctor: Doctor) -> str:
        """Whom an answer is of, where another name was said that is merely like theirs."""
        return self.say("supposed", name=self.doctor(doctor))

    def closed_between(self, closure: Closure) -> str:
        """From when to when something is closed, and why."""
        reason, since = called(closure.names, self.asked), self.calendar_day(closure.since)
        if closure.since == closure.until:
            return self.say("closed_one_day", day=self.part("on_day", day=since), reason=reason)
        return self.say("closed_between", reason=reason, **{"from": since, "to": self.calendar_day(closure.until)})

    def with_closing(self, said: list[str], closure: Closure) -> list[str]:
        """Statements with what closes it soon behind them; by phone as one sentence."""
        closed = self.closed_between(closure)
        return self.as_one([*said, f"{closed[:1].lower()}{closed[1:]}" if self.asked.voice else closed])

    def short_date(self, day: date) -> str:
        """A day with its year and without its weekday: "30 november 2026"."""
        return f"{day.day} {self._words['months'][day.month - 1]} {day.year}"

    def day(self, one: DayAsked) -> str:
        """A day as it is asked about: today, tomorrow, on Friday, on Friday 4 December."""
        today = self.asked.now.date()
        if one.is_weekly:
            return self.part("on_day", day=self.weekday(day_name(one.day)))
        if one.day == today:
            return str(self._words["today"])
        if one.day == today + timedelta(days=1):
            return str(self._words["tomorrow"])
        return self.part("on_day", day=self.calendar_day(one.day))

    def asked_day(self, one: DayAsked) -> str:
        """A day with the part of it or the time that is asked about: "on Friday morning", "tomorrow at 15:00"."""
        time = self.asked.time
        if time.is_now:
            return str(self._words["now"])
        part = self._words["parts"][time.part or "day"]
        if one.is_weekly and part:
            named = self.part("weekday_part", weekday=self.weekday(day_name(one.day)), part=part)
            said = self.part("on_day", day=named)
        else:
            said = f"{self.day(one)} {self._words['parts_of_day'][time.part or 'day']}".strip()
        return said if time.at is None else self.part("at_time", day=said, at=time.at.strftime("%H:%M"))

    def hours(self, hours: Sequence[Hours]) -> str:
        """Hours of a day: "van 08:00 tot 12:00 en van 13:00 tot 17:00"."""
        if not hours:
            return str(self._words["closed"])
        if any(one.is_all_day for one in hours):
            return str(self._words["always"])
        return self.listed([self._words["hours"].format_map({"from": one.opens, "to": one.closes}) for one in hours])

    def week(self, week: WeeklyHours) -> str:
        """A week, days with the same hours together."""
        if week.is_always:
            return str(self._words["always"])
        if week.by_appointment:
            return str(self._words["frequency"]["by_appointment"])
        by_hours = [(tuple(week.weekly.get(day, [])), day) for day in DAYS]
        runs = [(hours, [day for _, day in run]) for hours, run in groupby(by_hours, key=lambda pair: pair[0])]
        if len(runs) == 1:
            return f"{self._words['every_day']} {self.hours(runs[0][0])}"
        open_runs = [(hours, days) for hours, days in runs if hours]
        closed = [day for hours, days in runs if not hours for day in days]
        said = [f"{self._days(days)} {self.hours(hours)}" for hours, days in open_runs]
        if closed and not self.asked.voice:
            said.append(f"{self.listed([self.weekday(day) for day in closed])} {self._words['closed']}")
        return ", ".join(said)

    def _days(self, days: Sequence[Day]) -> str:
        if len(days) > 2:
            return self.part("through", first=self.weekday(days[0]), last=self.weekday(days[-1]))
        return self.listed([self.weekday(day) for day in days])

    def consultations(
        self, held: Sequence[Consultation], *, with_times: bool = True, with_day: bool = True
    ) -> list[str]:
        """Consultations, those of one day and place together."""
        runs = groupby(held, key=lambda one: (one.weekday, one.campus, one.frequency))
        return [self._consultation(list(run), with_times=with_times, with_day=with_day) for _, run in runs]

    def _consultation(self, held: Sequence[Consultation], *, with_times: bool, with_day: bool) -> str:
        """What is held on one day at one place: "maandagvoormiddag van 09:00 tot 12:30, Campus Noord"."""
        first = held[0]
        # With two times of a day none of its parts is named.
        part = self._words["parts"][(part_of(first) if len(held) == 1 else None) or "day"]
        day = self.weekday(first.weekday)
        said = self.part("weekday_part", weekday=day, part=part).strip() if part else day
        pieces = [said] if with_day else []
        pairs = [{"from": one.opens, "to": one.closes} for one in held if one.opens and one.closes]
        times = [Hours.model_validate(pair) for pair in pairs]
        if len(times) == len(held) and with_times:
            pieces.append(self.hours(times))
        text = " ".join(pieces)
        for more in (self._words["frequency"][first.frequency], self.campus(first.campus)):
            text += f", {more}" if more and text else more
        return text

    def money(self, amount: Decimal, currency: str) -> str:
        """An amount as the language writes it."""
        if amount == 0:
            return str(self._words["free"])
        figure = f"{amount:.2f}".replace(".", self._words["decimal"])
        if currency != EURO:
            return f"{figure} {currency}"
        return str(self._words["money"].format(amount=figure))
