"""The menu a caller gets when the assistant cannot answer: opening hours, departments, emergency and a person, by key.

Nothing here needs a service: the line said what the menu needs of the directory (`careline.speech.line`), and `prompts`
lists every sentence that the menu can say, so that each can be recorded beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from careline.directory.directory import Directory
from careline.directory.entries import Campus, Department, name_in
from careline.directory.week import WeeklyHours
from careline.speech import language_data
from careline.speech.opening_hours import spoken_day, spoken_week
from careline.speech.spoken.numbers import spoken_numbers

PAGE = 7
"""Departments by key at a time: eight turns the page, nine is the emergency and zero a person wherever one is."""
USUAL_EMERGENCY = "112"
"""The number of an emergency where the directory names none: it is answered all over Europe."""

Action = Literal["stay", "transfer"]
_State = tuple[Literal["main", "hours", "departments", "department"], int]
"""Where the caller is, and which page or department."""
_FROM_MAIN: Mapping[str, _State] = MappingProxyType({"1": ("hours", 0), "2": ("departments", 0)})
_PAGE_KEYS = frozenset("12345678")


@dataclass(frozen=True, slots=True)
class MenuStep:
    """What a key brought: what to say, and whether the call is then put through to `number`.

    Each of `parts` is one of `Menu.prompts`.
    """

    parts: tuple[str, ...]
    action: Action = "stay"
    number: str | None = None

    @property
    def text(self) -> str:
        """The parts as one text."""
        return " ".join(self.parts)


class Menu:
    """One caller's way through the menu, in one of the four languages. `keys` are 0 to 9, * and #. `person` is where
    somebody answers, the directory's number for that where nothing is given."""

    def __init__(self, directory: Directory, language: str, person: str | None = None) -> None:
        self._directory = directory
        self._language = language
        self._departments = [one for one in directory.departments if language in one.names]
        self._person = person or directory.person_phone
        self._state: _State = ("main", 0)

    def text(self) -> str:
        """What is said where the caller is now."""
        return self._text(self._state)

    def press(self, digit: str) -> MenuStep:
        """What a key does: 0 a person, 9 the emergency number and a person, * back, # again, others as was told."""
        if digit == "0":
            return self._transfer(self._say("person"), self._person)
        if digit == "9":
            return self._emergency()
        if digit == "#":
            return MenuStep((self.text(),))
        if digit == "*":
            self._state = ("departments", self._state[1] // PAGE) if self._state[0] == "department" else ("main", 0)
            return MenuStep((self.text(),))
        if self._state[0] == "department" and digit == "1":
            return self._to_department(self._departments[self._state[1]])
        entered = self._entered(digit)
        if entered is None:
            return MenuStep((self._say("unknown_key"), self.text()))
        self._state = entered
        return MenuStep((self.text(),))

    def prompts(self) -> tuple[str, ...]:
        """Every sentence this menu can say, each once, for recording."""
        return tuple(dict.fromkeys(self._all_texts()))

    def _entered(self, digit: str) -> _State | None:
        place, page = self._state
        if place == "main":
            return _FROM_MAIN.get(digit)
        if place != "departments" or digit not in _PAGE_KEYS:
            return None
        if digit == "8":
            return ("departments", (page + 1) % self._pages) if self._pages > 1 else None
        chosen = page * PAGE + int(digit) - 1
        return ("department", chosen) if chosen < len(self._departments) else None

    @property
    def _pages(self) -> int:
        return -(-len(self._departments) // PAGE)

    def _transfer(self, said: str, number: str | None) -> MenuStep:
        if number is None:
            return MenuStep((self._nobody(),))
        return MenuStep((said,), "transfer", number)

    def _to_department(self, department: Department) -> MenuStep:
        return self._transfer(self._say("transfer", department=self._named(department)), phone_of(department))

    def _emergency(self) -> MenuStep:
        return self._transfer(self._say("emergency", number=self._emergency_number()), self._person)

    def _text(self, state: _State) -> str:
        place, which = state
        if place == "main":
            return self._say("main")
        if place == "hours":
            return f"{self._opening()} {self._say('back')}"
        if place == "departments":
            return self._page(which)
        return f"{self._department(self._departments[which])} {self._say('back')}"

    def _opening(self) -> str:
        lines = [
            self._say("opening", place=self._named(campus), hours=hours)
            for campus in self._directory.campuses
            if self._language in campus.names and (hours := self._open(campus)) is not None
        ]
        return " ".join(lines) or self._say("no_opening")

    def _named(self, one: Campus | Department) -> str:
        return name_in(one.names, self._language) or ""

    def _open(self, campus: Campus) -> str | None:
        """When the first way in that has hours is open."""
        for door in campus.entrances:
            if door.hours is not None:
                return spoken_day(door.hours, self._language)
            if door.weekly:
                return spoken_week(WeeklyHours(weekly=door.weekly), self._language)
        return None

    def _page(self, page: int) -> str:
        shown = self._departments[page * PAGE : (page + 1) * PAGE]
        if not shown:
            return self._say("no_departments")
        keys = language_data.table(self._language, "menu", "keys").values()
        lines = [
            self._say("department_key", key=key, department=self._named(department))
            for key, department in zip(keys, shown, strict=False)
        ]
        more = [self._say("more")] if self._pages > 1 else []
        return " ".join([*lines, *more, self._say("back")])

    def _department(self, department: Department) -> str:
        name, phone = self._named(department), phone_of(department)
        if phone is None:
            said = f"{name}."
        else:
            said = self._say("department", department=name, phone=spoken_numbers(phone, self._language))
        week = spoken_week(department.opening_hours[0], self._language) if department.opening_hours else None
        return said if week is None else f"{said} {self._say('department_hours', hours=week)}"

    def _emergency_number(self) -> str:
        return spoken_numbers(self._directory.hospital.emergency_number or USUAL_EMERGENCY, self._language)

    def _nobody(self) -> str:
        return self._say("nobody", number=self._emergency_number())

    def _say(self, sentence: str, /, **values: str) -> str:
        said = language_data.text(self._language, "menu", sentence).format(**values)
        return said.replace(".m..", ".m.")

    def _all_texts(self) -> Iterator[str]:
        yield self._text(("main", 0))
        yield self._text(("hours", 0))
        yield from (self._text(("departments", page)) for page in range(max(1, self._pages)))
        for which, department in enumerate(self._departments):
            yield self._text(("department", which))
            yield self._to_department(department).text
        yield self._transfer(self._say("person"), self._person).text
        yield self._emergency().text
        yield self._say("unknown_key")
        yield self._nobody()


def phone_of(department: Department) -> str | None:
    """The number of a department, else that of the first campus on which it has one."""
    return department.phone or next((one.phone for one in department.locations if one.phone), None)
