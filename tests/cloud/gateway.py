"""Stands in for API Gateway and the function URL with Lambda Web Adapter behind them, as far as the templates say.

What is held: which routes there are, who signed a request, bodies that are no text where the API declares no binary
type, the limits of a request's size, answers that stream or are buffered, and that nobody outside can forge the
context that the adapter hands on.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.cloud import sandbox
from tests.cloud.package import Package

Json = dict[str, Any]
CONTEXT = "x-amzn-request-context"
MOST_OF_API = 10 * 2**20
"""Bytes of a request that API Gateway takes (quotas of API Gateway)."""
MOST_OF_LAMBDA = 6 * 2**20
"""Bytes of an event that a function takes, a binary body as base64 (Lambda quotas)."""
START_SECONDS = 120.0
BROKEN = 500
"""From this status on the adapter takes a server for not ready."""
SIGNED = re.compile(r"Credential=([^/]+)/")
HOP = {"connection", "transfer-encoding", "content-length", "host", CONTEXT}


class WebFunction:
    """A function that is a web server in its own tree, started when it is first asked."""

    def __init__(self, name: str, package: Package, environment: dict[str, str], log: Path) -> None:
        self.name, self._package, self._environment, self.log = name, package, environment, log
        self._starting = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def ready(self) -> int:
        """The port it serves on. Raises: RuntimeError when it does not start."""
        with self._starting:
            if self._process is None or self._process.poll() is not None:
                self._start()
            return self.port

    def _start(self) -> None:
        self.port = free_port()
        environment = {**self._environment, "AWS_LWA_PORT": str(self.port)}
        with self.log.open("ab") as log:
            self._process = sandbox.started(
                self._package.root, self._package.workdir, self._package.command, environment, output=log
            )
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1):
                    pass
                if self.asked("/health")[0] < BROKEN:
                    return
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"{self.name} does not start: {self.log.read_text(errors='replace')[-2000:]}")

    def asked(self, path: str) -> tuple[int, bytes]:
        """What the server itself answers to a GET, as the adapter asks whether it is ready."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    @property
    def pid(self) -> int:
        """Of the process that serves."""
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
        self._process = None


class Gateway:
    """The REST API and the function URL of a stage on two ports of loopback. `signers` are the ARNs of who signs, by
    access key; `users` are the claims of who shows a token, by the token."""

    def __init__(self, template: Json, functions: Mapping[str, WebFunction]) -> None:
        self.functions = functions
        self.signers, self.users = dict[str, str](), dict[str, Json]()
        resources = template["Resources"]
        self.routes = list(_routes(resources))
        apis = [one for one in resources.values() if one["Type"] == "AWS::ApiGateway::RestApi"]
        self.binary: list[str] = apis[0]["Properties"].get("BinaryMediaTypes", [])

    def route(self, method: str, path: str) -> tuple[str, str, bool] | None:
        """The function, its authorisation, and whether its answer streams; None where the API has no such route."""
        for found, pattern, function, authorisation, streams in self.routes:
            if found == method and pattern.fullmatch(path):
                return function, authorisation, streams
        return None

    def is_binary(self, kind: str) -> bool:
        """Whether a body of this media type reaches the function byte for byte."""
        return any(kind.startswith(each.rstrip("*")) for each in self.binary)

    @contextmanager
    def serving(self, url_function: str) -> Iterator[tuple[str, str]]:
        """The addresses of the API and of the function URL."""
        with _server(_ApiHandler, self) as api, _server(_UrlHandler, self, url_function) as url:
            yield api, url


