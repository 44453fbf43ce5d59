"""`careline tenant`: what is known about a hospital: its names, the numbers that callers are given, pack and budget."""

from __future__ import annotations

from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from careline.access.tokens import checked_tenant
from careline.curation.hospital import hospital as describing
from careline.errors import BadRequest, NotFound
from careline.telemetry import hospital, retention
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant
from careline_local.cli import session as cli
from careline_local.cli.oversight.retention import read_decision


@click.group(name="tenant")
def command() -> None:
    """Show and change what is known about a hospital."""


@command.command("list")
@cli.json_option
@click.pass_obj
@cli.command
def list_(session: cli.CommandSession, as_json: bool) -> None:
    """Every hospital that was set up."""
    found = session.run(_listed(session))
    if as_json:
        session.print_json({"tenants": [shown(one) for one in found]})
        return
    if not found:
        session.console.print("No hospital is set up; `careline tenant set ID --name nl=NAME` does.", soft_wrap=True)
        return
    table = Table("id", "name", "helpdesk", "emergency", "languages", "pack")
    for one in found:
        facts = (one.name_in("") or "", one.helpdesk_phone or "", one.emergency_number, ", ".join(one.languages))
        table.add_row(*map(escape, (one.tenant_id, *facts, one.pack or "")))
    session.console.print(table)


async def _listed(session: cli.CommandSession) -> list[Tenant]:
    kept = await tenant_records.listing(session.installation.engines.table)
    return [await _told(session, one.tenant_id) for one in kept]


async def _told(session: cli.CommandSession, tenant_id: str) -> Tenant:
    """A hospital as callers hear of it: by its record, else by its directory."""
    installation = session.installation.of_tenant(tenant_id)
    return (await describing(installation.engines, tenant_id, installation.settings))[0]


@command.command()
@click.argument("tenant_id", metavar="[ID]", required=False)
@cli.json_option
@click.pass_obj
@cli.command
def show(session: cli.CommandSession, tenant_id: str | None, as_json: bool) -> None:
    """One hospital; the installation's own when none is named."""
    settings = session.settings
    chosen = checked_tenant(tenant_id or settings.tenant)
    engines = session.installation.engines
    there = {one.tenant_id for one in session.run(tenant_records.listing(engines.table))}
    if chosen not in there | {settings.tenant}:
        raise NotFound(f"no hospital {chosen} is set up; `careline tenant list` shows those that are")
    _print(session, session.run(_told(session, chosen)), as_json)


@command.command("set")
@click.argument("tenant_id", metavar="ID")
@click.option("--name", "names", multiple=True, metavar="LANGUAGE=NAME", help="As callers hear it; may be repeated.")
@click.option("--helpdesk", metavar="NUMBER", help="Number that callers are given when they want a person.")
@click.option("--emergency", metavar="NUMBER", help="Number that callers are told in an emergency.")
@click.option("--transfer", metavar="ADDRESS", help="Where callers are put through to: sip:... or tel:...")
@click.option("--default-language", metavar="LANGUAGE", help="Where the question's own cannot be told.")
@click.option("--languages", metavar="LIST", help="Languages that answers are given in, by commas.")
@click.option("--time-zone", metavar="NAME", help="Whose days count, by its IANA name, such as Europe/Brussels.")
@click.option("--pack", help="Pack that answers where a question names none.")
@click.option("--budget", type=float, metavar="EURO", help="What language models may cost in a month; 0 for no limit.")
@click.option(
    "--affinity",
    multiple=True,
    metavar="ROW/CATEGORY=VALUE",
    help="What passages of a category count for an intent, 0.55 to 1.30, in place of the shipped value; all that "
    "differ at once, none with an empty value.",
)
@click.option("--retention", "retained", multiple=True, metavar="KIND=DAYS", help="As in `careline retention`.")
@cli.json_option
@click.pass_obj
@cli.command
def set_(
    session: cli.CommandSession, /, tenant_id: str, as_json: bool, retained: tuple[str, ...], **options: Any
) -> None:
    """Set up or change a hospital; the next question sees it. An empty value takes a fact back, but for names and the
    emergency number, which can only be replaced."""
    chosen, wanted = checked_tenant(tenant_id), _wanted(options)
    days = dict(map(read_decision, retained))
    if not wanted and not days:
        raise BadRequest("say what to set: `careline tenant set --help` lists it")
    if wanted.get("pack"):
        cli.check_pack(session, wanted["pack"])
    _print(session, session.run(_set(session, chosen, wanted, days)), as_json)


