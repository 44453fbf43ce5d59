"""The client of a deployed API on real bytes: logins, uploads, streams and refusals."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, PartialCredentialsError

from careline.schemas import wire
from careline_local.cloud.findings import CloudUnknown
from careline_local.cloud.http_client import Api, ApiGone, Refused, bearer, signed

META = '{"turn_id":"t","trace_id":"t","conversation_id":"c","pack":"hospital_line","channel":"chat"}'


class Heard(BaseHTTPRequestHandler):
    """Keeps what it was sent, and answers by the path."""

    requests: list[tuple[str, str, dict[str, str], bytes]]

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.requests.append((self.command, self.path, headers, body))
        if self.path.endswith("/v1/query") and b"refuse" not in body:
            self.reply(200, "text/event-stream", f"event: meta\ndata: {META}\n\nevent: new\ndata: {{}}\n\n".encode())
        elif self.path.endswith("/html"):
            self.reply(502, "text/html", b"<html>bad gateway</html>")
        else:
            self.reply(403, "application/json", b'{"message": "Forbidden"}')

    def reply(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the test looks at what was kept."""


@pytest.fixture
def server() -> Iterator[tuple[str, list[Any]]]:
    heard: list[Any] = []
    made = ThreadingHTTPServer(("127.0.0.1", 0), type("Kept", (Heard,), {"requests": heard}))
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}/prod", heard
    finally:
        made.shutdown()
        thread.join()
        made.server_close()


def test_a_token_and_the_stage_s_path_go_with_every_request(server: tuple[str, list[Any]]) -> None:
    address, heard = server
    reply = Api(address, bearer("secret")).get("/v1/jobs?limit=1")
    ((method, path, headers, _),) = heard
    assert (method, path, headers["authorization"]) == ("GET", "/prod/v1/jobs?limit=1", "Bearer secret")
    assert reply.why == "403 (Forbidden)"
    assert "secret" not in repr(Api(address, bearer("secret")))


def test_a_request_is_signed_for_the_gateway_with_its_body(
    server: tuple[str, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    address, heard = server
    Api(address, signed(boto3.Session(region_name="eu-west-1"))).request("POST", "/v1/search", b"{}")
    ((_, _, headers, body),) = heard
    assert headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=testing/")
    assert "/eu-west-1/execute-api/aws4_request" in headers["authorization"]
    assert body == b"{}"


def test_without_credentials_nothing_is_signed_and_it_is_told_what_to_do() -> None:
    class Nobody:
        region_name = "eu-west-1"

        def get_credentials(self) -> None:
            return None

    with pytest.raises(CloudUnknown, match=r"--sign.*aws sso login"):
        signed(Nobody())


@pytest.mark.parametrize(
    "error",
    [
        PartialCredentialsError(provider="env", cred_var="AWS_SECRET_ACCESS_KEY"),
        ClientError({"Error": {"Code": "AccessDenied"}}, "AssumeRole"),
    ],
)
def test_credentials_that_cannot_be_had_are_told_with_what_to_do(error: Exception) -> None:
    class Broken:
        region_name = "eu-west-1"

        def get_credentials(self) -> None:
            raise error

    with pytest.raises(CloudUnknown, match=rf"--sign.*{type(error).__name__}.*aws sso login"):
        signed(Broken())


def test_a_host_that_is_no_name_is_one_where_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_name(host: object, *rest: object, **more: object) -> None:
        raise UnicodeError("label empty or too long")

    monkeypatch.setattr(socket, "getaddrinfo", no_name)
    with pytest.raises(ApiGone):
        Api("http://a..b").get("/health")


def test_an_upload_is_a_form_with_its_file_byte_by_byte(server: tuple[str, list[Any]]) -> None:
    address, heard = server
    content = bytes(range(256)) * 3
    Api(address).upload("a.bin", content, {"doc_key": "webpage-a", "language": "nl"})
    ((_, _, headers, body),) = heard
    assert int(headers["content-length"]) == len(body)
    form = BytesParser().parsebytes(b"content-type: " + headers["content-type"].encode() + b"\r\n\r\n" + body)
    parts = {part.get_param("name", header="content-disposition"): part for part in form.get_payload()}  # type: ignore[union-attr]
    assert parts["doc_key"].get_payload().strip() == "webpage-a"
    assert parts["file"].get_filename() == "a.bin"
    assert content in body


def test_events_are_read_as_they_come_and_unknown_ones_passed_over(server: tuple[str, list[Any]]) -> None:
    (event,) = Api(server[0]).ask(wire.QueryRequest(text="hello"))
    assert isinstance(event, wire.Meta)


def test_a_question_that_is_refused_says_why(server: tuple[str, list[Any]]) -> None:
    with pytest.raises(Refused, match="403"):
        list(Api(server[0]).ask(wire.QueryRequest(text="refuse")))


def test_a_page_of_a_proxy_is_no_json(server: tuple[str, list[Any]]) -> None:
    reply = Api(server[0]).get("/html")
    assert (reply.status, reply.body, reply.why) == (502, None, "502")


def test_nobody_there_is_told_without_the_path() -> None:
    with pytest.raises(ApiGone, match=r"127\.0\.0\.1:9 does not answer"):
        Api("http://127.0.0.1:9").get("/v1/turns/secret")
