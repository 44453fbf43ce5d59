"""Says where a statement stands: numbered citations with an excerpt and a reference in the reader's format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from careline.model import CuratedText, Passage
from careline.ports import Source
from careline.schemas import wire
from careline.text.analysers import terms
from careline.text.sentences import split

LONGEST_EXCERPT = 320


def citation(number: int, source: Source, question: str, preferences: wire.Preferences) -> wire.Citation:
    """The citation of a source under the number that the reader sees."""
    passage, facts = source.hit.passage, source.hit.passage.facts
    curated = passage.chunk.curated
    section = None if curated is not None else " > ".join(passage.chunk.heading_path) or None
    return wire.Citation(
        number=number,
        doc_key=passage.doc_key,
        version=passage.version,
        title=facts.title,
        source=passage.file_name,
        source_type=facts.source_type,
        language=facts.language,
        source_id=passage.document_id,
        subtitle=_joined_by(", ", facts.book_edition, facts.chapter),
        location=_joined_by(", ", section and section.split(" > ")[-1], _pages(passage)),
        section=section,
        page=passage.chunk.first_page if has_pages(passage.file_name) else None,
        last_page=passage.chunk.last_page if has_pages(passage.file_name) else None,
        url=facts.url,
        doi=facts.doi,
        pmid=facts.pmid,
        chunk_id=passage.chunk_id,
        excerpt=excerpt(passage.chunk.text, question, facts.language),
        score=round(source.hit.score, 4),
        reference=reference(source, preferences),
        curated=None if curated is None else _note(curated, facts.owner),
    )


def _joined_by(mark: str, *parts: str | None) -> str | None:
    """The parts that are known; None where none is."""
    return mark.join(part for part in parts if part) or None


def _pages(passage: Passage) -> str | None:
    """The pages of a passage, as `p. 12` or `p. 12-13`."""
    if not has_pages(passage.file_name):
        return None
    first, last = passage.chunk.first_page, passage.chunk.last_page
    return f"p. {first}" if first == last else f"p. {first}-{last}"


def _note(curated: CuratedText, owner: str | None) -> wire.CuratedNote:
    return wire.CuratedNote(owner=owner, written_on=curated.written_on or None, sources=list(curated.sources))


def has_pages(file_name: str) -> bool:
    """Whether page numbers mean something to the reader of a file; web pages and text files have none."""
    return file_name.lower().endswith(".pdf")


def excerpt(text: str, question: str, language: str) -> str:
    """The sentences of a passage nearest to the question, at most 320 characters, as they stand there."""
    places = list(_places(text, language))
    if not places:
        return text[:LONGEST_EXCERPT]
    asked = set(terms(question, language))
    overlaps = [len(asked & set(terms(text[start:end], language))) for start, end in places]
    first = overlaps.index(max(overlaps))
    begin, end = places[first]
    end = max([end, *(until for _, until in places[first:] if until - begin <= LONGEST_EXCERPT)])
    return text[begin:end] if end - begin <= LONGEST_EXCERPT else _cut(text[begin : begin + LONGEST_EXCERPT])


def _places(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of a text begins and ends."""
    at = 0
    for sentence in split(text, language):
        begin = text.index(sentence, at)
        at = begin + len(sentence)
        yield begin, at


def _cut(text: str) -> str:
    """The text up to its last whole word."""
    whole = re.match(r"(.*\S)\s+\S*$", text, re.DOTALL)
    return whole[1] if whole else text


def reference(source: Source, preferences: wire.Preferences) -> str:
    """The source in the reader's format: AMA, APA or Vancouver, with the parts that are known; of a person's answer its
    owner and the day it was written."""
    facts, curated = source.hit.passage.facts, source.hit.passage.chunk.curated
    owner = facts.owner if curated is not None else None
    authors = list(facts.authors) or [name for name in (owner, facts.organisation, facts.publisher) if name]
    year = (curated.written_on if curated is not None else "") or (str(facts.year) if facts.year else "")
    publisher = facts.publisher or (facts.organisation if facts.authors else "") or ""
    title = _joined_by(", ", facts.title, facts.book_edition, facts.chapter)
    link = f"https://doi.org/{facts.doi}" if facts.doi else facts.url or ""
    if preferences.citation_format == "APA":
        parts = [f"{_listed(authors)} ({year or 'n.d.'})" if authors else "", title, publisher, link]
        if not authors:
            parts[1] = f"{title} ({year or 'n.d.'})"
    elif preferences.citation_format == "AMA":
        parts = [", ".join(authors), title, _joined(publisher, year), link]
    else:
        available = f"Available from: {link}" if link else ""
        parts = [", ".join(authors), title, _joined(publisher, year), available]
    return " ".join(part if part.endswith((".", "?", "!")) or part == link else f"{part}." for part in parts if part)


def _joined(publisher: str, year: str) -> str:
    return "; ".join(part for part in (publisher, year) if part)


def _listed(authors: Sequence[str]) -> str:
    """Names in APA's way, an ampersand before the last."""
    return " & ".join(part for part in (", ".join(authors[:-1]), authors[-1]) if part)
