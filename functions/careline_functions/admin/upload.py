"""Reads an uploaded file from a multipart request, and what is said of one that is put elsewhere."""

from __future__ import annotations

from starlette.datastructures import UploadFile
from starlette.requests import Request

from careline.errors import BadRequest, TooLarge, UnsupportedMedia
from careline.knowledge.register import FACTS, Upload
from careline.settings import LimitSettings
from careline.web import http

FIELDS = FACTS | {"doc_key"}
FORM_OVERHEAD = 64 * 1024
"""Bytes of a multipart body beside its file."""


async def read_upload(request: Request, tenant: str, limits: LimitSettings) -> Upload:
    """The file and what its sender says about it. Raises: UnsupportedMedia, BadRequest, TooLarge over the limit of a
    request."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise UnsupportedMedia("send the file as multipart/form-data in a field named file")
    length = http.declared_length(request)
    if length is None:
        raise BadRequest("content-length: needed for an upload")
    most = limits.max_direct_upload_bytes or limits.max_upload_bytes
    if length > most + FORM_OVERHEAD:
        raise _too_large(limits)
    async with request.form(max_files=1, max_fields=len(FIELDS)) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            raise BadRequest("file: a file with a name is needed")
        said = {name: value for name, value in form.items() if isinstance(value, str) and value != ""}
        unknown = set(said) - FIELDS
        if unknown:
            raise BadRequest(f"the form has a field that is not known; known: file, {', '.join(sorted(FIELDS))}")
        content = await file.read(most + 1)
        if len(content) > most:
            raise _too_large(limits)
        doc_key = said.pop("doc_key", None)
        return Upload(tenant, file.filename, content, doc_key, said)


def _too_large(limits: LimitSettings) -> TooLarge:
    most, direct = limits.max_upload_bytes, limits.max_direct_upload_bytes
    if direct is None or direct >= most:
        return TooLarge(f"the file is larger than {most} bytes")
    return TooLarge(
        f"a request carries files up to {direct} bytes; announce this one with POST /v1/documents/uploads and put it "
        f"where the answer says, up to {most} bytes"
    )
