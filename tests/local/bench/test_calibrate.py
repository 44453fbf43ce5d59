"""What is fitted to an embedding model, and that an installation has the fit of its own."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from careline.errors import BadRequest, SettingsInvalid
from careline.search.measured_fit import measured_fit
from careline.search.relevance import read_fit, shipped_fit
from careline.settings import Settings
from careline_local.bench.calibration.fit import FEWEST, FEWEST_UNANSWERABLE, check, fit, judged
from careline_local.bench.calibration.views import Asked
from careline_local.cli.benches.calibrate import written
from tests.fakes import DIMENSIONS

MODEL = f"words/{DIMENSIONS}"


def an_asked(*, right: int, answerable: bool = True, seed: int = 0) -> Asked:
    """Five windows, of which the `right` one is nearer in meaning and holds the fact."""
    views = np.random.default_rng(seed).uniform(0, 0.4, (5, 6))
    views[right] += [3.0, 0.6, 0.2, 0.3, 0.5, 0.0]
    holds = np.arange(5) == right if answerable else np.zeros(5, bool)
    if not answerable:
        views[:, 0] -= 6.0
    return Asked(views, views[:, 0].copy(), holds, holds, answerable, 0.2 if answerable else None, 0.05)


def some_asked(count: int) -> list[Asked]:
    answerable = [an_asked(right=n % 5, seed=n) for n in range(count)]
    return [*answerable, *(an_asked(right=0, answerable=False, seed=1000 + n) for n in range(count // 4))]


def test_a_fit_puts_first_and_answers_what_holds_the_fact_and_not_what_nothing_answers() -> None:
    found = fit(some_asked(80), MODEL)
    how = judged(some_asked(100), found, 0.0)
    assert (how.fact, how.questions) == (100, 100)
    assert how.right_answered >= 90
    assert how.unanswerable_answered <= 0.1 * how.unanswerable
    assert found.relative_similarity == 0.2
    assert found.order.own_language_first == 1.0


def test_too_few_questions_or_a_model_whose_nearness_says_nothing_are_no_fit() -> None:
    with pytest.raises(BadRequest, match=f"at least {FEWEST} and {FEWEST_UNANSWERABLE}"):
        check([True] * (FEWEST - 1) + [False] * 40)
    with pytest.raises(BadRequest, match=f"{FEWEST} questions with an answer and 0 without"):
        check([True] * FEWEST)
    with pytest.raises(BadRequest, match="every question or none"):
        fit([an_asked(right=0, seed=n) for n in range(FEWEST)], MODEL)
    with pytest.raises(BadRequest, match="no nearer"):
        fit([replace(one, similarity=-0.01) for one in some_asked(FEWEST)], MODEL)
    with pytest.raises(BadRequest, match="no nearer"):
        fit([replace(one, others=0.2) for one in some_asked(FEWEST)], MODEL)


def test_a_fit_is_read_as_it_was_written_from_a_file_or_as_a_text(tmp_path: Path) -> None:
    own = replace(shipped_fit(), embedder=MODEL, relative_similarity=0.113)
    text = written(own, 60)
    assert read_fit(text) == own
    assert own.similarity_scale == pytest.approx(0.5)
    (tmp_path / "relevance.yaml").write_text(text)
    settings = of_words(tmp_path)
    assert measured_fit(settings) == own
    as_json = json.dumps(asdict(own))
    assert measured_fit(settings.with_changes(home=tmp_path / "other", engines={"relevance": as_json})) == own
    assert measured_fit(Settings(home=tmp_path)) is shipped_fit()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, f"{MODEL} was never measured"),
        (written(replace(shipped_fit(), embedder="other/64"), 60), "measured with other/64"),
        ("colour: blue\n", "no fit"),
        (written(replace(shipped_fit(), embedder=MODEL, relative_similarity=0.0), 60), "no fit"),
        (written(replace(shipped_fit(), embedder=MODEL, relative_similarity=float("nan")), 60), "no fit"),
        ("{", "no fit"),
    ],
)
def test_nobody_guesses_what_an_unmeasured_model_is_worth(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "relevance.yaml").write_text(text)
    with pytest.raises(SettingsInvalid, match=said) as refused:
        measured_fit(of_words(tmp_path))
    assert "careline calibrate" in refused.value.message


def of_words(home: Path) -> Settings:
    return Settings(home=home).with_changes(
        engines={"embedder": "openai"}, openai={"embedding_model": "words", "embedding_dimensions": DIMENSIONS}
    )
