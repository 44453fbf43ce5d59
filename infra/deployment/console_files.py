"""Puts the console's files where CloudFront serves them, after a deploy that went well."""

from __future__ import annotations

import json
import mimetypes
import uuid
from pathlib import Path
from typing import Any

from infra.constructs.packages import ROOT

PAGE = ROOT / "infra" / "web"
LOGIN = "login.json"
"""Where people log in: the stage's own takes the place of the laptop's."""
FRESH, KEPT = "no-cache", "max-age=300"
"""The page and its login are asked for anew each time; five minutes later so is everything else."""
WITHOUT_NAME = "index.html"
STANDING = [
    "CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "DELETE_FAILED", "ROLLBACK_COMPLETE",
]  # fmt: skip
"""States of a stack that can be deleted."""


def publish(outputs: Path, session: Any) -> int:
    """Bring the bucket in line with `infra/web` and drop what CloudFront still holds; how many files there are.

    `outputs` is what the CDK command line wrote: of the stacks that it deployed, so that there may be no console among
    them, and then nothing is done. Raises: ClientError.
    """
    said = {name: value for stack in json.loads(outputs.read_text("utf-8")).values() for name, value in stack.items()}
    if "ConsoleBucket" not in said:
        return 0
    bucket, s3 = said["ConsoleBucket"], session.client("s3")
    files = {path.relative_to(PAGE).as_posix(): path.read_bytes() for path in PAGE.rglob("*") if path.is_file()}
    files[LOGIN] = said["ConsoleLogin"].encode()
    for name, content in files.items():
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        cache = FRESH if name in (LOGIN, WITHOUT_NAME) else KEPT
        s3.put_object(Bucket=bucket, Key=name, Body=content, ContentType=kind, CacheControl=cache)
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
    there = {one["Key"] for page in pages for one in page.get("Contents", [])}
    for name in there - set(files):
        s3.delete_object(Bucket=bucket, Key=name)
    session.client("cloudfront").create_invalidation(
        DistributionId=said["DistributionId"],
        InvalidationBatch={"Paths": {"Quantity": 1, "Items": ["/*"]}, "CallerReference": str(uuid.uuid4())},
    )
    return len(files)


def empty(stack: str, session: Any) -> None:
    """Delete every version of every file in the bucket of a console's stack, if it is there. Raises: ClientError."""
    formation, s3 = session.client("cloudformation"), session.client("s3")
    pages = formation.get_paginator("list_stacks").paginate(StackStatusFilter=STANDING)
    if stack not in {one["StackName"] for page in pages for one in page["StackSummaries"]}:
        return
    outputs = formation.describe_stacks(StackName=stack)["Stacks"][0].get("Outputs", [])
    for bucket in (one["OutputValue"] for one in outputs if one["OutputKey"] == "ConsoleBucket"):
        for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
            for one in [*page.get("Versions", []), *page.get("DeleteMarkers", [])]:
                s3.delete_object(Bucket=bucket, Key=one["Key"], VersionId=one["VersionId"])
