"""What every test is under: no connection leaves this machine."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest

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
