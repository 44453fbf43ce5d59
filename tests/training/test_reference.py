"""What the screens learned from they still know: a guard against broken files, and no measure of how they do."""

from __future__ import annotations

import pytest

import careline_packs
from careline.model import LANGUAGES
from careline.packs.packs import Pack, load_pack
from careline.safety.in_context import InContext
from training import train_screens

DANGER = {"EMERGENCY", "SAFETY_REFUSAL"}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(careline_packs.FOLDER / "hospital_line")


def reference(name: str, language: str) -> list[tuple[str, str]]:
    return list(train_screens.written(train_screens.REFERENCE / name / f"{language}.yaml"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_every_utterance_of_the_reference_is_what_it_was_written_as(pack: Pack, language: str) -> None:
    lines = reference("utterances", language)
    right = sum(pack.terminal.classify(text, language).terminal.value == label for label, text in lines)
    assert right >= 0.99 * len(lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_every_attempt_of_the_reference_is_found_and_ordinary_callers_pass(pack: Pack, language: str) -> None:
    lines = reference("injections", language)
    right = sum(str(pack.injection.judge(text, language).injection).lower() == label for label, text in lines)
    assert right >= 0.99 * len(lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_every_answer_of_the_reference_is_judged_as_it_was_written(pack: Pack, language: str) -> None:
    assert pack.advice is not None
    lines = [each for each in reference("answers", language) if each[0] in {"ADVICE", "SAFE"}]
    advises = [bool(pack.advice.judge(InContext(text), language).reasons) for _, text in lines]
    right = sum(said is (label == "ADVICE") for said, (label, _) in zip(advises, lines, strict=True))
    assert right >= 0.97 * len(lines)
