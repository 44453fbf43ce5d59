"""How soon a started server answers: `/health`, a question, and from all documents.

Cold is the first start after an installation: a new home, and none of Careline compiled; what it depends on is, as an
installation compiles that. Warm is the next start on the same home.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from importlib.util import cache_from_source
from pathlib import Path

from careline.errors import EngineUnavailable
from careline_local.bench.measures import Measure, figure
from careline_local.loaded import EVERY, LONGEST, health

QUESTION, RIGHT = "Quelles sont les heures de visite à la maternité ?", ("15:00", "19:30")
"""A question of the tour, and what its answer says."""
ASKED_EVERY = 1.0
"""Seconds between an answer and the next question: more often, and asking takes the time of loading."""
MILESTONES = ("/health answers", "first right answer", "all documents live")
PROCESSORS = "processor time of all its processes"
LIMIT = "15"
"""Seconds until all documents are there."""
OURS = "careline"
"""How the names of Careline's own packages begin."""


def run(folder: Path) -> list[Measure]:
    """Start twice on a new home below the folder, and measure from the start of the process."""
    home = folder / "start"
    with tempfile.TemporaryDirectory(prefix="careline-compiled-") as compiled:
        keep_dependencies(Path(compiled))
        cold = _start(home, {"PYTHONPYCACHEPREFIX": compiled})
    return [*_figures("cold", cold), *_figures("warm", _start(home, {}))]


def _figures(kind: str, seconds: Mapping[str, float]) -> list[Measure]:
    return [
        figure(f"{kind} start: {what}", "s", [taken], LIMIT if what == MILESTONES[-1] else "")
        for what, taken in seconds.items()
    ]


def _start(home: Path, environment: Mapping[str, str]) -> dict[str, float]:
    """Seconds until the server answers, until it answers a question right, and until all documents are live; and what
    it took of processors, where others use the machine too."""
    before = _processor_seconds()
    return {**_started(home, environment), PROCESSORS: _processor_seconds() - before}


def _processor_seconds() -> float:
    """Of the processes that this one has started and that have ended, and of theirs."""
    used = os.times()
    return used.children_user + used.children_system


def _started(home: Path, environment: Mapping[str, str]) -> dict[str, float]:
    line = [
        sys.executable,
        "-m",
        "careline_local.cli.main",
        "--home",
        str(home),
        "up",
        "--port",
        "0",
        "--demo",
        "--json",
    ]
    # A test or a shell may forbid what every person's Python does.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time.monotonic()
    process = subprocess.Popen(  # noqa: S603 - our own command
        line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**kept, **environment}
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        if not said:
            raise EngineUnavailable("the server did not start; `careline up` says why")
        return _milestones(json.loads(said)["address"].removeprefix("http://"), began)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _milestones(address: str, began: float) -> dict[str, float]:
    reached: dict[str, float] = {}
    asked = 0.0
    while len(reached) < len(MILESTONES):
        if time.monotonic() - began > LONGEST:
            raise EngineUnavailable("the server does not get ready")
        said = health(address)
        if said is None:
            time.sleep(EVERY)
            continue
        reached.setdefault(MILESTONES[0], time.monotonic() - began)
        if said["status"] == "degraded":
            raise EngineUnavailable("the demo could not be loaded; `careline up` says why")
        if said["status"] == "ok":
            reached.setdefault(MILESTONES[2], time.monotonic() - began)
        # Each look takes some of the time that loading needs.
        if MILESTONES[1] not in reached and time.monotonic() - asked > ASKED_EVERY:
            if _answers(address):
                reached[MILESTONES[1]] = time.monotonic() - began
            asked = time.monotonic()
        time.sleep(2 * EVERY)
    return {name: reached[name] for name in MILESTONES}


def _answers(address: str) -> bool:
    connection = http.client.HTTPConnection(address, timeout=60)
    try:
        connection.request("POST", "/v1/query", json.dumps({"text": QUESTION}), {"content-type": "application/json"})
        text = json.loads(connection.getresponse().read()).get("text", "")
    finally:
        connection.close()
    return all(one in text for one in RIGHT)


def keep_dependencies(compiled: Path) -> None:
    """Lay what is compiled of everything but Careline where Python looks for it under `PYTHONPYCACHEPREFIX`."""
    for root in {Path(entry).resolve() for entry in sys.path if entry and Path(entry).is_dir()}:
        if not any(root.glob("*.dist-info")) and root != Path(os.__file__).parent.resolve():
            continue
        for source in root.rglob("*.py"):
            if source.relative_to(root).parts[0].startswith(OURS):
                continue
            made = Path(cache_from_source(str(source)))
            place = compiled / source.with_suffix("").relative_to("/").parent / made.name
            if made.is_file():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(made)
