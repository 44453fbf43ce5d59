"""Changes what is known about a hospital, and says so in its audit chain."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from careline import time_zone
from careline.errors import BadRequest
from careline.model import LANGUAGES
from careline.ports import Engines
from careline.records.record_table import Body
from careline.settings import Settings
from careline.telemetry.tenant_change import change_tenant
from careline.tenants.tenant_records import Tenant
from careline.value_framework.affinity import fault_of

MAX_NAME = 120
"""Characters of a hospital's name."""
_NUMBER = re.compile(r"\+?[0-9][0-9 ./()-]{1,30}", re.ASCII)
_ADDRESS = re.compile(r"(?:sips?|tel):[!-~]{1,200}", re.ASCII)
_NEVER_EMPTY = frozenset({"names", "emergency_number"})


async def change(engines: Engines, settings: Settings, tenant_id: str, wanted: Mapping[str, Any]) -> Tenant:
    """Keep these facts of a hospital, by the names of `Tenant`'s fields; None takes one back.

    `names` are added to those there are. Raises: BadRequest naming the fact, Contended, TableUnavailable.
    """
    return await change_tenant(engines, settings, tenant_id, "tenant", partial(_changed, wanted=wanted))


def _changed(before: Tenant, wanted: Mapping[str, Any]) -> tuple[Tenant, Body]:
    """The tenant with these facts, and what the audit chain is told. Raises: BadRequest."""
    # A name of the settings has no language; it makes way for those that have one.
    names = {language: name for language, name in before.names.items() if language} | dict(wanted.get("names") or {})
    changed = dict(wanted) | ({"names": names} if "names" in wanted else {})
    if "affinity" in wanted:
        changed["affinity"] = dict(wanted["affinity"] or {})
    for fact, value in changed.items():
        _check(fact, value)
    after = replace(before, **changed)
    if after.languages and after.default_language and after.default_language not in after.languages:
        raise BadRequest("default_language: it is none of the languages that answers are given in")
    return after, {"from": {fact: getattr(before, fact) for fact in changed}, "to": changed}


def _check(fact: str, value: Any) -> None:
    """Raises: BadRequest, which names the fact and what may be written."""
    if value is None and fact not in _NEVER_EMPTY:
        return
    if complaint := _COMPLAINTS[fact](value):
        raise BadRequest(f"{fact}: {complaint}")


def _names(names: Mapping[str, str]) -> str:
    if any(not name.strip() or len(name) > MAX_NAME or not name.isprintable() for name in names.values()):
        return f"1 to {MAX_NAME} visible characters"
    return _languages(list(names)) if names else "a hospital has a name"


def _languages(languages: list[str]) -> str:
    return "" if set(languages) <= set(LANGUAGES) else f"one of {', '.join(LANGUAGES)}"


def _number(number: str | None) -> str:
    return "" if number and _NUMBER.fullmatch(number) else "digits, spaces and + ( ) . / - as callers are to read it"


def _zone(name: str) -> str:
    try:
        time_zone.checked(name)
    except ValueError as error:
        return str(error)
    return ""


def _transfer(address: str) -> str:
    return "" if _ADDRESS.fullmatch(address) else "write sip:desk@hospital.example or tel:+3211901000"


_COMPLAINTS: Mapping[str, Callable[[Any], str]] = MappingProxyType(
    {
        "names": _names,
        "default_language": lambda one: _languages([one]),
        "languages": _languages,
        "emergency_number": _number,
        "helpdesk_phone": _number,
        "transfer_to": _transfer,
        "time_zone": _zone,
        "monthly_budget": lambda euro: "" if 0 <= euro < float("inf") else "euro, 0 or more",
        "affinity": fault_of,
        "pack": lambda name: "" if name else "name a pack",
    }
)
"""What is wrong with a value of each fact; nothing where it is well."""
