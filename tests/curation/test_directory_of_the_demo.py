"""The demo brings its directory with it, and never takes a person's away."""

from __future__ import annotations

from careline.curation.editions import change, current, keep
from careline.curation.hospital import hospital
from careline.directory.directory import Directory
from careline.directory.entries import Hospital
from careline.settings import Settings
from careline_local.demo.load import BY, keep_directory, read_directory, set_up
from tests.builders import some_engines


async def test_the_demo_is_loaded_with_its_directory() -> None:
    engines, directory = some_engines(), read_directory()
    await keep_directory(directory, "h", engines)
    held = await current("h", engines)
    assert (held.number, held.by) == (1, BY)
    assert {"cardiology", "pharmacy"} & {one.id for one in held.directory.departments}


async def test_an_older_directory_of_the_demo_is_replaced() -> None:
    engines, directory = some_engines(), read_directory()
    await keep(directory.model_copy(update={"doctors": []}), "h", engines, by=BY)
    await keep_directory(directory, "h", engines)
    held = await current("h", engines)
    assert (held.number, len(held.directory.doctors)) == (2, len(directory.doctors))


async def test_a_directory_that_a_person_changed_is_left_to_them() -> None:
    engines, directory = some_engines(), read_directory()
    await keep_directory(directory, "h", engines)
    await change("h", engines, lambda now: now.model_copy(update={"doctors": []}), by="ann")
    await keep_directory(directory, "h", engines)
    assert (await current("h", engines)).by == "ann"


async def test_a_directory_of_a_persons_own_is_left_to_them() -> None:
    engines = some_engines()
    own = Directory.model_validate({"campuses": [{"id": "north", "names": {"en": "North"}}]})
    await keep(own, "h", engines, by="ann")
    await keep_directory(read_directory(), "h", engines)
    assert [one.id for one in (await current("h", engines)).directory.campuses] == ["north"]


async def test_what_the_demos_directory_says_of_the_hospital_is_what_callers_are_told() -> None:
    engines, directory = some_engines(), read_directory()
    await set_up("h", engines)
    told, edition = await hospital(engines, "h", Settings())
    assert (edition.number, told.helpdesk_phone) == (1, directory.hospital.phones["main"])
    assert (told.name_in("fr"), told.default_language) == ("Hôpital d'Elzenvoorde", "nl")
    renamed = directory.model_copy(update={"hospital": Hospital(names={"nl": "Ons huis"})})
    await change("h", engines, lambda _: renamed, by="ann")
    assert (await hospital(engines, "h", Settings()))[0].names == {"nl": "Ons huis"}
