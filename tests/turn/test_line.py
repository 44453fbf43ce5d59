"""What a phone line says of itself is the directory as it is when the call begins."""

from __future__ import annotations

from careline.curation.editions import keep
from careline.directory.directory import Directory
from careline.speech.line import PhoneLine
from careline.speech.menu import Menu
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant
from careline.turn.line import line
from tests.turn.turns import TENANT, an_installation

DEPARTMENT = {"id": "heart", "names": {"nl": "Cardiologie", "fr": "Cardiologie"}, "phone": "011 4"}
WRITTEN = {
    "hospital": {"names": {"nl": "Sint-Anna"}, "phones": {"main": "011 1"}, "emergency_number": "15"},
    "campuses": [{"id": "noord", "names": {"nl": "Campus Noord", "fr": "Site Nord"}}],
    "departments": [DEPARTMENT],
    "doctors": [
        {"id": "a", "last_name": "Claeskens", "department": "heart"},
        {"id": "b", "last_name": "Vanderelst", "department": "heart", "valid_until": "2020-01-01"},
    ],
}


async def test_an_edit_of_the_directory_is_heard_on_the_next_call() -> None:
    installation = an_installation()
    await keep(Directory.model_validate(WRITTEN), TENANT, installation.engines, by="ann")
    before = await line(None, installation)
    moved = {**WRITTEN, "departments": [{**DEPARTMENT, "phone": "011 5"}]}
    await keep(Directory.model_validate(moved), TENANT, installation.engines, by="ann")
    after = await line(None, installation)
    assert (before.edition, after.edition) == (1, 2)
    assert _put_through(before) == "011 4"
    assert _put_through(after) == "011 5"


def _put_through(told: PhoneLine) -> str | None:
    menu = Menu(told.directory, "nl")
    menu.press("2")
    menu.press("1")
    return menu.press("1").number


async def test_names_are_listened_for_in_the_language_of_the_call_and_only_those_that_hold_today() -> None:
    installation = an_installation()
    await keep(Directory.model_validate(WRITTEN), TENANT, installation.engines, by="ann")
    told = await line(None, installation)
    assert told.keyterms["nl"] == ["Claeskens", "Cardiologie", "Campus Noord"]
    assert told.keyterms["fr"] == ["Claeskens", "Cardiologie", "Site Nord"]


async def test_the_line_gives_the_numbers_of_the_directory_and_so_does_the_menu() -> None:
    installation = an_installation()
    await keep(Directory.model_validate(WRITTEN), TENANT, installation.engines, by="ann")
    told = await line(None, installation)
    assert (told.emergency_number, told.helpdesk_phone) == ("15", "011 1")
    assert "15" in told.prompts["nl"]["handoff"] or "011 1" in told.prompts["nl"]["model_down"]
    menu = Menu(told.directory, "nl")
    assert "vijftien" in menu.press("9").text
    assert menu.press("0").number == "011 1"


async def test_the_number_of_the_hospitals_own_record_is_that_of_the_menu_too() -> None:
    installation = an_installation()
    await keep(Directory.model_validate(WRITTEN), TENANT, installation.engines, by="ann")
    await tenant_records.save(installation.engines.table, Tenant(TENANT, helpdesk_phone="011 7"))
    told = await line(None, installation)
    assert Menu(told.directory, "nl").press("0").number == told.helpdesk_phone == "011 7"


async def test_a_line_is_read_as_it_was_sent() -> None:
    installation = an_installation()
    await keep(Directory.model_validate(WRITTEN), TENANT, installation.engines, by="ann")
    told = await line(None, installation)
    assert PhoneLine.model_validate_json(told.model_dump_json()) == told
    assert "doctors" not in told.model_dump()["directory"]


async def test_a_hospital_without_a_directory_has_a_line_too() -> None:
    told = await line(None, an_installation())
    assert (told.edition, told.directory.departments, told.keyterms["nl"]) == (0, [], [])
    assert Menu(told.directory, "nl").press("9").text
