"""Checks that an installation can work, part by part; a part that cannot says what to do."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from careline import bootstrap
from careline.errors import CarelineError, ReaderUnavailable, SettingsInvalid
from careline.installation import Installation
from careline.ports import Reader
from careline.search.read_windows import READ
from careline.settings import Settings
from careline_local import model_files, serving
from careline_local.serving import Serving

if TYPE_CHECKING:
    from careline.packs.packs import Pack

OLDEST, NEWEST = (3, 11), (3, 13)
"""Versions of Python that Careline runs on."""
LITTLE, TOO_LITTLE = 2 * 1024**3, 200 * 1024**2
"""Bytes free on the disk below which somebody should know, and below which documents are refused before long."""
NAMED = 5
"""Turns that are named."""
State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found: `ok`, `warn` (something works less well) or `fail`; `advice` is what to do."""

    name: str
    state: State
    found: str
    advice: str = ""


def machine(settings: Settings, port: int) -> Iterator[Finding]:
    """Everything that needs no installation: Python, home, key, models, packs, tesseract, disk, server, port, cloud
    model."""
    yield python()
    yield home(settings)
    yield key(settings)
    yield models()
    yield from packs(settings)
    yield tesseract()
    yield disk(settings)
    held = proven(settings.home)
    yield server(settings, held)
    yield free_port(held, port)
    yield cloud_model(settings)


def python(version: tuple[int, int] | None = None) -> Finding:
    """Whether this Python is one that Careline runs on."""
    version = version or sys.version_info[:2]
    said = ".".join(map(str, version))
    if OLDEST <= version <= NEWEST:
        return Finding("python", "ok", said)
    return Finding("python", "fail", said, "install Python 3.11, 3.12 or 3.13 and run `make up` with it")


