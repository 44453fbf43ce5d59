"""A person confirms, corrects or rejects proposals; only what was confirmed is in the directory, by that person."""

from __future__ import annotations

import json

import pytest

from careline.curation import editions
from careline.curation.editions import DirectoryRejected
from careline.curation.proposals import decide
from careline.curation.proposals.contradictions import contradictions
from careline.directory.directory import Directory
from careline.errors import BadRequest, Conflict, NotFound
from careline.ports import Engines
from careline.records import keys
from tests.builders import some_engines
from tests.curation.proposals.ingested import ANN, TENANT, WEEKDAYS, ingest, keep_hospital, proposed

PRICES = (
    "# Television at Campus North\n\n| Service | Price (EUR) |\n|---|---|\n"
    "| Television, per day | {} |\n| Fridge, per day | 1.60 |\n"
)
HEART = "# Cardiology\n\n| Campus | Monday to Friday | Phone |\n|---|---|---|\n| Campus North | {} | {} |\n"


@pytest.fixture
def engines() -> Engines:
    return some_engines()


async def now(engines: Engines) -> Directory:
    return (await editions.current(TENANT, engines)).directory


async def test_until_it_is_confirmed_the_directory_has_nothing_of_it(engines: Engines) -> None:
    await keep_hospital(engines)
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    assert (await now(engines)).tariffs == []
    television, _ = await proposed(engines)
    made = await decide.confirm(TENANT, [television.proposal_id], engines, by=ANN)
    (tariff,) = (await now(engines)).tariffs
    assert (str(tariff.amount), tariff.unit, tariff.campus) == ("3.20", "day", "north")
    assert (made.edition.by, made.edition.note) == (ANN, "from documents: tv")


async def test_a_decision_is_audited_and_listed_with_who_made_it(engines: Engines) -> None:
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    television, fridge = await proposed(engines)
    await decide.confirm(TENANT, [television.proposal_id], engines, by=ANN)
    await decide.reject(TENANT, [fridge.proposal_id], engines, by="manager ben")
    sealed = [json.loads(one.body["sealed"])["kind"] async for one in engines.table.query(keys.audit(TENANT))]
    assert sealed == ["directory", "proposals", "proposals"]
    assert [(one.by, one.proposal_id) for one in await proposed(engines, state="rejected")] == [
        ("manager ben", fridge.proposal_id)
    ]
    assert [one.by for one in await proposed(engines, state="confirmed")] == [ANN]
    assert await proposed(engines) == []


async def test_what_was_decided_is_not_asked_again_by_the_next_version(engines: Engines) -> None:
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    _, fridge = await proposed(engines)
    await decide.reject(TENANT, [fridge.proposal_id], engines, by=ANN)
    await ingest(engines, "tv.md", PRICES.format("3.40"))
    (television,) = await proposed(engines)
    assert television.entry["amount"] == "3.40"


async def test_the_next_version_of_a_price_that_was_confirmed_proposes_the_difference_alone(engines: Engines) -> None:
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    ids = [one.proposal_id for one in await proposed(engines)]
    await decide.confirm(TENANT, ids, engines, by=ANN)
    await ingest(engines, "tv.md", PRICES.format("3.40"))
    (changed,) = await proposed(engines)
    assert changed.target is not None
    assert changed.entry == {"amount": "3.40"}
    await decide.confirm(TENANT, [changed.proposal_id], engines, by=ANN)
    assert sorted(str(one.amount) for one in (await now(engines)).tariffs) == ["1.60", "3.40"]


async def test_fields_are_corrected_as_they_are_confirmed(engines: Engines) -> None:
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    television, _ = await proposed(engines)
    await decide.confirm(
        TENANT, [television.proposal_id], engines, by=ANN, corrections={"subject": "Television", "amount": "3.00"}
    )
    (tariff,) = (await now(engines)).tariffs
    assert (tariff.subject["en"], str(tariff.amount)) == ("Television", "3.00")


