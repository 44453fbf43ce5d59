"""The image of the phone worker, from its Dockerfile, with nothing in its build that the Dockerfile does not copy."""

from __future__ import annotations

import shlex

import aws_cdk as cdk
from aws_cdk import aws_ecr_assets as ecr_assets
from aws_cdk import aws_ecs as ecs

from infra.constructs.packages import ROOT

DOCKERFILE = "voice_worker/Dockerfile"


def worker_image() -> ecs.ContainerImage:
    """Built and pushed by `cdk deploy`, which needs Docker; the templates are made without."""
    return ecs.ContainerImage.from_asset(
        str(ROOT),
        file=DOCKERFILE,
        platform=ecr_assets.Platform.LINUX_ARM64,
        exclude=["**", f"!{DOCKERFILE}", *(f"!{source}" for source in copied()), "**/__pycache__"],
        ignore_mode=cdk.IgnoreMode.DOCKER,
    )


def copied() -> list[str]:
    """Files and folders of the repository that the Dockerfile copies."""
    written = (ROOT / DOCKERFILE).read_text("utf-8").replace("\\\n", " ")
    lines = [shlex.split(line, comments=True) for line in written.splitlines()]
    sources = [word for line in lines if line[:1] == ["COPY"] for word in line[1:-1]]
    return [source for source in sources if not source.startswith("--")]
