"""Whether this machine can build the container images of a stage, which are for arm64."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from careline_local.doctor import Finding

BUILDERS = ("docker", "finch", "podman")
SECONDS = 20
ARM = frozenset({"arm64", "aarch64"})
EMULATE = "`docker run --privileged --rm tonistiigi/binfmt --install arm64`, or deploy from an arm64 machine"


def images(assembly: Path | None) -> Iterator[Finding]:
    """What building the images of an assembly needs; nothing is asked where it has none."""
    count = _images_of(assembly)
    if count == 0:
        yield Finding("images", "ok", "the stage has none to build")
        return
    chosen = os.environ.get("CDK_DOCKER")
    found = chosen or next((name for name in BUILDERS if shutil.which(name)), None)
    wanted = "images" if count is None else f"{count} images"
    if found is None or shutil.which(found) is None:
        lacking = f"no {chosen}" if chosen else "neither docker nor finch nor podman"
        told = f"{wanted} must be built, and there is {lacking}"
        yield Finding("images", "fail", told, "install docker; for finch or podman set CDK_DOCKER to its name")
        return
    if found != "docker" and chosen is None:
        yield Finding("images", "fail", f"{found} is there and CDK calls docker", f"`export CDK_DOCKER={found}`")
        return
    yield from _builds(found)


def _images_of(assembly: Path | None) -> int | None:
    """How many images the asset lists of an assembly have; None where there is no assembly."""
    if assembly is None or not assembly.is_dir():
        return None
    lists = [json.loads(path.read_text(encoding="utf-8")) for path in assembly.glob("*.assets.json")]
    return len({name for one in lists for name in one.get("dockerImages", {})})


def _builds(found: str) -> Iterator[Finding]:
    if not _says(found, "info"):
        yield Finding("images", "fail", f"{found} does not answer", f"start it; `{found} info` says why it does not")
        return
    if platform.machine().lower() in ARM:
        yield Finding("images", "ok", f"{found}, on arm64")
        return
    said = _says(found, "buildx", "inspect") if found == "docker" else _says(found, "info")
    if "arm64" in said or "aarch64" in said:
        yield Finding("images", "ok", f"{found}, which emulates arm64; slow, some minutes an image")
    else:
        yield Finding("images", "fail", f"{found} on {platform.machine()} cannot run arm64", EMULATE)


def _says(*command: str) -> str:
    """What a command prints, empty when it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""
