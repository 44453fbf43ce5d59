"""Search without an answer, and what there is to talk to."""

from __future__ import annotations

from collections.abc import Sequence

from careline.conversation.ownership import check_tenant
from careline.curation.hospital import hospital
from careline.errors import NotAllowed, ReaderUnavailable, kind_and_place
from careline.identity import EVERYTHING
from careline.installation import Installation, usual_pack
from careline.log.event_log import EventLog
from careline.model import Hit
from careline.ports import Vector
from careline.privacy.redaction.redact import Vault, without_tokens
from careline.schemas import wire
from careline.schemas.questions import HitBody, Packs, SearchResult
from careline.search.read_hits import FOUND, read_hits
from careline.search.retrieval import Filters

log = EventLog(__name__)


async def search(asked: wire.SearchRequest, installation: Installation) -> SearchResult:
    """Hits as JSON, best first.

    Raises: BadRequest for an unknown filter, NotAllowed for another's tenant or documents, IndexUnavailable,
    TableUnavailable.
    """
    check_tenant(asked.tenant, installation)
    filters = _filters(asked, installation)
    engines, settings = installation.engines, installation.settings
    tenant, _ = await hospital(engines, settings.tenant, settings, installation.directories_seen)
    vector, warnings = await _vector(asked, installation)
    hits = await installation.retrieval.find(
        asked.text,
        vector,
        language=asked.language,
        limit=max(asked.limit, FOUND),
        today=tenant.day_of(engines.clock.now()),
        filters=filters,
    )
    hits, unread = await _read(asked, hits, installation)
    shown = [hit_to_json(hit) for hit in hits[: asked.limit] if hit.score >= asked.min_score]
    log.write("search_answered", count=len(shown))
    return {"hits": shown, "warnings": [*warnings, *unread]}


async def _read(
    asked: wire.SearchRequest, hits: Sequence[Hit], installation: Installation
) -> tuple[Sequence[Hit], list[str]]:
    """The hits as the reader orders them; the order of the search with a warning where it cannot read."""
    reader = installation.engines.reader
    if reader is None:
        return hits, []
    language = asked.language or installation.engines.identify.identify(asked.text)[0]
    try:
        return await read_hits(reader, hits, asked.text, language, installation.relevance), []
    except ReaderUnavailable as error:
        log.write("reader_failed", error=error.code, reason=error.message)
        return hits, ["READER_UNAVAILABLE"]


def _filters(asked: wire.SearchRequest, installation: Installation) -> Filters:
    """The filters that were asked for. Raises: NotAllowed for documents of an audience that is not the asker's."""
    allowed = installation.asker.audiences
    if allowed != EVERYTHING and any(one not in allowed for one in asked.filters.get("audience", ())):
        raise NotAllowed(f"filters.audience: this login finds {', '.join(allowed)} documents only")
    return {name: tuple(values) for name, values in asked.filters.items()}


async def _vector(asked: wire.SearchRequest, installation: Installation) -> tuple[Vector | None, list[str]]:
    """The vector of what is searched for; None with a warning where none can be had, and words alone are searched."""
    text: str | None = asked.text
    if installation.engines.embedder.is_external and installation.settings.privacy.phi_mode != "off":
        text = await _without_phi(asked, installation)
    embedded = await installation.retrieval.embed(text or "", inspected=text is not None)
    return embedded.vector, [embedded.missing] if embedded.missing else []


async def _without_phi(asked: wire.SearchRequest, installation: Installation) -> str | None:
    """The words without personal data; None when nobody could look for any. Raises: TableUnavailable."""
    engines, settings = installation.engines, installation.settings
    tenant, edition = await hospital(engines, settings.tenant, settings, installation.directories_seen)
    try:
        found = engines.detector.find(asked.text, asked.language, tenant.staff)
        spans = edition.directory.published.without(found, asked.text)
    except Exception as error:
        log.write("phi_not_detected", **kind_and_place(error))
        return None
    return without_tokens(Vault(engines.key).redact(asked.text, spans))


def hit_to_json(hit: Hit) -> HitBody:
    """A hit as clients see it."""
    passage, facts, chunk = hit.passage, hit.passage.facts, hit.passage.chunk
    return {
        "doc_key": passage.doc_key,
        "chunk_id": passage.chunk_id,
        "score": round(hit.score, 4),
        "similarity": round(hit.similarity, 4),
        "lift": round(hit.relative_similarity, 4),
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


async def packs(installation: Installation) -> Packs:
    """The packs, the one that is used when none is named, and the hospital's names."""
    settings = installation.settings
    tenant, _ = await hospital(installation.engines, settings.tenant, settings, installation.directories_seen)
    shown = [pack for pack in installation.packs.values() if installation.asker.may_see(pack.audience)]
    log.write("packs_listed", count=len(shown))
    return {
        "packs": [
            {
                "name": pack.name,
                "titles": dict(pack.title),
                "languages": list(pack.in_languages(tenant.languages, tenant.default_language).languages),
                "audience": pack.audience,
            }
            for pack in shown
        ],
        "default_pack": usual_pack(tenant, installation),
        "tenant": {"name": tenant.names or None},
    }
