"""Deletes versions of functions that nothing answers with any more: each is kept ready to start, and paid for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

KEPT = 5
"""The newest ones, so that there is something to go back to."""


def drop_old_versions(session: Any, prefix: str, alias: str) -> Iterator[str]:
    """Delete old versions of the functions whose names begin so and that have the alias; `name:version` of each.

    The newest `KEPT` stay, and those that the alias points at. Raises: ClientError.
    """
    client = session.client("lambda")
    pages = client.get_paginator("list_functions").paginate()
    names = [one["FunctionName"] for page in pages for one in page["Functions"]]
    for name in (name for name in names if name.startswith(f"{prefix}-")):
        held = _pointed_at(client, name, alias)
        if held:
            for version in versions(client, name)[:-KEPT]:
                if str(version) not in held:
                    client.delete_function(FunctionName=name, Qualifier=str(version))
                    yield f"{name}:{version}"


def versions(client: Any, function: str) -> list[int]:
    """The published versions of a function, oldest first."""
    pages = client.get_paginator("list_versions_by_function").paginate(FunctionName=function)
    named = (one["Version"] for page in pages for one in page["Versions"])
    return sorted(int(version) for version in named if re.fullmatch(r"\d+", version))


def _pointed_at(client: Any, function: str, alias: str) -> frozenset[str]:
    """Of the function's aliases, when the one that is asked for is among them."""
    pages = client.get_paginator("list_aliases").paginate(FunctionName=function)
    aliases = [one for page in pages for one in page["Aliases"]]
    if alias not in {one["Name"] for one in aliases}:
        return frozenset()
    shares = [name for one in aliases for name in one.get("RoutingConfig", {}).get("AdditionalVersionWeights", {})]
    return frozenset([*(one["FunctionVersion"] for one in aliases), *shares])
