"""Times searches of a real OpenSearch node by our engine: the corpus of `careline bench search`, question by question.

`python -m tests.engines.measure_search [--passages 100000] [--dimensions 384] [--heap 512m] [--json]`. The node is the
one that `make engines` lays out, with Lucene's graph; some documents go in and live at once, as ingestion does it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

import click

from careline.engines.embedded.clock import SystemClock
from careline.engines.embedded.table import SqliteTable
from careline.ports import PassageIndex
from careline_local.bench.measures import Measure, figure, machine
from careline_local.bench.search import QUESTIONS, UNCOUNTED, Corpus, percentiles, timed
from tests.engines.index.opensearch_profiles import client, cluster
from tests.engines.servers import install, run

RECORDS = "records.sqlite"


@click.command()
@click.option("--passages", type=click.IntRange(400), default=100_000, show_default=True)
@click.option("--dimensions", type=click.IntRange(8), default=384, show_default=True)
@click.option("--of-one", type=click.IntRange(1), default=200, show_default=True, help="Passages of a document.")
@click.option("--at-once", type=click.IntRange(1), default=20, show_default=True, help="Documents that come together.")
@click.option("--heap", default="512m", show_default=True, help="Of the node's Java.")
@click.option("--json", "as_json", is_flag=True)
def main(passages: int, dimensions: int, of_one: int, at_once: int, heap: str, as_json: bool) -> None:
    """Fill a node, ask it, and print what was measured."""
    if not install.is_installed():
        raise click.UsageError("there is no OpenSearch: `make engines` lays one out")
    with run.opensearch(heap) as address:
        measured = asyncio.run(_measured(address, Corpus(passages, dimensions, of_one), dimensions, at_once))
    if as_json:
        sys.stdout.write(json.dumps({"machine": machine(), "figures": [one.to_json() for one in measured]}) + "\n")
        return
    for one in measured:
        sys.stdout.write(f"{one.name}: p50 {one.p50:.1f}, p95 {one.p95:.1f} {one.unit} ({one.samples})\n")


async def _measured(address: str, corpus: Corpus, dimensions: int, at_once: int) -> list[Measure]:
    with tempfile.TemporaryDirectory() as folder, cluster(
        address, SqliteTable(Path(folder) / RECORDS, SystemClock()), dimensions
    ) as index:
        began = time.perf_counter()
        await _fill(index, corpus, at_once)
        filled = time.perf_counter() - began
        times = [await timed(index, query) for query in corpus.questions(QUESTIONS)]
        stats = client(address).indices.stats()["_all"]["primaries"]
        return [
            percentiles(f"{corpus.passages:,} passages of OpenSearch, {dimensions} dimensions", times[UNCOUNTED:], 0),
            figure("filling it", "s", [filled]),
            figure("on disk", "MB", [stats["store"]["size_in_bytes"] / 1e6]),
        ]


async def _fill(index: PassageIndex, corpus: Corpus, at_once: int) -> None:
    """Each waits for the refresh that shows it, so others come in meanwhile."""
    documents = corpus.documents()

    async def one_after_the_other() -> None:
        for document, vectors in documents:
            await index.add(document, vectors)
            await index.activate("bench", document[0].doc_key, 1)

    await asyncio.gather(*(one_after_the_other() for _ in range(at_once)))


if __name__ == "__main__":
    main()
