"""Puts an installation together from its settings: which engine stands behind each port, and the packs.

The only module that imports engines. Making an installation opens no connection and loads no model; engines do that
when they are first used. A laptop's key is proven by its records at once, before anything is written with it.
"""

from __future__ import annotations

import itertools
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import careline_artefacts
from careline.audit.notary import HeadNotary
from careline.circuit.circuits import LOCAL_MODEL, MODEL, Circuits
from careline.circuit.guarded import Guarded
from careline.errors import Conflict, SettingsInvalid
from careline.installation import Installation
from careline.knowledge import catalogue, pipeline
from careline.limits import Limits
from careline.model import JobState
from careline.packs.packs import load_packs
from careline.ports import (
    ChatModel,
    Clock,
    Embedder,
    Engines,
    FileStore,
    JobLauncher,
    NotedHeads,
    Outbox,
    PassageIndex,
    PhiDetector,
    Reader,
    Records,
    StructuredCaller,
    Uploads,
    Vector,
)
from careline.records.record_table import RecordTable
from careline.search.measured_fit import guessed_fit, measured_fit
from careline.settings import EngineSettings, LimitSettings, OpenAISettings, Settings, TimeoutSettings
from careline.text.languages import FrequentWordsThenStatistics

if TYPE_CHECKING:
    from careline.engines.embedded.e5.model import E5Model
    from careline.engines.embedded.embedder import E5Embedder
    from careline.engines.embedded.noted_heads import FolderNotedHeads
    from careline.engines.openai.model import ModelTimeouts

RunJob = Callable[[str, str], Awaitable[None]]
"""Runs the job of a tenant to its end in this process."""
RECORDS, WAITING, KEY_FILE = "records.sqlite", "outbox.sqlite", "privacy.key"
"""Files of a laptop installation, in its folder."""


def installation(settings: Settings, *, answers: bool = True) -> Installation:
    """Everything a turn needs; what `answers` nothing does without measurements of the embedding model.

    Raises: SettingsInvalid, PackInvalid.
    """
    packs = load_packs(settings.packs)
    if settings.faults:
        from careline.runtime.faults import with_faults

        packs = {name: with_faults(pack, settings.faults) for name, pack in packs.items()}
    relevance = measured_fit(settings) if answers else guessed_fit(settings)
    return Installation(engines(settings), packs, settings, relevance=relevance)


def from_environment() -> Installation:
    """The installation that the process's environment describes. Raises: SettingsInvalid, PackInvalid."""
    return installation(Settings.load())


def by_clock(made: Installation, clock: Clock) -> Installation:
    """An installation that goes by another clock, its records too: what is kept at a moment that lies in the past is
    not over by the machine's clock. Raises: SettingsInvalid."""
    table = _table(made.settings, clock)
    return replace(made, engines=replace(made.engines, clock=clock, table=table))


def records(settings: Settings) -> Records:
    """What keeps records, and nothing else: for what settles turns. Raises: SettingsInvalid."""
    from careline.engines.embedded.clock import SystemClock

    clock = SystemClock()
    return Records(
        clock=clock, new_id=new_ids(), table=_table(settings, clock), read_key=_key_reader(settings),
        time_zone=settings.hospital.time_zone,
    )  # fmt: skip


