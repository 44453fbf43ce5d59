"""What every test is under: no connection leaves this machine. And which tests stay together in one worker."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest

LONG = ("journeys", "engines", "knowledge", "infra")
"""The folders whose files take longest: they begin, so that no worker is left alone with one at the end."""
SHARED = {
    **dict.fromkeys(("opensearch_address", "dynamodb_address", "index", "table", "another_index"), "real servers"),
    **dict.fromkeys(("stages", "stage", "dev", "prod"), "templates"),
}
"""Fixtures that are made once for all who use them, and the group that stays in one worker for that."""

_connect, _connect_ex, _getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo


class OutsideWorld(RuntimeError):
    """A test tried to reach something that is not on this machine."""

    def __init__(self, where: object) -> None:
        super().__init__(f"tests reach nothing outside of loopback, and one tried {where!r}: use a fake or an emulator")


def is_loopback(host: object) -> bool:
    """Whether a host is this machine; a name other than `localhost` is not."""
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False


def _refuse(family: int, address: Any) -> None:
    if family in (socket.AF_INET, socket.AF_INET6) and not is_loopback(address[0]):
        raise OutsideWorld(address)


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: socket.socket, address: Any) -> None:
        _refuse(self.family, address)
        _connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        _refuse(self.family, address)
        return _connect_ex(self, address)

    def getaddrinfo(host: Any, *rest: Any, **more: Any) -> Any:
        if not is_loopback(host):
            raise OutsideWorld(host)
        return _getaddrinfo(host, *rest, **more)

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first. A file stays in one worker, whose servers and homes its tests share (`--dist loadgroup`)."""
    items.sort(key=lambda item: LONG.index(folder) if (folder := item.path.parent.name) in LONG else len(LONG))
    groups = {item.path: str(item.path.relative_to(item.config.rootpath)) for item in items}
    for item in items:
        wanted = getattr(item, "fixturenames", ())
        groups[item.path] = next((SHARED[name] for name in wanted if name in SHARED), groups[item.path])
    for item in items:
        item.add_marker(pytest.mark.xdist_group(groups[item.path]))
