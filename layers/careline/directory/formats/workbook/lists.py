"""Several things in one cell, with ; between: "heart clinic; heart department". One that holds a ; stands in quotes."""

from __future__ import annotations

from collections.abc import Sequence

_PARTS = (";", "\n")


def split_list(text: str) -> list[str]:
    """The things in a cell: parted by ; or lines, and by commas where there is neither."""
    signs = _PARTS if any(sign in text for sign in _PARTS) or '"' in text else (",",)
    found, at = [], 0
    while at < len(text):
        if text[at].isspace() or text[at] in signs:
            at += 1
            continue
        item, at = _in_quotes(text, at) if text[at] == '"' else _until(text, at, signs)
        found.append(item.strip())
    return [one for one in found if one]


def _until(text: str, at: int, signs: Sequence[str]) -> tuple[str, int]:
    """What stands before the next sign, and where that is."""
    ends = [end for sign in signs if (end := text.find(sign, at)) >= 0]
    end = min(ends, default=len(text))
    return text[at:end], end


def _in_quotes(text: str, at: int) -> tuple[str, int]:
    """What stands in quotes, two of which are one of it, and where they end."""
    found = ""
    while (end := text.find('"', at + 1)) >= 0:
        found += text[at + 1 : end]
        if text[end + 1 : end + 2] != '"':
            return found, end + 1
        found, at = found + '"', end + 1
    return found + text[at + 1 :], len(text)


def join_list(items: Sequence[str]) -> str:
    """Things as they are split again."""
    return "; ".join(_quoted(one, len(items)) for one in items)


def _quoted(item: str, count: int) -> str:
    is_plain = not any(sign in item for sign in (*_PARTS, '"')) and not (count == 1 and "," in item)
    return item if is_plain else '"' + item.replace('"', '""') + '"'
