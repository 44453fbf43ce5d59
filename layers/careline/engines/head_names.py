"""How a head of an audit chain is named where it is noted: the name says it all, so that listing is reading."""

from __future__ import annotations

import re
from urllib.parse import quote

from careline.ports import NotedHead

_NAME = re.compile(r"(\d{12})-([0-9a-f]{64})")


def folder_of(tenant: str) -> str:
    """A tenant's folder, with `/` at its end."""
    return f"{quote(tenant, safe='')}/"


def name_of(head: NotedHead) -> str:
    """`000000000041-5e0c…`: names sort as the entries do."""
    return f"{head.seq:012d}-{head.hash}"


def head_in(name: str) -> NotedHead | None:
    """The head that a name says; None for another name."""
    found = _NAME.fullmatch(name)
    return NotedHead(int(found[1]), found[2]) if found else None
