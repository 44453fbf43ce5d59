"""In ECS a task is protected from before its first call is accepted until its last has ended, and no call waits or is
lost where it is not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from livekit.agents import JobRequest
from livekit.protocol.agent import Job

from careline.settings import PhoneSettings, VoiceSettings
from careline_voice.fargate import call_watch, task_protection
from careline_voice.fargate.call_watch import CallWatch
from careline_voice.fargate.ecs_task import EcsTask
from careline_voice.fargate.task_protection import ProtectionRefused, TaskProtection
from tests.emulators.ecs import EmulatedEcs, emulated_ecs
from tests.telephone.processes import until

HELD = {"ProtectionEnabled": True, "ExpiresInMinutes": 15}
SETTINGS = PhoneSettings(voice=VoiceSettings(service="careline-prod-voice"))
RELEASED = {"ProtectionEnabled": False}


class Line:
    """A worker's calls, and a clock that stands still until it is told."""

    def __init__(self, ecs: EmulatedEcs) -> None:
        self.calls, self.now = 0, 1000.0
        self.watch = CallWatch(TaskProtection(ecs.environment["ECS_AGENT_URI"]), lambda: self.calls, lambda: self.now)

    async def after(self, seconds: float) -> None:
        self.now += seconds
        await self.watch.settle()


@pytest_asyncio.fixture
async def ecs() -> AsyncIterator[EmulatedEcs]:
    async with emulated_ecs() as served:
        yield served


@pytest.fixture
def line(ecs: EmulatedEcs) -> Line:
    return Line(ecs)


async def test_the_task_is_protected_before_its_first_call_is_accepted(ecs: EmulatedEcs, line: Line) -> None:
    await line.watch.expect()
    assert (ecs.protected, ecs.puts) == (True, [HELD])


async def test_a_second_call_asks_for_nothing(ecs: EmulatedEcs, line: Line) -> None:
    await line.watch.expect()
    line.calls = 1
    await line.watch.expect()
    assert ecs.puts == [HELD]


async def test_protection_is_renewed_while_a_call_lasts_and_ends_with_the_last(ecs: EmulatedEcs, line: Line) -> None:
    await line.watch.expect()
    line.calls = 2
    for _ in range(3):
        await line.after(call_watch.RENEW_SECONDS)
    assert ecs.puts == [HELD] * 4
    line.calls = 1
    await line.after(1)
    assert ecs.protected
    line.calls = 0
    await line.after(1)
    assert (ecs.protected, ecs.puts[4:]) == (False, [RELEASED])
    await line.after(1)
    assert len(ecs.puts) == 5


async def test_a_call_that_was_accepted_and_never_came_ends_it_too(ecs: EmulatedEcs, line: Line) -> None:
    await line.watch.expect()
    await line.after(call_watch.ARRIVES_SECONDS - 1)
    assert ecs.protected
    await line.after(1)
    assert not ecs.protected


async def test_protection_never_ends_between_two_renewals_and_lasts_two_days_at_most() -> None:
    assert call_watch.RENEW_SECONDS + 2 * call_watch.RETRY_SECONDS < call_watch.EXPIRES_MINUTES * 60
    assert 1 <= call_watch.EXPIRES_MINUTES <= 2880


async def test_a_refusal_is_told_counted_and_asked_again_half_a_minute_later(
    ecs: EmulatedEcs, line: Line, caplog: pytest.LogCaptureFixture
) -> None:
    ecs.refusal = "DEPLOYMENT_BLOCKED"
    line.calls = 1
    with caplog.at_level(logging.INFO):
        await line.watch.expect()
        await line.after(1)
    told = [vars(record) for record in caplog.records if vars(record).get("event_code") == "task_protection_refused"]
    assert [(one["reason"], one["wanted"], one["calls"]) for one in told] == [("DEPLOYMENT_BLOCKED", True, 1)]
    assert (line.watch.failures, len(ecs.puts)) == (1, 1)
    ecs.refusal = None
    await line.after(call_watch.RETRY_SECONDS)
    assert ecs.protected


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"error": "AccessDeniedException"}, "AccessDeniedException"),
        ({"refusal": "<b>what a stranger wrote</b>"}, "unexpected"),
    ],
)
async def test_only_a_code_of_ecs_is_told_of_a_refusal(
    ecs: EmulatedEcs, broken: dict[str, str], reason: str
) -> None:
    for name, value in broken.items():
        setattr(ecs, name, value)
    with pytest.raises(ProtectionRefused, match=f"^{reason}$"):
        await TaskProtection(ecs.environment["ECS_AGENT_URI"]).hold(15)


async def test_an_agent_that_is_not_there_is_a_refusal() -> None:
    with pytest.raises(ProtectionRefused, match="agent_unreachable"):
        await TaskProtection("http://127.0.0.1:9").hold(15)


class Offer(JobRequest):
    """A call that LiveKit offers."""

    def __init__(self) -> None:
        self.accepted = False

        async def accepts(_: object) -> None:
            self.accepted = True

        async def rejects(_: bool) -> None:
            raise AssertionError("no call is refused")

        super().__init__(job=Job(id="AJ_1"), on_reject=rejects, on_accept=accepts)


async def test_a_call_is_taken_though_the_agent_hangs(ecs: EmulatedEcs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_protection, "SECONDS", 0.05)
    ecs.hangs = True
    offer = Offer()
    await EcsTask(SETTINGS, lambda: 0, ecs.environment).accept(offer)
    assert offer.accepted


async def test_on_a_laptop_nothing_is_asked_and_calls_are_taken() -> None:
    task, offer = EcsTask(PhoneSettings(), lambda: 0, {}), Offer()
    await task.accept(offer)
    await task.run()
    assert offer.accepted
    assert not task.outdated


async def test_two_calls_at_once_are_both_accepted_under_protection(ecs: EmulatedEcs) -> None:
    task, offers = EcsTask(PhoneSettings(), lambda: 0, ecs.environment), (Offer(), Offer())
    await asyncio.gather(*map(task.accept, offers))
    assert all(offer.accepted for offer in offers)
    assert ecs.puts == [HELD]


async def test_what_breaks_beside_the_calls_is_told_and_begins_anew(
    ecs: EmulatedEcs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("careline_voice.fargate.ecs_task.BEGINS_ANEW_SECONDS", 0.01)
    monkeypatch.setattr(call_watch, "LOOK_SECONDS", 0.01)
    asked = 0

    def calls() -> int:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise RuntimeError
        return 1

    running = asyncio.create_task(EcsTask(PhoneSettings(), calls, ecs.environment).run())
    assert await until(lambda: ecs.protected, 10)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert "task_watch_broke" in [vars(record).get("event_code") for record in caplog.records]
