"""Writes down why a job failed, from what the state machine caught, and says how the execution ends.

What a stage rejected is no matter of this: the stage that rejected it has written its reason down.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ValidationError

from careline import errors
from careline.knowledge import catalogue, pipeline
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.knowledge.ingestion.refused_upload import refuse_as
from careline.knowledge.offered_upload import promised
from careline.log import context
from careline.ports import Engines
from careline.runtime.lambda_handler import observed
from careline_functions.ingestion import stage
from careline_functions.ingestion.events import Caught, Cause, FailInput, read
from careline_functions.ingestion.uploaded import StoredFile, stored_file

RESERVED, OURS = "States.", "Ingestion."
"""What names of the states language begin with, and what an execution that one of them ended says instead: a state of
type Fail may not use a reserved name (Amazon States Language, errors)."""


Fault = Literal["sender", "system"]


@observed("ingestion-fail")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """`{ingestion_job, error: {Error, Cause}}` in, or what `register` was called with beside the error.

    Out: how the execution ends, as `error` and `cause`, and whether its sender has to mend something (`rejected`), so
    that to try it again would change nothing.
    """
    told = read(FailInput, event)
    error_type, message = read_error(told.error)
    is_rejected = rejects(told.error)
    if told.ingestion_job is not None or told.job_id is not None:
        _fail_job(told, error_type, message, is_rejected=is_rejected)
    else:
        _fail_upload(told, error_type, message, is_rejected=is_rejected)
    return {"error": ended_name(told.error.error), "cause": message, "rejected": is_rejected, "reason": error_type}


def _fail_job(told: FailInput, error_type: str, message: str, *, is_rejected: bool) -> None:
    job = told.ingestion_job
    tenant, job_id = (job.tenant, job.job_id) if job else (told.tenant or stage.own_tenant(), told.job_id)
    with context.bound(job=job_id, tenant=tenant):
        stage.log.write("ingestion_failed", error=error_type, fault=fault_of(is_rejected))
        stage.waited(_noted(job, tenant, job_id or "", (error_type, message), stage.engines()))


async def _noted(
    job: IngestionJob | None, tenant: str, job_id: str, why: tuple[str, str], engines: Engines
) -> None:
    """Write the failure down, unless there is no such job."""
    if job is None:
        # It was to run once more and did not get past `register`.
        held = await catalogue.job_or_none(engines.table, tenant, job_id)
        if held is None:
            return
        job = IngestionJob(tenant, held.job.doc_key, held.job.version, job_id)
    await pipeline.fail(job, *why, engines)


def _fail_upload(told: FailInput, error_type: str, message: str, *, is_rejected: bool) -> None:
    file = stored_file(told)
    tenant = (file.tenant if file else None) or stage.own_tenant()
    with context.bound(tenant=tenant):
        # Where no file is named there is no sender who could be told.
        fault = fault_of(is_rejected and file is not None)
        stage.log.write("upload_not_registered", error=error_type, fault=fault)
        if file is not None and not is_rejected:
            stage.waited(_refused(file, tenant, (error_type, message), stage.engines()))


async def _refused(file: StoredFile, tenant: str, why: tuple[str, str], engines: Engines) -> None:
    """Write it down at the job that was promised, where one was."""
    arrival = await promised(file.arrival(tenant, engines.clock.now()), engines)
    await refuse_as(arrival, *why, engines)


def fault_of(is_rejected: bool) -> Fault:
    """Who can do something about it: its sender, who mends the file, or whoever is on call."""
    return "sender" if is_rejected else "system"


def read_error(caught: Caught) -> tuple[str, str]:
    """Type and message for the job. Only messages that Careline wrote are kept; others may quote a document."""
    kind = _kind(caught)
    if kind is None:
        return caught.error.rpartition(".")[2].lower(), "a stage of the ingestion did not finish; try again"
    return kind.code.lower(), _message(caught.cause)


def rejects(caught: Caught) -> bool:
    """Whether the error says that something is wrong with the file, or with what its sender said of it."""
    kind = _kind(caught)
    return kind is not None and kind.status < 500 and not issubclass(kind, errors.Contended)


def ended_name(error: str) -> str:
    """The error as an execution may end with it: one of the states language gets a name of ours."""
    return OURS + error.removeprefix(RESERVED) if error.startswith(RESERVED) else error


def _kind(caught: Caught) -> type[errors.CarelineError] | None:
    kind = getattr(errors, caught.error, None)
    return kind if isinstance(kind, type) and issubclass(kind, errors.CarelineError) else None


def _message(cause: str) -> str:
    """What Lambda tells of an exception."""
    try:
        return Cause.model_validate_json(cause).message
    except ValidationError:
        return "the ingestion failed"
