"""The CDK command line: one version of it, checked against its hash, on the Node.js that pip installed.

`package-lock.json` in `cli/` pins it; npm installs it once into `build/cdk`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from infra.node import node

ROOT = Path(__file__).resolve().parents[2]
PINNED = Path(__file__).resolve().parent / "cli"
INSTALLED = ROOT / "build" / "cdk"
FILES = ("package.json", "package-lock.json")
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error")


def version() -> str:
    """The version that is pinned."""
    lock = json.loads((PINNED / "package-lock.json").read_text(encoding="utf-8"))
    return str(lock["packages"]["node_modules/aws-cdk"]["version"])


def install() -> None:
    """Bring the pinned version into `build/cdk`, once. Raises: CalledProcessError, FileNotFoundError without npm."""
    if is_installed():
        return
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copy2(PINNED / name, INSTALLED / name)
    subprocess.run([*_npm(), "ci", *QUIET], check=True, cwd=INSTALLED)  # noqa: S603 - a fixed command


def is_installed() -> bool:
    """Whether what lies in `build/cdk` is the pinned version."""
    there = INSTALLED / "node_modules" / "aws-cdk" / "package.json"
    return there.is_file() and json.loads(there.read_text(encoding="utf-8"))["version"] == version()


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run it in the repository; the exit code. Its app is `infra.app`, in the Python that runs this."""
    chosen = node() or "node"
    app = f"{sys.executable} -m infra.app"
    command = [chosen, str(INSTALLED / "node_modules" / "aws-cdk" / "bin" / "cdk"), *arguments, "--app", app]
    merged = {**os.environ, **environment, "JSII_NODE": chosen, "CDK_DISABLE_CLI_TELEMETRY": "true"}
    return subprocess.run(command, check=False, cwd=ROOT, env=merged).returncode  # noqa: S603 - a fixed command


def _npm() -> list[str]:
    """The npm beside our Node.js, else the machine's."""
    found = node()
    if found is not None:
        beside = Path(found).parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if beside.is_file():
            return [found, str(beside)]
    return ["npm"]
