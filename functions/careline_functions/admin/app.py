"""The operators' side of the HTTP API: documents and their jobs, the audit chain, what is held about a person."""

from __future__ import annotations

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from careline import http
from careline.access.authentication import Authentication
from careline.bootstrap import from_environment
from careline.decide import decide
from careline.installation import Installation
from careline.knowledge import library, quarantine
from careline.telemetry import subjects
from careline.telemetry.verify import read_anchor, verify
from careline.tenants.held_passages import Decision
from careline_functions.admin.upload import read_upload


def _tenant(request: Request) -> tuple[str, Installation]:
    installation = http.installation(request)
    return installation.settings.tenant, installation


async def documents(request: Request) -> Response:
    """GET and POST /v1/documents."""
    tenant, installation = _tenant(request)
    if request.method == "POST":
        upload = await read_upload(request, tenant, installation.settings.max_upload_bytes)
        result = await library.ingest(upload, installation.engines)
        return http.json_response(result, 200 if result.get("unchanged") else 202)
    limit = http.whole_number(request, "limit", 100, 1000)
    return http.json_response(
        await library.listing(tenant, installation.engines, after=request.query_params.get("after", ""), limit=limit)
    )


async def one_document(request: Request) -> Response:
    """GET and DELETE /v1/documents/{doc_key}."""
    tenant, installation = _tenant(request)
    doc_key = request.path_params["doc_key"]
    if request.method == "DELETE":
        await library.delete(tenant, doc_key, installation.engines)
        return Response(status_code=204)
    return http.json_response(await library.versions(tenant, doc_key, installation.engines))


async def text(request: Request) -> Response:
    """GET /v1/documents/{doc_key}/text: the cleaned text, page by page."""
    tenant, installation = _tenant(request)
    number = http.whole_number(request, "version", 0, 999_999)
    return http.json_response(
        await library.text(
            tenant,
            request.path_params["doc_key"],
            number or None,
            installation.engines,
            installation.asker.audiences,
        )
    )


async def original(request: Request) -> Response:
    """GET /v1/documents/{doc_key}/original: the file as it came in, always as a download."""
    tenant, installation = _tenant(request)
    number = http.whole_number(request, "version", 0, 999_999)
    document, content = await library.original(
        tenant, request.path_params["doc_key"], number or None, installation.engines, installation.asker.audiences
    )
    return http.download(document.file_name, content)


async def jobs(request: Request) -> Response:
    """GET /v1/jobs."""
    tenant, installation = _tenant(request)
    limit = http.whole_number(request, "limit", 100, 1000)
    return http.json_response(
        await library.jobs(tenant, installation.engines, state=request.query_params.get("state"), limit=limit)
    )


async def one_job(request: Request) -> Response:
    """GET /v1/jobs/{job_id}."""
    tenant, installation = _tenant(request)
    return http.json_response(await library.job(tenant, request.path_params["job_id"], installation.engines))


async def retry(request: Request) -> Response:
    """POST /v1/jobs/{job_id}/retry."""
    tenant, installation = _tenant(request)
    return http.json_response(await library.retry(tenant, request.path_params["job_id"], installation.engines), 202)


async def held_back(request: Request) -> Response:
    """GET /v1/admin/quarantine: passages of live documents that nobody is told; with `all=1` the decided ones too."""
    tenant, installation = _tenant(request)
    limit = http.whole_number(request, "limit", 100, 1000)
    everything = request.query_params.get("all") == "1"
    return http.json_response(await quarantine.listing(tenant, installation.engines, decided=everything, limit=limit))


async def held_passage(request: Request) -> Response:
    """GET /v1/admin/quarantine/{passage_id}: one of them with its text."""
    tenant, installation = _tenant(request)
    return http.json_response(await quarantine.show(tenant, request.path_params["passage_id"], installation.engines))


async def release(request: Request) -> Response:
    """POST /v1/admin/quarantine/{passage_id}/release."""
    return await _decided(request, "released")


async def discard(request: Request) -> Response:
    """POST /v1/admin/quarantine/{passage_id}/discard."""
    return await _decided(request, "discarded")


async def _decided(request: Request, decision: Decision) -> Response:
    tenant, installation = _tenant(request)
    passage = request.path_params["passage_id"]
    by = f"{installation.asker.role} {installation.asker.subject}"
    return http.json_response(await decide(tenant, passage, decision, by, installation.engines))


async def verification(request: Request) -> Response:
    """GET /v1/admin/audit/verification: whether the audit chain is intact; `head=SEQ:HASH` must be part of it."""
    tenant, installation = _tenant(request)
    head = request.query_params.get("head")
    verdict = await verify(installation.engines, tenant, read_anchor(head) if head else None)
    return http.json_response(verdict.to_json())


async def subject(request: Request) -> Response:
    """GET and DELETE /v1/admin/subjects/{subject}: everything that is held about a person, and its end."""
    tenant, installation = _tenant(request)
    asked = subjects.erase if request.method == "DELETE" else subjects.export
    return http.json_response(await asked(installation.engines, tenant, request.path_params["subject"]))


ROUTES = [
    Route("/v1/documents", documents, methods=["GET", "POST"]),
    Route("/v1/documents/{doc_key}", one_document, methods=["GET", "DELETE"]),
    Route("/v1/documents/{doc_key}/text", text, methods=["GET"]),
    Route("/v1/documents/{doc_key}/original", original, methods=["GET"]),
    Route("/v1/jobs", jobs, methods=["GET"]),
    Route("/v1/jobs/{job_id}", one_job, methods=["GET"]),
    Route("/v1/jobs/{job_id}/retry", retry, methods=["POST"]),
    Route("/v1/admin/quarantine", held_back, methods=["GET"]),
    Route("/v1/admin/quarantine/{passage_id}", held_passage, methods=["GET"]),
    Route("/v1/admin/quarantine/{passage_id}/release", release, methods=["POST"]),
    Route("/v1/admin/quarantine/{passage_id}/discard", discard, methods=["POST"]),
    Route("/v1/admin/audit/verification", verification, methods=["GET"]),
    Route("/v1/admin/subjects/{subject}", subject, methods=["GET", "DELETE"]),
]

app = http.application(ROUTES, from_environment, middleware=[Middleware(Authentication, routes=ROUTES)])
