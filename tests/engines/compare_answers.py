"""Compares the embedded index with a real OpenSearch node: what each answers to the questions of the demo hospital.

`python -m tests.engines.compare_answers [--part open] [--json FILE]` takes the demo's documents in once, writes the
same passages and vectors into both, asks every question of `tests/evaluation/answers` (or of `training/development`)
twice, and lists the questions that came out otherwise. It ends with 1 when there are any. The node is the one that
`make engines` lays out; nothing else of the two installations differs.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import click

from careline.engines.aws.passage_index.index import OpenSearchIndex
from careline.installation import Installation
from careline.model import Hit, Passage
from careline.ports import Matrix, PassageIndex, PassageQuery
from careline.turn.stages.screening import embed_question
from careline_local.bench.answers import QuestionOutcome, outcomes
from careline_local.bench.evaluation_sets import Part
from careline_local.cli.session import CommandSession
from careline_local.demo import load
from tests.engines.index.opensearch_profiles import cluster, ordinary_text
from tests.engines.servers import install, run
from tests.patience import PATIENCE, patient

Engine = Literal["embedded", "opensearch"]
ANSWERED = "answered"
CLOSEST = "CLOSEST_PAGE"


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """What one engine made of a question. `outcome` is answered, closest, declined, or another disposition."""

    outcome: str
    cited: str | None
    text: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """One question, by its name in the set, and what either engine made of it."""

    name: str
    kind: str
    embedded: EngineAnswer
    opensearch: EngineAnswer

    @property
    def differs(self) -> bool:
        """Whether another thing was decided, or another document cited first."""
        here, there = self.embedded, self.opensearch
        return (here.outcome, here.cited) != (there.outcome, there.cited)

    @property
    def other_words(self) -> bool:
        """Whether the same was decided on the same document and something else was said."""
        return not self.differs and self.embedded.text != self.opensearch.text


class Mirrored:
    """A passage index that writes what it is given into a second one too, and finds in the first."""

    def __init__(self, first: PassageIndex, second: PassageIndex) -> None:
        self._first, self._second = first, second

    async def add(self, passages: Sequence[Passage], vectors: Matrix, windows: Sequence[bytes] = ()) -> None:
        """See `ports.PassageIndex.add`."""
        for index in (self._first, self._second):
            await index.add(passages, vectors, windows)

    async def activate(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.activate`."""
        for index in (self._first, self._second):
            await index.activate(tenant, doc_key, version)

    async def retire(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.retire`."""
        for index in (self._first, self._second):
            await index.retire(tenant, doc_key, version)

    async def withdraw(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.withdraw`."""
        for index in (self._first, self._second):
            await index.withdraw(tenant, doc_key, version)

    async def clear(self, tenant: str) -> None:
        """See `ports.PassageIndex.clear`."""
        for index in (self._first, self._second):
            await index.clear(tenant)

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        """See `ports.PassageIndex.find`."""
        return await self._first.find(query)

    async def settle(self) -> None:
        """See `ports.PassageIndex.settle`."""
        await self._first.settle()

    async def passages(self, tenant: str, doc_key: str, version: int) -> Sequence[Passage]:
        """See `ports.PassageIndex.passages`."""
        return await self._first.passages(tenant, doc_key, version)

    async def corpus_version(self, tenant: str) -> int:
        """See `ports.PassageIndex.corpus_version`."""
        return await self._first.corpus_version(tenant)


def behind(installation: Installation, index: PassageIndex) -> Installation:
    """The installation with another index, and with time to wait for it."""
    engines = replace(installation.engines, index=index)
    return replace(installation, engines=engines, settings=patient(installation.settings))


def _node(installation: Installation, address: str) -> AbstractContextManager[OpenSearchIndex]:
    engines = installation.engines
    return cluster(address, engines.table, engines.embedder.dimensions, ordinary_text())


@contextmanager
def both(home: Path) -> Iterator[dict[Engine, Installation]]:
    """The demo hospital behind either index, in this home and in a node that ends with the block."""
    session = CommandSession(home)
    mine = session.installation
    with run.opensearch() as address, _node(mine, address) as there:
        session.installation = behind(mine, Mirrored(mine.engines.index, there))
        report = session.run(load.load(session))
        if report.refused:
            raise click.ClickException(f"{len(report.refused)} documents of the demo were refused")
        yield {"embedded": behind(mine, mine.engines.index), "opensearch": behind(mine, there)}


def compare(installations: dict[Engine, Installation], part: Part) -> list[Compared]:
    """Every question of a part asked of both."""
    embed_question.TIMEOUT = PATIENCE
    asked = {name: asyncio.run(outcomes(one, part)) for name, one in installations.items()}
    return [
        Compared(str(here.question.get("id", here.question["text"])), here.kind, _said(here), _said(there))
        for here, there in zip(asked["embedded"], asked["opensearch"], strict=True)
    ]


def _said(one: QuestionOutcome) -> EngineAnswer:
    answer = one.answer
    decided = {ANSWERED: ANSWERED, "escalated": "closest" if answer.reason == CLOSEST else "declined"}
    cited = answer.citations[0].doc_key if answer.citations else None
    return EngineAnswer(decided.get(answer.disposition, answer.disposition), cited, str(answer.text), one.right)


def lines(found: Sequence[Compared]) -> Iterator[str]:
    """The comparison for people: counts for each engine, then the questions that differ."""
    for engine in ("embedded", "opensearch"):
        said: list[tuple[str, EngineAnswer]] = [(one.kind, getattr(one, engine)) for one in found]
        counts = Counter(each.outcome for _, each in said)
        told = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        none = [each for kind, each in said if kind == "unanswerable"]
        right = sum(each.is_right for kind, each in said if kind != "unanswerable")
        admitted = sum(each.is_right for each in none)
        yield (
            f"{engine:<10}  {told}; right document first {right} of {len(said) - len(none)}; "
            f"unanswerable admitted {admitted} of {len(none)}"
        )
    different = [one for one in found if one.differs]
    yield f"{len(different)} of {len(found)} differ; {sum(one.other_words for one in found)} more in their words alone"
    for one in different:
        here, there = ((each.outcome, each.cited or "-") for each in (one.embedded, one.opensearch))
        yield f"  {one.name} ({one.kind}): embedded {' '.join(here)} | opensearch {' '.join(there)}"


@click.command()
@click.option("--part", type=click.Choice(["held_out", "open"]), default="held_out", show_default=True)
@click.option("--json", "file", type=click.Path(path_type=Path), help="Also write every question's outcome there.")
def main(part: Part, file: Path | None) -> None:
    """List the questions that the embedded index and OpenSearch answer differently."""
    if not install.is_installed():
        raise click.ClickException("the real OpenSearch is not there: `make engines`, with a JDK 17 and Maven")
    with tempfile.TemporaryDirectory(prefix="careline-compare-") as folder, both(Path(folder)) as installations:
        found = compare(installations, part)
    for line in lines(found):
        click.echo(line)
    if file is not None:
        file.write_text(json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=1), encoding="utf-8")
    sys.exit(any(one.differs for one in found))


if __name__ == "__main__":
    main()
