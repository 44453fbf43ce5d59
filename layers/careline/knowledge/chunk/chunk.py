"""Cuts a document into chunks that can each be read, found and cited by themselves.

Text follows the sections of the document: a section that can stand alone is one chunk, small neighbours share one, long
sections are cut between sentences with an overlap. Tables are chunks of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from careline.knowledge.chunk.above import units_above
from careline.knowledge.chunk.rows import table_pieces
from careline.knowledge.chunk.sections import ChunkUnit, PlacedTable, Section, sections_of
from careline.knowledge.chunk.windows import windows
from careline.model import Chunk, LeftOut
from careline.tables.extracted import Extracted


@dataclass(frozen=True, slots=True)
class ChunkSizes:
    """In tokens. Defaults from the specification, K3; `alone` keeps a chunk about one thing."""

    target: int = 500
    overlap: int = 100
    minimum: int = 200
    maximum: int = 750
    alone: int = 120
    """A section of at least this many tokens is never put together with its neighbours."""

    def __post_init__(self) -> None:
        """Raises: ValueError when the sizes contradict one another."""
        if not (0 <= self.overlap < self.target <= self.maximum and 0 < self.minimum <= self.target):
            raise ValueError("sizes must hold overlap < target <= maximum and minimum <= target")


def chunk(
    extracted: Extracted, language: str, count_tokens: Callable[[str], int], sizes: ChunkSizes | None = None
) -> list[Chunk]:
    """The chunks of a cleaned document, in its order, ordinals from 0.

    Every sentence is in at least one chunk, in its text or (a heading) in its path. `count_tokens` is called once for
    each sentence and row. What readers do not see comes last, in chunks of its own.
    A sentence longer than `sizes.maximum` is cut between words.
    """
    sizes = sizes or ChunkSizes()
    seen = _chunks(_only(extracted, None), language, count_tokens, sizes)
    unseen = _chunks(_only(extracted, LeftOut.HIDDEN), language, count_tokens, sizes)
    together = [*seen, *(replace(each, hidden=True) for each in unseen)]
    return [replace(each, ordinal=ordinal) for ordinal, each in enumerate(together)]


def _only(extracted: Extracted, left_out: LeftOut | None) -> Extracted:
    """The blocks that are told, or those that are left out for one reason."""
    pages = (
        replace(page, blocks=tuple(block for block in page.blocks if block.left_out is left_out))
        for page in extracted.pages
    )
    return replace(extracted, pages=tuple(pages))


def _chunks(extracted: Extracted, language: str, count_tokens: Callable[[str], int], sizes: ChunkSizes) -> list[Chunk]:
    sections = sections_of(extracted, language, count_tokens, sizes.maximum)
    pieces: list[tuple[int, Chunk]] = []
    for group in _grouped([section for section in sections if section.units], sizes):
        units = group.units
        ranges = windows(units, sizes.target, sizes.overlap, sizes.minimum, sizes.maximum)
        above = units_above(units, group.path) if len(ranges) > 1 else {}
        for start, end in ranges:
            repeated = above.get(start, ())
            if sum(unit.tokens for unit in (*repeated, *units[start:end])) > sizes.maximum:
                repeated = ()
            pieces.append((units[start].position, _text_chunk(units[start:end], group.path, repeated)))
    for section in sections:
        for table in section.tables:
            pieces.extend((table.position, each) for each in _table_chunks(table, section.path, sizes, count_tokens))
    pieces.sort(key=lambda piece: piece[0])
    return [piece for _, piece in pieces]


def _grouped(sections: list[Section], sizes: ChunkSizes) -> list[Section]:
    """Sections with small neighbours put together, in order."""
    groups: list[Section] = []
    for section in sections:
        last = groups[-1] if groups else None
        if last is not None and _may_join(last, section, sizes):
            groups[-1] = last.joined_with(section)
        else:
            groups.append(section)
    return groups


def _may_join(last: Section, section: Section, sizes: ChunkSizes) -> bool:
    """Both are too small to stand alone, they share a parent (or one is the other's), and together they fit."""
    if section.tokens >= sizes.alone or last.tokens + section.tokens > sizes.target:
        return False
    small = last.tokens < sizes.alone or (last.is_joined and last.tokens < sizes.minimum)
    return small and last.is_near(section)


def _text_chunk(units: tuple[ChunkUnit, ...], path: tuple[str, ...], repeated: tuple[ChunkUnit, ...] = ()) -> Chunk:
    """The units as one chunk; `repeated` are the sub-headings that its first line stands under."""
    parts: list[str] = []
    titles: list[tuple[int, int]] = []
    line = 0
    for index, unit in enumerate((*repeated, *units)):
        if index:
            begins = unit.begins_line or index <= len(repeated)
            parts.append("\n" if begins else " ")
            line += begins
        if unit.title is not None:
            titles.append((line, unit.title - len(path)))
        parts.append(unit.text)
        line += unit.text.count("\n")
    pages = [page for unit in units for page in (unit.page, unit.last_page)]
    tokens = sum(unit.tokens for unit in (*repeated, *units))
    return Chunk(0, "".join(parts), "text", path, min(pages), max(pages), tokens, titles=tuple(titles))


def _table_chunks(
    placed: PlacedTable, path: tuple[str, ...], sizes: ChunkSizes, count: Callable[[str], int]
) -> list[Chunk]:
    return [
        Chunk(
            0,
            piece.text,
            "text" if piece.table is None else "table",
            path,
            placed.page,
            placed.last_page,
            piece.tokens,
            piece.table,
        )
        for piece in table_pieces(placed.table, count, sizes.target, sizes.maximum)
    ]