def engines(settings: Settings) -> Engines:
    """The engines that the settings name. Raises: SettingsInvalid."""
    from careline.engines.embedded.clock import SystemClock
    from careline.engines.embedded.e5.model import E5Model
    from careline.engines.embedded.embedder import E5Embedder

    clock = SystemClock()
    shared = E5Model()
    local = E5Embedder(shared=shared)
    embedder = _embedder(settings, local)

    async def run_job(tenant: str, job_id: str) -> None:
        await pipeline.resume(tenant, job_id, made)

    table, files, index, outbox, job_launcher = _storage(settings, clock, embedder.dimensions, run_job)
    new_id, read_key = new_ids(), _key_reader(settings)
    circuits = Circuits(table, clock, new_id)
    guarded = Guarded(circuits if settings.engines.circuit_breaker == "on" else None)
    made = Engines(
        clock=clock,
        new_id=new_id,
        embedder=guarded.embedder(embedder),
        count_tokens=_counter(settings, local),
        index=guarded.index(index) if settings.storage == "aws" else index,
        table=table,
        files=files,
        outbox=outbox,
        job_launcher=job_launcher,
        model=guarded.model(_local_model(settings), LOCAL_MODEL),
        identify=FrequentWordsThenStatistics(),
        detector=_detector(settings),
        sentence_embedder=local if settings.engines.semantic_classifiers == "embedded" else None,
        reader=_reader(settings.engines, shared),
        guardrail=guarded.caller(_guardrail(settings.openai, settings.openai.screen_model)),
        document_guardrail=guarded.caller(_document_guardrail(settings)),
        # Both are of one endpoint, which fails as a whole.
        cloud=guarded.model(_cloud_model(settings, settings.openai.model), MODEL),
        cloud_small=guarded.model(_cloud_model(settings, settings.openai.small_model), MODEL),
        paused=circuits.paused,
        read_key=read_key,
        time_zone=settings.hospital.time_zone,
        limits=_limits(settings.limits),
        noted_heads=_noted_heads(settings),
        uploads=_uploads(settings, files, clock, read_key),
    )
    return made


def notary(settings: Settings) -> HeadNotary | None:
    """What notes heads of audit chains, from the table and the key alone; None where they are noted nowhere.

    Raises: SettingsInvalid.
    """
    heads = _noted_heads(settings)
    if heads is None:
        return None
    kept = records(settings)
    return HeadNotary(kept.table, kept.key, heads)


def _noted_heads(settings: Settings) -> NotedHeads | None:
    if settings.storage == "aws":
        from careline.engines.aws.noted_heads import S3NotedHeads

        bucket = settings.aws.heads_bucket
        return S3NotedHeads(bucket) if bucket else None
    return _folder_of_heads(settings)


def _folder_of_heads(settings: Settings) -> FolderNotedHeads:
    from careline.engines.embedded.noted_heads import FolderNotedHeads

    return FolderNotedHeads((settings.privacy.noted_heads or settings.home / "heads").expanduser())


def _reader(engines: EngineSettings, shared: E5Model) -> Reader | None:
    if engines.reader == "off":
        return None
    from careline.engines.embedded.reader import E5Reader

    return E5Reader(shared, budget_ms=engines.reader_milliseconds)


def _limits(limits: LimitSettings) -> Limits:
    return Limits(
        max_file_bytes=limits.max_upload_bytes,
        max_pages=limits.max_pages,
        extract_seconds=limits.extract_seconds,
        extract_memory_bytes=limits.extract_memory_mb * 1024 * 1024,
    )


def _uploads(settings: Settings, files: FileStore, clock: Clock, read_key: Callable[[], bytes]) -> Uploads:
    if settings.storage != "aws":
        from careline.engines.embedded.uploads import FolderUploads

        return FolderUploads(files, clock, read_key())
    from careline.engines.aws.uploads import S3Uploads

    return S3Uploads(_needed(settings.aws.bucket, "BUCKET"))


def _embedder(settings: Settings, local: Embedder) -> Embedder:
    if settings.engines.embedder == "embedded":
        return local
    from careline.engines.openai.client import check, client
    from careline.engines.openai.embedder import OpenAIEmbedder

    openai = settings.openai
    if settings.storage != "aws":
        # There most functions embed nothing, and are given no key.
        check(openai)
    return OpenAIEmbedder(partial(client, openai), openai.embedding_model, openai.embedding_dimensions)


def _counter(settings: Settings, local: E5Embedder) -> Callable[[str], int]:
    return local.count_tokens if settings.engines.embedder == "embedded" else words_and_a_third


def words_and_a_third(text: str) -> int:
    """Tokens of a text by the rule of thumb of three words to four tokens, where the tokeniser is not at hand."""
    return len(text.split()) * 4 // 3


def _local_model(settings: Settings) -> ChatModel | None:
    local = settings.local
    if local.model == "extractive":
        return None
    if local.base_url is None:
        raise SettingsInvalid("CARELINE_LOCAL_BASE_URL is needed when CARELINE_LOCAL_MODEL is openai")
    from careline.engines.openai.client import connect
    from careline.engines.openai.model import OpenAIModel, Prices

    return OpenAIModel(connect(local.base_url, None), local.model_name, Prices(), _model_timeouts(settings.timeouts))


