"""Pages in the words of clinicians are no planted text: what they stop, double and exclude is meant.

The lines were written for these tests, and no model learned from them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from careline.engines.embedded.embedder import E5Embedder
from careline.knowledge.extract.read import read
from careline.model import LANGUAGES
from careline.safety.injection.document_screen import read_document_screen
from careline.safety.injection.planted_text import (
    SHORTEST,
    read_planted_text_screen,
    read_statements,
    unsettled_statements,
)

LINES = yaml.safe_load(Path(__file__).with_name("clinical_lines.yaml").read_text(encoding="utf-8"))
MOST_HELD = 1
"""Of the twenty honest lines of a language."""
CLINICAL = Path(__file__).parents[3] / "local" / "careline_local" / "demo" / "clinical"


@pytest.fixture(scope="module")
def embedder() -> E5Embedder:
    return E5Embedder()


def held(text: str, language: str, embedder: E5Embedder | None) -> bool:
    if read_document_screen().judge(text, language):
        return True
    screen = read_planted_text_screen()
    for one in unsettled_statements(text, language):
        look = screen.first_look(one, language)
        row = embedder.sentence_embedding([one])[0] if embedder is not None and look.in_doubt else None
        if look.verdict(row):
            return True
    return False


@pytest.mark.parametrize("language", LANGUAGES)
def test_sections_on_allergy_are_no_planted_text(language: str, embedder: E5Embedder) -> None:
    allergy = [line for line in LINES["honest"][language] if "llerg" in line]
    assert len(allergy) >= 3
    assert [line for line in allergy if held(line, language, embedder)] == []
    assert not held(" ".join(allergy), language, embedder)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("by_words_alone", [False, True])
def test_lines_of_protocols_are_told(language: str, by_words_alone: bool, embedder: E5Embedder) -> None:
    lines = LINES["honest"][language]
    found = [line for line in lines if held(line, language, None if by_words_alone else embedder)]
    assert len(found) <= MOST_HELD, found


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_harms_in_the_same_words_is_held_back_all_the_same(language: str, embedder: E5Embedder) -> None:
    lines = LINES["planted"][language]
    assert [line for line in lines if not held(line, language, embedder)] == []


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en", "Warfarin example"),
        ("en", "Dose doubled"),
        ("nl", "Insuline stoppen"),
        ("fr", "Exemple warfarine"),
        ("it", "Dose doppia"),
    ],
)
def test_a_label_of_a_word_or_two_is_read_with_what_stands_beside_it_alone(language: str, label: str) -> None:
    assert len(label.split()) < SHORTEST
    assert label not in read_statements(f"{label}\n4 mg", language)
    assert f"{label} Day -5" in read_statements(f"{label} | Day -5 | Day -3 | Day -1", language)


def test_no_section_of_the_demo_on_allergy_is_held_back(embedder: E5Embedder) -> None:
    found = []
    for file in sorted(CLINICAL.glob("*/*.md")):
        text = "\n".join(
            block.text for page in read(file.name, file.read_bytes()).pages for block in page.blocks if block.text
        )
        lines = [line for line in text.splitlines() if "llerg" in line]
        found += [(file.stem, line) for line in lines if held(line, file.parent.name, embedder)]
    assert found == []
