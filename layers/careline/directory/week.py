"""Opening hours as a hospital keeps them: a week, public holidays beside it, and whether something is open now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from careline.directory.part import Part

Day = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
DAYS: tuple[Day, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
HOLIDAY: Literal["holiday"] = "holiday"
"""The key of a week under which the hours of public holidays stand."""
Clock = Annotated[str, StringConstraints(pattern=r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$")]
ALL_DAY = ("00:00", "24:00")
LOOKED_AHEAD = 14
"""Days within which the next opening is looked for."""


class Hours(Part):
    """Local time, 24 hours; "24:00" closes a day. Nothing is open across midnight: that is two entries."""

    opens: Clock = Field(alias="from")
    closes: Clock = Field(alias="to")

    @model_validator(mode="after")
    def _in_order(self) -> Hours:
        if self.opens >= self.closes:
            raise ValueError(f"closes at {self.closes}, which is not after {self.opens}; hours over midnight are two")
        return self

    @property
    def is_all_day(self) -> bool:
        """Whether they are a whole day."""
        return (self.opens, self.closes) == ALL_DAY

    def holds(self, at: time) -> bool:
        """Whether a time lies within them."""
        return self.opens <= at.strftime("%H:%M") < self.closes


Week = dict[Literal[Day, "holiday"], Annotated[list[Hours], Field(max_length=10)]]
"""Hours by day. A day that is absent is closed; without `holiday`, nothing is known of public holidays."""


class WeeklyHours(Part):
    """Hours at one campus, or everywhere where it names none."""

    campus: str | None = None
    weekly: Week = Field(default={})
    by_appointment: bool = False
    """Whether there are no hours: it is open by appointment alone."""

    @model_validator(mode="after")
    def _appointment_or_hours(self) -> WeeklyHours:
        if self.by_appointment and any(self.weekly.values()):
            raise ValueError("is by appointment and has hours; keep one of the two")
        return self

    @property
    def is_always(self) -> bool:
        """Whether it never closes."""
        return all(any(hours.is_all_day for hours in self.weekly.get(day, [])) for day in DAYS)


def day_name(day: date) -> Day:
    """The name of a day of the week."""
    return DAYS[day.weekday()]


def hours_on(week: WeeklyHours, day: date, holidays: Mapping[date, str]) -> list[Hours] | None:
    """The hours of a day, none where it is closed; None where it is a public holiday of which nothing is known."""
    if week.is_always or day not in holidays:
        return list(week.weekly.get(day_name(day), []))
    held = week.weekly.get(HOLIDAY)
    return None if held is None else list(held)
