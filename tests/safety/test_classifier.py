"""The models behind the patterns: what they add, what they can never take away, and that they are what was trained."""

from __future__ import annotations

from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import careline_packs
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
from careline.safety.rules.plain_text import normalise
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal, TerminalScreen
from careline.safety.utterance import Utterance

PACK = careline_packs.FOLDER / "hospital_line"
UTTERANCES = Path(__file__).parent / "utterances"
WRITTEN = {each: yaml.safe_load((UTTERANCES / f"{each}.yaml").read_text(encoding="utf-8")) for each in LANGUAGES}
SAID: dict[str, list[str]] = {each: list(chain.from_iterable(held.values())) for each, held in WRITTEN.items()}


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
    for text in SAID[language]:
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
    learned = tmp_path / "learned"
    assert models(learned, "utterances") is None
    learned.mkdir()
    (learned / "utterances.npz").write_bytes(b"not a model")
    broken = models(learned, "utterances")
    assert broken is not None
    with pytest.raises(PackInvalid, match=r"learned/utterances\.npz cannot be read; .*training\.train_screens"):
        broken.read(places(normalise("hallo")))


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
    screen = hospital_line().terminal
    verdicts = [screen.classify(text, language) for language, texts in SAID.items() for text in texts]
    added = [verdict for verdict in verdicts if verdict.reasons and verdict.reasons[0].startswith("learned/")]
    assert len(added) > 10
    assert all(verdict.reasons[0].split("/")[1] == verdict.terminal.value for verdict in added)
