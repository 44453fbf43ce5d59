"""What the published description says of documents: the library, its jobs, and what was held back."""

from __future__ import annotations

from typing import Any

from careline import bodies
from careline.model import JobState
from careline.openapi.operations import made_of, operation, parameter, refusals


def library_paths() -> dict[str, Any]:
    """Paths below `/v1/documents`, `/v1/jobs` and `/v1/admin/quarantine`."""
    return {**_documents(), **_one_document(), **_jobs(), **_quarantine()}


def _documents() -> dict[str, Any]:
    text = {"type": "string"}
    form = {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "string", "contentMediaType": "application/octet-stream"},
            "doc_key": text,
            "title": text,
            "source_type": text,
            "language": text,
            "audience": {"enum": ["public", "clinician"]},
        },
    }
    return {
        "/v1/documents": {
            "get": operation(
                "listDocuments",
                "Documents in order of their key.",
                {"200": made_of(bodies.DocumentPage, "A page."), **refusals(400)},
                parameters=[
                    parameter("limit", "query", {"type": "integer", "minimum": 1, "maximum": 1000}, "Size of a page."),
                    parameter("after", "query", text, "`next` of the page before."),
                ],
            ),
            "post": operation(
                "uploadDocument",
                "Take a file in; its indexing job is in the answer.",
                {
                    "200": made_of(bodies.Unchanged, "The same content is live already."),
                    "202": made_of(bodies.Begun, "The job."),
                    **refusals(400, 409, 413, 415, 422),
                },
                requestBody={"required": True, "content": {"multipart/form-data": {"schema": form}}},
            ),
        },
    }


def _one_document() -> dict[str, Any]:
    key = parameter("doc_key", "path", {"type": "string"}, "`{source_type}-{identifier}`")
    version = parameter(
        "version", "query", {"type": "integer", "minimum": 1, "maximum": 999_999}, "The live one when absent."
    )
    return {
        "/v1/documents/{doc_key}": {
            "get": operation(
                "showDocument",
                "Every version of a document.",
                {"200": made_of(bodies.Versions, "Versions, oldest first."), **refusals(404)},
                parameters=[key],
            ),
            "delete": operation(
                "deleteDocument",
                "Take a document out of the answers.",
                {"204": {"description": "Deleted."}, **refusals(404, 409)},
                parameters=[key],
            ),
        },
        "/v1/documents/{doc_key}/text": {
            "get": operation(
                "readDocument",
                "The text of a version, page by page.",
                {"200": made_of(bodies.DocumentText, "Pages of blocks."), **refusals(400, 404)},
                parameters=[key, version],
            )
        },
        "/v1/documents/{doc_key}/original": {
            "get": operation(
                "downloadDocument",
                "The file as it came in.",
                {
                    "200": {"description": "The file.", "content": {"application/octet-stream": {}}},
                    **refusals(400, 404),
                },
                parameters=[key, version],
            )
        },
    }


def _jobs() -> dict[str, Any]:
    job = parameter("job_id", "path", {"type": "string"}, "The job.")
    states = {"type": "string", "enum": [state.value for state in JobState]}
    return {
        "/v1/jobs": {
            "get": operation(
                "listJobs",
                "Jobs, newest first.",
                {"200": made_of(bodies.Jobs, "Jobs."), **refusals(400)},
                parameters=[
                    parameter("state", "query", states, "Only jobs in this state."),
                    parameter("limit", "query", {"type": "integer", "minimum": 1, "maximum": 1000}, "How many."),
                ],
            )
        },
        "/v1/jobs/{job_id}": {
            "get": operation(
                "showJob",
                "One job.",
                {"200": made_of(bodies.JobBody, "The job."), **refusals(404)},
                parameters=[job],
            )
        },
        "/v1/jobs/{job_id}/retry": {
            "post": operation(
                "retryJob",
                "Run a failed job again.",
                {"202": made_of(bodies.Begun, "The job."), **refusals(404, 409)},
                parameters=[job],
            )
        },
    }


def _quarantine() -> dict[str, Any]:
    """What was held back of the documents, and the decisions about it."""
    text = {"type": "string"}
    passage = [parameter("passage_id", "path", text, "16 hexadecimal digits, made of the passage's content.")]
    decided = {
        "200": made_of(bodies.DecisionMade, "The decision, its documents and its audit entry."),
        **refusals(404),
    }
    everything = parameter("all", "query", {"enum": ["0", "1"]}, "1 lists those that were decided about too.")
    limit = parameter("limit", "query", {"type": "integer", "maximum": 1000}, "How many at most.")
    place = "/v1/admin/quarantine"
    return {
        place: {
            "get": operation(
                "listQuarantine",
                "Passages of live documents that nobody is told until a person has looked.",
                {
                    "200": made_of(bodies.HeldBack, "Document, page, reasons and excerpt of each."),
                    **refusals(400),
                },
                parameters=[everything, limit],
            )
        },
        f"{place}/{{passage_id}}": {
            "get": operation(
                "showHeldPassage",
                "One passage that was held back, with its whole text.",
                {"200": made_of(bodies.HeldText, "The passage."), **refusals(404)},
                parameters=passage,
            )
        },
        **{
            f"{place}/{{passage_id}}/{verb}": {"post": operation(name, what, decided, parameters=passage)}
            for verb, name, what in (
                ("release", "releasePassage", "Let callers be told a passage, wherever the same words come again."),
                ("discard", "discardPassage", "Keep a passage from callers for good."),
            )
        },
    }
