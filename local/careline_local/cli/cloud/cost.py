"""`careline cost`: what hospitals cost a month in the cloud, from the templates, what is used, and a list of prices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from careline.errors import BadRequest
from careline_local.cli import session as cli

if TYPE_CHECKING:
    from careline_local.cost.estimate import Estimate
    from careline_local.cost.usage import Usage

HOSPITALS = ("small", "middle", "large")
STAGES = ("dev", "prod")
EUROS = 1.08
LEAST: Mapping[str, float] = {"turns_per_call": 1.0, "seconds_per_call": 1.0}
"""Of figures that cannot be 0: queries are divided by them, or a call would take no time."""


@click.command(name="cost")
@click.option("--hospital", type=click.Choice([*HOSPITALS, "all"]), default="all", show_default=True)
@click.option("--stage", type=click.Choice([*STAGES, "both"]), default="both", show_default=True)
@click.option("--queries", type=click.IntRange(0), help="A month, in place of the hospital's.")
@click.option("--voice-share", type=click.FloatRange(0, 1), help="Of the queries, those by telephone.")
@click.option("--turns-per-call", type=click.FloatRange(LEAST["turns_per_call"]))
@click.option("--seconds-per-call", type=click.FloatRange(LEAST["seconds_per_call"]))
@click.option("--documents", type=click.IntRange(0), help="Taken in or changed a month.")
@click.option("--with-model/--without-model", "with_model", default=None, help="Whether a language model writes.")
@click.option("--with-embedding/--without-embedding", "with_embedding", default=None, help="Whether a vendor embeds.")
@click.option("--set", "figures", multiple=True, metavar="NAME=VALUE", help="Any other figure of the use; see --json.")
@click.option("--assembly", type=click.Path(path_type=Path), help="Folder with the templates of the stages, `cdk.out`.")
@click.option("--euro", type=click.FloatRange(0.1), default=EUROS, show_default=True, help="US dollars for a euro.")
@click.option("--lines", is_flag=True, help="Every line instead of sums by service.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession, /, hospital: str, stage: str, assembly: Path | None, euro: float, lines: bool,
    as_json: bool, figures: tuple[str, ...], **given: Any,
) -> None:  # fmt: skip
    """Say what a hospital costs a month in the cloud: idle and in use, by service, with the vendors of voice and model.

    Prices are list prices with their date and source (local/careline_local/cost/prices.yaml), without tax and free
    tiers. At the end the use of a published estimate of about 600 euro a month stands beside ours.
    """
    from careline_local.cost.usage import HOSPITALS as USED

    chosen = HOSPITALS if hospital == "all" else (hospital,)
    changes = {name: value for name, value in given.items() if value is not None} | _figures(figures)
    used = {name: replace(USED[name], **changes) for name in chosen}
    stages = STAGES if stage == "both" else (stage,)
    told = _all(used, stages, assembly)
    if as_json:
        session.print_json(_json(told, used, assembly, euro))
    else:
        _show(session, told, euro, lines, assembly)


def _figures(given: tuple[str, ...]) -> dict[str, Any]:
    """`--set prompt_tokens=3000` as a change of the use. Raises: BadRequest for no figure of it."""
    from careline_local.cost.usage import HOSPITALS as USED

    known = {name for name, value in _fields(USED["middle"]).items() if not isinstance(value, bool)}
    found: dict[str, Any] = {}
    for one in given:
        name, _, value = one.partition("=")
        if name not in known:
            raise BadRequest(f"--set: {name} is no figure; known: {', '.join(sorted(known))}")
        try:
            found[name] = float(value)
        except ValueError:
            raise BadRequest(f"--set: {name} must be a number") from None
        least, most = LEAST.get(name, 0.0), 1.0 if name.endswith("_share") else math.inf
        if not least <= found[name] <= most or math.isinf(found[name]):
            raise BadRequest(f"--set: {name} must be a number from {least:g}{' to 1' if most == 1 else ' on'}")
    return found


def _fields(used: Usage) -> dict[str, Any]:
    return {name: getattr(used, name) for name in used.__slots__}


Told = Mapping[tuple[str, str, str], "Estimate"]
"""Stage, hospital, and `idle` or `in use` → its month."""


def _all(used: Mapping[str, Usage], stages: tuple[str, ...], assembly: Path | None) -> Told:
    from careline_local.cost.estimate import estimate

    found = {}
    for stage in stages:
        there = _resources(stage, assembly)
        found[stage, "any", "idle"] = estimate(there, next(iter(used.values())).idle())
        for name, one in used.items():
            found[stage, name, "in use"] = estimate(there, one)
    return found


def _resources(stage: str, assembly: Path | None) -> Any:
    from careline_local.cost.resources import counted, of_stage

    if assembly is None:
        return of_stage(stage)
    try:
        return counted(assembly / stage)
    except FileNotFoundError as missing:
        raise BadRequest(f"--assembly: {missing}; `make synth` makes them") from None


def _show(session: cli.CommandSession, told: Told, euro: float, lines: bool, assembly: Path | None) -> None:
    from careline_local.cost.prices import prices

    for (stage, hospital, use), one in told.items():
        title = f"{stage}, {use}" if use == "idle" else f"{stage}, {hospital} hospital in use"
        total = f"${one.total:,.0f} a month (EUR {one.total / euro:,.0f}), ${one.of_vendors:,.0f} of it not to AWS"
        columns = ("service", *(("what", "quantity", "unit") if lines else ()), "$ a month")
        session.console.print(f"{title}: {total}", soft_wrap=True, markup=False)
        table = Table(*columns)
        if lines:
            for line in one.lines:
                table.add_row(line.service, line.what, f"{line.quantity:,.4g}", line.unit, f"{line.cost:,.2f}")
        else:
            for service, cost in one.by_service().items():
                table.add_row(service, f"{cost:,.2f}")
        session.console.print(table)
    _show_beside(session, euro, assembly)
    session.note(f"List prices of {prices().checked}, without tax and free tiers; where each is from: --json.")


def _show_beside(session: cli.CommandSession, euro: float, assembly: Path | None) -> None:
    session.console.print("25,000 spoken queries of 45 s, prod, beside a published estimate", soft_wrap=True)
    table = Table("published estimate", "EUR", "ours", "EUR", "why")
    theirs, ours = 0.0, 0.0
    for row in _beside(euro, assembly):
        euros = (f"{row['theirs_eur']:,.0f}", f"{row['ours_eur']:,.0f}")
        table.add_row(row["theirs"], euros[0], row["ours"], euros[1], row.get("why", ""))
        theirs, ours = theirs + row["theirs_eur"], ours + row["ours_eur"]
    table.add_row("sum of its lines (it says about 600)", f"{theirs:,.0f}", "sum", f"{ours:,.0f}")
    session.console.print(table)


def _beside(euro: float, assembly: Path | None) -> list[dict[str, Any]]:
    from careline_local.cost.estimate import estimate
    from careline_local.cost.published import beside
    from careline_local.cost.usage import EVERY_QUERY_A_CALL

    return beside(estimate(_resources("prod", assembly), EVERY_QUERY_A_CALL), euro)


def _json(told: Told, used: Mapping[str, Usage], assembly: Path | None, euro: float) -> dict[str, Any]:
    from careline_local.cost.prices import prices

    months = [
        {
            "stage": stage, "hospital": hospital, "use": use, "total_usd": round(one.total, 2),
            "vendors_usd": round(one.of_vendors, 2), "lines": [line.to_json() for line in one.lines],
        }
        for (stage, hospital, use), one in told.items()
    ]  # fmt: skip
    return {
        "prices": prices().model_dump(mode="json"),
        "usage": {name: _fields(one) for name, one in used.items()},
        "months": months,
        "beside": {"usage": "25,000 spoken queries of 45 s, prod", "rows": _beside(euro, assembly)},
    }
