"""Cuts a table between rows and repeats its header, so that every piece can be read by itself."""

from __future__ import annotations

from collections.abc import Iterator

from careline.knowledge.chunking.sections import Table


def table_pieces(table: Table, target: int, maximum: int) -> Iterator[tuple[str, int]]:
    """The text of each piece with its tokens. A row longer than `maximum` is a piece of its own, cut between words."""
    header, header_tokens = table.rows[0]
    head = [table.caption, header] if table.caption else [header]
    head_tokens = table.caption_tokens + header_tokens
    if head_tokens > target // 2:
        head, head_tokens = [], 0
    rows = list(table.rows[1:] if head else table.rows)
    if not rows:
        yield "\n".join(head), head_tokens
    for held, tokens in _packed(_within(rows, maximum - head_tokens), target - head_tokens):
        yield "\n".join([*head, *held]), head_tokens + tokens


def _packed(rows: Iterator[tuple[str, int]], room: int) -> Iterator[tuple[list[str], int]]:
    held: list[str] = []
    tokens = 0
    for row, size in rows:
        if held and tokens + size > room:
            yield held, tokens
            held, tokens = [], 0
        held.append(row)
        tokens += size
    if held:
        yield held, tokens


def _within(rows: list[tuple[str, int]], longest: int) -> Iterator[tuple[str, int]]:
    """Rows, long ones cut between words. Their pieces share the row's tokens by length, as it was counted once."""
    for row, tokens in rows:
        if tokens <= longest:
            yield row, tokens
            continue
        words, pieces = row.split(), -(-tokens // max(1, longest))
        length = max(1, -(-len(words) // pieces))
        for start in range(0, len(words), length):
            piece = " ".join(words[start : start + length])
            yield piece, max(1, round(tokens * len(piece) / len(row)))
