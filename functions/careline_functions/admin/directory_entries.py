"""One entry of the hospital's directory: read, written, changed and removed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from careline.curation import editions, entry_changes
from careline.curation.directory_bodies import saved_body
from careline.directory import entry_json
from careline.directory.directory import Directory, problems_of
from careline.errors import Conflict, UnsupportedMedia
from careline.web import conditions, http
from careline.web.directory_routes import MERGE_PATCH
from careline.web.handlers import Handler
from careline.web.operation import JSON
from careline_functions.admin.asker import by, tenant_of
from careline_functions.admin.directory import current, json_object, media_type, note_of, saved

TRIES = 3
"""How often a change is made anew where somebody else changed another entry meanwhile."""
Decide = Callable[[Directory], Directory]


async def show(request: Request) -> Response:
    """GET /v1/admin/directory/{section}/{entry_id}."""
    section, name = _place(request)
    body = entry_changes.held((await current(request)).directory, section, name)
    headers = {"etag": _tag(body), "cache-control": "private, no-cache"}
    if conditions.is_known(request, _tag(body)):
        return Response(status_code=304, headers=headers)
    return Response(json.dumps(body, ensure_ascii=False).encode(), headers=headers, media_type=JSON)


async def put(request: Request) -> Response:
    """PUT /v1/admin/directory/{section}/{entry_id}."""
    section, name = _place(request)
    body = await _body(request, (JSON,))
    return await _changed(request, lambda now: entry_changes.put(now, section, name, body), overwrites=True)


async def patch(request: Request) -> Response:
    """PATCH /v1/admin/directory/{section}/{entry_id}."""
    section, name = _place(request)
    body = await _body(request, (MERGE_PATCH, JSON))
    return await _changed(request, lambda now: entry_changes.patched(now, section, name, body))


async def remove(request: Request) -> Response:
    """DELETE /v1/admin/directory/{section}/{entry_id}."""
    section, name = _place(request)
    return await _changed(request, lambda now: entry_changes.removed(now, section, name))


def _place(request: Request) -> tuple[str, str]:
    return entry_changes.checked_section(request.path_params["section"]), request.path_params["entry_id"]


async def _body(request: Request, kinds: tuple[str, ...]) -> dict[str, Any]:
    content = await http.body(request)
    if media_type(request) not in kinds:
        raise UnsupportedMedia(f"send an entry as {' or '.join(kinds)}")
    return json_object(content)


async def _changed(request: Request, decide: Decide, *, overwrites: bool = False) -> Response:
    for left in reversed(range(TRIES)):
        try:
            return await _once(request, decide, overwrites)
        except conditions.ChangedSince:
            raise
        except Conflict:
            # Somebody changed another entry meanwhile: what holds now is looked at again.
            if not left:
                raise
    raise AssertionError("a try ends, or is the last one")


async def _once(request: Request, decide: Decide, overwrites: bool) -> Response:
    """Change the directory as it is now, on the conditions of the request."""
    tenant, installation = tenant_of(request)
    section, name = _place(request)
    now = await current(request)
    held = entry_json.entry(now.directory, section, name)
    if overwrites and held is not None and not conditions.has_condition(request):
        raise conditions.ConditionMissing("If-Match: send the ETag of the entry that you change")
    conditions.check(request, None if held is None else _tag(held))
    after = await editions.keep(
        decide(now.directory), tenant, installation.engines,
        by=by(installation), note=note_of(request), made_of=now,
    )  # fmt: skip
    warnings = (one for one in problems_of(after.directory) if (one.section, one.entry) == (section, name))
    kept = entry_json.entry(after.directory, section, name)
    return saved(saved_body(after, now.number, warnings), after, None if kept is None else _tag(kept))


def _tag(body: Mapping[str, Any]) -> str:
    """Changes with the entry, and with nothing else."""
    written = json.dumps(body, sort_keys=True).encode()
    return f'"{hashlib.sha256(written).hexdigest()[:24]}"'


HANDLERS: Mapping[str, Handler] = {
    "showDirectoryEntry": show,
    "putDirectoryEntry": put,
    "changeDirectoryEntry": patch,
    "removeDirectoryEntry": remove,
}
