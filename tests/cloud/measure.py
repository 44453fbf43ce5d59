"""Sizes of the built packages and what a start costs: `python -m tests.cloud.measure [dev|prod]`, as JSON lines.

Sizes are of the trees that run here; an archive's wheels for arm64 are of about the same size. CPU seconds, user and
system, of this machine: those of importing a handler, or of a web function until it is ready, all models read; then of
one that is restored, simulated by a fork, until `/health` answers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.cloud import sandbox
from tests.cloud.package import Package, Packages, functions_of
from tests.cloud.restored import PROGRAM

Json = dict[str, Any]
SETTINGS = {
    "CARELINE_HOME": "/tmp/careline",
    "CARELINE_STORAGE": "aws",
    "CARELINE_TABLE": "records",
    "CARELINE_BUCKET": "files",
    "CARELINE_SEARCH_ENDPOINT": "http://127.0.0.1:9",
    "CARELINE_PRIVACY_KEY": "ab" * 32,
    "CARELINE_LOGIN": "gateway",
    "AWS_DEFAULT_REGION": "eu-west-1",
}
"""Enough to start with; nothing is asked of what they name."""
IMPORTED = """\
import importlib, json, sys, time
importlib.import_module(sys.argv[1])
memory = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"cold": time.process_time(), "memory_kb": int(memory)}))
"""


def run(package: Package, program: str, module: str, settings: Mapping[str, str] = SETTINGS) -> Json:
    """What a program prints last in a package's tree. Raises: RuntimeError with what it said when it fails."""
    command = ["python", "-c", program, module]
    environment = {**package.environment, **settings}
    process = sandbox.started(package.root, package.workdir, command, environment, output=subprocess.PIPE)
    said = process.communicate(timeout=300)[0].decode()
    if process.returncode != 0:
        raise RuntimeError(said)
    found: Json = json.loads(said.strip().splitlines()[-1])
    return found


def module_of(package: Package) -> str:
    """The module that a package's command runs: `a.b.app:app` and `a.b.handler` are of `a.b.app` and `a.b`."""
    named = package.command[-1]
    return named.partition(":")[0] if ":" in named else named.rpartition(".")[0]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def main(stage: str) -> None:
    """Print a line for each function."""
    from infra.node import node

    if found := node():
        os.environ.setdefault("JSII_NODE", found)
    from infra.app import make_app
    from infra.settings import STAGES

    with tempfile.TemporaryDirectory() as folder:
        synthesized, work = Path(folder) / "synthesized", Path(folder) / "trees"
        make_app(next(one for name, one in STAGES.items() if name == stage), str(synthesized), bundle=False).synth()
        packages = Packages(synthesized, work)
        for name, properties, layers in functions_of(synthesized):
            package = packages.of(properties, layers)
            is_web = ":" in package.command[-1]
            cost = run(package, PROGRAM if is_web else IMPORTED, module_of(package))
            restored = max(one["cpu"] for one in cost["forks"]) if is_web else None
            line = {
                "function": name, "package": properties.get("PackageType", "Zip").lower(),
                "megabytes": round(_size(package.root) / 2**20, 1), "memory": properties["MemorySize"],
                "cold_cpu_seconds": round(cost["cold"], 2), "memory_used": cost["memory_kb"] // 1024,
                "restored_cpu_seconds": None if restored is None else round(restored, 3),
            }  # fmt: skip
            sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(*(sys.argv[1:2] or ["dev"]))
