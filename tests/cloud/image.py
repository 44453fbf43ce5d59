"""Lays out the file tree that a Dockerfile makes, without docker: the same copies, and the packages of the same locked
list, taken from the environment that the tests run in.

What it does not understand stops it, so that a line of the Dockerfile cannot be passed over.
"""

from __future__ import annotations

import compileall
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tests.cloud.locked import install

PACKAGES = "site-packages"
"""Folder of a tree with what is installed; it is mounted where this machine's Python keeps it."""
IN_IMAGE = re.compile(r"^/usr/local/lib/python3\.\d+/site-packages$")
PASSED_OVER = ("EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "USER", "VOLUME")
"""Instructions that put nothing into the tree."""


@dataclass
class Image:
    """A tree and how a process in it is started. `system` are Debian packages that the image installs."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    system: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)


def build(context: Path, dockerfile: Path, target: str | None, root: Path) -> Image:
    """The tree of a stage of a Dockerfile, the last one by default, in `root`. Raises: ValueError for an instruction
    that is not understood or a Debian package that this machine has not installed."""
    stages = _stages(dockerfile.read_text("utf-8"))
    image = Image(root)
    (root / PACKAGES).mkdir(parents=True, exist_ok=True)
    for words in _chain(stages, target or list(stages)[-1]):
        _apply(words, image, context)
    missing = [name for name in image.system if not _is_installed(name)]
    if missing:
        raise ValueError(f"the image installs what is not installed here: apt-get install {' '.join(missing)}")
    return image


def _stages(text: str) -> dict[str, list[str]]:
    """Instructions by the name of their stage; each begins with its FROM."""
    found: dict[str, list[str]] = {}
    joined = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    for line in (line.strip() for line in joined.splitlines() if line.strip()):
        if line.startswith("FROM "):
            name = line.split(" AS ")[1].strip() if " AS " in line else str(len(found))
            found[name] = []
        found[list(found)[-1]].append(line)
    return found


def _chain(stages: dict[str, list[str]], name: str) -> Iterator[list[str]]:
    """The instructions of a stage and of those it builds on, oldest first."""
    base = stages[name][0].split()[1]
    if base in stages:
        yield from _chain(stages, base)
    for line in stages[name][1:]:
        yield line.split(maxsplit=1)


def _apply(words: Sequence[str], image: Image, context: Path) -> None:
    kind, rest = words
    if kind == "ENV":
        image.environment |= dict(pair.split("=", 1) for pair in shlex.split(rest))
    elif kind == "WORKDIR":
        image.workdir = rest
        _inside(image, rest).mkdir(parents=True, exist_ok=True)
    elif kind == "COPY":
        _copy(shlex.split(rest), image, context)
    elif kind == "RUN":
        for command in rest.split("&&"):
            _run(shlex.split(command), image)
    elif kind == "ENTRYPOINT":
        # As docker does: a new entry point forgets the command of the base.
        image.entrypoint, image.command = json.loads(rest), []
    elif kind == "CMD":
        image.command = json.loads(rest)
    elif kind == "LABEL":
        image.labels.append(rest)
    elif kind not in PASSED_OVER:
        raise ValueError(f"this Dockerfile has an instruction that is not understood here: {kind} {rest}")


def _inside(image: Image, path: str) -> Path:
    whole = PurePosixPath(image.workdir) / path
    return image.root / whole.relative_to("/")


def _copy(words: Sequence[str], image: Image, context: Path) -> None:
    if words[0].startswith("--from="):
        # The web adapter, a binary of somebody else's image: the gateway of these tests stands in for it.
        return
    source, target = context / words[0], _inside(image, words[1])
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        place = target / source.name if words[1].endswith("/") else target
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, place)


def _run(words: Sequence[str], image: Image) -> None:
    if words[:2] == ["pip", "install"]:
        locked = _inside(image, words[words.index("--requirement") + 1])
        install(locked, image.root / PACKAGES)
    elif words[:2] == ["apt-get", "install"]:
        image.system += [word for word in words[2:] if not word.startswith("-")]
    elif words[:3] == ["python", "-m", "compileall"]:
        for folder in (word for word in words[3:] if word.startswith("/")):
            _compile(image.root / PACKAGES if IN_IMAGE.match(folder) else _inside(image, folder))
    elif words[:2] != ["apt-get", "update"] and words[0] not in ("rm", "useradd"):
        raise ValueError(f"this Dockerfile runs what is not understood here: {' '.join(words)}")


def _compile(folder: Path) -> None:
    mode = compileall.PycInvalidationMode.UNCHECKED_HASH if hasattr(compileall, "PycInvalidationMode") else None
    compileall.compile_dir(str(folder), quiet=2, invalidation_mode=mode)


def _is_installed(package: str) -> bool:
    shown = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Status}", package], capture_output=True, text=True, check=False
    )
    return "install ok installed" in shown.stdout
