"""The worker starts where it can write to /tmp alone, as the template of its service mounts it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from tests.source_roots import ROOT
from tests.telephone.processes import process, until

START_SECONDS = 60.0
ALONE = """\
set -e
mount --make-rprivate /
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -o remount,bind,ro /
if touch "$PLACE/written" 2>/dev/null; then echo "it is not read-only" >&2; exit 3; fi
exec "$@"
"""


def namespace() -> list[str]:
    """A command that gives another mounts of its own; skips where the system refuses them."""
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed: apt-get install util-linux")
    root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    command = ["unshare", *root, "--mount", "sh", "-c", ALONE, "sh"]
    tried = subprocess.run(
        [*command, "true"], env={**os.environ, "PLACE": str(ROOT)}, capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        pytest.skip(f"this system refuses mounts of one's own: {tried.stderr.strip()}")
    return command


async def test_the_worker_starts_and_tells_its_calls_where_only_tmp_can_be_written_to(tmp_path: Path) -> None:
    environment = {
        "PLACE": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "CARELINE_HOME": "/tmp/careline",
        "CARELINE_VOICE_SERVICE": "careline-prod-voice",
        "CARELINE_VOICE_HEALTH_PORT": "0",
        "CARELINE_VOICE_METRICS_PORT": "0",
        "LIVEKIT_URL": "ws://127.0.0.1:9",
        "LIVEKIT_API_KEY": "key",
        "LIVEKIT_API_SECRET": "a secret of tests, of 32 signs or more",
    }
    log = tmp_path / "worker.log"
    command = [*namespace(), sys.executable, "-m", "careline_voice.main", "start"]
    async with process(log, *command, environment=environment) as worker:
        begun = await until(lambda: b"CallsPerTask" in log.read_bytes() or worker.returncode is not None, START_SECONDS)
        assert begun
    assert worker.returncode == 0, log.read_text()
    told = [json.loads(line) for line in log.read_text("utf-8").splitlines() if line.startswith("{")]
    assert any(line.get("CallsPerTask") == 0 for line in told)
    assert not any(line.get("level") == "CRITICAL" or "Read-only" in str(line) for line in told)
