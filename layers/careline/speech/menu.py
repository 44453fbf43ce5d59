"""The menu a caller gets when the assistant cannot answer: opening hours, departments, emergency and a person, by key.

Nothing here needs a service: the directory is read when the worker starts, and `prompts` lists every sentence that the
menu can say, so that each can be recorded beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from careline.directory.hospital import Department, PhoneDirectory
from careline.speech import language_data
from careline.speech.opening_hours import spoken_day, spoken_week
from careline.speech.spoken.numbers import spoken_numbers

PAGE = 7
"""Departments by key at a time: eight turns the page, nine is the emergency and zero a person wherever one is."""
PERSON_LINES = ("helpdesk", "main")
"""Numbers of the directory at which a person answers, the first that is there."""

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
    """One caller's way through the menu, in one of the four languages. `keys` are 0 to 9, * and #."""

    def __init__(self, directory: PhoneDirectory, language: str) -> None:
        self._directory = directory
        self._language = language
        self._departments = [one for one in directory.departments if language in one.names]
        phones = directory.tenant.phones
        self._person = next((phones[line] for line in PERSON_LINES if line in phones), None)
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
        return self._transfer(self._say("transfer", department=department.names[self._language]), department.phone)

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
            self._say("opening", place=campus.names[self._language], hours=spoken_day(hours, self._language))
            for campus in self._directory.campuses
            if self._language in campus.names
            and (hours := next((one.hours for one in campus.entrances if one.hours), None)) is not None
        ]
        return " ".join(lines) or self._say("no_opening")

    def _page(self, page: int) -> str:
        shown = self._departments[page * PAGE : (page + 1) * PAGE]
        if not shown:
            return self._say("no_departments")
        keys = language_data.table(self._language, "menu", "keys").values()
        lines = [
            self._say("department_key", key=key, department=department.names[self._language])
            for key, department in zip(keys, shown, strict=False)
        ]
        more = [self._say("more")] if self._pages > 1 else []
        return " ".join([*lines, *more, self._say("back")])

    def _department(self, department: Department) -> str:
        name = department.names[self._language]
        if department.phone is None:
            said = f"{name}."
        else:
            said = self._say("department", department=name, phone=spoken_numbers(department.phone, self._language))
        week = spoken_week(department.opening_hours[0], self._language) if department.opening_hours else None
        return said if week is None else f"{said} {self._say('department_hours', hours=week)}"

    def _emergency_number(self) -> str:
        return spoken_numbers(self._directory.tenant.emergency_number, self._language)

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
