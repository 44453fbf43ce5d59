"""What an installation processes, gathered from its settings, its records and `processing.yaml`, for both documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from careline.records import keys  # noqa: F401 - notes every kind of record
from careline.records.record_kind import KINDS, NOTHING, RecordKind
from careline.settings import Settings
from careline.telemetry import retention
from careline.tenants.tenant_records import Tenant
from careline_local.compliance.recipients import Recipient, recipients

WORDS = Path(__file__).with_suffix(".yaml")
OF_THE_LIBRARY = frozenset(
    "document version job corpus edition live_edition edition_sums edition_group hidden_edition edition_change "
    "key_check chain_break".split()
)
"""Kinds of records that tell of documents or of the installation, and of nobody."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """Why personal data is processed, whose, and which."""

    purpose: str
    subjects: str
    categories: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of security, where it is in the sources, and what it needs; `is_on` says whether that is there."""

    what: str
    where: str
    needs: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class Risk:
    """A risk to those whom data is about, and the measures that reduce it, by name."""

    risk: str
    measures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A kind of record of people, and for how long it is there."""

    record: str
    what: str
    encrypted: str
    until: str
    erased_by: str


@dataclass(frozen=True, slots=True)
class Processing:
    """Everything that both documents tell of."""

    controller: str | None
    purposes: tuple[Purpose, ...]
    recipients: tuple[Recipient, ...]
    kept: tuple[Kept, ...]
    days: Mapping[str, int]
    measures: Mapping[str, Measure]
    risks: tuple[Risk, ...]


def processing(settings: Settings, tenant: Tenant) -> Processing:
    """What an installation with these settings does for a hospital."""
    words: dict[str, Any] = yaml.safe_load(WORDS.read_text(encoding="utf-8"))
    days = retention.days(tenant)
    on = conditions(settings)
    return Processing(
        controller=tenant.name_in(tenant.default_language or "en") or settings.hospital.hospital_name,
        purposes=tuple(Purpose(**one) for one in words["purposes"]),
        recipients=tuple(recipients(settings)),
        kept=tuple(_kept(kind, days) for kind in KINDS.values() if kind.name not in OF_THE_LIBRARY),
        days=days,
        measures={name: Measure(**one, is_on=on[one["needs"]]) for name, one in words["measures"].items()},
        risks=tuple(Risk(one["risk"], tuple(one["measures"])) for one in words["risks"]),
    )


def conditions(settings: Settings) -> Mapping[str, bool]:
    """What a measure may need, and whether this installation has it."""
    aws = settings.storage == "aws"
    return {
        "always": True,
        "aws": aws,
        "phi_detection": settings.privacy.phi_mode != "off",
        "login": settings.access.login != "auto" or settings.access.token is not None,
        "noted_heads": settings.aws.heads_bucket is not None if aws else settings.privacy.noted_heads is not None,
    }


def _kept(kind: RecordKind, days: Mapping[str, int]) -> Kept:
    """A kind as docs/records.md has it, with the days of this hospital in place of their names."""
    until = kind.expires
    for name, number in days.items():
        until = until.replace(f"`{name}` days", f"{number} days")
    encrypted = "" if kind.encrypted == NOTHING else kind.encrypted
    return Kept(kind.name.replace("_", " "), kind.what, encrypted, until, kind.erased_by)


def missing(found: Processing) -> Sequence[Measure]:
    """Measures that this installation lacks, and could have."""
    return [measure for measure in found.measures.values() if not measure.is_on]
