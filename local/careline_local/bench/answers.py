"""Whether the right document is cited first, the fact is said, and what nobody wrote down is not answered.

The held-out questions lie in `tests/evaluation/answers`, by language, and are for this bench alone; those in
`training/development` are open to whoever works on the answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml

from careline.installation import Installation
from careline.model import LANGUAGES
from careline.schemas import wire
from careline.turn import pipeline
from careline_local.bench.evaluation_sets import questions_of
from careline_local.bench.measures import Share


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
    found = await outcomes(installation, part)
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


async def outcomes(installation: Installation, part: str) -> list[QuestionOutcome]:
    """Every question of one part asked once."""
    found = []
    for language in sorted(LANGUAGES):
        for question in yaml.safe_load(questions_of(part, language).read_text(encoding="utf-8"))["questions"]:
            found.append(await _ask(language, question, installation))
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
