"""Makes one passage of a person's answer: its text whole, under every wording of the question."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from careline.model import Chunk, CuratedText
from careline.tables.extracted import Block, BlockKind, Extracted


def curated_chunk(extracted: Extracted, count_tokens: Callable[[str], int]) -> Chunk | None:
    """The passage of an answer; None of any other document, and of an answer with a table, which is cut as a page."""
    asked = _texts(extracted, "questions")
    blocks = [block for page in extracted.pages for block in page.blocks]
    if not asked or any(block.kind is BlockKind.TABLE for block in blocks):
        return None
    # The first block is the question that the text stands under.
    text = "\n".join(_lines(blocks[1:]))
    if not text:
        return None
    written_on = extracted.stated.get("written_on")
    curated = CuratedText(asked, _texts(extracted, "sources"), written_on if isinstance(written_on, str) else "")
    return Chunk(0, text, "text", asked, 1, 1, count_tokens("\n".join((*asked, text))), curated=curated)


def _lines(blocks: list[Block]) -> Iterator[str]:
    for block in blocks:
        yield f"- {block.text}" if block.kind is BlockKind.LIST_ITEM else block.text


def _texts(extracted: Extracted, name: str) -> tuple[str, ...]:
    held = extracted.stated.get(name)
    return tuple(one for one in held if isinstance(one, str)) if isinstance(held, list | tuple) else ()
