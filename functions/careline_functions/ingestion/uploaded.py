"""Makes an upload of the object that an S3 event names, with what the sender said about it in its metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from careline.errors import BadRequest
from careline.knowledge.register import Upload
from careline.ports import Uploads

FACTS, DOC_KEY = "careline-facts", "careline-doc-key"
"""User metadata: a JSON object of `DocumentFacts` fields, and the document's key."""


async def read_upload(event: Mapping[str, Any], uploads: Uploads, max_bytes: int) -> Upload:
    """The upload of an EventBridge `Object Created` event for `uploads/<tenant>/<file name>`.

    One byte more than allowed is read at most; registration refuses what is too large. Raises: BadRequest for a name or
    metadata of another shape, NotFound for an object that is gone, FilesUnavailable.
    """
    found = event["detail"]["object"]
    tenant, file_name = _names(found["key"])
    file = await uploads.read(found["key"], found.get("version-id"), max_bytes)
    return Upload(tenant, file_name, file.content, file.said.get(DOC_KEY) or None, _facts(file.said))


def _names(key: str) -> tuple[str, str]:
    parts = PurePosixPath(key).parts
    if len(parts) < 3 or parts[0] != "uploads":
        raise BadRequest("an upload is named uploads/<tenant>/<file name>")
    return parts[1], "/".join(parts[2:])


def _facts(metadata: Mapping[str, str]) -> dict[str, object]:
    try:
        facts = json.loads(metadata.get(FACTS) or "{}")
    except ValueError:
        facts = None
    if not isinstance(facts, dict):
        raise BadRequest(f"{FACTS}: a JSON object")
    return facts
