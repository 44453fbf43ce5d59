"""`careline up`: everything on this machine, with the demo hospital when the library is empty."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import socket
import sys
from functools import partial

import click
import uvicorn
from rich.panel import Panel

from careline.curation import editions
from careline.errors import EngineUnavailable, SettingsInvalid
from careline.log.catalogue import LEVELS
from careline.log.configure import configure
from careline.runtime import traces
from careline.settings import Settings
from careline_local import malloc_arenas, server, serving
from careline_local.cli import session as cli
from careline_local.demo import load as demo
from careline_local.start import Start

TRY = """[bold]{address}[/]

{suggested}

Stop with Ctrl+C. Everything lives in {home}."""
TO_ASK = ("Wat zijn de bezoekuren op de materniteit?", "Quelles sont les heures de visite à la maternité ?")
"""Of the demo hospital, in the console and in a terminal."""
OF_DEMO = f"""Three things to try:
  1. Open the address above and ask: [cyan]{TO_ASK[0]}[/]
  2. In another terminal: [cyan]{{careline}} ask "{TO_ASK[1]}"[/]
  3. Drop a PDF of your own on the Documents tab, then ask about it."""
OF_OWN_DOCUMENTS = """Open the address above and ask; more documents come by the Documents tab or, in another terminal:
  [cyan]{careline} ingest FOLDER[/]"""
OF_DIRECTORY = """The directory answers; there are no documents yet. Drop some on the Documents tab of the address
above or, in another terminal: [cyan]{careline} ingest FOLDER[/]. Ask with [cyan]{careline} ask "..."[/]"""
OF_NOTHING = """There are no documents yet. Drop some on the Documents tab of the address above or, in another terminal:
  1. [cyan]{careline} ingest FOLDER[/]
  2. [cyan]{careline} ask "..."[/] about what stands in them."""
MEANWHILE = """

The demo hospital is being loaded, see below. Questions are answered meanwhile from the documents that are there."""
LOG_IN = """

People log in with a token; this makes one: [cyan]{careline} token new --role user[/]"""
BACKLOG = 128
"""Connections that wait for the server to start."""


@click.command(name="up")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; beyond loopback people must log in, so CARELINE_TOKEN is needed.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 takes any free port.")
@click.option(
    "--demo/--no-demo", "with_demo", default=None, help="Load the demo hospital; by default into an empty library."
)
@click.option(
    "--announce/--no-announce",
    "is_announced",
    default=True,
    help="Whether other commands of this home ask this server.",
)
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession, host: str, port: int, with_demo: bool | None, is_announced: bool, as_json: bool
) -> None:
    """Serve everything on this machine."""
    malloc_arenas.keep_few()
    configure_log(session.settings)
    traces.begin("server", session.settings.traces)
    server.check_address(host, session.installation)
    session.run(_up(session, host, port, with_demo, is_announced, as_json))


def configure_log(settings: Settings) -> None:
    """Write the log of a server as its settings say; as that of any command where they say nothing."""
    if settings.log.format == "json" or settings.log.level is not None:
        level = None if settings.log.level is None else LEVELS[settings.log.level.upper()]
        # Standard output says where the server is reached, to programs too.
        configure("server", settings.log.format, level, sys.stderr)


async def _up(
    session: cli.CommandSession, host: str, port: int, with_demo: bool | None, is_announced: bool, as_json: bool
) -> None:
    if is_announced and (other := serving.reached(session.settings.home)) is not None:
        raise SettingsInvalid(
            f"a server of {session.settings.home} runs at {other.address} already; stop it, or give another --home"
        )
    listener = listen(host, port)
    load = partial(demo.load, session) if await _wants_demo(session, with_demo) else None
    start = Start(session.installation, session.note, load)
    host, port = listener.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    if as_json:
        session.print_json({"address": address, "home": str(session.settings.home)})
    else:
        text = await welcome(session, address, loads_demo=start.loads_documents)
        session.console.print(Panel(text, title="Careline is up", title_align="left", expand=False))
    with contextlib.suppress(asyncio.CancelledError):
        await _serve(session, listener, host, port, start, is_announced)
        # The server has stopped and raises Ctrl+C once more; that is how it is meant to stop, so it arrives here.
        await asyncio.sleep(0)


async def welcome(session: cli.CommandSession, address: str, *, loads_demo: bool) -> str:
    """What whoever started the server is told: where it is, and what to try of the documents that there are."""
    home = session.settings.home
    # Another terminal need not have this one's CARELINE_HOME.
    is_usual = home == type(session.settings).model_fields["home"].default.expanduser()
    careline = _program() if is_usual else f"{_program()} --home {shlex.quote(str(home))}"
    suggested = OF_DEMO if loads_demo or demo.is_loaded(home) else OF_OWN_DOCUMENTS
    if suggested == OF_OWN_DOCUMENTS and await _is_empty(session):
        suggested = OF_DIRECTORY if await _has_directory(session) else OF_NOTHING
    text = TRY.format(address=address, home=home, suggested=suggested.format(careline=careline))
    if loads_demo:
        text += MEANWHILE
    if session.settings.access.token is not None or session.settings.access.login != "auto":
        text += LOG_IN.format(careline=careline)
    return text


async def _serve(
    session: cli.CommandSession, listener: socket.socket, host: str, port: int, start: Start, is_announced: bool
) -> None:
    """Serve until somebody stops it; meanwhile commands of this home find it, where it is announced."""
    announced = _announced(session, host, port) if is_announced else None
    app = server.application(session.installation, announced, start)
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=10)
    await uvicorn.Server(config).serve(sockets=[listener])


def _announced(session: cli.CommandSession, host: str, port: int) -> serving.Serving | None:
    """The note by which commands find the server; it serves without where none can be written."""
    try:
        return serving.announced(session.settings, host, port)
    except OSError as error:
        place = session.settings.home / serving.FILE
        session.note(f"careline: {place} cannot be written ({error.strerror}): other commands do not find this server")
        return None


def _program() -> str:
    """How this command is called from here: by its name when that is on the path, else by where it lies."""
    return "careline" if shutil.which("careline") else os.path.relpath(sys.argv[0])


def listen(host: str, port: int) -> socket.socket:
    """A socket that clients can connect to from now on. Raises: SettingsInvalid when the address cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named, and not left at 0: asyncio sends without delay only where it sees that a connection is TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # From here on clients wait instead of being refused, and a second server on this port is told at once.
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise SettingsInvalid(f"{host}:{port} cannot be listened on: {error.strerror}; choose another --port") from None
    return listener


async def _wants_demo(session: cli.CommandSession, with_demo: bool | None) -> bool:
    if with_demo is not None:
        return with_demo and not demo.is_loaded(session.settings.home)
    if demo.is_loaded(session.settings.home):
        return False
    if (session.settings.home / demo.BEGUN).exists():
        return True
    return await _is_empty(session)


async def _has_directory(session: cli.CommandSession) -> bool:
    edition = await editions.current(session.settings.tenant, session.installation.engines)
    return edition.number > 0


async def _is_empty(session: cli.CommandSession) -> bool:
    """Whether the library holds nothing. One that cannot be read counts as if it did: it is served all the same, as
    emergencies are answered without it, and what is wrong with it is told."""
    try:
        return await session.is_empty()
    except EngineUnavailable as error:
        session.note(f"careline: {error.message}")
        return False