def home(settings: Settings) -> Finding:
    """Whether the home is a folder of this user's alone that can be written to."""
    place = settings.home
    if not place.exists():
        return Finding("home", "warn", f"{place} is not there yet", "`careline up` or `careline ingest` makes it")
    if not place.is_dir() or not os.access(place, os.R_OK | os.W_OK | os.X_OK):
        return Finding("home", "fail", f"{place} cannot be written to", "give this user the folder, or choose a --home")
    mode = stat.S_IMODE(place.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        return Finding(
            "home",
            "fail",
            f"others may look into {place} (mode {mode:03o})",
            f"run: chmod 700 {shlex.quote(str(place))}",
        )
    return Finding("home", "ok", f"{place}, mode {mode:03o}")


def key(settings: Settings) -> Finding:
    """Whether there is a key where there are records; that it is theirs is proven when the library is opened."""
    if settings.privacy.privacy_key is not None:
        return Finding("key", "ok", "set by CARELINE_PRIVACY_KEY")
    file = settings.home / bootstrap.KEY_FILE
    if file.is_file():
        return Finding("key", "ok", f"{file}; keep a backup of it")
    if not (settings.home / bootstrap.RECORDS).exists():
        return Finding("key", "ok", "none yet; one is made with the first records")
    return Finding(
        "key", "fail", f"{file} is missing", "restore it from a backup; the records cannot be read without it"
    )


def models() -> Finding:
    """Whether every model file is there as it was published, by its SHA-256."""
    found = [(one.name, one.fault()) for one in model_files.listed()]
    bad = [f"{name}: {fault}" for name, fault in found if fault]
    if bad:
        return Finding("models", "fail", "; ".join(bad), "install them again: `make up`")
    if not found:
        return Finding("models", "fail", "no model file is installed", "install requirements/laptop.txt: `make up`")
    return Finding("models", "ok", f"{len(found)} files, each with the SHA-256 it was published with")


def packs(settings: Settings) -> Iterator[Finding]:
    """Whether the packs load, and whether their rules were compiled since they were changed."""
    from careline.packs.packs import load_packs
    from careline.safety.rules.review import CompiledRules, rule_sets

    try:
        loaded = load_packs(settings.packs)
    except (CarelineError, OSError) as error:
        said = error.message if isinstance(error, CarelineError) else f"{settings.packs} cannot be read"
        yield Finding("packs", "fail", said, "mend the file that is named; `careline pack check` tests a pack")
        return
    if settings.pack not in loaded:
        advice = f"set CARELINE_PACK to one of {', '.join(sorted(loaded))}"
        yield Finding("packs", "fail", f"there is no pack {settings.pack}", advice)
        return
    yield Finding("packs", "ok", ", ".join(sorted(loaded)))
    yield classifiers(loaded.values())
    compiled_rules = CompiledRules()
    files = [file for pack in sorted(settings.packs.glob("*/pack.yaml")) for file in rule_sets(pack.parent)]
    changed = sorted({file.parent.parent.name for file in files if compiled_rules.of(file) is None})
    if changed:
        said = f"not compiled since they were changed: {', '.join(changed)}"
        yield Finding(
            "rules", "warn", said, "`careline pack compile` proves their examples once; starting takes longer"
        )
    else:
        yield Finding("rules", "ok", f"{len(files)} files, compiled as they stand")


def classifiers(packs: Collection[Pack]) -> Finding:
    """Which classifiers stand behind the rules of each pack; the public is poorly served by rules alone."""
    used = {one.name: ", ".join(f"{screen} by {named}" for screen, named in one.screens.items()) for one in packs}
    said = "; ".join(f"{name}: {screens or 'rules alone'}" for name, screens in used.items())
    alone = [one.name for one in packs if one.audience == "public" and "utterances" not in one.screens]
    if not alone:
        return Finding("screens", "ok", said)
    advice = f"rules alone catch much less; name classifiers under `screens` in the pack.yaml of {', '.join(alone)}"
    return Finding("screens", "warn", said, advice)


def tesseract() -> Finding:
    """Whether scans can be read, in every language that is answered in."""
    from careline.errors import DocumentRejected
    from careline.knowledge.extract.pdf import ocr
    from careline.model import LANGUAGES

    missing = []
    for language in LANGUAGES:
        try:
            ocr.languages_for(language, 1)
        except DocumentRejected:
            missing.append(f"tesseract-ocr-{ocr.LANGUAGES[language]}")
    if not missing:
        return Finding("tesseract", "ok", f"reads scans in {', '.join(LANGUAGES)}")
    if shutil.which("tesseract") is None:
        missing.insert(0, "tesseract-ocr")
    advice = f"install {', '.join(missing)}; scans without text are refused until then"
    return Finding("tesseract", "warn", "not there, or not in every language", advice)


def disk(settings: Settings) -> Finding:
    """How much room there is where the home is or will be."""
    place = next(one for one in (settings.home, *settings.home.absolute().parents) if one.exists())
    free = shutil.disk_usage(place).free
    state: State = "ok" if free >= LITTLE else "warn" if free >= TOO_LITTLE else "fail"
    advice = "" if state == "ok" else "make room, or move the home to another disk with --home"
    return Finding("disk", state, f"{free / 1024**3:.1f} GiB free", advice)


def proven(home: Path) -> Serving | None:
    """The server that runs on this home and has proven it, with whatever settings; its file is left as it is."""
    held = serving.found(home)
    if held is None or not serving.runs(held):
        return None
    from careline_local.cli.remote import is_proven

    try:
        return held if is_proven(held) else None
    except (OSError, HTTPException):
        return None


def server(settings: Settings, held: Serving | None) -> Finding:
    """Which server of this home runs, that commands such as `careline ask` go to."""
    if held is None:
        return Finding("server", "ok", "none of this home runs, or none that answers")
    said = f"{held.address} runs on this home, process {held.pid}"
    if held.installation == serving.fingerprint(settings, held.secret):
        return Finding("server", "ok", f"{said}; `careline ask` is answered by it")
    advice = "`careline ask` does without it; start both with the same settings"
    return Finding("server", "warn", f"{said}, with other settings", advice)


def free_port(held: Serving | None, port: int) -> Finding:
    """Whether `careline up` could listen, or does already: as the server that runs on this home."""
    from careline_local.cli.up import listen

    if held is not None and port in (0, held.port):
        return Finding("port", "ok", f"{held.port}: the server of this home runs")
    try:
        listen("127.0.0.1", port).close()
    except SettingsInvalid:
        return Finding("port", "warn", f"{port} is taken by another program", "choose another: `careline up --port 0`")
    return Finding("port", "ok", f"{port} is free")


def cloud_model(settings: Settings) -> Finding:
    """Whether a cloud model that is used can be told who asks: by a key, which is never shown, or by a signature."""
    openai = settings.openai
    users = [name for name in ("model", "embedder") if getattr(settings.engines, name) == "openai"]
    users += ["screen model"] if openai.screen_model else []
    if users and openai.auth == "aws":
        return _signed_model(settings, f"used as {', '.join(users)}")
    kept = "in Secrets Manager (not read)" if openai.api_key_secret else "absent"
    present = "present (not shown)" if openai.api_key is not None else kept
    if not users:
        return Finding("cloud model", "ok", f"none is used; key {present}")
    said = f"used as {', '.join(users)}; key {present}"
    if openai.api_key or openai.api_key_secret or openai.base_url:
        return Finding("cloud model", "ok", said)
    return Finding("cloud model", "fail", said, "set CARELINE_OPENAI_API_KEY, or CARELINE_OPENAI_BASE_URL of a gateway")


def _signed_model(settings: Settings, used: str) -> Finding:
    """Whether requests can be signed; that the role may call the model is known once it is called."""
    from careline.engines.openai.client import client

    try:
        where = str(client(settings.openai).base_url)
        from botocore.session import Session

        credentials = Session().get_credentials()
    except SettingsInvalid as error:
        return Finding("cloud model", "fail", used, error.message)
    except ImportError:
        return Finding("cloud model", "fail", used, "requests are signed by botocore: install requirements/cloud.txt")
    if credentials is None:
        return Finding("cloud model", "fail", f"{used}; no AWS credentials", "give this process a role or a profile")
    said = f"{used}; {settings.openai.model} at {where}, signed with AWS credentials ({credentials.method})"
    if settings.engines.embedder == "openai":
        return Finding("cloud model", "fail", said, "Bedrock makes no vectors here: set CARELINE_EMBEDDER=embedded")
    if settings.routing.cloud_covered:
        return Finding("cloud model", "ok", f"{said}; may see personal health data")
    return Finding("cloud model", "ok", f"{said}; personal data stays here (CARELINE_CLOUD_COVERED)")


async def library(settings: Settings, opened: Callable[[], Installation]) -> list[Finding]:
    """Whether the records open with their key, and the index answers a question of this version's embedding model."""
    from careline.document_search import search
    from careline.knowledge import catalogue
    from careline.schemas import wire

    if settings.storage == "embedded" and not (settings.home / bootstrap.RECORDS).exists():
        return [Finding("library", "warn", "empty", "take documents in: `careline ingest FOLDER`")]
    try:
        installation = opened()
        table = installation.engines.table
        documents = len([1 async for _ in catalogue.documents(table, settings.tenant)])
    except CarelineError as error:
        return [Finding("library", "fail", "cannot be opened", error.message)]
    held = await directory(installation)
    if not documents:
        return [Finding("library", "warn", "empty", "take documents in: `careline ingest FOLDER`"), held]
    read = Finding("library", "ok", f"{documents} documents")
    try:
        await search(wire.SearchRequest(text="careline doctor"), installation)
    except CarelineError as error:
        return [read, held, Finding("index", "fail", error.message)]
    answers = Finding("index", "ok", "answers, with vectors of the embedding model that is set")
    found = [read, held, answers, await reading(installation.engines.reader), await categories(installation)]
    return [*found, *await recordings(installation)]


async def recordings(installation: Installation) -> list[Finding]:
    """Whether the menu that callers hear while the voice's vendor is away is that of the directory; nothing where no
    folder of recordings is set."""
    from careline.curation.editions import current
    from careline.speech.line import recorded_line

    settings, folder = installation.settings, installation.settings.voice.recordings
    if folder is None:
        return []
    again = f"run: python -m careline_local.voice.record --line --out {folder}"
    try:
        line, edition = recorded_line(folder), (await current(settings.tenant, installation.engines)).number
    except CarelineError as error:
        return [Finding("recordings", "warn", error.message, again)]
    if line is None:
        return [Finding("recordings", "warn", f"{folder} holds no hospital's menu", again)]
    said = f"the menu of edition {line.edition} of the directory"
    if line.edition != edition:
        return [Finding("recordings", "warn", f"{said}, which is at {edition} now", again)]
    return [Finding("recordings", "ok", said)]


async def categories(installation: Installation) -> Finding:
    """Whether what callers ask for is found among passages of the category that they ask for."""
    from careline.telemetry.mismatches import ALARMING, WINDOW, mismatch_trend

    try:
        trend = await mismatch_trend(installation.settings.tenant, installation.engines)
    except CarelineError as error:
        return Finding("categories", "warn", error.message, "the newest turns could not be read")
    said = f"{trend.rate:.0%} of the best passages of the last {len(trend.turns)} turns are of another category"
    if not trend.is_alarming:
        return Finding("categories", "ok", f"{said}; {ALARMING:.0%} over {WINDOW} would be too many")
    ids = ", ".join(one.turn_id for one in trend.behind[:NAMED])
    advice = "look at them with `careline explain`: a row of the affinity matrix, or the row of an intent, is missing"
    return Finding("categories", "warn", f"{said}, as of {ids}", advice)


async def directory(installation: Installation) -> Finding:
    """Which edition of the hospital's directory holds, how much stands in it, and how much a person should look at."""
    from careline.curation import directory_check, editions
    from careline.directory import entry_json
    from careline.tenants import tenant_records

    engines, settings = installation.engines, installation.settings
    try:
        now = await editions.current(settings.tenant, engines)
        tenant = await tenant_records.tenant(engines.table, settings.tenant, settings)
    except CarelineError as error:
        return Finding("directory", "fail", "cannot be read", error.message)
    if not now.number:
        begin = "`careline directory template hospital.xlsx` writes a workbook to fill in"
        return Finding("directory", "ok", "none, so that answers come from documents alone", begin)
    entries = sum(len(entry_json.entries(now.directory, section)) for section in entry_json.ALL_SECTIONS)
    warnings = len(list(directory_check.findings(now.directory, tenant.day_of(engines.clock.now()))))
    said = f"edition {now.number}, {entries} entries, {warnings} to look at"
    return Finding("directory", "ok", said, "`careline directory check` lists them" if warnings else "")


async def reading(reader: Reader | None) -> Finding:
    """How long the reader takes for a window on this processor, and how many it reads for a question."""
    if reader is None:
        return Finding("reader", "ok", "off; the order of the search stands")
    try:
        pace = await reader.pace()
    except ReaderUnavailable as error:
        return Finding("reader", "warn", error.message, "answers may be less to the point until then")
    read = pace.windows(READ)
    if not pace.window_ms:
        return Finding("reader", "ok", f"{read} windows a question, whatever time they take")
    each, all_of_them = f"{pace.window_ms:.0f} ms a window", f"CARELINE_READER_MILLISECONDS={pace.budget_ms:.0f}"
    return Finding("reader", "ok", f"{each}, so that {read} of {READ} are read for a question ({all_of_them})")
