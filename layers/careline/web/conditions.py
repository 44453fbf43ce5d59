"""Conditions of a request: that what it changes is as its sender saw it (RFC 9110, section 13)."""

from __future__ import annotations

import re

from starlette.requests import Request

from careline.errors import BadRequest, Conflict

ANY = "*"
_TAG = re.compile(r'"([!#-~]{0,128})"')


class ChangedSince(Conflict):
    """It is not as `If-Match` has it, or is there where `If-None-Match` says that it is not."""

    status = 412
    code = "CHANGED_SINCE"


class ConditionMissing(BadRequest):
    """A change that would overwrite what its sender has perhaps not seen."""

    status = 428
    code = "CONDITION_MISSING"


def is_known(request: Request, etag: str) -> bool:
    """Whether the sender holds what would be sent, by `If-None-Match`."""
    return _names(request, "if-none-match", etag)


def has_condition(request: Request) -> bool:
    """Whether it says on which condition it changes something."""
    return "if-match" in request.headers or "if-none-match" in request.headers


def check(request: Request, etag: str | None) -> None:
    """Raises: ChangedSince where what is there (None: nothing) is not what the request says it is."""
    if "if-match" in request.headers and (etag is None or not _names(request, "if-match", etag)):
        raise ChangedSince("it was changed since you read it; read it again, then change that")
    if "if-none-match" in request.headers and etag is not None and _names(request, "if-none-match", etag):
        raise ChangedSince("it is there already; read it, and change it with If-Match")


def _names(request: Request, header: str, etag: str) -> bool:
    """Whether a header names a tag. A proxy that compresses makes ours weak; it changes with the content all the same.
    """
    said = request.headers.get(header, "")
    return said.strip() == ANY or etag.strip('"') in _TAG.findall(said)
