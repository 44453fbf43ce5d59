"""Makes the vectors that are shipped for the demo hospital: `python -m careline_local.demo.build_vectors`.

It takes the documents in as `careline up` does, into a home that is thrown away, and keeps what was embedded for them.
What the present file holds of the same model is not embedded again. Then `python -m training.build_manifest`.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from careline.knowledge import catalogue
from careline.knowledge.embed import text_of
from careline.knowledge.ingestion import stage_files
from careline.ports import Engines
from careline.settings import Settings
from careline_local.cli.session import CommandSession
from careline_local.demo.load import VECTORS, documents
from careline_local.ingest import ingest
from careline_local.kept_vectors import KeptVectors, Noted, read, with_kept, write


async def build(home: Path, target: Path = VECTORS) -> int:
    """Write the file and say how many texts it knows. `home` is a new one."""
    session = CommandSession(home, given=Settings(home=home))
    plain = session.installation.engines
    noted = Noted()
    engines = with_kept(plain, _present(target, plain.embedder.name), noted)
    report = await ingest(await documents(home), {}, session, engines=engines)
    if report.refused:
        raise ValueError(f"{report.refused[0].where}: {report.refused[0].message}")
    passages = await _passages(plain, session.settings.tenant)
    kinds = (
        {text: row for text, row in noted.texts.items() if text in passages},
        {text: row for text, row in noted.texts.items() if text not in passages},
        noted.statements,
    )
    target.parent.mkdir(exist_ok=True)
    write(target, plain.embedder.name, *kinds)
    return sum(map(len, kinds))


def _present(target: Path, model: str) -> KeptVectors:
    held = read(target) if target.is_file() else KeptVectors(model)
    return held if held.model == model else KeptVectors(model)


async def _passages(engines: Engines, tenant: str) -> set[str]:
    """What is embedded of every passage."""
    return {
        text_of(chunk, document.facts)
        async for document in catalogue.documents(engines.table, tenant)
        for chunk in await stage_files.chunks(engines.files, document)
    }


def main() -> None:
    """Write the file of the demo hospital."""
    with tempfile.TemporaryDirectory() as folder:
        count = asyncio.run(build(Path(folder) / "home"))
    sys.stdout.write(f"{VECTORS.name}: {count:,} texts, {VECTORS.stat().st_size // 1000:,} kB\n")


if __name__ == "__main__":
    main()
