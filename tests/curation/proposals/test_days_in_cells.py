"""Hours whose days, beginning and end stand in cells of their own are read; what could not be read is incomplete."""

from __future__ import annotations

from typing import Any

import pytest

from careline.curation import editions
from careline.curation.proposals import decide
from careline.curation.proposals.contradictions import contradictions
from careline.curation.proposals.proposal import Proposal
from careline.errors import BadRequest
from careline.ports import Engines
from tests.builders import some_engines
from tests.curation.proposals.ingested import ANN, TENANT, ingest, keep_hospital, proposed

CAMPUSES = [
    {"id": "north", "names": {"en": "Campus North", "nl": "Campus Noord", "fr": "Site Nord", "it": "Sede Nord"}},
    {"id": "south", "names": {"en": "Campus South", "nl": "Campus Zuid", "fr": "Site Sud", "it": "Sede Sud"}},
]
HEAD = "Afdeling | Campus | Dagen | Bezoekuren"
WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
OLD_AGE = {
    "id": "old-age", "names": {"nl": "Geriatrie", "en": "Geriatrics", "fr": "Gériatrie", "it": "Geriatria"},
    "campuses": ["south"],
    "visiting_hours": [
        {
            "campus": "south",
            "weekly": {
                **{day: [{"from": "10:30", "to": "18:30"}] for day in WEEK[:6]},
                "sunday": [{"from": "13:00", "to": "17:00"}],
                "holiday": [{"from": "13:00", "to": "17:00"}],
            },
        }
    ],
}  # fmt: skip
LUNGS = {
    "id": "lungs", "names": {"nl": "Longziekten", "en": "Chest ward", "fr": "Pneumologie", "it": "Pneumologia"},
    "campuses": ["north"],
}  # fmt: skip


@pytest.fixture
async def engines() -> Engines:
    made = some_engines()
    await keep_hospital(made, campuses=CAMPUSES, departments=[OLD_AGE, LUNGS])
    return made


def table(title: str, *rows: str) -> str:
    head, *rest = rows
    line = "|".join("---" for _ in head.split("|"))
    return "\n".join((f"# {title}", "", f"| {head} |", f"|{line}|", *(f"| {row} |" for row in rest), ""))


def week(one: Proposal) -> dict[str, list[tuple[str, str]]]:
    (hours,) = one.entry["visiting_hours"]
    return {day: [(each["from"], each["to"]) for each in ranges] for day, ranges in hours["weekly"].items()}


@pytest.mark.parametrize(
    ("language", "title", "head", "row"),
    [
        (
            "nl", "Bezoekuren", "Afdeling | Campus | Dagen | Bezoekuren",
            "Longziekten | Campus Noord | di-za | 13u30-19u",
        ),
        (
            "en", "Visiting hours", "Ward | Site | Days | Hours",
            "Chest ward | Campus North | Tue-Sat | 13:30-19:00",
        ),
        (
            "fr", "Visites", "Service | Site | Jours | Heures de visite",
            "Pneumologie | Site Nord | mardi à samedi | 13h30-19h",
        ),
        (
            "it", "Visite", "Reparto | Sede | Giorni | Orari di visita",
            "Pneumologia | Sede Nord | martedì-sabato | 13.30-19.00",
        ),
    ],
)  # fmt: skip
async def test_days_in_a_column_of_their_own_are_those_of_the_hours_beside_them(
    engines: Engines, language: str, title: str, head: str, row: str
) -> None:
    await ingest(engines, "visits.md", table(title, head, row), language=language)
    (found,) = await proposed(engines)
    assert (found.target, found.missing) == ("lungs", ())
    assert week(found) == {day: [("13:30", "19:00")] for day in WEEK[1:6]}


