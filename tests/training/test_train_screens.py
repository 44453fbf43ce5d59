"""How the classifiers of the screens are trained: what they learn from, what they never may, and their thresholds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import careline_packs
from careline.model import LANGUAGES
from careline.packs.packs import load_pack
from careline.safety.classifiers.classifier import Classifier, models, places
from careline.safety.classifiers.shipped import SCREENS
from careline.safety.clauses import clauses
from careline.safety.injection.planted_text import read_planted_text_screen
from careline.safety.rules.plain_text import normalise
from careline.safety.terminal import IN_ANY_LANGUAGE
from training import screen_models, train_screens

PACK = careline_packs.FOLDER / "hospital_line"
EVALUATION = Path(__file__).parents[1] / "evaluation"


def test_a_model_says_while_serving_what_it_said_when_it_was_fitted(tmp_path: Path) -> None:
    texts = [normalise(f"{word} {n}") for n in range(100) for word in ("help", "pijn", "parking")]
    sentence_embeddings = np.random.default_rng(0).standard_normal((len(texts), 6)).astype(np.float32)
    labels, none = np.arange(len(texts)) % 3, np.zeros(0, np.int64)
    bags = screen_models.bags
    lines = screen_models.Lines(bags(texts), sentence_embeddings, labels, np.arange(len(texts)), bags([]), none)
    classes = {"FALLTHROUGH": 0, "EMERGENCY": 1, "SAFETY_REFUSAL": 1}
    head = replace(train_screens.HEADS[0], classes=classes, target=tmp_path)
    for fitted in screen_models.fit(lines):
        train_screens._write(head, fitted, np.zeros((len(LANGUAGES), 2), np.float32))
        served = Classifier(tmp_path / f"{head.name}{'_semantic' if len(fitted.middle) else ''}.npz")
        for n, text in enumerate(texts):
            (shares,) = served.shares(places(text), sentence_embeddings[n])
            (wanted,) = fitted.shares(lines.rows[n], sentence_embeddings[n : n + 1, : len(fitted.middle)])
            assert shares == pytest.approx(wanted, abs=0.02)


@pytest.mark.parametrize("name", [head.name for head in train_screens.HEADS])
def test_the_shipped_models_were_trained_on_the_lines_that_are_there(name: str) -> None:
    head = next(each for each in train_screens.HEADS if each.name == name)
    shipped = read_planted_text_screen().classifiers if name == "planted_text" else models(SCREENS / PACK.name, name)
    assert shipped is not None
    assert shipped.semantic is not None
    assert {shipped.words.trained_on, shipped.semantic.trained_on} == {train_screens.digest(head)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("head", train_screens.HEADS, ids=lambda head: head.name)
def test_no_line_that_the_bench_holds_out_was_learned_from(head: train_screens.Head, language: str) -> None:
    taught = {head.plain(line.text) for line in train_screens.material(head, language)}
    file = EVALUATION / language / f"{head.name}.held_out.jsonl"
    assert [text for _, text in train_screens.written(file) if head.plain(text) in taught] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_models_find_in_clauses_what_they_miss_in_the_whole(language: str) -> None:
    learned = load_pack(PACK).terminal.learned
    assert learned is not None
    files = sorted((train_screens.FOLDER / language).glob("utterances_*.tsv"))
    dangers = (text for file in files for label, text in train_screens.written(file) if label in IN_ANY_LANGUAGE)

    def found(text: str, parts: list[str]) -> bool:
        return learned.read(places(normalise(text)), [normalise(part) for part in parts]).find(language) is not None

    assert any(not found(text, []) and found(text, clauses(text, language)) for text in dangers)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_a_class_is_found_from_the_share_where_its_f1_is_best(judged: list[tuple[float, bool, bool]]) -> None:
    share, inside, blind = (np.array(each) for each in zip(*judged, strict=True))
    counts = train_screens.weights(blind)

    def f1(threshold: float) -> float:
        found = share >= threshold
        return 2 * float(counts[found & inside].sum()) / (counts[found].sum() + counts[inside].sum())

    assert f1(train_screens.best_f1(share, inside, counts)) == pytest.approx(max(map(f1, share)))


def test_out_of_distribution_lines_count_as_much_as_all_others_together() -> None:
    assert train_screens.weights(np.array([True, False, False])).tolist() == [0.5, 0.25, 0.25]
    assert train_screens.weights(np.array([False, False])).tolist() == [0.5, 0.5]


@given(st.lists(st.tuples(st.floats(0, 0.9), st.booleans()), min_size=2, max_size=30), st.floats(0.01, 0.4))
def test_not_more_than_the_allowed_share_of_harmless_lines_is_found(
    judged: list[tuple[float, bool]], rate: float
) -> None:
    share, blind = np.array([each for each, _ in judged]), np.array([each for _, each in judged])
    found = share >= train_screens.allowing(rate, share, train_screens.weights(blind))
    halves = [found[of].mean() for of in (blind, ~blind) if of.any()]
    assert np.mean(halves) <= rate + 1e-9
