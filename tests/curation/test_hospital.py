"""What a directory says of a hospital is said once: its record says what differs, the settings what neither knows."""

from __future__ import annotations

from datetime import datetime

import pytest

from careline.curation.editions import Edition, Known
from careline.curation.hospital import as_last_read, described
from careline.directory.directory import Directory
from careline.settings import Settings
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant

DIRECTORY = Directory.model_validate(
    {
        "hospital": {
            "names": {"nl": "Sint-Anna", "fr": "Sainte-Anne"}, "default_language": "fr", "languages": ["fr", "nl"],
            "emergency_number": "15", "phones": {"main": "011 1", "helpdesk": "011 2"}, "timezone": "Europe/Paris",
        },
        "departments": [{"id": "heart", "names": {"fr": "Cardiologie"}}],
        "doctors": [{"id": "ada", "first_name": "Ada", "last_name": "Byron", "department": "heart"}],
    }
)  # fmt: skip
OF_SETTINGS = {"hospital_name": "Anna", "helpdesk_phone": "011 9", "emergency_number": "144"}
SETTINGS = Settings().with_changes(hospital=OF_SETTINGS)


def test_where_the_record_says_nothing_the_directory_does() -> None:
    told = described(Tenant("h"), DIRECTORY, Settings())
    assert told == Tenant(
        "h", {"nl": "Sint-Anna", "fr": "Sainte-Anne"}, "fr", "15", "011 1", staff=["Ada Byron"],
        languages=["fr", "nl"], time_zone="Europe/Paris",
    )  # fmt: skip


def test_what_the_record_says_itself_stands() -> None:
    own = Tenant("h", {"nl": "AZ Anna"}, "nl", "999", "011 5", languages=["nl"], time_zone="Europe/Rome")
    told = described(own, DIRECTORY, Settings())
    assert (told.default_language, told.emergency_number, told.helpdesk_phone) == ("nl", "999", "011 5")
    assert (told.languages, told.time_zone) == (["nl"], "Europe/Rome")
    assert told.names == {"nl": "AZ Anna", "fr": "Sainte-Anne"}


@pytest.mark.parametrize("saved", [True, False])
def test_what_comes_from_the_settings_gives_way_to_the_directory(saved: bool) -> None:
    of_settings = tenant_records.of_settings("h", SETTINGS)
    kept = Tenant("h", of_settings.names, None, "144", "011 9", retention_days={"turns": 9}) if saved else of_settings
    told = described(kept, DIRECTORY, SETTINGS)
    assert (told.emergency_number, told.helpdesk_phone) == ("15", "011 1")
    assert told.names == {"nl": "Sint-Anna", "fr": "Sainte-Anne"}


def test_without_a_directory_everything_is_as_record_and_settings_say() -> None:
    of_settings = tenant_records.of_settings("h", SETTINGS)
    told = described(of_settings, Directory(), SETTINGS)
    assert (told.names, told.emergency_number, told.helpdesk_phone) == ({"": "Anna"}, "144", "011 9")
    assert described(Tenant("h"), Directory(), Settings()).emergency_number == "112"


def test_a_number_that_the_record_took_back_is_that_of_the_directory() -> None:
    assert described(Tenant("h"), DIRECTORY, SETTINGS).helpdesk_phone == "011 1"
    assert described(Tenant("h"), Directory(), SETTINGS).helpdesk_phone is None


def test_112_of_a_directory_is_told_where_the_settings_have_another() -> None:
    directory = Directory.model_validate({"hospital": {"emergency_number": "112"}})
    kept = Directory.model_validate(directory.to_json())
    assert described(tenant_records.of_settings("h", SETTINGS), kept, SETTINGS).emergency_number == "112"


def test_a_directory_that_cannot_be_read_now_is_as_it_was_last_read() -> None:
    seen = {"h": Known("one", Edition(1, DIRECTORY))}
    assert as_last_read(Tenant("h"), Settings(), seen).emergency_number == "15"
    assert as_last_read(Tenant("h"), Settings(), {}).emergency_number == "112"


@pytest.mark.parametrize(
    ("zone", "at", "holds"),
    [
        # Clocks of Brussels are set forward on 29 March 2026 and back on 25 October 2026.
        ("Europe/Brussels", "2026-03-28T22:59:59+00:00", False),
        ("Europe/Brussels", "2026-03-28T23:00:00+00:00", True),
        ("Europe/Brussels", "2026-03-29T00:30:00+00:00", True),
        ("Europe/Brussels", "2026-03-29T01:30:00+00:00", True),
        ("Europe/Brussels", "2026-10-25T00:30:00+00:00", True),
        ("Europe/Brussels", "2026-10-25T01:30:00+00:00", True),
        ("Europe/Brussels", "2026-10-25T22:59:59+00:00", True),
        ("Europe/Brussels", "2026-10-25T23:00:00+00:00", False),
        ("America/New_York", "2026-03-29T03:59:59+00:00", False),
        ("America/New_York", "2026-10-26T03:59:59+00:00", True),
    ],
)
def test_an_entry_holds_from_midnight_to_midnight_of_the_hospital(zone: str, at: str, holds: bool) -> None:
    entry = {"id": "heart", "names": {"en": "Heart"}, "valid_from": "2026-03-29", "valid_until": "2026-10-25"}
    directory = Directory.model_validate({"hospital": {"timezone": zone}, "departments": [entry]})
    day = described(Tenant("h"), directory, Settings()).day_of(datetime.fromisoformat(at))
    assert bool(directory.valid_on(day).departments) is holds