def _routes(resources: Json) -> Iterator[tuple[str, re.Pattern[str], str, str, bool]]:
    for method in (one["Properties"] for one in resources.values() if one["Type"] == "AWS::ApiGateway::Method"):
        uri = json.dumps(method["Integration"].get("Uri", ""))
        if named := re.search(r'"Ref": "(Orchestrator|Admin)Function', uri):
            path, here = "", method["ResourceId"]
            while "Ref" in here:
                resource = resources[here["Ref"]]["Properties"]
                path, here = f"/{resource['PathPart']}{path}", resource["ParentId"]
            pattern = re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)))
            streams = method["Integration"].get("ResponseTransferMode") == "STREAM"
            yield method["HttpMethod"], pattern, named[1].lower(), method["AuthorizationType"], streams


@contextmanager
def _server(kind: type[_Handler], gateway: Gateway, function: str = "") -> Iterator[str]:
    handler = type("Handler", (kind,), {"gateway": gateway, "function": function})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    gateway: Gateway
    function: str

    def log_message(self, *_: Any) -> None:
        """The functions' own logs are enough."""

    def signer(self) -> str | None:
        """The ARN of who signed. The signature itself is not checked: that is AWS's part."""
        found = SIGNED.search(self.headers.get("authorization", ""))
        return self.gateway.signers.get(found[1]) if found else None

    def answer(self, status: int, body: Json) -> None:
        """An answer of the gateway's own."""
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def pass_on(self, function: WebFunction, context: Json, body: bytes, streams: bool) -> None:
        """Hand a request to a function as the adapter does, and its answer back in pieces or whole."""
        connection = http.client.HTTPConnection("127.0.0.1", function.ready(), timeout=120)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
        headers[CONTEXT] = json.dumps(context)
        headers["content-length"] = str(len(body))
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP:
                self.send_header(name, value)
        if streams:
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            while piece := answer.read1(65536):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        else:
            whole = answer.read()
            self.send_header("content-length", str(len(whole)))
            self.end_headers()
            self.wfile.write(whole)
        connection.close()


class _ApiHandler(_Handler):
    def handle_request(self) -> None:
        """A request to the REST API."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        route = self.gateway.route(self.command, self.path.partition("?")[0])
        if route is None:
            self.answer(403, {"message": "Missing Authentication Token"})
            return
        function, authorisation, streams = route
        who = self._context(authorisation)
        if who is None:
            self.answer(401 if authorisation != "AWS_IAM" else 403, {"message": "Unauthorized"})
        elif len(body) > MOST_OF_API:
            self.answer(413, {"message": "Request Too Long"})
        elif len(self._as_event(body)) > MOST_OF_LAMBDA:
            self.answer(413, {"message": "Request Too Long"})
        else:
            kind = self.headers.get("content-type", "")
            # Without a binary type the gateway reads a body as UTF-8 and puts a mark where it is none.
            sent = body if self.gateway.is_binary(kind) else body.decode("utf-8", "replace").encode()
            self.pass_on(self.gateway.functions[function], who, sent, streams)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

    def _as_event(self, body: bytes) -> bytes:
        is_binary = self.gateway.is_binary(self.headers.get("content-type", ""))
        return body if not is_binary else bytes(4 * ((len(body) + 2) // 3))

    def _context(self, authorisation: str) -> Json | None:
        if authorisation == "AWS_IAM":
            arn = self.signer()
            return {"identity": {"userArn": arn, "sourceIp": "127.0.0.1"}} if arn else None
        if authorisation == "NONE":
            return {"identity": {"sourceIp": "127.0.0.1"}}
        claims = self.gateway.users.get(self.headers.get("authorization", "").removeprefix("Bearer "))
        return {"authorizer": {"claims": claims}, "identity": {"sourceIp": "127.0.0.1"}} if claims else None


class _UrlHandler(_Handler):
    def handle_request(self) -> None:
        """A request to the function URL, which wants a signature and answers in a stream."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        arn = self.signer()
        if arn is None:
            self.answer(403, {"Message": "Forbidden"})
            return
        context = {"authorizer": {"iam": {"userArn": arn}}, "http": {"sourceIp": "127.0.0.1"}}
        self.pass_on(self.gateway.functions[self.function], context, body, streams=True)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request


def free_port() -> int:
    """A port of loopback that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
