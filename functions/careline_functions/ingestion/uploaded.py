"""Reads the object that an S3 event names: exactly that version of it, with what the sender said in its metadata."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from careline.errors import BadRequest, FilesUnavailable, NotFound
from careline.knowledge.register import Upload

FACTS, DOC_KEY = "careline-facts", "careline-doc-key"
"""User metadata: a JSON object of `DocumentFacts` fields, and the document's key."""
GONE = {"NoSuchKey", "NoSuchVersion"}


async def read_upload(event: Mapping[str, Any], max_bytes: int) -> Upload:
    """The upload of an EventBridge `Object Created` event for `uploads/<tenant>/<file name>`.

    One byte more than allowed is read at most; registration refuses what is too large. Raises: BadRequest for a name or
    metadata of another shape, NotFound for an object that is gone, FilesUnavailable.
    """
    detail = event["detail"]
    tenant, file_name = _names(detail["object"]["key"])
    content, metadata = await asyncio.to_thread(_fetch, detail, max_bytes)
    return Upload(tenant, file_name, content, metadata.get(DOC_KEY) or None, _facts(metadata))


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


def _fetch(detail: Mapping[str, Any], max_bytes: int) -> tuple[bytes, Mapping[str, str]]:
    from botocore.exceptions import BotoCoreError, ClientError

    found, version = detail["object"], detail["object"].get("version-id")
    wanted = {"Bucket": detail["bucket"]["name"], "Key": found["key"], **({"VersionId": version} if version else {})}
    if int(found.get("size", 1)) > max_bytes:
        wanted["Range"] = f"bytes=0-{max_bytes}"
    try:
        answer = _s3().get_object(**wanted)
        with answer["Body"] as body:
            return body.read(), answer["Metadata"]
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code in GONE:
            raise NotFound("the uploaded object is gone") from None
        raise FilesUnavailable(f"the uploaded object cannot be read: {code}") from error
    except BotoCoreError as error:
        raise FilesUnavailable(f"the uploaded object cannot be read: {type(error).__name__}") from error


@cache
def _s3() -> Any:
    import boto3
    from botocore.config import Config

    make: Any = boto3.client
    return make(
        "s3", config=Config(connect_timeout=2, read_timeout=30, retries={"mode": "standard", "max_attempts": 3})
    )
