"""What boto3 knows of the services of AWS, read once: each of its sessions would parse it anew, 0.15 s for a client."""

from __future__ import annotations

from functools import cache

import pytest


def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every session that is made from now on the same loader of descriptions."""
    import botocore.session

    monkeypatch.setattr(botocore.session, "create_loader", _loader)


@cache
def _loader(search_path: str | None = None) -> object:
    import botocore.loaders

    return botocore.loaders.create_loader(search_path)