@pytest.mark.parametrize(
    ("language", "title", "head", "row"),
    [
        (
            "nl", "Bezoek", "Afdeling | Dagen | Van | Tot",
            "Longziekten | di-za | 13.30 | 19.00",
        ),
        (
            "en", "Visiting hours", "Ward | Days | From | To",
            "Chest ward | Tue-Sat | 1:30 pm | 7 pm",
        ),
        (
            "fr", "Visites", "Service | Jours | De | À",
            "Pneumologie | mardi à samedi | 13h30 | 19h",
        ),
        (
            "it", "Orari di visita", "Reparto | Giorni | Dalle | Alle",
            "Pneumologia | mar-sab | 13:30 | 19:00",
        ),
    ],
)  # fmt: skip
async def test_columns_of_from_and_until_are_hours(
    engines: Engines, language: str, title: str, head: str, row: str
) -> None:
    await ingest(engines, "visits.md", table(title, head, row), language=language)
    (found,) = await proposed(engines)
    assert (found.target, found.missing) == ("lungs", ())
    assert week(found) == {day: [("13:30", "19:00")] for day in WEEK[1:6]}


@pytest.mark.parametrize(
    ("language", "title", "head", "row"),
    [
        (
            "nl", "Raadplegingen", "Arts | Dag | Van | Tot | Campus",
            "Dr. Lies Maes | woensdag | 8u30 | 11u | Zuid",
        ),
        (
            "en", "Clinics", "Doctor | Day | Start | End | Site",
            "Dr. Lies Maes | Wednesday | 08:30 | 11:00 | South",
        ),
        (
            "fr", "Consultations", "Médecin | Jour | Début | Fin | Site",
            "Dr Lies Maes | mercredi | 8h30 | 11h | Site Sud",
        ),
        (
            "it", "Ambulatori", "Medico | Giorno | Dalle ore | Alle ore | Sede",
            "Dr. Lies Maes | mercoledì | 8.30 | 11.00 | Sede Sud",
        ),
    ],
)  # fmt: skip
async def test_a_doctor_is_there_from_one_cell_until_the_next(
    engines: Engines, language: str, title: str, head: str, row: str
) -> None:
    await ingest(engines, "doctors.md", table(title, head, row), language=language)
    (maes,) = [one for one in await proposed(engines) if one.kind == "schedule"]
    assert maes.entry["consultations"] == [{"weekday": "wednesday", "from": "08:30", "to": "11:00", "campus": "south"}]
    assert "consultations" not in maes.missing


async def test_a_row_has_as_many_spans_as_pairs_of_columns(engines: Engines) -> None:
    head = "Afdeling | Weekdagen van | tot | Weekend, voormiddag van | tot | Weekend, namiddag van | tot"
    page = table("Bezoek", head, "Longziekten | 15:00 | 19:30 | 10:00 | 11:30 | 14:00 | 19:30")
    await ingest(engines, "visits.md", page, language="nl")
    (found,) = await proposed(engines)
    assert week(found) == {
        **{day: [("15:00", "19:30")] for day in WEEK[:5]},
        **{day: [("10:00", "11:30"), ("14:00", "19:30")] for day in WEEK[5:]},
    }


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("Arts | Dag | Van | Tot", "Dr. Lies Maes | woensdag | 8u30 | "),
        ("Arts | Dag | Aankomst | Vertrek", "Dr. Lies Maes | woensdag | 8:30 | 11:00"),
        ("Arts | Dag | Van | Tot", "Dr. Lies Maes | woensdag | 8u30 | einde spreekuur"),
    ],
    ids=["no end", "columns of another name", "an end that is no time"],
)
async def test_a_time_that_could_not_be_read_makes_consultations_incomplete(
    engines: Engines, head: str, row: str
) -> None:
    await ingest(engines, "doctors.md", table("Raadplegingen", head, row), language="nl")
    assert ["consultations" in one.missing for one in await proposed(engines) if one.kind == "schedule"] == [True]


@pytest.mark.parametrize(
    ("remark", "missing"), [("niet op woensdag", ("visiting_hours",)), ("aanmelden aan de balie", ())]
)
async def test_a_remark_that_names_days_makes_hours_incomplete(
    engines: Engines, remark: str, missing: tuple[str, ...]
) -> None:
    page = table("Bezoek", "Afdeling | Dagen | Uren | Opmerking", f"Longziekten | di-za | 13u30-19u | {remark}")
    await ingest(engines, "visits.md", page, language="nl")
    (found,) = await proposed(engines)
    assert found.missing == missing


