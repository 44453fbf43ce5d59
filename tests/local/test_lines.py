"""JSON Lines in and out: order, errors beside answers, several lines at once, and nobody kept waiting."""

from __future__ import annotations

import asyncio
import io
import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from careline.errors import EmbedderUnavailable
from careline.ports import Matrix
from careline_local.cli.batch.lines import answer_lines
from careline_local.cli.batch.screen import SentenceEmbeddings
from tests.fakes import FakeEmbedder


def lines(*texts: str) -> io.BytesIO:
    return io.BytesIO("".join(json.dumps({"id": n, "text": text}) + "\n" for n, text in enumerate(texts)).encode())


def written(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


class Counted:
    """Answers that wait for one another the longer the earlier they came; tells how many were begun at once."""

    def __init__(self) -> None:
        self.open = self.most = 0

    async def __call__(self, line: dict[str, Any]) -> dict[str, Any]:
        self.open += 1
        self.most = max(self.most, self.open)
        for _ in range(50 - line["id"]):
            await asyncio.sleep(0)
        self.open -= 1
        return {"said": line["text"]}


@pytest.mark.parametrize("at_once", [1, 3, 40, 1000])
async def test_answers_come_in_the_order_of_the_lines(at_once: int, capsys: pytest.CaptureFixture[str]) -> None:
    answer, texts = Counted(), [f"line {n}" for n in range(50)]
    assert await answer_lines(answer, lines(*texts), at_once=at_once)
    assert [line["said"] for line in written(capsys)] == texts
    assert answer.most <= at_once
    assert answer.most > 1 or at_once == 1


async def test_a_line_that_cannot_be_understood_is_told_so_in_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    source = io.BytesIO(b'{"id":1,"text":"a"}\n{bad\n\n{"id":3}\n[]\n{"id":5,"text":"b"}\n')
    assert not await answer_lines(Counted(), source, at_once=8)
    assert [(line["id"], "error" in line) for line in written(capsys)] == [
        (1, False),
        (None, True),
        (3, True),
        (None, True),
        (5, False),
    ]


@pytest.mark.parametrize("at_once", [1, 64])
async def test_a_program_that_waits_for_each_answer_gets_it(at_once: int, capfd: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()

    async def answer(line: dict[str, Any]) -> dict[str, Any]:
        # The next line is sent only now, and nothing after it: who waited for more lines would wait for ever.
        if line["id"] < 3:
            os.write(writing, json.dumps({"id": line["id"] + 1, "text": "next"}).encode() + b"\n")
        else:
            os.close(writing)
        return {}

    os.write(writing, b'{"id":1,"text":"first"}\n')
    with os.fdopen(reading, "rb") as source:
        assert await asyncio.wait_for(answer_lines(answer, source, at_once=at_once), 20)
    assert [json.loads(line)["id"] for line in capfd.readouterr().out.splitlines()] == [1, 2, 3]


class Slow(FakeEmbedder):
    """Remembers which texts it was asked for together."""

    def __init__(self, broken: Exception | None = None) -> None:
        super().__init__()
        self.broken = broken
        self.asked: list[list[str]] = []

    async def sentence_embeddings(self, texts: Sequence[str]) -> Matrix:
        self.asked.append(list(texts))
        await asyncio.sleep(0)
        if self.broken is not None:
            raise self.broken
        return np.asarray([[len(text)] for text in texts], np.float32)


async def test_texts_that_wait_for_a_sentence_embedding_are_looked_at_together_and_get_each_their_own() -> None:
    slow = Slow()
    sentence_embeddings = SentenceEmbeddings(slow)
    found = await asyncio.gather(*(sentence_embeddings.of("x" * n) for n in range(1, 6)))
    assert [float(row[0]) for row in found if row is not None] == [1, 2, 3, 4, 5]
    assert len(slow.asked) < 5
    assert await SentenceEmbeddings(None).of("x") is None


@pytest.mark.parametrize("broken", [EmbedderUnavailable("it did not load"), RuntimeError("something else")])
async def test_everybody_who_waits_is_told_when_no_sentence_embedding_can_be_made(broken: Exception) -> None:
    sentence_embeddings = SentenceEmbeddings(Slow(broken))
    waiting = asyncio.gather(*(sentence_embeddings.of(str(n)) for n in range(5)), return_exceptions=True)
    assert await asyncio.wait_for(waiting, 20) == [broken] * 5
