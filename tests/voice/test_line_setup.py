"""Where callers are put through to: what the worker is set up with, else what its hospital's record says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from aiohttp import web
from aiohttp.test_utils import TestServer

from careline.directory.directory import Directory
from careline.errors import CarelineError, SettingsInvalid
from careline.settings import PhoneSettings
from careline.speech.line import RECORDED, PhoneLine
from careline.speech.menu import Menu
from careline_voice.asking.orchestrator import OrchestratorUnavailable
from careline_voice.line_setup import LineSetup

DESK, OTHER_DESK = "sip:desk@anna.example", "sip:other@anna.example"


def a_line(**facts: Any) -> PhoneLine:
    said: dict[str, Any] = {
        "tenant": "anna", "pack": "hospital_line", "languages": ["nl"], "default_language": "nl", "openings": {},
        "prompts": {}, "emergency_number": "112", "keyterms": {},
    }  # fmt: skip
    return PhoneLine(**said | facts)


@pytest.mark.parametrize(
    ("setting", "line", "person"),
    [
        (None, a_line(transfer_to=DESK, helpdesk_phone="011 90 10 00"), DESK),
        (OTHER_DESK, a_line(transfer_to=DESK), OTHER_DESK),
        (None, a_line(helpdesk_phone="011 90 10 00"), "011 90 10 00"),
        (None, None, None),
    ],
)
def test_a_person_is_where_the_setting_or_else_the_hospital_says(
    setting: str | None, line: PhoneLine | None, person: str | None
) -> None:
    setup = LineSetup.of(PhoneSettings().with_changes(hospital={"transfer_to": setting}))
    setup.line = line
    assert setup.person == person


def recorded(folder: Path, line: PhoneLine) -> LineSetup:
    """A worker whose recordings were made of a line."""
    folder.mkdir(exist_ok=True)
    (folder / RECORDED).write_text(line.model_dump_json(), "utf-8")
    return LineSetup.of(PhoneSettings().with_changes(voice={"recordings": folder}))


DIRECTORY = Directory.model_validate({"departments": [{"id": "heart", "names": {"nl": "Cardiologie"}}]})


def answers(setup: LineSetup, line: PhoneLine | CarelineError) -> None:
    """Have the orchestrator say this of the line."""

    class Asked:
        async def line(self, pack: str | None) -> PhoneLine:
            if isinstance(line, CarelineError):
                raise line
            return line

    setup.orchestrator = Asked()  # type: ignore[assignment]


async def test_each_call_listens_for_and_says_the_directory_as_the_line_has_it_now() -> None:
    setup = LineSetup.of(PhoneSettings())
    answers(setup, a_line(edition=2, directory=DIRECTORY, keyterms={"nl": ["Claeskens"]}))
    await setup.refresh()
    assert setup.keyterms("nl") == ["Claeskens"]
    assert setup.keyterms("fr") == []
    assert setup.directory() == DIRECTORY


async def test_a_worker_that_never_reached_the_orchestrator_has_the_line_of_its_recordings(tmp_path: Path) -> None:
    setup = recorded(tmp_path, a_line(edition=1, directory=DIRECTORY, helpdesk_phone="011 90 10 00"))
    answers(setup, OrchestratorUnavailable("gone"))
    await setup.refresh()
    assert (setup.directory(), setup.person) == (DIRECTORY, "011 90 10 00")


async def test_while_the_voice_fails_the_menu_is_the_one_that_was_recorded(tmp_path: Path) -> None:
    setup = recorded(tmp_path, a_line(edition=1, directory=DIRECTORY))
    answers(setup, a_line(edition=2))
    await setup.refresh()
    assert setup.directory() == Directory()
    assert setup.directory(recorded=True) == DIRECTORY


async def test_that_the_directory_was_changed_since_its_menu_was_recorded_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    setup = recorded(tmp_path, a_line(edition=1))
    for edition, outdated in ((1, 0), (2, 1)):
        answers(setup, a_line(edition=edition))
        await setup.refresh()
        said = [one for one in caplog.records if "since its menu was recorded" in one.getMessage()]
        assert len(said) == outdated


def test_a_line_that_cannot_be_read_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / RECORDED).write_text('{"tenant": "anna"}', "utf-8")
    with pytest.raises(SettingsInvalid, match="record it again"):
        LineSetup.of(PhoneSettings().with_changes(voice={"recordings": tmp_path}))


def test_without_recordings_and_orchestrator_the_menu_still_gives_the_emergency_number() -> None:
    setup = LineSetup.of(PhoneSettings())
    assert "één één twee" in Menu(setup.directory(recorded=True), "nl").press("9").text


@asynccontextmanager
async def answering(line: Mapping[str, Any]) -> AsyncIterator[LineSetup]:
    """A worker whose orchestrator says this of its line."""

    async def told(request: web.Request) -> web.Response:
        return web.json_response(line)

    application = web.Application()
    application.router.add_get("/v1/line", told)
    async with TestServer(application) as server:
        setup = LineSetup.of(PhoneSettings().with_changes(orchestrator={"url": str(server.make_url(""))}))
        try:
            yield setup
        finally:
            await setup.orchestrator.close()


async def test_a_line_of_a_newer_orchestrator_is_read_as_far_as_it_is_known() -> None:
    told = {**a_line(edition=3, directory=DIRECTORY).model_dump(mode="json"), "colour": "blue"}
    told["directory"]["departments"][0]["mood"] = "calm"
    async with answering(told) as setup:
        await setup.refresh()
        assert setup.line is not None
        assert (setup.line.edition, setup.directory()) == (3, DIRECTORY)


async def test_a_line_of_an_older_orchestrator_leaves_the_one_that_is_known() -> None:
    async with answering({**a_line().model_dump(mode="json"), "keyterms": ["Claes"]}) as setup:
        setup.line = known = a_line(edition=3)
        await setup.refresh()
        assert setup.line == known
