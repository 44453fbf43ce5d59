"""The tests themselves cannot reach the outside."""

from __future__ import annotations

import asyncio
import socket

import pytest


@pytest.mark.parametrize("host", ["192.0.2.1", "198.51.100.7", "::ffff:192.0.2.1", "2001:db8::1"])
def test_an_address_outside_of_this_machine_is_refused(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as tried, pytest.raises(RuntimeError, match="outside of loopback"):
        tried.connect((host, 443))


def test_a_name_is_not_looked_up() -> None:
    with pytest.raises(RuntimeError, match=r"careline\.example"):
        socket.getaddrinfo("careline.example", 443)


async def test_an_event_loop_cannot_leave_either() -> None:
    with pytest.raises(RuntimeError, match="outside of loopback"):
        await asyncio.open_connection("192.0.2.1", 443)


async def test_loopback_and_unix_sockets_work() -> None:
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1")
    async with server:
        _, writer = await asyncio.open_connection("localhost", server.sockets[0].getsockname()[1])
        writer.close()
        await writer.wait_closed()
        assert writer.is_closing()
    first, second = socket.socketpair(socket.AF_UNIX)
    first.close()
    second.close()