async def _set(session: cli.CommandSession, tenant_id: str, wanted: dict[str, Any], days: dict[str, int]) -> Tenant:
    installation = session.installation.of_tenant(tenant_id)
    engines, settings = installation.engines, installation.settings
    # What cannot be decided changes nothing: neither the days nor the other facts.
    retention.check(days)
    if wanted:
        await hospital.change(engines, settings, tenant_id, wanted)
    if days:
        await retention.change(engines, settings, tenant_id, days)
    return await _told(session, tenant_id)


def _wanted(options: dict[str, Any]) -> dict[str, Any]:
    """The facts that were named, by the fields of `Tenant`. Raises: BadRequest for a name without its language."""
    given = {
        "helpdesk_phone": options["helpdesk"],
        "emergency_number": options["emergency"],
        "transfer_to": options["transfer"],
        "default_language": options["default_language"],
        "time_zone": options["time_zone"],
        "pack": options["pack"],
        "monthly_budget": options["budget"],
    }
    named = {fact: value for fact, value in given.items() if value is not None}
    wanted: dict[str, Any] = {fact: None if value == "" else value for fact, value in named.items()}
    if options["affinity"]:
        wanted["affinity"] = _affinity(options["affinity"])
    if options["languages"] is not None:
        wanted["languages"] = [one.strip() for one in options["languages"].split(",") if one.strip()]
    if options["names"]:
        pairs = [one.partition("=") for one in options["names"]]
        if not all(separator for _, separator, _ in pairs):
            raise BadRequest("name: write LANGUAGE=NAME, such as nl=Sint-Anna")
        wanted["names"] = {language.strip(): name.strip() for language, _, name in pairs}
    return wanted


def _affinity(written: tuple[str, ...]) -> dict[str, float]:
    """Multipliers by "row/category". Raises: BadRequest for what is no number."""
    pairs = [one.partition("=") for one in written if one]
    try:
        return {name.strip(): float(value) for name, _, value in pairs}
    except ValueError:
        raise BadRequest("affinity: write ROW/CATEGORY=VALUE, such as billing_or_insurance/practical=0.9") from None


def shown(tenant: Tenant) -> dict[str, Any]:
    """A hospital for people and programs; of its staff and their tiers how many they are."""
    return {
        "id": tenant.tenant_id,
        "names": tenant.names,
        "helpdesk_phone": tenant.helpdesk_phone,
        "emergency_number": tenant.emergency_number,
        "transfer_to": tenant.transfer_to,
        "default_language": tenant.default_language,
        "languages": tenant.languages,
        "time_zone": tenant.time_zone,
        "pack": tenant.pack,
        "monthly_budget": tenant.monthly_budget,
        "affinity": tenant.affinity,
        "retention_days": retention.days(tenant),
        "staff": len(tenant.staff),
        "tiers": len(tenant.tiers),
    }


def _print(session: cli.CommandSession, tenant: Tenant, as_json: bool) -> None:
    facts = shown(tenant)
    if as_json:
        session.print_json(facts)
        return
    table = Table("fact", "value")
    for fact, value in facts.items():
        table.add_row(fact, escape(_line(value)))
    session.console.print(table)


def _line(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={one}" if name else str(one) for name, one in value.items())
    return ", ".join(value) if isinstance(value, list) else "" if value is None else str(value)
