"""The voice slows down by what is added up, and never beyond what still sounds right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.speech.speed import requested_change, sounds_distressed, speech_speed, words_per_minute


@pytest.mark.parametrize(
    ("base", "request_", "distress", "pace", "speed"),
    [
        (1.0, 0, False, None, 1.0),
        (1.0, -1, False, 150, 0.9),
        (1.0, 0, True, None, 0.95),
        (1.0, 0, False, 109, 0.95),
        (1.0, 0, False, 79, 0.9),
        (1.0, -1, True, 79, 0.75),
        (1.0, -9, True, 60, 0.7),
        (0.9, 1, False, None, 1.0),
        (1.0, 5, False, 200, 1.0),
        (1.0, 0, False, 0, 1.0),
    ],
)
def test_the_terms_are_added_and_clamped(
    base: float, request_: int, distress: bool, pace: float | None, speed: float
) -> None:
    assert speech_speed(base, request_, distress, pace) == speed


@given(st.floats(-9, 9), st.integers(-99, 99), st.booleans(), st.none() | st.floats(-10, 1000))
def test_the_speed_is_always_one_that_the_voice_has(
    base: float, request_: int, distress: bool, pace: float | None
) -> None:
    assert 0.70 <= speech_speed(base, request_, distress, pace) <= 1.00


@given(st.integers(-9, 9), st.booleans(), st.none() | st.floats(0, 400))
def test_a_request_for_slower_never_speeds_up(request_: int, distress: bool, pace: float | None) -> None:
    assert speech_speed(1.0, request_ - 1, distress, pace) <= speech_speed(1.0, request_, distress, pace)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_a_speed_that_is_no_number_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        speech_speed(wrong, 0, False, None)
    with pytest.raises(ValueError, match="finite"):
        speech_speed(1.0, 0, False, wrong)


@pytest.mark.parametrize(
    ("language", "said", "change"),
    [
        ("nl", "Kunt u wat trager spreken?", -1),
        ("nl", "kunt u niet zo rap praten alstublieft", -1),
        ("nl", "het mag sneller", 1),
        ("nl", "kan de afspraak sneller?", 0),
        ("nl", "waar is de cafetaria", 0),
        ("en", "Could you speak more slowly, please?", -1),
        ("en", "you're going too fast", -1),
        ("en", "my heart beats too fast", 0),
        ("fr", "plus lentement je vous en prie", -1),
        ("fr", "vous parlez trop vite", -1),
        ("fr", "mon cœur bat trop vite", 0),
        ("it", "può parlare più piano?", -1),
        ("it", "più lentamente per favore", -1),
        ("it", "posso avere un appuntamento più in fretta", 0),
    ],
)
def test_a_request_about_the_voice_is_told_from_one_about_other_things(language: str, said: str, change: int) -> None:
    assert requested_change(said, language) == change


def test_distress_is_heard_in_four_languages() -> None:
    assert sounds_distressed("ik ben zo bang voor morgen", "nl")
    assert sounds_distressed("I'm very worried about it", "en")
    assert sounds_distressed("j'ai très peur", "fr")
    assert sounds_distressed("sono molto preoccupata", "it")
    assert not sounds_distressed("waar is de parking", "nl")


def test_the_pace_of_a_short_utterance_is_not_known() -> None:
    assert words_per_minute("ik wil graag weten waar de parking is", 4.0) == 120.0
    assert words_per_minute("ja", 0.3) is None
    assert words_per_minute("ik wil graag weten waar de parking is", float("nan")) is None
