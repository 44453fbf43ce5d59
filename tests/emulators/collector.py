"""A collector of spans on loopback: OTLP over HTTP, as protobuf."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.emulators.aws_signature import AwsSigners


@dataclass
class Collector:
    """What was sent."""

    url: str = ""
    bodies: list[bytes] = field(default_factory=list)
    signers: AwsSigners | None = None
    """Who signs requests, where it is X-Ray's endpoint."""
    refused: int = 0

    def spans(self) -> list[dict[str, Any]]:
        """Name, ids, attributes and number of events of each span, in the order in which they came."""
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        sent = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            {
                "name": one.name,
                "trace": one.trace_id.hex(),
                "parent": one.parent_span_id.hex(),
                "attributes": {each.key: _value(each.value) for each in one.attributes},
                "events": len(one.events),
            }
            for request in sent
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for one in scope.spans
        ]


def _value(value: Any) -> Any:
    return getattr(value, value.WhichOneof("value"))


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that listens until the block is left."""
    collector = Collector()
    handler = type("Handler", (_Handler,), {"collector": collector})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    collector.url = f"http://127.0.0.1:{server.server_port}/v1/traces"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    collector: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        refusal = self.collector.signers.refusal(self, body) if self.collector.signers else None
        if refusal is not None:
            self.collector.refused += 1
        else:
            plain = gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body
            self.collector.bodies.append(plain)
        self.send_response(refusal.status if refusal else 200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Tests are quiet."""
