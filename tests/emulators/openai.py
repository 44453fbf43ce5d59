"""An OpenAI-compatible endpoint on loopback: chat completions with tool calls as server-sent
events, embeddings, and faults on demand.

A fault is used up by one request. `Stall` holds the answer until the client hangs up, which `left` then tells.
"""

from __future__ import annotations

import hashlib
import json
import select
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.emulators.aws_signature import AwsSigners, Refusal

Json = dict[str, Any]
Calls = Sequence[tuple[str, str, str]]
"""Tool calls: id, name and arguments of each."""
KEY = "sk-test-7f3a9c51b2"
MODEL = "gpt-4.1-mini"


@dataclass(frozen=True)
class Bytes:
    """A status 200 with this for its body, or for a piece of the stream."""

    content: bytes
    after: int = 0


@dataclass(frozen=True)
class Break:
    """The stream goes wrong after so many pieces, which are words and then fragments of calls: `stall`, `cut`
    (mid-chunk), `malformed`, `empty` (ends) or `error`."""

    how: str
    after: int = 0


def fragments(calls: Calls, characters: int = 5) -> Iterator[Json]:
    """Calls as OpenAI streams them: id, type and name first, then the arguments in pieces, each under its index."""
    for index, (call_id, name, arguments) in enumerate(calls):
        first = {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
        yield {"tool_calls": [first]}
        for at in range(0, len(arguments), characters):
            yield {"tool_calls": [{"index": index, "function": {"arguments": arguments[at : at + characters]}}]}


@dataclass
class Endpoint:
    """What the endpoint says and everything it was asked."""

    words: tuple[str, ...] = ("Bezoek ", "mag ", "tot ", "20 uur [1].")
    calls: Calls = ()
    """Tool calls that follow the words."""
    cut: Callable[[Calls], Iterator[Json]] = field(default=fragments)
    """How calls are cut: the `delta` of each chunk."""
    finish_reason: str | None = None
    """Why it ends; None says `tool_calls` where there are some, else `stop`."""
    usage: Json | None = field(
        default_factory=lambda: {
            "prompt_tokens": 1200, "completion_tokens": 40, "total_tokens": 1240,
            "prompt_tokens_details": {"cached_tokens": 1024},
        }
    )  # fmt: skip
    """What it says it consumed; None where it says nothing."""
    pause: float = 0.0
    """Seconds before each word after the first."""
    faults: deque[Refusal | Break | Bytes] = field(default_factory=deque)
    requests: list[Json] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    left: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    """Released whenever a client hung up while it was kept waiting."""
    dimensions: int | None = None
    """Length of the vectors it makes; None follows the request."""
    url: str = ""
    accepted: tuple[str, ...] = ()
    """Keys that are let in, as they are now; all where there are none."""
    signers: AwsSigners | None = None
    """Who signs requests, as Bedrock takes them; None where a key is shown."""

    def refusal(self, request: BaseHTTPRequestHandler, body: bytes) -> Refusal | None:
        """Why a request is not let in."""
        if self.signers is not None:
            return self.signers.refusal(request, body)
        shown = request.headers.get("authorization", "")
        return Refusal(401) if self.accepted and shown not in {f"Bearer {key}" for key in self.accepted} else None

    def embeddings(self, asked: Json) -> Json:
        wide = self.dimensions or asked["dimensions"]
        made = enumerate(_vector(text, wide) for text in asked["input"])
        rows = [{"object": "embedding", "index": number, "embedding": vector} for number, vector in made]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return {"object": "list", "data": rows[::-1], "model": asked["model"], "usage": usage}


def _vector(text: str, dimensions: int) -> list[float]:
    digest = hashlib.sha256(text.encode()).digest() * (dimensions // 32 + 1)
    return [byte / 64 - 2 for byte in digest[:dimensions]]


def chunk(delta: Json, finish_reason: str | None = None) -> Json:
    """One chunk of a completion."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
    return {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL, "choices": [choice]}


@contextmanager
def serving() -> Iterator[Endpoint]:
    """An endpoint that listens until the block is left."""
    endpoint = Endpoint()
    handler = type("Handler", (_Handler,), {"endpoint": endpoint})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    endpoint: Endpoint
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        asked = json.loads(body)
        self.endpoint.requests.append(asked)
        self.endpoint.keys.append(self.headers.get("authorization", ""))
        refused = self.endpoint.refusal(self, body)
        fault = refused or (self.endpoint.faults.popleft() if self.endpoint.faults else None)
        if isinstance(fault, Refusal):
            said = f"Incorrect API key provided: {self.headers.get('authorization')}"
            self._json({"error": {"message": said, "type": "refused", "code": None}}, fault.status, fault.headers)
        elif self.path.endswith("/embeddings"):
            self._embeddings(asked, fault)
        elif asked.get("stream"):
            self._completion(fault)
        else:
            self._whole(fault)

    def _whole(self, fault: Break | Bytes | None) -> None:
        """A completion that is not streamed; a `stall` keeps the client waiting until it hangs up."""
        if isinstance(fault, Bytes):
            self._send(200, fault.content, {"content-type": "application/json"})
            return
        if fault is not None and fault.how == "stall":
            self._break("stall")
            return
        message = {"role": "assistant", "content": "".join(self.endpoint.words)}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        whole = {"id": "c-1", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice]}
        self._json(whole, 200, {})

    def _embeddings(self, asked: Json, fault: Break | Bytes | None) -> None:
        if isinstance(fault, Bytes):
            self._send(200, fault.content, {"content-type": "application/json"})
        elif fault is not None and fault.how == "malformed":
            self._send(200, b'{"object": "list", "data": [{"embed', {"content-type": "application/json"})
        else:
            self._json(self.endpoint.embeddings(asked), 200, {})

    def _completion(self, fault: Break | Bytes | None) -> None:
        # Said as well as done: a client that kept the connection would meet its end in a later event loop.
        self.close_connection = True
        self.send_response(200)
        self.send_header("connection", "close")
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        self._event(chunk({"role": "assistant", "content": ""}))
        pieces = [{"content": word} for word in self.endpoint.words]
        pieces += self.endpoint.cut(self.endpoint.calls)
        for number, piece in enumerate(pieces):
            if fault is not None and fault.after == number:
                if isinstance(fault, Bytes):
                    self._data(b"data: " + fault.content + b"\n\n")
                    self._data(b"")
                else:
                    self._break(fault.how)
                return
            if number and self.endpoint.pause:
                time.sleep(self.endpoint.pause)
            self._event(chunk(piece))
        self._event(chunk({}, self.endpoint.finish_reason or ("tool_calls" if self.endpoint.calls else "stop")))
        if self.endpoint.usage is not None:
            self._event({**chunk({}), "choices": [], "usage": self.endpoint.usage})
        self._data(b"data: [DONE]\n\n")
        self._data(b"")

    def _break(self, how: str) -> None:
        if how == "stall":
            # A client that hangs up makes the connection readable.
            select.select([self.connection], [], [], 30)
            self.endpoint.left.release()
        elif how == "cut":
            self.wfile.write(b'400\r\ndata: {"id": "c-1", "object": "chat.comp')
            self.wfile.flush()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif how == "malformed":
            self._data(b'data: {"id": "c-1", "choices": [{"delta": {"content": "een geheim\n\n')
            self._data(b"")
        elif how == "error":
            self._event({"error": {"message": "overloaded", "type": "server_error"}})
            self._data(b"")
        else:
            self._data(b"")

    def _event(self, body: Json) -> None:
        self._data(b"data: " + json.dumps(body).encode() + b"\n\n")

    def _data(self, data: bytes) -> None:
        try:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            self.endpoint.left.release()

    def _json(self, body: Json, status: int, headers: dict[str, str]) -> None:
        self._send(status, json.dumps(body).encode(), {"content-type": "application/json", **headers})

    def _send(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Tests are quiet."""
