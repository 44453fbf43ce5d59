"""The number that is told in an emergency is the one that the hospital's directory has, whatever else is broken."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from careline.curation.editions import keep
from careline.directory.directory import Directory
from careline.errors import TableUnavailable
from careline.installation import Installation
from careline.records import keys
from careline.schemas import wire
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant
from careline.turn.emergencies.emergency import see_tenant
from tests.fakes import FakeTable
from tests.turn.turns import TENANT, an_installation, answer, ask

EMERGENCY = "mijn vader ademt niet meer"


async def with_directory(**hospital: str) -> Installation:
    installation = an_installation()
    await keep(Directory.model_validate({"hospital": hospital}), TENANT, installation.engines, by="ann")
    return installation


async def told(installation: Installation) -> wire.Answer:
    return answer(await ask(installation, EMERGENCY, language="nl"))


async def test_it_is_that_of_the_directory() -> None:
    given = await told(await with_directory(emergency_number="1777"))
    assert (given.reason, given.emergency_number, "1777" in given.text) == ("EMERGENCY", "1777", True)


async def test_it_is_112_where_nobody_says_another() -> None:
    given = await told(await with_directory(email="info@anna.example"))
    assert (given.emergency_number, "112" in given.text) == ("112", True)


async def test_the_record_of_the_hospital_goes_before_its_directory() -> None:
    installation = await with_directory(emergency_number="1777")
    await tenant_records.save(installation.engines.table, Tenant(TENANT, emergency_number="1888"))
    assert (await told(installation)).emergency_number == "1888"


class Broken(FakeTable):
    """A table that answers nothing about the directory, or nothing at all."""

    def __init__(self, *, directory_alone: bool) -> None:
        super().__init__()
        self.directory_alone = directory_alone

    async def get(self, partition: str, sort: str) -> Any:
        if self.directory_alone and (partition, sort) != keys.directory_head(TENANT):
            return await super().get(partition, sort)
        raise TableUnavailable("down")


def broken(installation: Installation, *, directory_alone: bool) -> Installation:
    """The installation, whose process has read what it has read, when its records break."""
    table = Broken(directory_alone=directory_alone)
    return replace(installation, engines=replace(installation.engines, table=table))


async def test_once_it_was_read_it_is_told_while_nothing_can_be_read() -> None:
    installation = await with_directory(emergency_number="1777")
    await see_tenant(installation)
    given = await told(broken(installation, directory_alone=False))
    assert (given.emergency_number, "1777" in given.text) == ("1777", True)


async def test_a_directory_that_cannot_be_read_any_more_is_as_it_was_last_read() -> None:
    installation = await with_directory(emergency_number="1777")
    await told(installation)
    assert (await told(broken(installation, directory_alone=True))).emergency_number == "1777"


async def test_of_a_directory_that_was_never_read_the_emergency_is_answered_all_the_same() -> None:
    installation = broken(an_installation(), directory_alone=True)
    await tenant_records.save(installation.engines.table, Tenant(TENANT, emergency_number="1888"))
    given = await told(installation)
    assert (given.reason, given.emergency_number) == ("EMERGENCY", "1888")
