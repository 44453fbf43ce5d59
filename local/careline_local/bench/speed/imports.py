"""How long a cold process needs to import the orchestrator's handler."""

from __future__ import annotations

import subprocess
import sys

from careline_local.bench.measures import Measure, figure

RUNS = 12
CODE = (
    "import time; b = time.perf_counter(); import careline_functions.orchestrator.app; print(time.perf_counter() - b)"
)


def run() -> list[Measure]:
    """Import it in one new process after another; the first run fills the bytecode cache and is not counted."""
    times = []
    for _ in range(RUNS + 1):
        done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)  # noqa: S603
        times.append(float(done.stdout) * 1000)
    return [figure("import careline_functions.orchestrator.app, cold process", "ms", times[1:], "400")]