def _cloud_model(settings: Settings, name: str | None) -> ChatModel | None:
    if settings.engines.model == "extractive" or name is None:
        return None
    from careline.engines.openai.client import client
    from careline.engines.openai.model import OpenAIModel, Prices

    openai = settings.openai
    prices = Prices(openai.price_in, openai.price_out)
    return OpenAIModel(client(openai), name, prices, _model_timeouts(settings.timeouts))


def _guardrail(openai: OpenAISettings, model: str | None) -> StructuredCaller | None:
    if model is None:
        return None
    from careline.engines.openai.client import client
    from careline.engines.openai.structured import OpenAIStructuredCaller

    return OpenAIStructuredCaller(client(openai), model)


def _document_guardrail(settings: Settings) -> StructuredCaller | None:
    """What reads documents beside the classifiers; nothing where all stays within the trust boundary."""
    openai = settings.openai
    return None if settings.routing.mode == "local_only" else _guardrail(openai, openai.document_screen_model)


def _model_timeouts(timeouts: TimeoutSettings) -> ModelTimeouts:
    from careline.engines.openai.model import ModelTimeouts

    return ModelTimeouts(timeouts.first_token_seconds, timeouts.stall_seconds)


def _detector(settings: Settings) -> PhiDetector:
    if "phi_detector" in settings.faults:
        from careline.runtime.faults import FailingDetector

        return FailingDetector()
    from careline.privacy.detect import Detector

    return Detector(mode=settings.privacy.phi_mode, types=settings.privacy.phi_types)


def _storage(
    settings: Settings, clock: Clock, dimensions: int, run_job: RunJob
) -> tuple[RecordTable, FileStore, PassageIndex, Outbox, JobLauncher]:
    if settings.storage == "aws":
        return _cloud(settings, clock)
    from careline.engines.embedded.files import FolderFiles
    from careline.engines.embedded.home import opened
    from careline.engines.embedded.job_launcher import TaskLauncher
    from careline.engines.embedded.outbox import SqliteOutbox
    from careline.engines.embedded.passage_index.index import LocalIndex

    home = opened(settings.home)
    return (
        _table(settings, clock),
        FolderFiles(home / "files"),
        LocalIndex(home / "index", dimensions, _ordinary(settings)),
        SqliteOutbox(home / WAITING, clock),
        TaskLauncher(run_job),
    )


def _table(settings: Settings, clock: Clock) -> RecordTable:
    if settings.storage == "aws":
        from careline.engines.aws.table import DynamoTable

        return DynamoTable(_needed(settings.aws.table, "TABLE"), clock)
    from careline.engines.embedded.home import opened
    from careline.engines.embedded.table import SqliteTable

    return SqliteTable(opened(settings.home) / RECORDS, clock)


def _ordinary(settings: Settings) -> Vector | None:
    if settings.engines.embedder != "embedded":
        return None
    import numpy as np

    file = careline_artefacts.FOLDER / "sentence_embedding" / "e5_ordinary.npy"
    return np.asarray(np.load(file, allow_pickle=False), np.float32)


def _cloud(settings: Settings, clock: Clock) -> tuple[RecordTable, FileStore, PassageIndex, Outbox, JobLauncher]:
    """The AWS engines; each opens its client when it is first used, so a function needs only the settings it uses."""
    from careline.engines.aws.files import S3Files
    from careline.engines.aws.job_launcher import StateMachineLauncher
    from careline.engines.aws.outbox import SqsOutbox
    from careline.engines.aws.passage_index.index import OpenSearchIndex

    aws = settings.aws
    table = _table(settings, clock)

    async def attempt(tenant: str, job_id: str) -> int:
        return (await catalogue.job(table, tenant, job_id)).job.retry_count

    endpoint = _needed(aws.search_endpoint, "SEARCH_ENDPOINT")
    return (
        table,
        S3Files(_needed(aws.bucket, "BUCKET")),
        OpenSearchIndex.connect(endpoint, aws.search_index, table, aws.search_service, _ordinary(settings)),
        SqsOutbox(aws.outbox_queue_url or ""),
        StateMachineLauncher(aws.ingestion_state_machine_arn or "", attempt),
    )


