"""Asks a command, which runs in whatever environment it needs, for the personal data in lines.

It reads one line of JSON for each, `{"id", "language", "text"}`, and answers one for each, in any order:
`{"id", "spans": [{"start", "end", "type"}]}`, in code points, `end` exclusive, kinds as in `SpanType`.
`training/presidio_spans.py` is such a command.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from careline.model import SpanType

LONGEST_RUN_S = 3600


class AnsweredSpan(BaseModel):
    """A span that the command answered."""

    model_config = ConfigDict(extra="ignore")
    start: int = Field(ge=0)
    end: int
    type: SpanType


class Answer(BaseModel):
    """What the command answered for one line."""

    model_config = ConfigDict(extra="ignore")
    id: int = Field(ge=0)
    spans: list[AnsweredSpan]


def answered(asked: Sequence[tuple[str, str]], command: Sequence[str]) -> list[list[AnsweredSpan]]:
    """The command's spans for languages and texts; none where it answered nothing.

    Raises: SystemExit, saying what is wrong with the command or with its answer.
    """
    written = (json.dumps({"id": n, "language": each, "text": text}) + "\n" for n, (each, text) in enumerate(asked))
    try:
        ran = subprocess.run(  # noqa: S603 - the command that the caller named
            command, input="".join(written), stdout=subprocess.PIPE, text=True, timeout=LONGEST_RUN_S
        )
    except OSError as error:
        raise SystemExit(f"{command[0]} cannot be started: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise SystemExit(f"the command was ended after {LONGEST_RUN_S} s") from None
    if ran.returncode:
        raise SystemExit(f"the command ended with {ran.returncode}; what it wrote to standard error says why")
    spans: list[list[AnsweredSpan]] = [[] for _ in asked]
    for n, line in enumerate(ran.stdout.splitlines(), start=1):
        try:
            answer = Answer.model_validate_json(line)
        except ValidationError:
            raise SystemExit(
                f"answer {n} is not a line of JSON with `id` and `spans`, each with `start`, `end` and `type`"
            ) from None
        length = len(asked[answer.id][1]) if answer.id < len(asked) else 0
        if answer.id >= len(asked) or any(not span.start < span.end <= length for span in answer.spans):
            raise SystemExit(f"answer {n} is about a line or about characters that were not asked about")
        spans[answer.id] = answer.spans
    return spans
