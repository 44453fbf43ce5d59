"""Puts an installation together from its settings: which engine stands behind each port, and the packs.

The only module that imports engines. Making an installation opens no connection and loads no model; engines do that
when they are first used. A laptop's key is proven by its records at once, before anything is written with it.
"""

from __future__ import annotations

import itertools
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import careline_artefacts
from careline.errors import Conflict, SettingsInvalid
from careline.installation import Installation
from careline.knowledge import catalogue, pipeline
from careline.languages import FrequentWordsThenStatistics
from careline.limits import Limits
from careline.model import JobState
from careline.packs.packs import load_packs
from careline.ports import (
    Clock,
    Embedder,
    Engines,
    FileStore,
    JobLauncher,
    LanguageModel,
    Outbox,
    PassageIndex,
    PhiDetector,
    Reader,
    StructuredCaller,
    Uploads,
    Vector,
)
from careline.record_table import RecordTable
from careline.settings import Settings

if TYPE_CHECKING:
    from careline.engines.embedded.e5_model import E5Model
    from careline.engines.embedded.embedder import E5Embedder
    from careline.engines.openai.model import ModelTimeouts

RunJob = Callable[[str, str], Awaitable[None]]
"""Runs the job of a tenant to its end in this process."""
RECORDS, WAITING, KEY_FILE = "records.sqlite", "outbox.sqlite", "privacy.key"
"""Files of a laptop installation, in its folder."""


def installation(settings: Settings) -> Installation:
    """Everything a turn needs. Raises: SettingsInvalid, PackInvalid."""
    packs = load_packs(settings.packs)
    if settings.faults:
        from careline.fault_injection import with_faults

        packs = {name: with_faults(pack, settings.faults) for name, pack in packs.items()}
    return Installation(engines(settings), packs, settings)


def from_environment() -> Installation:
    """The installation that the process's environment describes. Raises: SettingsInvalid, PackInvalid."""
    return installation(Settings.load())


def engines(settings: Settings) -> Engines:
    """The engines that the settings name. Raises: SettingsInvalid."""
    from careline.engines.embedded.clock import SystemClock
    from careline.engines.embedded.e5_model import E5Model
    from careline.engines.embedded.embedder import E5Embedder

    clock = SystemClock()
    shared = E5Model()
    local = E5Embedder(shared=shared)
    embedder = _embedder(settings, local)

    async def run_job(tenant: str, job_id: str) -> None:
        await pipeline.resume(tenant, job_id, made)

    table, files, index, outbox, job_launcher = _storage(settings, clock, embedder.dimensions, run_job)
    made = Engines(
        clock=clock,
        new_id=new_ids(),
        embedder=embedder,
        count_tokens=_counter(settings, local),
        index=index,
        table=table,
        files=files,
        outbox=outbox,
        job_launcher=job_launcher,
        model=_local_model(settings, embedder),
        identify=FrequentWordsThenStatistics(),
        detector=_detector(settings),
        sentence_embedder=local if settings.semantic_classifiers == "embedded" else None,
        reader=_reader(settings, shared),
        guardrail=_guardrail(settings, settings.openai_screen_model),
        document_guardrail=_document_guardrail(settings),
        cloud=_cloud_model(settings, settings.openai_model),
        cloud_small=_cloud_model(settings, settings.openai_small_model),
        quoting=_quoting(settings, embedder),
        key=_key(settings),
        limits=_limits(settings),
        uploads=_uploads(settings),
    )
    return made


def _reader(settings: Settings, shared: E5Model) -> Reader | None:
    if settings.reader == "off":
        return None
    from careline.engines.embedded.reader import E5Reader

    return E5Reader(shared)


def _limits(settings: Settings) -> Limits:
    return Limits(
        max_file_bytes=settings.max_upload_bytes,
        max_pages=settings.max_pages,
        extract_seconds=settings.extract_seconds,
        extract_memory_bytes=settings.extract_memory_mb * 1024 * 1024,
    )


def _uploads(settings: Settings) -> Uploads | None:
    if settings.storage != "aws":
        return None
    from careline.engines.aws.uploads import S3Uploads

    return S3Uploads(_needed(settings.bucket, "BUCKET"))


def _embedder(settings: Settings, local: Embedder) -> Embedder:
    if settings.embedder == "embedded":
        return local
    from careline.engines.openai.client import client
    from careline.engines.openai.embedder import OpenAIEmbedder

    return OpenAIEmbedder(client(settings), settings.openai_embedding_model, settings.openai_embedding_dimensions)


def _counter(settings: Settings, local: E5Embedder) -> Callable[[str], int]:
    return local.count_tokens if settings.embedder == "embedded" else words_and_a_third


def words_and_a_third(text: str) -> int:
    """Tokens of a text by the rule of thumb of three words to four tokens, where the tokeniser is not at hand."""
    return len(text.split()) * 4 // 3


def _local_model(settings: Settings, embedder: Embedder) -> LanguageModel:
    if settings.local_model == "extractive":
        from careline.engines.embedded.extractive import ExtractiveModel

        return ExtractiveModel(embedder)
    if settings.local_base_url is None:
        raise SettingsInvalid("CARELINE_LOCAL_BASE_URL is needed when CARELINE_LOCAL_MODEL is openai")
    from careline.engines.openai.client import connect
    from careline.engines.openai.model import OpenAIModel, Prices

    return OpenAIModel(
        connect(settings.local_base_url, None), settings.local_model_name, Prices(), _model_timeouts(settings)
    )