async def test_columns_of_ages_are_no_hours(engines: Engines) -> None:
    page = table("Bezoek", "Afdeling | Van | Tot", "Longziekten | 0 | 16", "Geriatrie | 16 | 18")
    await ingest(engines, "ages.md", page, language="nl")
    assert await proposed(engines) == []


async def test_days_that_a_row_does_not_name_stay_as_they_are(engines: Engines) -> None:
    page = table("Bezoekuren", HEAD, "Geriatrie | Campus Zuid | ma-za | 11:00-19:00")
    await ingest(engines, "visits.md", page, language="nl")
    (found,) = await proposed(engines)
    await decide.confirm(TENANT, [found.proposal_id], engines, by=ANN)
    (held,) = await visiting(engines)
    assert held["saturday"] == [("11:00", "19:00")]
    assert held["sunday"] == held["holiday"] == [("13:00", "17:00")]


async def test_a_row_that_says_what_the_directory_says_on_its_days_asks_nothing(engines: Engines) -> None:
    page = table("Bezoekuren", HEAD, "Geriatrie | Campus Zuid | ma-za | 10u30-18u30")
    await ingest(engines, "visits.md", page, language="nl")
    assert await proposed(engines) == []
    assert await contradictions(TENANT, engines) == []


async def test_hours_of_no_day_never_take_the_place_of_days_that_are_there(engines: Engines) -> None:
    page = table("Bezoekuren", "Afdeling | Bezoekuren", "Geriatrie | 11:00-19:00", "Longziekten | 14:00-19:00")
    await ingest(engines, "visits.md", page, language="nl")
    old_age, lungs = await proposed(engines)
    assert old_age.missing == lungs.missing == ("visiting_hours",)
    with pytest.raises(BadRequest, match="names no day"):
        await decide.confirm(TENANT, [old_age.proposal_id], engines, by=ANN, as_read=True)
    await decide.confirm(TENANT, [lungs.proposal_id], engines, by=ANN, as_read=True)
    held, added = await visiting(engines)
    assert held["sunday"] == [("13:00", "17:00")]
    assert added["sunday"] == [("14:00", "19:00")]


async def test_hours_that_a_person_confirms_into_another_entry_keep_its_other_days(engines: Engines) -> None:
    page = table("Bezoekuren", HEAD, "Palliatieve eenheid | Campus Zuid | wo | 9u-20u")
    await ingest(engines, "visits.md", page, language="nl")
    (found,) = await proposed(engines)
    await decide.confirm(TENANT, [found.proposal_id], engines, by=ANN, corrections={"entry": "old-age"})
    (held,) = await visiting(engines)
    assert (held["wednesday"], held["sunday"]) == ([("09:00", "20:00")], [("13:00", "17:00")])
    department = (await editions.current(TENANT, engines)).directory.departments[0]
    assert department.names["nl"] == "Geriatrie"
    assert department.names["it"] == "Geriatria"


async def test_hours_that_a_person_gives_are_the_whole_week(engines: Engines) -> None:
    page = table("Bezoekuren", HEAD, "Geriatrie | Campus Zuid | ma-za | 11:00-19:00")
    await ingest(engines, "visits.md", page, language="nl")
    (found,) = await proposed(engines)
    given = [{"campus": "south", "weekly": {"monday": [{"from": "11:00", "to": "19:00"}]}}]
    await decide.confirm(TENANT, [found.proposal_id], engines, by=ANN, corrections={"visiting_hours": given})
    assert await visiting(engines) == [{"monday": [("11:00", "19:00")]}]


async def visiting(engines: Engines) -> list[dict[str, Any]]:
    """The visiting hours of every department that has some, by day."""
    directory = (await editions.current(TENANT, engines)).directory
    return [
        {day: [(each.opens, each.closes) for each in ranges] for day, ranges in hours.weekly.items()}
        for one in directory.departments
        for hours in one.visiting_hours
    ]
