"""Search without an answer, and what there is to talk to."""

from __future__ import annotations

from typing import Any

from careline import wire
from careline.errors import EmbedderUnavailable
from careline.model import Hit
from careline.ports import PassageQuery
from careline.tenants import directory
from careline.turn.turn import Installation


async def search(asked: wire.SearchRequest, installation: Installation) -> dict[str, Any]:
    """Hits as JSON, best first. Raises: BadRequest for an unknown filter, IndexUnavailable."""
    engines, settings = installation.engines, installation.settings
    warnings: list[str] = []
    try:
        vector = await engines.embedder.embed_query(asked.text)
    except EmbedderUnavailable as error:
        vector = None
        warnings.append(error.code)
    hits = await engines.index.find(
        PassageQuery(
            tenant=asked.tenant or settings.tenant,
            text=asked.text,
            vector=vector,
            language=asked.language,
            limit=asked.limit,
            where={name: tuple(values) for name, values in asked.filters.items()},
            today=engines.clock.now().date(),
            patience=settings.source_seconds,
        )
    )
    return {"hits": [hit_to_json(hit) for hit in hits], "warnings": warnings}


def hit_to_json(hit: Hit) -> dict[str, Any]:
    """A hit as clients see it."""
    passage, facts, chunk = hit.passage, hit.passage.facts, hit.passage.chunk
    return {
        "doc_key": passage.doc_key,
        "chunk_id": passage.chunk_id,
        "score": round(hit.score, 4),
        "similarity": round(hit.similarity, 4),
        "lift": round(hit.lift, 4),
        "coverage": round(hit.coverage, 4),
        "title": facts.title,
        "language": facts.language,
        "source": passage.file_name,
        "source_type": facts.source_type,
        "version": passage.version,
        "section": " > ".join(chunk.heading_path) or None,
        "page": chunk.first_page,
        "text": chunk.text,
    }


async def packs(installation: Installation) -> dict[str, Any]:
    """The packs, the one that is used when none is named, and the hospital's names."""
    tenant = await directory.tenant(installation.engines.table, installation.settings.tenant, installation.settings)
    return {
        "packs": [
            {
                "name": pack.name,
                "titles": dict(pack.title),
                "languages": list(pack.languages),
                "audience": pack.audience,
            }
            for pack in installation.packs.values()
        ],
        "default_pack": installation.settings.pack,
        "tenant": {"name": tenant.names or None},
    }
