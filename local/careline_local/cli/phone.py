"""`careline phone`: makes a number ring at the line, and sees whether it does."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.markup import escape

from careline.carriers import carriers
from careline.errors import EngineUnavailable, SettingsInvalid
from careline_local.cli import session as cli
from careline_local.cli.call import voice_installed
from careline_local.telephone.numbers import international

if TYPE_CHECKING:
    from careline_local.telephone.phone_line import Change, LineAtLiveKit, WantedLine

VARIABLES = ("LIVEKIT_URL", "LIVEKIT_API_KEY", "LIVEKIT_API_SECRET")
TWILIO = "twilio"
Result = TypeVar("Result")


class LiveKitUnavailable(EngineUnavailable):
    """LiveKit's server API does not answer, or refuses."""

    code = "LIVEKIT_UNAVAILABLE"
    component = "livekit"


@click.group(name="phone")
def command() -> None:
    """Set up and check a telephone number at LiveKit; needs LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET."""


def _line_options(work: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.option("--number", "numbers", multiple=True, required=True, help="Number with its country, +32 …."),
        click.option("--name", help="Name of trunk and rule at LiveKit; `careline-` and the tenant when absent."),
        click.option("--agent", help="Name of the workers; CARELINE_VOICE_AGENT_NAME when absent."),
        click.option("--allow", multiple=True, help="Network calls may come from; Twilio's when absent."),
        click.option("--unencrypted", is_flag=True, help="Take calls without SRTP too."),
    )
    for option in reversed(options):
        work = option(work)
    return work


@command.command()
@_line_options
@click.option("--dry-run", is_flag=True, help="Show what would be changed, and change nothing.")
@click.option("--drop-numbers", is_flag=True, help="Numbers of the line that are not named do not ring any more.")
@click.option("--sip-host", help="Host of LiveKit's SIP URI, as its project settings show it.")
@click.option(
    "--edge",
    type=click.Choice(sorted(carriers()[TWILIO].signals)),
    default="dublin",
    show_default=True,
    help="Where calls leave Twilio.",
)
@cli.json_option
@click.pass_obj
@cli.command
def setup(
    session: cli.CommandSession, /, dry_run: bool, drop_numbers: bool, sip_host: str | None, edge: str, as_json: bool,
    **line: Any,
) -> None:
    """Make the trunk and the dispatch rule at LiveKit, or mend them, and say what to enter at Twilio."""
    from careline_local.telephone.carrier_sheet import twilio

    wanted = _wanted(session, **line)

    async def work(livekit: Any) -> LineAtLiveKit:
        from careline_local.telephone.phone_line import LineAtLiveKit

        found = await LineAtLiveKit.read(livekit, wanted)
        if not dry_run:
            await found.apply(livekit, drops_numbers=drop_numbers)
        return found

    found = _at_livekit(work)
    sheet = twilio(wanted.name, wanted.numbers, sip_host, edge)
    if as_json:
        changes = [_as_json(change) for change in found.changes()]
        told = {"changed": not dry_run, "changes": changes, "in_the_way": list(found.others)}
        session.print_json({**told, "twilio": [asdict(entry) for entry in sheet]})
        return
    _show_changes(found, dry_run, session)
    session.console.print("\nEnter at Twilio:")
    for entry in sheet:
        why = f" [dim]({escape(entry.why)})[/]" if entry.why else ""
        session.console.print(f"  {escape(entry.where)}: [bold]{escape(entry.value)}[/]{why}", soft_wrap=True)


@command.command()
@_line_options
@cli.json_option
@click.pass_obj
@cli.command
def check(session: cli.CommandSession, /, as_json: bool, **line: Any) -> None:
    """Say what of a line is not at LiveKit as it should be; ends with 1 where something is not. Changes nothing."""
    wanted = _wanted(session, **line)

    async def work(livekit: Any) -> LineAtLiveKit:
        from careline_local.telephone.phone_line import LineAtLiveKit

        return await LineAtLiveKit.read(livekit, wanted)

    found = _at_livekit(work)
    well = not found.changes() and not found.others
    if as_json:
        changes = [_as_json(change) for change in found.changes()]
        session.print_json({"ok": well, "changes": changes, "in_the_way": list(found.others)})
    else:
        _show_changes(found, True, session)
    if not well:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _wanted(
    session: cli.CommandSession,
    numbers: tuple[str, ...],
    name: str | None,
    agent: str | None,
    allow: tuple[str, ...],
    unencrypted: bool,
) -> WantedLine:
    """The line that the options name. Raises: BadRequest, SettingsInvalid."""
    settings = session.settings
    networks = allow or tuple(carriers()[TWILIO].signals.values())
    written = tuple(dict.fromkeys(international(number) for number in numbers))
    voice_installed()
    from careline_local.telephone.phone_line import WantedLine, network

    return WantedLine(
        name=name or f"careline-{settings.tenant}",
        numbers=written,
        addresses=tuple(map(network, networks)),
        agent=agent or settings.voice.agent_name,
        encrypted=not unencrypted,
    )


def _at_livekit(work: Callable[[Any], Awaitable[Result]]) -> Result:
    """Do something with LiveKit's server API. Raises: SettingsInvalid, LiveKitUnavailable, BadRequest."""
    missing = [name for name in VARIABLES if not os.environ.get(name)]
    if missing:
        raise SettingsInvalid(f"{missing[0]}: not set; LiveKit shows address, key and secret in its project settings")
    return asyncio.run(_asked(work))


async def _asked(work: Callable[[Any], Awaitable[Result]]) -> Result:
    import aiohttp
    from livekit import api

    url, key, secret = (os.environ[name] for name in VARIABLES)
    try:
        async with api.LiveKitAPI(url, key, secret) as livekit:
            return await work(livekit)
    except api.TwirpError as error:
        raise LiveKitUnavailable(f"LiveKit refused it ({error.code}): {error.message}") from None
    except (aiohttp.ClientError, TimeoutError) as error:
        raise LiveKitUnavailable(f"LIVEKIT_URL: {url} does not answer ({type(error).__name__})") from None


def _show_changes(found: LineAtLiveKit, dry_run: bool, session: cli.CommandSession) -> None:
    for other in found.others:
        session.console.print(f"[red]in the way[/] {escape(other)}; delete it at LiveKit, or give it other numbers")
    for change in found.changes():
        done = ("would be " if dry_run else "") + ("made" if change.there is None else "changed")
        session.console.print(f"{change.what} {escape(change.name)}: {done}", soft_wrap=True)
        for name, (there, wanted) in change.differences.items():
            before = "" if there is None else f"{_told(there)} → "
            session.console.print(f"  {name}: {escape(before + _told(wanted))}", soft_wrap=True)
    if not found.changes():
        session.console.print("Trunk and dispatch rule at LiveKit are as they should be.")


def _told(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else "nothing" if value is None else str(value)


def _as_json(change: Change) -> dict[str, Any]:
    return {"what": change.what, "name": change.name, "there": change.there, "wanted": change.wanted}
