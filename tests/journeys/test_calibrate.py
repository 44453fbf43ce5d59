"""An embedding model of one's own is measured before it answers anything, as an operator does it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from careline.search.relevance import read_fit
from tests.emulators.openai import KEY, Endpoint, serving
from tests.fakes import DIMENSIONS, FakeEmbedder
from tests.journeys.process import Careline
from tests.local.bench.hospital_builders import a_folder, asked

MODEL = f"words/{DIMENSIONS}"
THINGS = (
    "sauna gym locker trolley crutch cot piano lounge studio court pool bed desk sofa lamp fridge kettle iron".split()
)
OTHERS = "boat kite tractor harp tent violin drone sledge pony canoe tandem yacht".split()
"""What no page tells of."""


def vectors_of_words(asked: dict[str, Any]) -> dict[str, Any]:
    """What an endpoint sends whose texts are near each other where they share words."""
    rows = [
        {"object": "embedding", "index": number, "embedding": [float(each) for each in FakeEmbedder().vector(text)]}
        for number, text in enumerate(asked["input"])
    ]
    return {"object": "list", "data": rows, "model": "words", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@pytest.fixture(name="endpoint")
def an_endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    with serving() as endpoint:
        monkeypatch.setattr(endpoint, "embeddings", vectors_of_words)
        yield endpoint


def a_hospital(folder: Path) -> Path:
    """A page and three questions for each thing, of which one has the price of another page as a wrong one."""
    pages, questions = {}, []
    for number, thing in enumerate(THINGS, 1):
        pages[thing] = f"# The {thing}\n\nHiring the {thing} costs {number}.50 euro. It is on floor {number}.\n"
        for way in ("what does the {} cost", "price of the {}", "hiring the {}, how much is it"):
            questions.append(asked(
                id=f"en-{len(questions):03}", ask=way.format(thing), documents=[f"{thing}.md"],
                facts=[rf"(?<!\d){number}[.,]50"], wrong=[r"(?<!\d)99[.,]50"],
            ))  # fmt: skip
    for thing in OTHERS:
        ask = f"what does the {thing} cost"
        questions.append(asked(id=f"en-{len(questions):03}", kind="unanswerable", expect="decline", ask=ask))
    return a_folder(folder, questions, **pages)


def test_a_model_is_measured_with_the_operators_key_and_answers_from_then_on(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    on = a_hospital(tmp_path / "own")
    careline = Careline(tmp_path / "home", {
        "CARELINE_EMBEDDER": "openai", "CARELINE_OPENAI_API_KEY": KEY, "CARELINE_OPENAI_BASE_URL": endpoint.url,
        "CARELINE_OPENAI_EMBEDDING_MODEL": "words", "CARELINE_OPENAI_EMBEDDING_DIMENSIONS": str(DIMENSIONS),
    })  # fmt: skip
    refused = careline.run("ingest", str(on / "documents"))
    assert (refused.returncode, "careline calibrate" in refused.stderr) == (2, True)
    careline.home.mkdir(mode=0o700)
    assert careline.json("export", "--subject", "nobody@example.org") is not None, "records are read all the same"
    assert endpoint.requests == [], "nothing was sent"
    told = careline.json("calibrate", "--on", str(on))
    assert told["questions"] == len(THINGS) * 3 + len(OTHERS)
    assert told["others"]["fact"] >= 0.9 * len(THINGS) * 3
    assert read_fit((careline.home / "relevance.yaml").read_text()).embedder == MODEL
    assert careline.run("ingest", str(on / "documents")).returncode == 0
    assert "7.50" in careline.json("ask", "what does the piano cost")["text"]