def _needed(value: str | None, name: str) -> str:
    if not value:
        raise SettingsInvalid(f"CARELINE_{name} is needed when CARELINE_STORAGE is aws")
    return value


def _key_reader(settings: Settings) -> Callable[[], bytes]:
    """Gives the key. A laptop's is proven at once; one of the cloud is read when it is first needed, so that a snapshot
    of a process that has served nobody yet holds none."""
    if settings.storage == "aws":
        from careline.engines.aws.secrets import ReadOnce

        return ReadOnce(lambda: _chosen(settings))
    held = _key(settings)
    return lambda: held


def _key(settings: Settings) -> bytes:
    """The key that is set, else the laptop's own, made when it first starts."""
    chosen = _chosen(settings)
    from careline.engines.embedded.home import opened
    from careline.engines.embedded.key import kept_key
    from careline.engines.embedded.key_check import holds_records, proven

    home = opened(settings.home)
    file, records = home / KEY_FILE, home / RECORDS
    if chosen:
        return proven(chosen, records, "CARELINE_PRIVACY_KEY")
    # Records first: a process that starts at the same time writes them after its key.
    is_needed = holds_records(records)
    return proven(kept_key(file, is_needed=is_needed), records, str(file))


def replace_key(settings: Settings) -> None:
    """Make a new key for a laptop whose own is lost, and set aside what hangs on the old one; may be repeated.

    Raises: Conflict when nothing is lost, SettingsInvalid, TableUnavailable.
    """
    from careline.engines.embedded import key_check
    from careline.engines.embedded.home import opened
    from careline.engines.embedded.key import kept_key

    if settings.storage == "aws":
        raise SettingsInvalid("the key of a cloud installation is kept in Secrets Manager; restore its earlier version")
    home, stamp = opened(settings.home), f"{time.time_ns():020d}"
    file, records = home / KEY_FILE, home / RECORDS
    if _fits(settings, home):
        raise Conflict("the key is the one that the records were made with; nothing is lost")
    if settings.privacy.privacy_key is None and file.exists():
        file.replace(home / f"{KEY_FILE}.unfit.{stamp}")
    key = _chosen(settings) or kept_key(file)
    key_check.set_aside(records, home / WAITING, key, stamp)
    # Noted heads are of the chain that ended; the one that begins could never fit them.
    _folder_of_heads(settings).set_aside(stamp)


def _chosen(settings: Settings) -> bytes:
    from careline.privacy.redaction.keyed_digest import read_key

    key, secret = settings.privacy.privacy_key, settings.privacy.privacy_key_secret
    if key is None and secret is not None:
        from careline.engines.aws.secrets import stored

        return read_key(stored(secret).value())
    return read_key(key.get_secret_value()) if key is not None else b""


def _fits(settings: Settings, home: Path) -> bool:
    from careline.engines.embedded import key_check
    from careline.engines.embedded.key import kept_key

    if not _chosen(settings) and not (home / KEY_FILE).exists():
        return not key_check.holds_records(home / RECORDS)
    try:
        return key_check.fits(_chosen(settings) or kept_key(home / KEY_FILE), home / RECORDS)
    except SettingsInvalid:
        return False


def new_ids() -> Callable[[], str]:
    """Identifiers that sort by the time they were made: milliseconds, a counter, and 40 random bits, in hexadecimal."""
    counter = itertools.count()
    return lambda: f"{time.time_ns() // 1_000_000:011x}{next(counter) % 4096:03x}{secrets.token_hex(5)}"


async def take_up(made: Engines, tenant: str) -> None:
    """Go on with the jobs that were not finished when the process that ran them ended."""
    waiting = {JobState.PENDING, JobState.RUNNING}
    await made.job_launcher.resume(
        tenant, [job.job_id async for job in catalogue.jobs(made.table, tenant) if job.state in waiting]
    )


async def finish(made: Engines) -> None:
    """Wait for the jobs that this process runs itself."""
    await made.job_launcher.drain()