def _quoting(settings: Settings, embedder: Embedder) -> LanguageModel | None:
    if settings.local_model == "extractive":
        return None
    from careline.engines.embedded.extractive import ExtractiveModel

    return ExtractiveModel(embedder)


def _cloud_model(settings: Settings, name: str | None) -> LanguageModel | None:
    if settings.model == "extractive" or name is None:
        return None
    from careline.engines.openai.client import client
    from careline.engines.openai.model import OpenAIModel, Prices

    prices = Prices(settings.openai_price_in, settings.openai_price_out)
    return OpenAIModel(client(settings), name, prices, _model_timeouts(settings))


def _guardrail(settings: Settings, model: str | None) -> StructuredCaller | None:
    if model is None:
        return None
    from careline.engines.openai.client import client
    from careline.engines.openai.structured import OpenAIStructuredCaller

    return OpenAIStructuredCaller(client(settings), model)


def _document_guardrail(settings: Settings) -> StructuredCaller | None:
    """What reads documents beside the classifiers; nothing where all stays within the trust boundary."""
    return None if settings.mode == "local_only" else _guardrail(settings, settings.openai_document_screen_model)


def _model_timeouts(settings: Settings) -> ModelTimeouts:
    from careline.engines.openai.model import ModelTimeouts

    return ModelTimeouts(settings.model_first_token_seconds, settings.model_stall_seconds)


def _detector(settings: Settings) -> PhiDetector:
    if "phi_detector" in settings.faults:
        from careline.fault_injection import FailingDetector

        return FailingDetector()
    from careline.privacy.detect import Detector

    return Detector(mode=settings.phi_mode, types=settings.phi_types)


def _storage(
    settings: Settings, clock: Clock, dimensions: int, run_job: RunJob
) -> tuple[RecordTable, FileStore, PassageIndex, Outbox, JobLauncher]:
    if settings.storage == "aws":
        return _cloud(settings, clock)
    from careline.engines.embedded.files import FolderFiles
    from careline.engines.embedded.home import opened
    from careline.engines.embedded.index import LocalIndex
    from careline.engines.embedded.job_launcher import TaskLauncher
    from careline.engines.embedded.outbox import SqliteOutbox
    from careline.engines.embedded.table import SqliteTable

    home = opened(settings.home)
    return (
        SqliteTable(home / RECORDS, clock),
        FolderFiles(home / "files"),
        LocalIndex(home / "index", dimensions, _ordinary(settings)),
        SqliteOutbox(home / WAITING, clock),
        TaskLauncher(run_job),
    )


def _ordinary(settings: Settings) -> Vector | None:
    if settings.embedder != "embedded":
        return None
    import numpy as np

    file = careline_artefacts.FOLDER / "sentence_embedding" / "e5_ordinary.npy"
    return np.asarray(np.load(file, allow_pickle=False), np.float32)


def _cloud(settings: Settings, clock: Clock) -> tuple[RecordTable, FileStore, PassageIndex, Outbox, JobLauncher]:
    """The AWS engines; each opens its client when it is first used, so a function needs only the settings it uses."""
    from careline.engines.aws.files import S3Files
    from careline.engines.aws.index import OpenSearchIndex
    from careline.engines.aws.job_launcher import StateMachineLauncher
    from careline.engines.aws.outbox import SqsOutbox
    from careline.engines.aws.table import DynamoTable

    table = DynamoTable(_needed(settings.table, "TABLE"), clock)

    async def attempt(tenant: str, job_id: str) -> int:
        return (await catalogue.job(table, tenant, job_id)).job.retry_count

    endpoint = _needed(settings.search_endpoint, "SEARCH_ENDPOINT")
    return (
        table,
        S3Files(_needed(settings.bucket, "BUCKET")),
        OpenSearchIndex.connect(endpoint, settings.search_index, table, settings.search_service, _ordinary(settings)),
        SqsOutbox(settings.outbox_queue_url or ""),
        StateMachineLauncher(settings.ingestion_state_machine_arn or "", attempt),
    )


def _needed(value: str | None, name: str) -> str:
    if not value:
        raise SettingsInvalid(f"CARELINE_{name} is needed when CARELINE_STORAGE is aws")
    return value


def _key(settings: Settings) -> bytes:
    """The key that is set, else the laptop's own, made when it first starts; in the cloud none is made up."""
    chosen = _chosen(settings)
    if settings.storage == "aws":
        return chosen
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
    if settings.privacy_key is None and file.exists():
        file.replace(home / f"{KEY_FILE}.unfit.{stamp}")
    key = _chosen(settings) or kept_key(file)
    key_check.set_aside(records, home / WAITING, key, stamp)


def _chosen(settings: Settings) -> bytes:
    from careline.privacy.redaction.keyed_digest import read_key

    return read_key(settings.privacy_key.get_secret_value()) if settings.privacy_key is not None else b""


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
