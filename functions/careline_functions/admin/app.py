"""The operators' side of the HTTP API: documents and their jobs, the audit chain, what is held about a person."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from careline.access.authentication import Authentication
from careline.access.idempotency import IdempotencyKeys
from careline.audit.notary import verify_noted
from careline.audit.verify import read_anchor
from careline.bootstrap import from_environment
from careline.errors import NotFound
from careline.installation import Installation
from careline.knowledge import document_passages, library, offered_upload
from careline.knowledge.answers import answers
from careline.knowledge.quarantine import release as quarantine
from careline.knowledge.quarantine.decide import decide
from careline.knowledge.quarantine.held_passages import Decision
from careline.log import context
from careline.ports import UploadAddresses
from careline.schemas import wire
from careline.schemas.answers import AnswerRequest, AnswerSaved
from careline.schemas.library import UploadOffer
from careline.telemetry import subjects
from careline.web import http
from careline.web.handlers import Handler, routes_of
from careline_functions.admin import directory, directory_entries, proposals
from careline_functions.admin.asker import by, tenant_of
from careline_functions.admin.upload import read_upload


async def upload_document(request: Request) -> Response:
    """POST /v1/documents."""
    tenant, installation = tenant_of(request)
    upload = await read_upload(request, tenant, installation.settings.limits)
    result = await library.ingest(upload, installation.engines)
    return http.json_response(result, 200 if result.get("unchanged") else 202)


async def offer_upload(request: Request) -> Response:
    """POST /v1/documents/uploads."""
    tenant, installation = tenant_of(request)
    asked = wire.read_body(wire.UploadRequest, await http.body(request))
    offered, addresses = await offered_upload.offer(
        tenant, asked.file_name, asked.size, asked.media_type, asked.doc_key, asked.facts, installation.engines
    )
    return http.json_response(_offer(offered, addresses), 201)


def _offer(offered: offered_upload.OfferedUpload, addresses: UploadAddresses) -> UploadOffer:
    ends = offered.offered_at + timedelta(seconds=offered_upload.ADDRESS_SECONDS)
    return {
        "job_id": offered.upload_id,
        "expires_at": ends.isoformat().replace("+00:00", "Z"),
        "puts": [
            {"number": one.number, "size": one.size, "url": one.url, "headers": dict(one.headers)}
            for one in addresses.puts
        ],
        "complete": f"/v1/documents/uploads/{offered.upload_id}/complete" if offered.parts > 1 else None,
    }


async def complete_upload(request: Request) -> Response:
    """POST /v1/documents/uploads/{upload_id}/complete."""
    tenant, installation = tenant_of(request)
    told = wire.read_body(wire.UploadParts, await http.body(request))
    upload_id = request.path_params["upload_id"]
    await offered_upload.complete(tenant, upload_id, told.etags, installation.engines)
    return http.json_response({"job_id": upload_id}, 202)


async def receive_part(request: Request) -> Response:
    """PUT /v1/uploads/{ticket}: the address itself says whose file it is."""
    installation: Installation = request.app.state.installation
    engines = installation.engines
    if engines.uploads is None:
        raise NotFound("there is no such address")
    part = await engines.uploads.receive(request.path_params["ticket"], partial(http.body, request))
    offered = await offered_upload.offered(part.tenant, part.upload_id, engines)
    if offered.parts == 1:
        with context.bound(tenant=part.tenant, job=part.upload_id):
            await offered_upload.complete(part.tenant, part.upload_id, [part.etag], engines)
    return Response(status_code=200, headers={"etag": f'"{part.etag}"'})


async def documents(request: Request) -> Response:
    """GET /v1/documents."""
    tenant, installation = tenant_of(request)
    limit = http.whole_number(request, "limit", 100, 1000)
    return http.json_response(
        await library.listing(tenant, installation.engines, after=request.query_params.get("after", ""), limit=limit)
    )


async def one_document(request: Request) -> Response:
    """GET /v1/documents/{doc_key}."""
    tenant, installation = tenant_of(request)
    return http.json_response(await library.versions(tenant, request.path_params["doc_key"], installation.engines))


async def delete_document(request: Request) -> Response:
    """DELETE /v1/documents/{doc_key}."""
    tenant, installation = tenant_of(request)
    await library.delete(tenant, request.path_params["doc_key"], installation.engines)
    return Response(status_code=204)


async def text(request: Request) -> Response:
    """GET /v1/documents/{doc_key}/text: the cleaned text, page by page."""
    tenant, installation = tenant_of(request)
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


async def passages(request: Request) -> Response:
    """GET /v1/documents/{doc_key}/passages: what callers can be told, and what not."""
    tenant, installation = tenant_of(request)
    number = http.whole_number(request, "version", 0, 999_999)
    doc_key, audiences = request.path_params["doc_key"], installation.asker.audiences
    return http.json_response(
        await document_passages.passages(tenant, doc_key, number or None, installation.engines, audiences)
    )


async def original(request: Request) -> Response:
    """GET /v1/documents/{doc_key}/original: the file as it came in, always as a download."""
    tenant, installation = tenant_of(request)
    number = http.whole_number(request, "version", 0, 999_999)
    document, content = await library.original(
        tenant, request.path_params["doc_key"], number or None, installation.engines, installation.asker.audiences
    )
    return http.download(document.file_name, content)


async def jobs(request: Request) -> Response:
    """GET /v1/jobs."""
    tenant, installation = tenant_of(request)
    limit = http.whole_number(request, "limit", 100, 1000)
    return http.json_response(
        await library.jobs(tenant, installation.engines, state=request.query_params.get("state"), limit=limit)
    )


async def one_job(request: Request) -> Response:
    """GET /v1/jobs/{job_id}."""
    tenant, installation = tenant_of(request)
    return http.json_response(await library.job(tenant, request.path_params["job_id"], installation.engines))


async def retry(request: Request) -> Response:
    """POST /v1/jobs/{job_id}/retry."""
    tenant, installation = tenant_of(request)
    return http.json_response(await library.retry(tenant, request.path_params["job_id"], installation.engines), 202)


async def list_answers(request: Request) -> Response:
    """GET /v1/answers; with `all=1` the retired ones too."""
    tenant, installation = tenant_of(request)
    limit = http.whole_number(request, "limit", 100, 1000)
    after, everything = request.query_params.get("after", ""), request.query_params.get("all") == "1"
    page = await answers.listing(tenant, installation.engines, after=after, limit=limit, everything=everything)
    return http.json_response(page)


async def add_answer(request: Request) -> Response:
    """POST /v1/answers."""
    tenant, installation = tenant_of(request)
    asked = wire.read_body(AnswerRequest, await http.body(request))
    return _saved(await answers.add(tenant, asked, by(installation), installation.engines))


async def one_answer(request: Request) -> Response:
    """GET /v1/answers/{doc_key}."""
    tenant, installation = tenant_of(request)
    return http.json_response(await answers.show(tenant, request.path_params["doc_key"], installation.engines))


async def edit_answer(request: Request) -> Response:
    """PUT /v1/answers/{doc_key}."""
    tenant, installation = tenant_of(request)
    asked = wire.read_body(AnswerRequest, await http.body(request))
    key = request.path_params["doc_key"]
    return _saved(await answers.edit(tenant, key, asked, by(installation), installation.engines))


async def retire_answer(request: Request) -> Response:
    """DELETE /v1/answers/{doc_key}."""
    tenant, installation = tenant_of(request)
    await answers.retire(tenant, request.path_params["doc_key"], by(installation), installation.engines)
    return Response(status_code=204)


def _saved(saved: AnswerSaved) -> Response:
    return http.json_response(saved, 200 if saved["unchanged"] else 202)


async def held_back(request: Request) -> Response:
    """GET /v1/admin/quarantine: passages of live documents that nobody is told; with `all=1` the decided ones too."""
    tenant, installation = tenant_of(request)
    limit = http.whole_number(request, "limit", 100, 1000)
    everything = request.query_params.get("all") == "1"
    return http.json_response(await quarantine.listing(tenant, installation.engines, decided=everything, limit=limit))


async def held_passage(request: Request) -> Response:
    """GET /v1/admin/quarantine/{passage_id}: one of them with its text."""
    tenant, installation = tenant_of(request)
    return http.json_response(await quarantine.show(tenant, request.path_params["passage_id"], installation.engines))


async def release(request: Request) -> Response:
    """POST /v1/admin/quarantine/{passage_id}/release: a passage, or with `part` a part of it."""
    return await _decided(request, "released")


async def discard(request: Request) -> Response:
    """POST /v1/admin/quarantine/{passage_id}/discard: a passage, or with `part` a part of it."""
    return await _decided(request, "discarded")


async def _decided(request: Request, decision: Decision) -> Response:
    tenant, installation = tenant_of(request)
    passage = request.path_params["passage_id"]
    part = request.query_params.get("part", "")
    return http.json_response(await decide(tenant, passage, decision, by(installation), installation.engines, part))


async def verification(request: Request) -> Response:
    """GET /v1/admin/audit/verification: whether the audit chain is intact; `head=SEQ:HASH` must be part of it, as must
    what was noted of it along the way."""
    tenant, installation = tenant_of(request)
    head = request.query_params.get("head")
    verdict = await verify_noted(installation.engines, tenant, read_anchor(head) if head else None)
    return http.json_response(verdict.to_json())


async def subject(request: Request) -> Response:
    """GET /v1/admin/subjects/{subject}: everything that is held about a person."""
    tenant, installation = tenant_of(request)
    return http.json_response(await subjects.export(installation.engines, tenant, request.path_params["subject"]))


async def erase_subject(request: Request) -> Response:
    """DELETE /v1/admin/subjects/{subject}: the end of what is held about a person."""
    tenant, installation = tenant_of(request)
    return http.json_response(await subjects.erase(installation.engines, tenant, request.path_params["subject"]))


HANDLERS: Mapping[str, Handler] = {
    "listDocuments": documents,
    "uploadDocument": upload_document,
    "offerUpload": offer_upload,
    "completeUpload": complete_upload,
    "receivePart": receive_part,
    "showDocument": one_document,
    "deleteDocument": delete_document,
    "readDocument": text,
    "readPassages": passages,
    "downloadDocument": original,
    "listJobs": jobs,
    "showJob": one_job,
    "retryJob": retry,
    "listAnswers": list_answers,
    "addAnswer": add_answer,
    "showAnswer": one_answer,
    "editAnswer": edit_answer,
    "retireAnswer": retire_answer,
    "listQuarantine": held_back,
    "showHeldPassage": held_passage,
    "releasePassage": release,
    "discardPassage": discard,
    **proposals.HANDLERS,
    "verifyAudit": verification,
    "exportSubject": subject,
    "eraseSubject": erase_subject,
    **directory.HANDLERS,
    **directory_entries.HANDLERS,
}
"""By the names of the operations in `careline.web.routes`."""
ROUTES = routes_of("admin", HANDLERS)

GUARDS = [Middleware(Authentication, routes=ROUTES), Middleware(IdempotencyKeys, routes=ROUTES)]

app = http.application(ROUTES, from_environment, middleware=GUARDS)
