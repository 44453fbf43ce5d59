"""What is known about a hospital changes in one write with its entry in the audit chain, or not at all."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from careline.audit import chain
from careline.errors import BadRequest, Contended
from careline.records import keys
from careline.records.record_table import Item, Put
from careline.telemetry import retention
from careline.telemetry.hospital import change
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant
from tests.turn.turns import TENANT, an_installation


async def test_a_change_keeps_the_rest_adds_names_and_stands_in_the_audit_chain() -> None:
    installation = an_installation(settings={"hospital": {"hospital_name": "Anna", "helpdesk_phone": "011 90 10 00"}})
    engines, settings = installation.engines, installation.settings
    await change(engines, settings, TENANT, {"names": {"nl": "Sint-Anna"}, "monthly_budget": 40.0})
    await change(engines, settings, TENANT, {"names": {"fr": "Sainte-Anne"}, "helpdesk_phone": None})
    kept, _ = await tenant_records.held(engines.table, TENANT, settings)
    assert kept == Tenant(TENANT, {"nl": "Sint-Anna", "fr": "Sainte-Anne"}, monthly_budget=40.0)
    assert await tenant_records.listing(engines.table) == [kept]
    newest, before = await chain.newest(engines, TENANT, 10)
    assert (newest.kind, newest.body["from"]["helpdesk_phone"], newest.body["to"]["helpdesk_phone"]) == (
        "tenant",
        "011 90 10 00",
        None,
    )
    assert before.body["to"] == {"names": {"nl": "Sint-Anna"}, "monthly_budget": 40.0}


async def test_of_those_who_change_it_at_once_nobody_undoes_what_another_did() -> None:
    installation = an_installation()
    engines, settings = installation.engines, installation.settings
    wanted = ({"names": {"nl": "Sint-Anna"}}, {"names": {"fr": "Sainte-Anne"}}, {"helpdesk_phone": "011 90 10 00"})
    changes = [change(engines, settings, TENANT, one) for one in wanted]
    await asyncio.gather(*changes, retention.change(engines, settings, TENANT, {"turns": 30}))
    kept, _ = await tenant_records.held(engines.table, TENANT, settings)
    names = {"nl": "Sint-Anna", "fr": "Sainte-Anne"}
    assert kept == Tenant(TENANT, names, helpdesk_phone="011 90 10 00", retention_days={"turns": 30})
    entries = await chain.newest(engines, TENANT, 10)
    assert sorted(entry.kind for entry in entries) == ["retention", "tenant", "tenant", "tenant"]
    told = {language: name for entry in entries for language, name in entry.body["to"].get("names", {}).items()}
    assert told == names


async def test_where_another_is_first_each_time_nothing_is_changed_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installation = an_installation()
    engines, settings = installation.engines, installation.settings
    read = tenant_records.held

    async def overtaken(*asked: Any) -> Any:
        found = await read(*asked)
        await tenant_records.save(engines.table, Tenant(TENANT, {"nl": "Sint-Jan"}))
        return found

    monkeypatch.setattr(tenant_records, "held", overtaken)
    with pytest.raises(Contended, match="nothing was changed") as raised:
        await change(engines, settings, TENANT, {"names": {"fr": "Sainte-Anne"}})
    assert raised.value.retry_after
    monkeypatch.undo()
    assert (await tenant_records.tenant(engines.table, TENANT, settings)).names == {"nl": "Sint-Jan"}
    assert await chain.newest(engines, TENANT, 10) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"names": {"xx": "Anna"}}, {"names": {"nl": ""}}, {"names": {"nl": "An\nna"}}, {"names": {"nl": "a" * 121}},
        {"names": {}}, {"helpdesk_phone": "bel ons"}, {"helpdesk_phone": ""}, {"emergency_number": None},
        {"transfer_to": "https://anna.example"}, {"transfer_to": "sip:a b"}, {"languages": ["de"]},
        {"default_language": "de"}, {"monthly_budget": -1.0}, {"monthly_budget": float("nan")}, {"pack": ""},
        {"languages": ["nl"], "default_language": "fr"},
    ],
)  # fmt: skip
async def test_what_is_no_such_fact_is_refused_and_nothing_changes(wrong: dict[str, Any]) -> None:
    installation = an_installation()
    with pytest.raises(BadRequest):
        await change(installation.engines, installation.settings, TENANT, wrong)
    assert await tenant_records.listing(installation.engines.table) == []
    assert await chain.newest(installation.engines, TENANT, 10) == []


async def test_a_record_of_a_newer_program_is_read_without_what_is_not_known_yet() -> None:
    installation = an_installation()
    body = {"tenant_id": TENANT, "names": {"nl": "Anna"}, "colour": "blue"}
    await installation.engines.table.write(Put(Item(*keys.tenant(TENANT), body)))
    kept, _ = await tenant_records.held(installation.engines.table, TENANT, installation.settings)
    assert kept == replace(Tenant(TENANT), names={"nl": "Anna"})