async def test_hours_are_changed_on_the_days_that_a_document_names_and_the_rest_stays(engines: Engines) -> None:
    await keep_hospital(engines)
    await ingest(engines, "heart.md", "# Cardiology at Campus North\n\nFriday: 8:00 - 12:00\n")
    (friday,) = await proposed(engines)
    await decide.confirm(TENANT, [friday.proposal_id], engines, by=ANN)
    (week,) = (await now(engines)).departments[0].opening_hours
    assert [one.closes for one in week.weekly["friday"]] == ["12:00"]
    assert [one.closes for one in week.weekly["monday"]] == ["17:00"]


async def test_what_is_incomplete_is_confirmed_only_with_what_is_missing(engines: Engines) -> None:
    await keep_hospital(engines)
    await ingest(engines, "heart.md", "# Cardiology\n\nSaturday: 9:00 - 12:00\n")
    (saturday,) = await proposed(engines)
    assert saturday.missing == ("campus",)
    with pytest.raises(BadRequest, match="set campus"):
        await decide.confirm(TENANT, [saturday.proposal_id], engines, by=ANN)
    await decide.confirm(TENANT, [saturday.proposal_id], engines, by=ANN, corrections={"campus": "south"})
    weeks = {one.campus: one.weekly for one in (await now(engines)).departments[0].opening_hours}
    assert [one.opens for one in weeks["south"]["saturday"]] == ["09:00"]
    assert "saturday" not in weeks["north"]


async def test_a_new_contact_may_turn_out_to_be_a_department_that_is_there(engines: Engines) -> None:
    await keep_hospital(engines)
    await ingest(engines, "heart.md", "# Numbers\n\nHeart desk of the hospital: 011 88 88 88\n")
    (desk,) = await proposed(engines)
    corrections = {"entry": "cardiology", "campus": "south"}
    await decide.confirm(TENANT, [desk.proposal_id], engines, by=ANN, corrections=corrections)
    directory = await now(engines)
    assert directory.contacts == []
    assert directory.departments[0].locations[1].phone == "011 88 88 88"


async def test_a_correction_that_the_directory_cannot_hold_keeps_nothing(engines: Engines) -> None:
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    ids = [one.proposal_id for one in await proposed(engines)]
    with pytest.raises(DirectoryRejected):
        await decide.confirm(TENANT, ids, engines, by=ANN, corrections={"campus": "west"})
    assert len(await proposed(engines)) == 2
    assert (await now(engines)).tariffs == []


async def test_what_is_not_there_or_was_decided_is_refused(engines: Engines) -> None:
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    one, _ = await proposed(engines)
    await decide.reject(TENANT, [one.proposal_id], engines, by=ANN)
    with pytest.raises(Conflict, match="rejected before"):
        await decide.confirm(TENANT, [one.proposal_id], engines, by=ANN)
    with pytest.raises(NotFound):
        await decide.reject(TENANT, ["0" * 16], engines, by=ANN)
    with pytest.raises(BadRequest):
        await decide.reject(TENANT, [], engines, by=ANN)


async def test_a_number_and_hours_that_differ_are_contradictions_with_both_values(engines: Engines) -> None:
    await keep_hospital(engines)
    await ingest(engines, "heart.md", HEART.format("8:00 - 16:00", "011 66 66 66"))
    found = {one.field: one for one in await contradictions(TENANT, engines)}
    assert (found["phone"].directory, found["phone"].document) == ("011 22 33 44", "011 66 66 66")
    assert set(found["opening_hours"].document) == set(WEEKDAYS)  # type: ignore[call-overload]
    assert found["phone"].source.row == 1
    assert (await now(engines)).departments[0].locations[0].phone == "011 22 33 44"


async def test_a_contradiction_stands_when_its_proposal_is_rejected_and_goes_with_the_directory_or_the_document(
    engines: Engines,
) -> None:
    await keep_hospital(engines)
    await ingest(engines, "heart.md", HEART.format("8:00 - 17:00", "011 66 66 66"))
    (number,) = await proposed(engines)
    await decide.reject(TENANT, [number.proposal_id], engines, by=ANN)
    assert [one.field for one in await contradictions(TENANT, engines)] == ["phone"]
    await ingest(engines, "heart.md", HEART.format("8:00 - 17:00", "011 22 33 44"))
    assert await contradictions(TENANT, engines) == []


