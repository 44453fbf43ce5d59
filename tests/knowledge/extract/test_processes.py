"""Several processes, and processes that are killed, over one store."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import pytest

from careline.knowledge import catalogue
from tests.knowledge.ingesting_process import work
from tests.knowledge.stores import TENANT, close, contents, found, in_folder
from tests.source_roots import PYTHONPATH, ROOT

RECORDS = 40


def a_file(place: Path, texts: list[str], prefix: str = "vraag") -> Path:
    lines = [
        json.dumps({"doc_key": f"{prefix}-{n:03d}", "question": f"Vraag {n}?", "text": text})
        for n, text in enumerate(texts)
    ]
    place.write_text("\n".join(lines), encoding="utf-8")
    return place


def started(stack: ExitStack, folder: Path, file: Path, ids: str) -> subprocess.Popen[str]:
    """A process that is ready and waits for its first line."""
    command = [sys.executable, "-m", "tests.knowledge.ingesting_process", str(folder), str(file), ids]
    environment = {"PYTHONPATH": PYTHONPATH, "PATH": ""}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True
    )
    stack.enter_context(process)
    assert out(process).readline() == "ready\n"
    return process


def out(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


async def whole(folder: Path, asked: str) -> dict[str, Any]:
    engines = in_folder(folder)
    try:
        return await contents(engines, [f"vraag-{n:03d}" for n in range(RECORDS)], asked)
    finally:
        close(engines)


def killed_at(moment: int, folder: Path, file: Path, ids: str) -> bool:
    """Whether the process lived long enough to be killed at that call."""
    with ExitStack() as stack:
        process = started(stack, folder, file, ids)
        go(process)
        for _ in range(moment):
            if not out(process).readline():
                return False
        process.kill()
        return process.wait() == -9


async def test_an_ingestion_killed_again_and_again_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    file = a_file(tmp_path / "faq.jsonl", [f"Antwoord {n} over parkeren en bezoek." for n in range(RECORDS)])
    await work(tmp_path / "whole", file, "w", quiet=True)
    expected = await whole(tmp_path / "whole", "antwoord parkeren")
    assert len(expected["found"][0]) == RECORDS
    chance = random.Random(20260302)
    moments = [chance.randint(1, 900) for _ in range(5)]
    kills = [killed_at(moment, tmp_path / "store", file, f"k{n}") for n, moment in enumerate(moments)]
    assert sum(kills) >= 3
    report = await work(tmp_path / "store", file, "z", quiet=True)
    assert (report.live + report.unchanged, report.refused) == (RECORDS, [])
    assert await whole(tmp_path / "store", "antwoord parkeren") == expected


async def test_two_processes_with_the_same_keys_leave_exactly_one_live_version_of_each(
    tmp_path: Path, processes: ExitStack
) -> None:
    count, folder = 12, tmp_path / "store"
    texts = {who: [f"Antwoord {n} van {who}" for n in range(count)] for who in ("an", "bo")}
    files = [a_file(tmp_path / f"{who}.jsonl", said) for who, said in texts.items()]
    running = [started(processes, folder, file, file.stem) for file in files]
    for process in running:
        go(process)
    for process in running:
        out(process).read()
        assert process.wait() == 0
    engines = in_folder(folder)
    live = []
    for n in range(count):
        versions = [document for document, _ in await catalogue.versions(engines.table, TENANT, f"vraag-{n:03d}")]
        head = await catalogue.head(engines.table, TENANT, f"vraag-{n:03d}")
        assert [document.state.value for document in versions] == ["superseded", "live"]
        assert (head.latest, head.live) == (2, 2)
        live += [p.chunk.text for p in await engines.index.passages(TENANT, f"vraag-{n:03d}", 2)]
    assert await found(engines, "antwoord") == sorted(live)
    assert await found(engines, "antwoord", dense=False) == sorted(live)
    close(engines)
