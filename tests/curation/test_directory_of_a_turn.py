"""A turn knows the directory as it is when the question comes in, and who works at the hospital by it."""

from __future__ import annotations

from careline.curation.editions import keep
from careline.directory.directory import Directory
from careline.schemas import wire
from careline.turn.stages.admit import admit
from careline.turn.turn import Turn
from tests.turn.turns import TENANT, TRACE, a_hospital

WITH_A_DOCTOR = Directory.model_validate(
    {
        "departments": [{"id": "cardiology", "names": {"en": "Cardiology"}}],
        "doctors": [{"id": "ada", "first_name": "Ada", "last_name": "Byron", "department": "cardiology"}],
    }
)


async def test_a_turn_holds_the_edition_that_holds_when_it_begins() -> None:
    hospital = await a_hospital()

    async def begun() -> Turn:
        return await admit(wire.QueryRequest(text="wanneer is er bezoek"), TRACE, hospital)

    assert (await begun()).edition.number == 0
    await keep(WITH_A_DOCTOR, TENANT, hospital.engines, by="ann")
    turn = await begun()
    assert [one.last_name for one in turn.edition.directory.doctors] == ["Byron"]
    assert turn.tenant.staff == ["Ada Byron"]
    await keep(Directory(), TENANT, hospital.engines, by="ann")
    turn = await begun()
    assert (turn.edition.number, turn.tenant.staff) == (2, [])


async def test_a_directory_is_read_whole_once_for_all_turns_that_it_holds_for() -> None:
    hospital = await a_hospital()
    await keep(WITH_A_DOCTOR, TENANT, hospital.engines, by="ann")
    first, second = [await admit(wire.QueryRequest(text="bezoek"), TRACE, hospital) for _ in range(2)]
    assert first.edition is second.edition
