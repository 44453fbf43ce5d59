"""A worker in a task of ECS with a caller on the line: protected while the call lasts, also when it is stopped."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import pytest

from tests.emulators.ecs import SERVICE, EmulatedEcs, emulated_ecs
from tests.telephone.line import Line, a_call, a_line, quiet
from tests.telephone.processes import until
from tests.telephone.stack import LiveKit

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.long_call, pytest.mark.timeout(300)]
STOP_SECONDS = 30.0


def in_ecs(ecs: EmulatedEcs) -> dict[str, str]:
    """What a task is told by ECS and by the template."""
    return {
        **ecs.environment,
        "AWS_ENDPOINT_URL_ECS": ecs.url,
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "CARELINE_VOICE_SERVICE": SERVICE,
        "CARELINE_STAGE": "prod",
    }


def figures(line: Line) -> list[dict[str, object]]:
    """What CloudWatch would read from the worker's log."""
    lines = (line.folder / "worker.log").read_text("utf-8").splitlines()
    return [json.loads(each) for each in lines if '"_aws"' in each]


async def test_a_task_is_protected_from_before_a_call_is_answered_until_it_ends(hospital: Path) -> None:
    async with (
        emulated_ecs() as ecs,
        a_line("protected_task", hospital, LiveKit.of_environment(), **in_ecs(ecs)) as line,
    ):
        assert ecs.puts == []
        async with a_call(line, "protected") as call:
            assert ecs.protected, "before the caller was answered"
            assert await quiet(call.phone)
            assert line.worker is not None
            line.worker.send_signal(signal.SIGTERM)
            assert "welkom" in await call.ask("Wanneer is het bezoekuur op de afdeling?")
            assert ecs.protected
            assert line.worker.returncode is None
        assert await until(lambda: not ecs.protected, STOP_SECONDS) or line.worker.returncode == 0
        assert await asyncio.wait_for(line.worker.wait(), STOP_SECONDS) == 0
        assert ecs.asked, "the deployments of the service were looked at"
        (call_over,) = [each for each in figures(line) if "calls" in each]
        assert (call_over["calls"], call_over["calls_dropped"], call_over["stage"]) == (1, 0, "prod")
        assert any(each.get("CallsPerTask") == 0 for each in figures(line))
