"""What `careline up` suggests can be done with the documents that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from careline.settings import Settings
from careline_local.cli.session import CommandSession
from careline_local.cli.up import TO_ASK, welcome
from careline_local.demo import load as demo

ADDRESS = "http://127.0.0.1:8080"


@pytest.fixture
def session(tmp_path: Path) -> CommandSession:
    return CommandSession(tmp_path / "home", given=Settings(home=tmp_path / "home"))


async def test_an_empty_home_is_told_how_documents_come_into_it(session: CommandSession) -> None:
    text = await welcome(session, ADDRESS, loads_demo=False)
    assert f"--home {session.home} ingest" in text
    assert TO_ASK[0] not in text


async def test_questions_of_the_demo_are_suggested_where_it_is_or_will_be(session: CommandSession) -> None:
    assert TO_ASK[0] in await welcome(session, ADDRESS, loads_demo=True)
    session.settings.home.mkdir(exist_ok=True)
    (session.settings.home / demo.MARK).write_text(demo.fingerprint())
    assert TO_ASK[0] in await welcome(session, ADDRESS, loads_demo=False)


async def test_documents_of_somebodys_own_are_not_asked_about_the_demo(
    session: CommandSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_empty(_: CommandSession) -> bool:
        return False

    monkeypatch.setattr(CommandSession, "is_empty", is_empty)
    text = await welcome(session, ADDRESS, loads_demo=False)
    assert TO_ASK[0] not in text
    assert "no documents" not in text
