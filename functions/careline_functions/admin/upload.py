"""Reads an uploaded file from a multipart request."""

from __future__ import annotations

from starlette.datastructures import UploadFile
from starlette.requests import Request

from careline import http
from careline.errors import BadRequest, TooLarge, UnsupportedMedia
from careline.knowledge.register import FACTS, Upload

FIELDS = FACTS | {"doc_key"}
FORM_OVERHEAD = 64 * 1024
"""Bytes of a multipart body beside its file."""


async def read_upload(request: Request, tenant: str, most: int) -> Upload:
    """The file and what its sender says about it. Raises: UnsupportedMedia, BadRequest, TooLarge over `most` bytes."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise UnsupportedMedia("send the file as multipart/form-data in a field named file")
    length = http.declared_length(request)
    if length is None:
        raise BadRequest("content-length: needed for an upload")
    if length > most + FORM_OVERHEAD:
        raise TooLarge(f"the file is larger than {most} bytes")
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
            raise TooLarge(f"the file is larger than {most} bytes")
        doc_key = said.pop("doc_key", None)
        return Upload(tenant, file.filename, content, doc_key, said)
