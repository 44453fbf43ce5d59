"""A hospital's day is that of its own clocks: what is valid, how long records are kept, and a month's budget."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from careline import document_search, time_zone
from careline.errors import BadRequest, SettingsInvalid
from careline.installation import Installation
from careline.model import Usage
from careline.schemas import wire
from careline.settings import Settings
from careline.telemetry import hospital, turns
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant
from tests.builders import a_passage
from tests.fakes import SettableClock
from tests.journeys.process import Careline
from tests.source_roots import PYTHONPATH
from tests.turn.turns import TENANT, a_hospital, an_installation, answer, ask, shown, with_passages

QUESTION = "hoeveel kost parkeren per uur"
JUNE, JULY = "Parkeren kost 2,50 euro per uur.", "Parkeren kost 3,75 euro per uur."


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


async def two_tariffs(now: str, **settings: Any) -> Installation:
    """A hospital whose tariff of June ends with the month, asked at a moment of UTC."""
    installation = an_installation(clock=SettableClock(at(now)), settings=settings)
    last, first = date(2026, 6, 30), date(2026, 7, 1)
    return await with_passages(
        installation,
        a_passage(JUNE, tenant=TENANT, doc_key="june", facts={"valid_until": last}),
        a_passage(JULY, tenant=TENANT, doc_key="july", facts={"valid_from": first}),
    )


async def told(installation: Installation) -> str:
    """Which tariffs an answer and a search have."""
    found = await document_search.search(wire.SearchRequest(text=QUESTION), installation)
    text = shown(await ask(installation, QUESTION, language="nl"))
    searched = {hit["doc_key"] for hit in found["hits"]}
    assert {"2,50": "june", "3,75": "july"}[next(one for one in ("2,50", "3,75") if one in text)] in searched
    return " ".join(sorted(searched))


@pytest.mark.parametrize(
    ("zone", "now", "expected"),
    [
        ("Europe/Brussels", "2026-06-30T21:59:59", "june"),
        ("Europe/Brussels", "2026-06-30T22:30:00", "july"),
        ("UTC", "2026-06-30T22:30:00", "june"),
        ("Europe/London", "2026-06-30T22:59:59", "june"),
        ("Europe/London", "2026-06-30T23:00:00", "july"),
        ("America/Martinique", "2026-07-01T03:59:59", "june"),
        ("Indian/Reunion", "2026-06-30T20:00:00", "july"),
        ("Pacific/Auckland", "2026-06-30T12:00:00", "july"),
        ("Asia/Kolkata", "2026-06-30T18:29:59", "june"),
    ],
)
async def test_f34_a_tariff_ends_with_the_last_day_of_the_hospitals_own_clocks(
    zone: str, now: str, expected: str
) -> None:
    assert await told(await two_tariffs(now, hospital={"time_zone": zone})) == expected


async def test_f34_brussels_is_the_time_zone_where_nobody_says_another() -> None:
    assert Settings().hospital.time_zone == "Europe/Brussels"
    assert await told(await two_tariffs("2026-06-30T22:30:00")) == "july"


async def test_f34_a_hospital_of_another_zone_overrides_the_setting_for_its_next_question() -> None:
    installation = await two_tariffs("2026-06-30T22:30:00")
    engines, settings = installation.engines, installation.settings
    await hospital.change(engines, settings, TENANT, {"time_zone": "America/Montreal"})
    assert await told(installation) == "june"
    await hospital.change(engines, settings, TENANT, {"time_zone": None})
    assert await told(installation) == "july"


async def test_f34_a_hospital_that_says_nothing_of_zones_follows_the_setting_after_other_changes_too() -> None:
    installation = await two_tariffs("2026-06-30T22:30:00")
    await hospital.change(installation.engines, installation.settings, TENANT, {"names": {"nl": "Elzenvoorde"}})
    moved = installation.settings.with_changes(hospital={"time_zone": "UTC"})
    assert (await tenant_records.tenant(installation.engines.table, TENANT, moved)).time_zone == "UTC"


@pytest.mark.parametrize(
    ("day", "first", "last"),
    [
        (date(2026, 3, 28), "2026-03-27T23:00:00", "2026-03-28T22:59:59"),
        # Clocks go forward on the 29th and back on 25 October: days of 23 and 25 hours.
        (date(2026, 3, 29), "2026-03-28T23:00:00", "2026-03-29T21:59:59"),
        (date(2026, 10, 25), "2026-10-24T22:00:00", "2026-10-25T22:59:59"),
        (date(2026, 10, 26), "2026-10-25T23:00:00", "2026-10-26T22:59:59"),
        (date(2027, 1, 1), "2026-12-31T23:00:00", "2027-01-01T22:59:59"),
    ],
)
def test_f34_a_day_on_which_clocks_change_is_the_whole_day(day: date, first: str, last: str) -> None:
    brussels = Tenant(TENANT, time_zone="Europe/Brussels")
    assert brussels.day_of(at(first)) == brussels.day_of(at(last)) == day


@pytest.mark.parametrize(
    ("since", "days", "until"),
    [
        ("2026-03-02T09:30:00", 10, "2026-03-12T09:30:00"),
        # Half past ten in winter is half past ten in summer, an hour earlier in UTC; and back.
        ("2026-03-02T09:30:00", 90, "2026-05-31T08:30:00"),
        ("2026-10-20T08:30:00", 10, "2026-10-30T09:30:00"),
        # 02:30 is skipped on 29 March, and shown twice on 25 October.
        ("2026-03-28T01:30:00", 1, "2026-03-29T01:30:00"),
        ("2026-10-24T00:30:00", 1, "2026-10-25T00:30:00"),
    ],
)
def test_f34_records_are_kept_for_days_of_the_hospital(since: str, days: int, until: str) -> None:
    kept = Tenant(TENANT, retention_days={"turns": days}, time_zone="Europe/Brussels")
    assert kept.kept_until("turns", at(since)) == at(until)


async def test_f34_what_a_model_costs_counts_in_the_month_of_the_hospital() -> None:
    priced = ["Bezoek mag van 14 tot 20 uur [1].", Usage(10, 10, 0, 0.25)]
    installation = await a_hospital(priced, clock=SettableClock(at("2026-03-31T22:30:00")))
    answer(await ask(installation, "wanneer is er bezoek"))
    await turns.relay(installation.engines)
    months = [item.sort async for item in installation.engines.table.query(f"{TENANT}/spending")]
    assert months == ["2026-04"], "it is half past midnight on the first of April there"


@pytest.mark.parametrize(
    "wrong",
    ["Europe/Brusels", "CEST", "+02:00", "UTC+1", "Brussels", "../../etc/passwd", "/etc/passwd", "Europe", "x" * 300],
)
def test_f34_a_zone_that_is_none_is_refused_by_the_name_of_the_setting(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match="CARELINE_TIME_ZONE: no time zone of this name; write one"):
        Settings.load({"CARELINE_TIME_ZONE": wrong}, home=tmp_path)


def test_f34_a_slip_in_a_zone_is_answered_with_what_was_perhaps_meant() -> None:
    for wrong, meant in {"Europe/Brusels": "Europe/Brussels", "america/new york": "America/New_York"}.items():
        with pytest.raises(ValueError, match=f"did you mean {meant}"):
            time_zone.checked(wrong)


async def test_f34_a_zone_that_is_none_changes_nothing_of_a_hospital() -> None:
    installation = await two_tariffs("2026-06-30T22:30:00")
    with pytest.raises(BadRequest, match="time_zone: no time zone of this name"):
        await hospital.change(installation.engines, installation.settings, TENANT, {"time_zone": "Mars/Olympus"})
    assert [item async for item in installation.engines.table.query("tenants")] == []


def test_f34_the_command_sets_shows_and_takes_back_a_zone(tmp_path: Path) -> None:
    careline = Careline(tmp_path / "home")
    careline.run("ingest", str(tmp_path))  # Makes the home.
    assert careline.json("tenant", "show")["time_zone"] == "Europe/Brussels"
    assert careline.json("tenant", "set", "default", "--time-zone", "Asia/Tokyo")["time_zone"] == "Asia/Tokyo"
    assert careline.json("tenant", "set", "default", "--time-zone", "")["time_zone"] == "Europe/Brussels"
    refused = careline.run("tenant", "set", "default", "--time-zone", "Tokio")
    assert (refused.returncode, "Traceback" in refused.stderr) == (1, False)
    assert "no time zone of this name" in refused.stderr


def test_f34_a_machine_without_a_database_of_zones_has_that_of_the_package() -> None:
    pytest.importorskip("tzdata", reason="the package of zones is not installed")
    line = "from careline import time_zone; print(time_zone.zone(time_zone.checked('Europe/Brussels')))"
    environment = {**os.environ, "PYTHONTZPATH": "", "PYTHONPATH": os.pathsep.join([PYTHONPATH, *sys.path])}
    done = subprocess.run([sys.executable, "-c", line], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Europe/Brussels"


@pytest.mark.parametrize("pins", ["turn", "function", "answering", "ingestion", "reading", "laptop", "voice"])
def test_f34_whatever_reads_the_settings_is_packed_with_the_zones(pins: str) -> None:
    file = Path(__file__).parents[3] / "requirements" / f"{pins}.txt"
    assert "\ntzdata==" in file.read_text("utf-8")
