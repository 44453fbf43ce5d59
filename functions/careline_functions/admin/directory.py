"""The hospital's directory as a whole: read, taken in, its history."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, cast, get_args

from starlette.requests import Request
from starlette.responses import Response

from careline.curation import directory_check, editions
from careline.curation.directory_bodies import history_body, planned_body, problem_bodies, saved_body
from careline.curation.editions import DirectoryRejected, Edition
from careline.curation.hospital import hospital
from careline.directory.directory import Directory, Problem, read_directory
from careline.directory.entries import Language
from careline.directory.formats.files import Form, read_file, template, write_file
from careline.errors import BadRequest, NotFound
from careline.log.event_log import EventLog
from careline.schemas.directory import DirectorySaved
from careline.web import conditions, http
from careline.web.directory_routes import FORMS
from careline.web.handlers import Handler
from careline.web.operation import JSON
from careline_functions.admin.asker import by, tenant_of

log = EventLog(__name__)
LARGEST = 16_000_000
"""Bytes of a directory that is sent; what a request of the cloud carries is less."""
MOST_NOTED = 300
ENDINGS = {"yaml": "yaml", "xlsx": "xlsx", "fhir": "fhir.json"}


async def show(request: Request) -> Response:
    """GET /v1/admin/directory."""
    now, form = await current(request), _form(request)
    headers = {"etag": now.etag, "vary": "accept", "cache-control": "private, no-cache"}
    if conditions.is_known(request, now.etag):
        return Response(status_code=304, headers=headers)
    if form == "json":
        content = json.dumps(now.directory.to_json(), ensure_ascii=False).encode()
        return Response(content, headers=headers, media_type=JSON)
    written = await asyncio.to_thread(write_file, now.directory, cast(Form, form))
    return _file(written, form, f"directory-{now.number}", headers)


async def replace(request: Request) -> Response:
    """PUT /v1/admin/directory; with `dry_run` nothing is kept."""
    tenant, installation = tenant_of(request)
    note, is_dry = note_of(request), flag(request, "dry_run")
    now = await current(request)
    if not conditions.has_condition(request) and not is_dry:
        raise conditions.ConditionMissing("If-Match: send the ETag of the directory that this one was made of")
    conditions.check(request, now.etag)
    content = await http.body(request, installation.settings.limits.max_direct_upload_bytes or LARGEST)
    # Minutes of a person's work are read in a second or two, during which others are answered.
    directory, warnings = await asyncio.to_thread(_read, media_type(request), content, now.directory)
    if is_dry:
        return saved(planned_body(now, editions.planned(directory, now), warnings), now)
    kept = await editions.keep(directory, tenant, installation.engines, by=by(installation), note=note, made_of=now)
    return saved(saved_body(kept, now.number, warnings), kept)


async def check(request: Request) -> Response:
    """GET /v1/admin/directory/check."""
    name, installation = tenant_of(request)
    seen = installation.directories_seen
    tenant, now = await hospital(installation.engines, name, installation.settings, seen)
    found = directory_check.findings(now.directory, tenant.day_of(installation.engines.clock.now()))
    return http.json_response({"problems": problem_bodies(found)})


async def changes(request: Request) -> Response:
    """GET /v1/admin/directory/changes."""
    tenant, installation = tenant_of(request)
    limit = http.whole_number(request, "limit", editions.KEPT, 1000)
    newest = (await current(request)).number
    found = [one async for one in editions.editions(tenant, installation.engines, limit)]
    return http.json_response(history_body(found, newest))


async def undo(request: Request) -> Response:
    """POST /v1/admin/directory/changes/{number}/undo."""
    tenant, installation = tenant_of(request)
    number = request.path_params["number"]
    before = await current(request)
    if not number.isascii() or not number.isdigit() or not 1 <= int(number[:9]) <= before.number:
        raise NotFound("there is no change of that number; GET /v1/admin/directory/changes lists them")
    after = await editions.undo(tenant, int(number), installation.engines, by=by(installation))
    return saved(saved_body(after, before.number, ()), after)


async def show_template(request: Request) -> Response:
    """GET /v1/admin/directory/template."""
    language = request.query_params.get("language") or "en"
    if language not in get_args(Language):
        raise BadRequest(f"language: one of {', '.join(get_args(Language))}")
    made = await asyncio.to_thread(template, cast(Language, language))
    return _file(made, "xlsx", f"directory-{language}", {})


async def current(request: Request) -> Edition:
    """The edition that holds. Raises: TableUnavailable."""
    tenant, installation = tenant_of(request)
    return await editions.current(tenant, installation.engines, installation.directories_seen)


def saved(body: DirectorySaved, now: Edition, etag: str | None = None) -> Response:
    """What a change came to, with the tag of what holds now."""
    if not body["dry_run"] and body["changes"]:
        log.write("directory_changed", count=len(body["changes"]) + body["more_changes"])
    response = http.json_response(body)
    response.headers["etag"] = etag or now.etag
    return response


def note_of(request: Request) -> str:
    """Why it is changed. Raises: BadRequest."""
    note = request.query_params.get("note", "").strip()
    if len(note) > MOST_NOTED:
        raise BadRequest(f"note: at most {MOST_NOTED} characters")
    return note


def flag(request: Request, name: str) -> bool:
    """A parameter that is true or false. Raises: BadRequest."""
    said = request.query_params.get(name, "false")
    if said not in {"true", "false", "1", "0"}:
        raise BadRequest(f"{name}: true or false")
    return said in {"true", "1"}


def json_object(content: bytes) -> dict[str, Any]:
    """A JSON object. Raises: BadRequest."""
    try:
        read = json.loads(content)
    except (ValueError, RecursionError):
        raise BadRequest("the body is not valid JSON") from None
    if not isinstance(read, dict):
        raise BadRequest("the body must be a JSON object")
    return read


def media_type(request: Request) -> str:
    """What the body is, as its sender says."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _read(kind: str, content: bytes, before: Directory) -> tuple[Directory, list[Problem]]:
    """What was sent, with warnings. Raises: DirectoryRejected, BadRequest, UnsupportedMedia, TooLarge."""
    if kind == JSON and "resourceType" not in (written := json_object(content)):
        directory, problems = read_directory(written)
    else:
        read = read_file("the file", content, before)
        directory, problems = read.directory, list(read.problems)
    if directory is None or not all(one.warning for one in problems):
        raise DirectoryRejected(problems)
    return directory, problems


def _form(request: Request) -> str:
    """What the directory is asked for as. Raises: BadRequest."""
    asked = request.query_params.get("form")
    if asked is not None:
        if asked not in FORMS:
            raise BadRequest(f"form: one of {', '.join(FORMS)}")
        return asked
    accepted = [one.partition(";")[0].strip().lower() for one in request.headers.get("accept", "").split(",")]
    by_type = {kind: form for form, kind in FORMS.items()}
    return next((by_type[one] for one in accepted if one in by_type), "json")


def _file(content: bytes, form: str, name: str, headers: Mapping[str, str]) -> Response:
    shown = {
        "content-disposition": f'attachment; filename="{name}.{ENDINGS[form]}"',
        "x-content-type-options": "nosniff",
    }
    return Response(content, headers={**headers, **shown}, media_type=FORMS[form])


HANDLERS: Mapping[str, Handler] = {
    "showDirectory": show,
    "replaceDirectory": replace,
    "checkDirectory": check,
    "listDirectoryChanges": changes,
    "undoDirectoryChange": undo,
    "showDirectoryTemplate": show_template,
}
