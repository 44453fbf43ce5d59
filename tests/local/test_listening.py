"""What the server's socket hands on to its connections."""

from __future__ import annotations

import asyncio
import socket

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from careline_local.cli.up import listen


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_an_accepted_connection_sends_without_delay(host: str) -> None:
    if host == "::1" and not _has_ipv6():
        pytest.skip("this machine has no IPv6 loopback")
    listener = listen(host, 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    reader, writer = await asyncio.open_connection(*listener.getsockname()[:2])
    writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
    assert b"204" in await reader.readline()
    (connection,) = server.server_state.connections
    accepted = connection.transport.get_extra_info("socket")  # type: ignore[union-attr]
    assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
    writer.close()
    server.should_exit = True
    await serving


def _has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False
