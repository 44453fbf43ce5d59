"""`careline call --wav`: what it needs of a WAV, and what comes out."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from careline.errors import BadRequest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from careline_local.voice import recorded_call, sound, waterfall
from careline_local.voice.script import Script, ScriptedUtterance
from careline_local.voice.simulate import Reply
from careline_voice.call_events import Moment


def a_wav(path: Path, samples: sound.Samples, rate: int = 8000, channels: int = 1) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.repeat(samples, channels).astype("<i2").tobytes())
    return path


def a_tone(seconds: float, rate: int = 8000) -> sound.Samples:
    return (9000 * np.sin(2 * np.pi * 440 * np.arange(int(rate * seconds)) / rate)).astype(np.int16)


def test_the_words_of_a_wav_stand_beside_it_or_are_given(tmp_path: Path) -> None:
    path = a_wav(tmp_path / "vraag.wav", a_tone(1))
    with pytest.raises(BadRequest, match=r"--said or in vraag\.txt"):
        recorded_call.spoken(path, None, None)
    path.with_suffix(".txt").write_text("wat kost\nparkeren", "utf-8")
    assert recorded_call.spoken(path, None, None).words.text == "wat kost parkeren"
    assert recorded_call.spoken(path, "when can I visit", None).words.language == "en"
    assert recorded_call.spoken(path, "parking", "fr").words.language == "fr"


@pytest.mark.parametrize("content", [b"", b"RIFF", b"ID3 not a wav" * 50, b"RIFF\xff\xff\xff\xffWAVEfmt " + b"\0" * 30])
def test_what_is_no_wav_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(content)
    with pytest.raises(BadRequest, match=r"x\.wav"):
        recorded_call.spoken(path, "iets", None)


def test_silence_is_no_question(tmp_path: Path) -> None:
    path = a_wav(tmp_path / "stil.wav", np.zeros(8000, np.int16))
    with pytest.raises(BadRequest, match="no speech"):
        recorded_call.spoken(path, "iets", None)


@pytest.mark.parametrize(("rate", "channels"), [(8000, 1), (16_000, 1), (22_050, 2), (48_000, 2)])
def test_any_rate_and_number_of_channels_becomes_the_same_sound(tmp_path: Path, rate: int, channels: int) -> None:
    samples = sound.read_wav(a_wav(tmp_path / "toon.wav", a_tone(0.5, rate), rate, channels))
    assert abs(len(samples) - sound.RATE // 2) <= 2
    strongest = int(np.argmax(np.abs(np.fft.rfft(samples))[1:])) + 1
    assert abs(strongest * sound.RATE / len(samples) - 440) < 5


def test_words_are_given_out_as_the_speech_goes_by_and_each_once() -> None:
    audio = np.concatenate([a_tone(0.5, 16_000), np.zeros(8000, np.int16), a_tone(0.5, 16_000)])
    script = Script([ScriptedUtterance.of("een twee drie vier", "nl", audio)])
    given = []
    for loud in script.hear(audio.tobytes()):
        if loud:
            script.loud()
        elif words := script.give():
            given += words
    assert given == ["een", "twee"]
    assert script.give() == ["drie", "vier"]
    assert script.finished


def test_the_longest_silence_is_one_in_which_neither_is_heard() -> None:
    tone, silence = a_tone(1, sound.RATE), np.zeros(sound.RATE, np.int16)
    caller = np.concatenate([tone, silence, silence, silence])
    line = np.concatenate([silence, silence, silence, tone])
    finished = recorded_call.Finished([], "", caller, line, 0.0, 0, [])
    assert finished.as_json()["longest_silence_seconds"] == 2.0


def test_a_wav_that_the_caller_had_no_chance_to_say_is_named() -> None:
    silence = np.zeros(sound.RATE, np.int16)
    finished = recorded_call.Finished([], "", silence, silence, 0.0, 0, ["outage"], ("vraag.wav",))
    assert finished.as_json()["unused"] == ["vraag.wav"]


def test_the_picture_shows_each_part_of_the_wait_and_no_markup_of_the_caller() -> None:
    moments = tuple(
        Moment(at, name, {})
        for at, name in [(12.3, "transcript"), (12.3, "asked"), (12.6, "text"), (12.8, "audio"), (12.9, "line_speaks")]
    )
    reply = Reply(2.0, 0.9, moments)
    parts = {bar.name: round(bar.end - bar.start, 2) for bar in waterfall.bars(reply, 10.0)}
    assert parts == {"hearing": 0.3, "asking": 0.0, "orchestrator": 0.3, "voice": 0.2, "line": 0.1}
    drawn = waterfall.draw([("<script>alert(1)</script>", reply)], 10.0)
    assert "<script>" not in drawn
    assert "0.90 s" in drawn
