"""`careline explain`: one page on why a turn went the way it did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from careline.quoting.writer import NAME as QUOTER
from careline.telemetry.explain import explanation
from careline_local.cli import session as cli
from careline_local.cli.oversight.turns import found_turn

UNKNOWN = "not recorded"
TOLD_BY = {"classifier": " by the classifier", "model": " by a language model"}


@click.command(name="explain")
@click.argument("turn_id")
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, turn_id: str, as_json: bool) -> None:
    """Say why a turn went the way it did."""
    told = session.run(_explained(session, turn_id))
    if as_json:
        session.print_json(told)
        return
    for heading, lines in page(told):
        session.console.print(heading, style="bold", markup=False)
        for line in lines:
            session.console.print(f"  {line}", markup=False, soft_wrap=True)


async def _explained(session: cli.CommandSession, given: str) -> dict[str, Any]:
    installation, turn_id = session.installation, await found_turn(session, given)
    return await explanation(installation.engines, session.settings.tenant, turn_id, installation.packs)


def page(told: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The parts of the page by their headings, from an explanation as JSON."""
    about = (told["channel"], told["language"], told["pack"], told["disposition"], told["reason"])
    yield f"Turn {told['turn_id']}", [f"{told['began_at']} · {' · '.join(str(one) for one in about if one)}"]
    yield "Why it ended as it did", told["why"] or [UNKNOWN]
    yield "What was asked", [told["question_redacted"] or UNKNOWN, *_seen(told)]
    yield "What was understood", _understood(told["intent"], told["understood"], told["standalone_redacted"])
    yield "Which rules fired", [_fired(one) for one in told["rules"]] or ["none"]
    yield "Which sources", _sources(told["sources"], told["model"]["model"])
    yield "Which category of facts", _value(told["value"])
    yield "Which model", [_model(told)]
    yield "What left, and for whom", _left(told["egress"])
    yield "How long it took", [_timings(told["timings"])]


def _seen(told: dict[str, Any]) -> list[str]:
    phi = told["phi"]
    if phi is None:
        return [f"personal data: {UNKNOWN}"]
    types = ", ".join(f"{number} {kind}" for kind, number in phi.get("types", {}).items())
    said = f"personal data: {phi['state']}" + (f" ({types})" if types else "")
    return [said + ("; the user said that some of it is none" if phi.get("override") else "")]


def _understood(intent: str, understood: dict[str, Any] | None, standalone: str | None) -> list[str]:
    if understood is None:
        return [intent]
    label = f"{intent}/{understood['sub_intent']}" if understood["sub_intent"] else intent
    follows = "goes on from what was asked before" if understood["is_followup"] else "stands by itself"
    by = TOLD_BY.get(understood.get("by", ""), "")
    sure = f"confidence {understood['confidence']:.2f}{by}"
    lines = [f"{label}, {sure}; {follows}, {understood['history_turns']} before it"]
    if standalone:
        lines.append(f"read as: {standalone}")
    lines += [f"{one['kind']}: {' or '.join(one['ids'])} ({one['origin']})" for one in understood["entities"]]
    if understood["specialties"]:
        lines.append(f"specialties: {', '.join(understood['specialties'])}")
    if understood["expansions"]:
        lines.append(f"abbreviations: {', '.join(understood['expansions'])}")
    return lines


def _fired(rule: dict[str, Any]) -> str:
    example = f', as in "{rule["example"]}"' if rule["example"] else ""
    return f"{rule['screen']}: {rule['rule']}{example}"


def _sources(sources: dict[str, Any], model: str | None) -> list[str]:
    if not sources["searched"]:
        return ["none was searched", *(f"told: {one}" for one in sources["cited"])]
    lines = [f"{sources['hits']} passages found in {', '.join(sources['searched'])}"]
    if evidence := sources["evidence"]:
        sure = evidence.get("confidence")
        decides = "" if sure is None else f"; its confidence, which decides, is {sure:.2f}"
        lines.append(
            f"the best answers with a relevance of {evidence['relevance']:.2f}, by the {evidence['by']}{decides}"
        )
    given = {None: "chosen", QUOTER: "quoted from"}.get(model, "given to the model")
    lines += [f"{given}: {one}" + (", cited" if one in sources["cited"] else "") for one in sources["given"]]
    return lines


def _value(value: dict[str, Any] | None) -> list[str]:
    if value is None:
        return [UNKNOWN]
    weighed = "no row weighs its intent" if value["row"] is None else f"weighed as {value['row']}"
    lines = [
        f"mostly {value['primary']} of {value['evaluated']} passages; {weighed}",
        f"{value['mismatched']} of the best {len(value['candidates'])} are of a category that counts less "
        f"({value['mismatch_rate']:.0%})",
    ]
    if units := value["units"]:
        lines.append(f"asked for a price per {units['asked']}; what was found is per {units['told']}")
    lines += [f"{one['chunk_id']}: {one['category']}, × {one['multiplier']:.2f}" for one in value["candidates"]]
    return [*lines, f"asked: {value['preview'] or UNKNOWN}"]


def _model(told: dict[str, Any]) -> str:
    route, model = told["route"] or {}, told["model"]
    if model["model"] is None:
        return "none was asked"
    where = f" ({route['where']}, rule {route.get('rule') or UNKNOWN})" if route else ""
    tokens = model["tokens"] or {}
    about = "about " if tokens.get("estimated") else ""
    used = f"{about}{tokens.get('input', 0)} tokens in, {tokens.get('output', 0)} out, {model['cost'] or 0:.4f} euro"
    reasons = "; ".join(route.get("reasons") or [])
    return f"{model['model']}{where}: {used}" + (f"; {reasons}" if reasons else "")


def _left(egress: list[dict[str, Any]] | None) -> list[str]:
    if egress is None:
        return [UNKNOWN]
    form = {True: "with personal data replaced", False: "as it was"}
    return [f"{one['what']} to {one['to']} ({one['where']}), {form[one['redacted']]}" for one in egress] or ["nothing"]


def _timings(timings: list[dict[str, Any]]) -> str:
    return ", ".join(f"{one['stage']} {one['ms']:.1f} ms" for one in timings) or UNKNOWN
