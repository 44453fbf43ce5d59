"""Whether the right document is cited first, the fact is said, and what nobody wrote down is not answered.

The questions lie in `tests/evaluation/answers`, by language; their `held_out` half is for this bench alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from careline import wire
from careline.installation import Installation
from careline.turn import pipeline
from careline_local.bench.measures import Share

FOLDER = Path(__file__).parents[3] / "tests" / "evaluation" / "answers"


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """One question and how it came out."""

    language: str
    kind: str
    part: str
    question: dict[str, Any]
    answer: wire.Answer
    right: bool
    said: bool | None


async def run(installation: Installation, part: str = "held_out") -> list[Share]:
    """The shares by language and kind, of one part of the questions."""
    found = [outcome for outcome in await outcomes(installation) if outcome.part == part]
    shares = []
    for language, kind in dict.fromkeys((one.language, one.kind) for one in found):
        chosen = [one for one in found if (one.language, one.kind) == (language, kind)]
        meaning = "says that it does not know" if kind == "unanswerable" else "right document first"
        shares.append(Share(f"{language} {kind}: {meaning}", sum(one.right for one in chosen), len(chosen)))
        facts = [one for one in chosen if one.said is not None]
        if facts:
            shares.append(
                Share(f"{language} {kind}: the fact is said", sum(bool(one.said) for one in facts), len(facts))
            )
    return shares


async def outcomes(installation: Installation) -> list[QuestionOutcome]:
    """Every question asked once."""
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        for question in yaml.safe_load(path.read_text(encoding="utf-8"))["questions"]:
            found.append(await _ask(path.stem, question, installation))
    return found


async def _ask(language: str, question: dict[str, Any], installation: Installation) -> QuestionOutcome:
    request = wire.QueryRequest(text=question["text"], history=question.get("history", []))
    last: wire.Event | None = None
    async for event in pipeline.run(request, installation, installation.engines.new_id()):
        last = event
    if not isinstance(last, wire.Done):
        raise RuntimeError("a turn did not end in an answer")
    answer = last.answer
    if question["kind"] == "unanswerable":
        right, said = not answer.citations, None
    else:
        right = bool(answer.citations) and answer.citations[0].doc_key in question["expects"]
        wanted = question.get("says") or []
        said = any(_plain(text) in _plain(answer.text) for text in wanted) if wanted else None
    return QuestionOutcome(language, question["kind"], question["part"], question, answer, right, said)


def _plain(text: str) -> str:
    return "".join(text.split()).lower()
