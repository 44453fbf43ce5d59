"""Directories of any hospital, for Hypothesis: whatever a person may have confirmed."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, get_args

from hypothesis import strategies as st

from careline.directory.directory import Directory
from careline.directory.entries import DayPart, Frequency, Purpose, Unit
from careline.directory.week import DAYS, HOLIDAY

LANGUAGES = ("nl", "en", "fr", "it")
NAME = st.text(
    st.one_of(
        st.characters(categories=("L", "N", "P", "S", "Zs"), max_codepoint=0x2FFF),
        st.sampled_from(' ;,"=+-@#:()\n'),
    ),
    min_size=1,
    max_size=20,
).map(str.strip).filter(bool)  # fmt: skip
IDENTIFIER = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,15}", fullmatch=True)
PHONE = st.sampled_from(("112", "1733", "011 90 10 00", "+32 11 90 10 00", "0032 (0)11 90.10-00", "011/90 10 00"))
EMAIL = st.sampled_from(("a@b.example", "o'neil+x@hospital.example"))
LINK = st.sampled_from(("https://www.hospital.example", "http://h.example/a?b=c;d"))
DAY = st.dates(date(2001, 1, 1), date(2090, 12, 31))


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def some(of: list[str], least: int = 0) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(of), unique=True, min_size=least, max_size=3) if of else st.just([])


def one_of_or_none(of: list[str]) -> st.SearchStrategy[Any]:
    return maybe(st.sampled_from(of)) if of else st.none()


def by_language(strategy: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(LANGUAGES), strategy, min_size=least)


NAMES = by_language(NAME, least=1)
MAYBE_NAMES = by_language(NAME)
WORDS = by_language(st.lists(NAME, min_size=1, max_size=3))


def clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@st.composite
def hours(draw: st.DrawFn, most: int = 2) -> list[dict[str, str]]:
    """Hours of a day, none within another."""
    times = sorted(draw(st.sets(st.integers(0, 1440), max_size=2 * most)))
    return [{"from": clock(a), "to": clock(b)} for a, b in zip(times[::2], times[1::2], strict=False)]


ONE_HOURS = hours(1).filter(bool).map(lambda found: found[0])
WEEK = st.dictionaries(st.sampled_from((*DAYS, HOLIDAY)), hours(), min_size=1)


def weeks(campuses: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    at = one_of_or_none(campuses)
    one = st.fixed_dictionaries({"campus": at, "weekly": WEEK}) | st.fixed_dictionaries(
        {"campus": at, "by_appointment": st.just(True)}
    )
    return st.lists(one, max_size=2, unique_by=lambda week: week["campus"] or "")


@st.composite
def validity(draw: st.DrawFn) -> dict[str, Any]:
    first = draw(maybe(DAY))
    last = draw(maybe(st.integers(0, 400)))
    return {
        "owner": draw(maybe(NAME)),
        "valid_from": first,
        "valid_until": None if last is None else (first or date(2030, 1, 1)) + timedelta(days=last),
        "confirmed_on": draw(maybe(DAY)),
    }


@st.composite
def span(draw: st.DrawFn) -> dict[str, date]:
    first = draw(DAY)
    return {"from": first, "to": first + timedelta(days=draw(st.integers(0, 30)))}


@st.composite
def campus(draw: st.DrawFn, entry_id: str) -> dict[str, Any]:
    address = st.fixed_dictionaries(
        {"street": NAME, "postcode": NAME, "town": NAME, "country": maybe(st.sampled_from(("BE", "FR", "SE")))}
    )
    entrance = st.fixed_dictionaries(
        {"id": maybe(IDENTIFIER), "names": NAMES, "hours": maybe(ONE_HOURS), "weekly": WEEK | st.just({}),
         "step_free": maybe(st.booleans())}
    )  # fmt: skip
    count = maybe(st.integers(0, 5000))
    parking = st.fixed_dictionaries(
        {"id": maybe(IDENTIFIER), "names": NAMES, "capacity": count, "accessible_spaces": count,
         "charging_points": count, "max_height_m": maybe(st.sampled_from((1.9, 2.0, 2.15, 3.75)))}
    )  # fmt: skip
    stop = st.fixed_dictionaries(
        {"kind": st.sampled_from(("bus", "train", "tram", "metro", "boat")), "line": NAME, "stop": NAME,
         "walking_minutes": maybe(st.integers(0, 120))}
    )  # fmt: skip
    way = st.fixed_dictionaries({"by": st.sampled_from(("car", "foot", "inside")), "text": NAMES})
    return {
        "id": entry_id, "name": draw(maybe(NAME)), "names": draw(MAYBE_NAMES), "synonyms": draw(WORDS),
        "address": draw(maybe(address)), "phone": draw(maybe(PHONE)), "email": draw(maybe(EMAIL)),
        "role": draw(maybe(st.sampled_from(("main", "general", "rehabilitation_and_outpatient")))),
        "entrances": draw(st.lists(entrance, max_size=2)), "parking": draw(st.lists(parking, max_size=2)),
        "public_transport": draw(st.lists(stop, max_size=2)), "routes": draw(st.lists(way, max_size=2)),
        "visiting_hours": draw(weeks([entry_id])), **draw(validity()),
    }  # fmt: skip


@st.composite
def department(draw: st.DrawFn, entry_id: str, campuses: list[str]) -> dict[str, Any]:
    place = maybe(st.integers(-9, 999) | st.sampled_from(("Level A", "blue", "2b", "007")))
    location = st.fixed_dictionaries(
        {"campus": st.sampled_from(campuses or ["none"]), "building": maybe(NAME), "floor": place, "route": place,
         "room": maybe(NAME), "phone": maybe(PHONE)}
    )  # fmt: skip
    named = draw(some(campuses))
    return {
        "id": entry_id, "kind": draw(st.sampled_from(("department", "ward", "service", "desk", "shop"))),
        "names": draw(NAMES), "synonyms": draw(WORDS), "specialty": draw(maybe(IDENTIFIER)), "campuses": named,
        "locations": draw(st.lists(location, max_size=2)) if named else [], "phone": draw(maybe(PHONE)),
        "phones": draw(st.dictionaries(st.sampled_from(get_args(Purpose)), PHONE, max_size=2)),
        "email": draw(maybe(EMAIL)), "opening_hours": draw(weeks(campuses)), "visiting_hours": draw(weeks(campuses)),
        "contact_for": draw(some(list(get_args(Purpose)))), **draw(validity()),
    }  # fmt: skip


@st.composite
def doctor(draw: st.DrawFn, entry_id: str, doctors: list[str], departments: list[str], campuses: list[str]) -> Any:
    @st.composite
    def consultation(draw: st.DrawFn) -> dict[str, Any]:
        times = draw(st.sampled_from(({}, {"from": "09:00", "to": "24:00"}, {"from": "00:00", "to": "12:45"})))
        return {
            "weekday": draw(st.sampled_from(DAYS)), "part": draw(maybe(st.sampled_from(get_args(DayPart)))), **times,
            "campus": draw(one_of_or_none(campuses)), "department": draw(one_of_or_none(departments)),
            "frequency": draw(st.sampled_from(get_args(Frequency))),
        }  # fmt: skip

    absence = st.builds(lambda of, by: {**of, "replaced_by": by}, span(), one_of_or_none(doctors))
    return {
        "id": entry_id, "title": draw(maybe(NAME)), "first_name": draw(maybe(NAME)), "last_name": draw(NAME),
        "sex": draw(maybe(st.sampled_from(("female", "male")))), "department": draw(st.sampled_from(departments)),
        "also_in": draw(some(departments)), "campuses": draw(some(campuses)),
        "languages": draw(some(["nl", "fr", "en", "ar", "tr", "xho"])),
        "role": draw(maybe(st.sampled_from(("head_of_department", "specialist", "midwife")))),
        "focus": draw(MAYBE_NAMES), "phone": draw(maybe(PHONE)), "email": draw(maybe(EMAIL)),
        "synonyms": draw(st.lists(NAME, max_size=2)), "consultations": draw(st.lists(consultation(), max_size=3)),
        "absences": draw(st.lists(absence, max_size=2)), **draw(validity()),
    }  # fmt: skip


@st.composite
def tariff(draw: st.DrawFn, entry_id: str, campuses: list[str]) -> dict[str, Any]:
    places = draw(st.integers(0, 4))
    return {
        "id": entry_id, "subject": draw(NAMES), "synonyms": draw(WORDS), "campus": draw(one_of_or_none(campuses)),
        "condition": draw(MAYBE_NAMES), "amount": draw(st.decimals(0, 9999, places=places)),
        "currency": draw(st.sampled_from(("EUR", "CHF", "GBP"))), "unit": draw(st.sampled_from(get_args(Unit))),
        **draw(validity()),
    }  # fmt: skip


@st.composite
def contact(draw: st.DrawFn, entry_id: str, campuses: list[str]) -> dict[str, Any]:
    return {
        "id": entry_id, "purpose": draw(st.sampled_from(get_args(Purpose))), "names": draw(NAMES),
        "synonyms": draw(WORDS), "phone": draw(PHONE), "email": draw(maybe(EMAIL)), "url": draw(maybe(LINK)),
        "campus": draw(one_of_or_none(campuses)), "opening_hours": draw(weeks(campuses)), **draw(validity()),
    }  # fmt: skip


@st.composite
def closure(draw: st.DrawFn, entry_id: str, campuses: list[str], departments: list[str]) -> dict[str, Any]:
    return {
        "id": entry_id, "names": draw(NAMES), **draw(span()), "campuses": draw(some(campuses)),
        "departments": draw(some(departments)), "hours": draw(hours()), **draw(validity()),
    }  # fmt: skip


HOSPITAL = st.fixed_dictionaries(
    {
        "id": maybe(NAME), "names": MAYBE_NAMES, "default_language": maybe(st.sampled_from(LANGUAGES)),
        "languages": st.lists(st.sampled_from(LANGUAGES), unique=True),
        "emergency_number": maybe(st.sampled_from(("112", "15"))),
        "phones": st.dictionaries(st.sampled_from(get_args(Purpose)), PHONE, max_size=2),
        "phone_hours": st.dictionaries(st.sampled_from(get_args(Purpose)), WEEK, max_size=2), "email": maybe(EMAIL),
        "website": maybe(LINK), "patient_portal": maybe(LINK),
        "timezone": maybe(st.sampled_from(("Europe/Brussels", "Europe/Rome"))),
        "country": st.sampled_from(("BE", "IT", None)),
    }
)  # fmt: skip


def ids(draw: st.DrawFn, most: int = 3) -> list[str]:
    return draw(st.lists(IDENTIFIER, unique=True, max_size=most))


@st.composite
def directories(draw: st.DrawFn) -> Directory:
    """A directory of which everything that it names is there."""
    campuses, departments, doctors = ids(draw), ids(draw), ids(draw)
    doctors = doctors if departments else []
    hospital = {**draw(HOSPITAL), "visiting_hours": draw(weeks(campuses))}
    words = st.fixed_dictionaries(
        {
            "department": st.sampled_from(departments or ["none"]),
            "terms": by_language(st.lists(NAME, min_size=1, max_size=2), least=1),
            "clinical": MAYBE_NAMES,
        }
    )
    return Directory.model_validate(
        {
            "hospital": hospital,
            "campuses": [draw(campus(one)) for one in campuses],
            "departments": [draw(department(one, campuses)) for one in departments],
            "doctors": [draw(doctor(one, doctors, departments, campuses)) for one in doctors],
            "tariffs": [draw(tariff(one, campuses)) for one in ids(draw)],
            "contacts": [draw(contact(one, campuses)) for one in ids(draw)],
            "lay_words": draw(st.lists(words, max_size=2)) if departments else [],
            "closures": [draw(closure(one, campuses, departments)) for one in ids(draw)],
        }
    )