async def test_a_price_that_differs_is_a_contradiction_until_it_is_confirmed(engines: Engines) -> None:
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    await decide.confirm(TENANT, [one.proposal_id for one in await proposed(engines)], engines, by=ANN)
    await ingest(engines, "tv.md", PRICES.format("3.40"))
    (price,) = await contradictions(TENANT, engines)
    assert (price.field, price.directory, price.document) == ("amount", "3.20 EUR", "3.40 EUR")
    await decide.confirm(TENANT, [price.proposal_id], engines, by=ANN)
    assert await contradictions(TENANT, engines) == []


async def test_a_decision_is_taken_back_and_asked_again_while_the_directory_does_not_say_it(engines: Engines) -> None:
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    television, fridge = await proposed(engines)
    await decide.confirm(TENANT, [television.proposal_id], engines, by=ANN)
    await decide.reject(TENANT, [fridge.proposal_id], engines, by=ANN)
    await decide.reopen(TENANT, [television.proposal_id, fridge.proposal_id], engines, by="manager ben")
    assert [one.proposal_id for one in await proposed(engines)] == [fridge.proposal_id]
    assert len((await now(engines)).tariffs) == 1
    await decide.confirm(TENANT, [fridge.proposal_id], engines, by=ANN)
    assert len((await now(engines)).tariffs) == 2
    with pytest.raises(NotFound, match="nobody decided"):
        await decide.reopen(TENANT, ["0" * 16], engines, by=ANN)


async def test_a_contradiction_says_who_left_the_directory_as_it_is(engines: Engines) -> None:
    await keep_hospital(engines)
    await ingest(engines, "heart.md", HEART.format("8:00 - 17:00", "011 66 66 66"))
    assert [one.state for one in await contradictions(TENANT, engines)] == ["open"]
    await decide.reject(TENANT, [one.proposal_id for one in await proposed(engines)], engines, by=ANN)
    (left,) = await contradictions(TENANT, engines)
    assert (left.state, left.by) == ("rejected", ANN)


async def test_the_number_and_hours_of_a_department_with_one_campus_take_the_place_of_its_own(engines: Engines) -> None:
    week = {day: [{"from": "08:00", "to": "17:00"}] for day in WEEKDAYS}
    heart = {
        "id": "cardiology", "names": {"en": "Cardiology"}, "campuses": ["north"], "phone": "011 22 33 44",
        "opening_hours": [{"weekly": week}],
    }  # fmt: skip
    await keep_hospital(engines, departments=[heart])
    await ingest(engines, "heart.md", HEART.format("8:00 - 16:00", "011 66 66 66"))
    (found,) = await proposed(engines)
    await decide.confirm(TENANT, [found.proposal_id], engines, by=ANN)
    (held,) = (await now(engines)).departments
    assert (held.phone, held.locations) == ("011 66 66 66", [])
    assert [one.weekly["monday"][0].closes for one in held.opening_hours] == ["16:00"]


async def test_a_campus_that_a_person_leaves_out_is_all_of_them(engines: Engines) -> None:
    await keep_hospital(engines)
    await ingest(engines, "heart.md", "# Cardiology\n\nSaturday: 9:00 - 12:00\n")
    (saturday,) = await proposed(engines)
    await decide.confirm(TENANT, [saturday.proposal_id], engines, by=ANN, corrections={"campus": None})
    weeks = {one.campus: one.weekly for one in (await now(engines)).departments[0].opening_hours}
    assert [one.opens for one in weeks[None]["saturday"]] == ["09:00"]


async def test_a_price_is_of_what_people_call_it_without_its_unit_and_a_heading_of_prices(engines: Engines) -> None:
    await keep_hospital(engines)
    await ingest(engines, "tv.md", PRICES.format("3.20").replace("# Television at", "# Prices at"))
    television, fridge = await proposed(engines)
    assert [one.entry["subject"]["en"] for one in (television, fridge)] == ["Television", "Fridge"]
    corrected = {"subject": "Television, per day"}
    await decide.confirm(TENANT, [television.proposal_id], engines, by=ANN, corrections=corrected)
    await ingest(engines, "tv.md", PRICES.format("3.20"))
    assert television.proposal_id not in {one.proposal_id for one in await proposed(engines)}
