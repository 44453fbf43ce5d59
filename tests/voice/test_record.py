"""The menu of a hospital is recorded of its line, and said of what was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from careline.directory.directory import Directory
from careline.speech.line import PhoneLine, of_menu
from careline.speech.menu import Menu
from careline_local.voice import record
from careline_voice.speaking.recordings import Recordings

DIRECTORY = Directory.model_validate(
    {
        "departments": [
            {"id": "heart", "names": {"nl": "Cardiologie", "fr": "Cardiologie"}, "phone": "011 90 13 32"},
            {"id": "eyes", "names": {"nl": "Oogziekten", "fr": "Ophtalmologie"}},
        ],
    }
)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> PhoneLine:
    """A line in two languages, whose sentences are recorded without a voice."""
    monkeypatch.setattr("careline_local.voice.sound.speak", lambda text, language: text)
    monkeypatch.setattr(record, "encode", lambda samples, path: path.write_text(samples, "utf-8"))
    return PhoneLine(
        tenant="anna", pack="hospital_line", languages=["nl", "fr"], default_language="nl", openings={}, prompts={},
        emergency_number="112", keyterms={}, edition=4, directory=of_menu(DIRECTORY, "112", "011 90 10 00"),
    )  # fmt: skip


def test_every_sentence_of_the_menu_is_recorded_in_the_languages_of_the_line(line: PhoneLine, tmp_path: Path) -> None:
    assert record.record_line(line, tmp_path) > 0
    recordings = Recordings(tmp_path)
    for language in line.languages:
        prompts = Menu(line.directory, language).prompts()
        assert [text for text in prompts if recordings.path(text, language) is None] == []
    assert not (tmp_path / "it").exists()


def test_the_line_is_kept_beside_its_recordings(line: PhoneLine, tmp_path: Path) -> None:
    record.record_line(line, tmp_path)
    assert Recordings(tmp_path).line == line


def test_what_is_recorded_already_is_left_alone(line: PhoneLine, tmp_path: Path) -> None:
    record.record_line(line, tmp_path)
    assert record.record_line(line.model_copy(update={"edition": 5}), tmp_path) == 0
    recorded = Recordings(tmp_path).line
    assert recorded is not None
    assert recorded.edition == 5
