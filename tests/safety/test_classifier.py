"""The models behind the patterns: what they add, what they can never take away, and that they are what was trained."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.engines.embedded.embedder import SENTENCE_EMBEDDING
from careline.errors import PackInvalid
from careline.model import LANGUAGES
from careline.packs.packs import Pack, load_pack
from careline.ports import Vector
from careline.safety.classifiers.classifier import (
    BUCKETS,
    LONGEST,
    Classifier,
    Classifiers,
    FirstLook,
    LexicalReading,
    features,
    models,
    places,
)
from careline.safety.clauses import clauses
from careline.safety.rules.plain_text import normalise
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal, TerminalScreen
from careline.safety.utterance import Utterance
from careline_local import screen_models, train_screens

PACK = Path(__file__).parents[2] / "layers" / "careline_packs" / "hospital_line"


@cache
def hospital_line() -> Pack:
    """The public pack as it is shipped, loaded once."""
    return load_pack(PACK)


def a_model(file: Path, words: dict[str, list[float]], *, dimensions: int = 0) -> Classifier:
    """A model of three classes, the last two of one group, that knows these words."""
    weights = np.zeros((BUCKETS, 3), np.int8)
    for word, scores in words.items():
        weights[list(features([word]) - features(["-"]))] = scores
    np.savez(
        file,
        classes=np.array(["FALLTHROUGH", "EMERGENCY", "SAFETY_REFUSAL"]),
        groups=np.array([0, 1, 1]),
        weights=weights,
        scale=np.full(3, 0.1, np.float32),
        bias=np.array([2, 0, 0], np.float32),
        middle=np.full(dimensions, 0.1, np.float32),
        hidden=np.eye(3, dtype=np.float16)[:dimensions],
        hidden_bias=np.zeros(3, np.float32),
        out=np.eye(3, dtype=np.float32) * 20,
        languages=np.array(["nl", "en"]),
        thresholds=np.array([[0, 0.5], [0, 0.9]], np.float32),
        trained_on=np.array("nothing"),
    )
    return Classifier(file)


@pytest.fixture
def model(tmp_path: Path) -> Classifier:
    return a_model(tmp_path / "model.npz", {"help": [0, 90, 30], "pil": [0, 0, 60]})


def test_a_text_is_found_when_its_group_is_likely_enough_for_its_language(model: Classifier) -> None:
    found = model.find(places(normalise("help")), "nl")
    assert found is not None
    assert (found.label, found.share >= found.alone > 0.5) == ("EMERGENCY", True)
    assert model.find(places(normalise("goede morgen")), "nl") is None
    assert model.threshold(1, "en") == pytest.approx(0.9)


def test_an_unknown_language_is_judged_by_the_strictest_threshold(tmp_path: Path) -> None:
    unsure = a_model(tmp_path / "unsure.npz", {"misschien": [0, 3, 3]})
    assert unsure.find(places(normalise("misschien")), "nl") is not None
    assert unsure.find(places(normalise("misschien")), None) is None


def test_a_sentence_embedding_decides_where_words_say_nothing(tmp_path: Path) -> None:
    seen = a_model(tmp_path / "seen.npz", {}, dimensions=3)
    meant = np.array([0, 1, 0], np.float32)
    found = seen.find(places(normalise("iets")), "nl", meant)
    assert found is not None
    assert found.label == "EMERGENCY"
    assert seen.find(places(normalise("iets")), "nl", np.array([1, 0, 0], np.float32)) is None


def said(models: Classifiers, text: str, *clauses: str) -> LexicalReading:
    return models.read(places(normalise(text)), [normalise(clause) for clause in clauses])


def test_without_a_sentence_embedding_the_words_are_judged_by_the_model_of_words(
    tmp_path: Path, model: Classifier
) -> None:
    both = Classifiers(model, a_model(tmp_path / "seen.npz", {}, dimensions=3))
    assert said(both, "help").find("nl") is not None
    assert said(both, "help").find("nl", np.array([1, 0, 0], np.float32)) is None


@pytest.mark.parametrize(
    ("scores", "may_be", "may_not_be"),
    [([90, 0, 0], False, True), ([30, 0, 30], True, True), ([0, 0, 90], True, False), ([0, 90, 90], True, True)],
)
def test_words_leave_open_what_they_are_not_sure_of(
    tmp_path: Path, scores: list[float], may_be: bool, may_not_be: bool
) -> None:
    words = a_model(tmp_path / "words.npz", {"zin": scores})
    danger = ("EMERGENCY", "SAFETY_REFUSAL")
    asked = said(Classifiers(words, a_model(tmp_path / "seen.npz", {}, dimensions=3)), "zin")
    assert (asked.may_be(danger), asked.may_not_be(danger)) == (may_be, may_not_be)
    alone = said(Classifiers(words), "zin")
    assert not alone.may_be(danger)
    assert not alone.may_not_be(danger)


def test_a_text_of_several_windows_is_never_settled_by_words(tmp_path: Path) -> None:
    models = Classifiers(a_model(tmp_path / "words.npz", {"zin": [90, 0, 0]}), a_model(tmp_path / "seen.npz", {}))
    assert not said(models, "zin").may_be(["EMERGENCY"])
    assert said(models, " ".join(f"zin {n}" for n in range(LONGEST))).may_be(["EMERGENCY"])


def test_a_sentence_embedding_is_not_looked_at_where_words_leave_no_doubt() -> None:
    seen: list[Vector | None] = []
    sentence_embedding = np.ones(3, np.float32)
    for in_doubt in (True, False):
        FirstLook(in_doubt, seen.append).verdict(sentence_embedding)
    assert seen == [sentence_embedding, None]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_verdict_that_words_leave_no_doubt_about_is_the_same_with_any_sentence_embedding(language: str) -> None:
    pack, chance, settled = hospital_line(), np.random.default_rng(7), 0
    file = train_screens.TESTS / "evaluation" / language / "utterances.open.jsonl"
    for _, text in list(train_screens.written(file))[::20]:
        utterance, sentence_embedding = Utterance(text), chance.standard_normal(SENTENCE_EMBEDDING).astype(np.float32)
        for screen in (pack.terminal, pack.injection):
            look = screen.first_look(utterance, language)
            if not look.in_doubt:
                settled += 1
                assert look.verdict(sentence_embedding) == look.verdict(None)
    assert settled > 0


def test_danger_in_one_clause_counts_half_where_the_whole_says_nothing(tmp_path: Path) -> None:
    screen = Classifiers(a_model(tmp_path / "words.npz", {"help": [0, 120, 0], "waar is parking": [90, 0, 0]}))
    whole, harmless, danger = "waar is parking help", "waar is parking", "help"
    (alone,) = said(screen, whole).shares
    assert alone[1:].sum() < 0.5
    assert said(screen, whole).find("nl") is None
    assert said(screen, whole, harmless, harmless).find("nl") is None
    found = said(screen, whole, harmless, danger).find("nl")
    assert found is not None
    assert (found.label, alone[1:].sum() < found.share < said(screen, danger).shares[0][1:].sum()) == (
        "EMERGENCY",
        True,
    )


def test_a_pack_without_models_has_none_and_a_broken_one_says_how_it_is_made(tmp_path: Path) -> None:
    assert models(tmp_path, "utterances") is None
    (tmp_path / "learned").mkdir()
    (tmp_path / "learned" / "utterances.npz").write_bytes(b"not a model")
    broken = models(tmp_path, "utterances")
    assert broken is not None
    with pytest.raises(PackInvalid, match=r"learned/utterances\.npz cannot be read; .*infra\.local\.train_screens"):
        broken.read(places(normalise("hallo")))


def test_a_model_says_while_serving_what_it_said_when_it_was_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [normalise(f"{word} {n}") for n in range(100) for word in ("help", "pijn", "parking")]
    sentence_embeddings = np.random.default_rng(0).standard_normal((len(texts), 6)).astype(np.float32)
    labels, none = np.arange(len(texts)) % 3, np.zeros(0, np.int64)
    bags = screen_models.bags
    lines = screen_models.Lines(bags(texts), sentence_embeddings, labels, np.arange(len(texts)), bags([]), none)
    monkeypatch.setattr(train_screens, "TARGET", tmp_path)
    head = replace(train_screens.HEADS[0], classes={"FALLTHROUGH": 0, "EMERGENCY": 1, "SAFETY_REFUSAL": 1})
    for fitted in screen_models.fit(lines):
        train_screens._write(head, fitted, np.zeros((len(LANGUAGES), 2), np.float32))
        served = Classifier(tmp_path / f"{head.name}{'_meaning' if len(fitted.middle) else ''}.npz")
        for n, text in enumerate(texts):
            (shares,) = served.shares(places(text), sentence_embeddings[n])
            (wanted,) = fitted.shares(lines.rows[n], sentence_embeddings[n : n + 1, : len(fitted.middle)])
            assert shares == pytest.approx(wanted, abs=0.02)


@pytest.mark.parametrize("name", [head.name for head in train_screens.HEADS])
def test_the_shipped_models_were_trained_on_the_lines_that_are_there(name: str) -> None:
    head = next(each for each in train_screens.HEADS if each.name == name)
    shipped = models(PACK, name)
    assert shipped is not None
    assert shipped.meaning is not None
    assert {shipped.words.trained_on, shipped.meaning.trained_on} == {train_screens.digest(head)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("head", train_screens.HEADS, ids=lambda head: head.name)
def test_no_line_that_the_bench_holds_out_was_learned_from(head: train_screens.Head, language: str) -> None:
    taught = {head.plain(line.text) for line in train_screens.material(head, language)}
    file = train_screens.TESTS / "evaluation" / language / f"{head.name}.held_out.jsonl"
    assert [text for _, text in train_screens.written(file) if head.plain(text) in taught] == []


@settings(deadline=None)
@given(st.text(max_size=200), st.sampled_from([*LANGUAGES, None]))
def test_no_model_takes_away_what_the_patterns_found(text: str, language: str | None) -> None:
    pack = hospital_line()
    alone = TerminalScreen(pack.terminal.rule_layers).classify(text, language)
    both = pack.terminal.classify(text, language)
    order = list(Terminal)
    assert order.index(both.terminal) <= order.index(alone.terminal)
    if alone.terminal is not Terminal.FALLTHROUGH and both.terminal is not alone.terminal:
        assert both.terminal in IN_ANY_LANGUAGE
        assert set(alone.reasons) <= set(both.reasons)


def test_what_the_model_added_says_so_among_the_reasons() -> None:
    pack = hospital_line()
    for label, text in train_screens.written(train_screens.FOLDER / "nl" / "utterances_a.tsv"):
        if label == "SAFETY_REFUSAL":
            verdict = pack.terminal.classify(text, "nl")
            if verdict.reasons and verdict.reasons[0].startswith("learned/"):
                assert verdict.reasons[0].split("/")[1] == verdict.terminal.value
                return
    pytest.fail("no line was found by the model alone")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_models_find_in_clauses_what_they_miss_in_the_whole(language: str) -> None:
    learned = hospital_line().terminal.learned
    assert learned is not None
    files = sorted((train_screens.FOLDER / language).glob("utterances_*.tsv"))
    dangers = (text for file in files for label, text in train_screens.written(file) if label in IN_ANY_LANGUAGE)
    assert any(
        said(learned, text).find(language) is None
        and said(learned, text, *clauses(text, language)).find(language) is not None
        for text in dangers
    )


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
