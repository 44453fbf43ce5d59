"""Says a week of opening hours in one sentence: days with the same hours together, times as they are spoken."""

from __future__ import annotations

from itertools import groupby

from careline.directory.week import DAYS, Day, Hours, WeeklyHours
from careline.speech import language_data
from careline.speech.spoken.numbers import spoken_numbers


def spoken_week(week: WeeklyHours, language: str) -> str | None:
    """Such as "maandag tot en met vrijdag van acht uur tot zeventien uur, zaterdag en zondag gesloten".

    None where the week says nothing. A day that is absent is closed.
    """
    if not week.weekly:
        return None
    by_hours = [(tuple(week.weekly.get(day, [])), day) for day in DAYS]
    runs = [(hours, [day for _, day in run]) for hours, run in groupby(by_hours, key=lambda pair: pair[0])]
    return ", ".join(f"{_days(days, language)} {_said(hours, language)}" for hours, days in runs)


def spoken_day(hours: Hours, language: str) -> str:
    """Hours that are the same every day."""
    return f"{language_data.text(language, 'menu', 'every_day')} {_said((hours,), language)}"


def _days(days: list[Day], language: str) -> str:
    names = language_data.table(language, "menu", "days")
    if len(days) == len(DAYS):
        return language_data.text(language, "menu", "every_day")
    if len(days) > 2:
        return language_data.text(language, "menu", "through").format(first=names[days[0]], last=names[days[-1]])
    return f" {language_data.text(language, 'menu', 'and')} ".join(names[day] for day in days)


def _said(hours: tuple[Hours, ...], language: str) -> str:
    if not hours:
        return language_data.text(language, "menu", "closed")
    if len(hours) == 1 and hours[0].is_all_day:
        return language_data.text(language, "menu", "around_the_clock")
    form = language_data.text(language, "menu", "from_to")
    spoken = [form.format(hours=spoken_numbers(f"{some.opens}-{some.closes}", language)) for some in hours]
    return f" {language_data.text(language, 'menu', 'and')} ".join(spoken)
