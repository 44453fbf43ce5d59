"""Builders of questions, answers and folders for the tests of the bench of answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from careline.schemas import wire
from careline_local.bench.hospital.outcomes import HospitalOutcome
from careline_local.bench.hospital.questions import HospitalQuestion

PARKING = "# Parking\n\n## Car park North\n\nParking in the north car park costs 4.50 euro a day.\n"
CLINIC = "# Eye clinic\n\nThe eye clinic is open on Monday and Thursday from 8:30 to 16:00. Lost glasses lie there.\n"


def a_question(**said: Any) -> HospitalQuestion:
    """A question about the price of parking, of which 8.00 is the price elsewhere."""
    defaults: dict[str, Any] = {
        "id": "en-01", "language": "en", "kind": "direct", "ask": "what is a day of parking",
        "documents": ["parking.md"], "facts": [r"(?<!\d)4[.,]50"], "wrong": [r"(?<!\d)8[.,]00"],
    }  # fmt: skip
    if said.get("expect") in {"decline", "refuse"}:
        defaults |= {"documents": [], "facts": [], "wrong": []}
    return HospitalQuestion.model_validate({**defaults, **said})


def an_answer(text: str, source: str | None = "parking.md", **said: Any) -> wire.Answer:
    """An answer of the hospital line that cites a document, or none."""
    citation = {
        "number": 1, "doc_key": "parking", "version": 1, "title": "Parking", "source": source, "source_type": "page",
        "language": "en", "chunk_id": "c", "excerpt": "", "score": 1.0, "reference": "",
    }  # fmt: skip
    defaults = {
        "id": "t", "trace_id": "t", "conversation_id": "c", "text": text, "spoken": text, "language": "en",
        "disposition": "answered", "intent": "general", "pack": "hospital_line", "channel": "chat",
        "citations": [] if source is None else [citation],
    }  # fmt: skip
    return wire.Answer.model_validate_json(json.dumps({**defaults, **said}))


def declined() -> wire.Answer:
    """What is said where the documents hold no answer."""
    return an_answer("I could not find that. Call 011 90 10 00.", None, disposition="escalated", reason="NO_EVIDENCE")


def refused() -> wire.Answer:
    """What is said to who asks for advice."""
    return an_answer("I may not say that.", None, disposition="refused", reason="SAFETY_REFUSAL")


def an_outcome(answer: wire.Answer, question: HospitalQuestion | None = None, **said: Any) -> HospitalOutcome:
    """How a question was answered, asked alone."""
    defaults: dict[str, Any] = {"hospital": "north", "how": "alone"}
    return HospitalOutcome(question=question or a_question(), answer=answer, **{**defaults, **said})


def a_folder(folder: Path, questions: Sequence[Mapping[str, Any]], **documents: str) -> Path:
    """A folder as `bench answers --on` takes it."""
    (folder / "documents").mkdir(parents=True)
    for name, text in (documents or {"parking": PARKING, "clinic": CLINIC}).items():
        (folder / "documents" / f"{name}.md").write_text(text, encoding="utf-8")
    held = {"hospital": "North", "questions": [dict(one) for one in questions]}
    (folder / "questions.yaml").write_text(yaml.safe_dump(held), encoding="utf-8")
    return folder


def asked(**said: Any) -> dict[str, Any]:
    """A question of the file, as it is written there."""
    return {name: value for name, value in a_question(**said).model_dump(mode="json").items() if value}
