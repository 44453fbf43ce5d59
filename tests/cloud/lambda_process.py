"""A Lambda function as a process in its own tree: Lambda's runtime interface client asks an emulated runtime API.

The protocol is the one of the Lambda developer guide ("Using the Lambda runtime API"): the client asks for the next
invocation and posts its response or error.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import uuid
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

from tests.cloud import sandbox
from tests.cloud.package import Package

Json = dict[str, Any]
Kill = Literal["working", "answered"]
"""When a process is killed: 0.2 s into its work, or when its answer is there and nobody has it yet."""
WORKING_SECONDS = 0.2
ANSWER_SECONDS = 180.0
KILLED = {"errorType": "Runtime.ExitError", "errorMessage": "RequestId: r Error: Runtime exited: signal: killed"}
"""What Lambda says of a process that ended without an answer."""


@dataclass
class _Invocation:
    request_id: str
    event: Json
    answer: queue.Queue[tuple[bool, Any]]


class LambdaProcess:
    """One execution environment of a function, started when it is first invoked and again after it was killed."""

    def __init__(self, name: str, package: Package, environment: dict[str, str], log: Path) -> None:
        self.name, self._package, self._environment, self.log = name, package, environment, log
        self.kill_next: list[Kill] = []
        """What becomes of the next invocations, one each."""
        self.killed = 0
        self.waiting: queue.Queue[_Invocation] = queue.Queue()
        """What the process that runs now is to do; each has its own, so that a dead one takes nothing."""
        self.current: _Invocation | None = None
        self._one_at_a_time = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._api = _serve(self)

    def invoke(self, event: Json) -> tuple[bool, Any]:
        """Whether it went well, and the answer or the error as Lambda tells it. One at a time, as an environment does.

        Raises: TimeoutError when there is no answer.
        """
        with self._one_at_a_time:
            self._start()
            kill = self.kill_next.pop(0) if self.kill_next else None
            call = _Invocation(str(uuid.uuid4()), event, queue.Queue())
            self.waiting.put(call)
            if kill == "working":
                self._when_taken(call)
            answer = self._answered(call)
            if kill is not None:
                self.stop()
                self.killed += 1
                return False, KILLED
            return answer

    def _when_taken(self, call: _Invocation) -> None:
        while self.current is not call:
            if self._process is None or self._process.poll() is not None:
                return
            threading.Event().wait(0.02)
        threading.Event().wait(WORKING_SECONDS)
        self.stop()
        call.answer.put((False, KILLED))

    def _answered(self, call: _Invocation) -> tuple[bool, Any]:
        for _ in range(int(ANSWER_SECONDS * 4)):
            try:
                return call.answer.get(timeout=0.25)
            except queue.Empty:
                if self._process is None or self._process.poll() is not None:
                    raise RuntimeError(f"{self.name} ended: {self.log.read_text(errors='replace')[-2000:]}") from None
        raise TimeoutError(f"{self.name} does not answer; its log is {self.log}")

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        api = f"127.0.0.1:{self._api.server_address[1]}"
        environment = {**self._environment, "AWS_LAMBDA_RUNTIME_API": api}
        self.waiting = queue.Queue()
        with self.log.open("ab") as log:
            self._process = sandbox.started(
                self._package.root, self._package.workdir, self._package.command, environment, output=log
            )

    def stop(self) -> None:
        """End the process at once, as a machine that fails does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
        self._process, self.current = None, None

    def close(self) -> None:
        """End the process and the API it asks."""
        self.stop()
        self.waiting = queue.Queue()
        self._api.shutdown()
        self._api.server_close()


def _serve(function: LambdaProcess) -> ThreadingHTTPServer:
    handler = type("Handler", (_RuntimeApi,), {"function": function})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server


class _RuntimeApi(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    function: LambdaProcess

    def log_message(self, *_: Any) -> None:
        """The function's own log is enough."""

    def do_GET(self) -> None:
        """`/2018-06-01/runtime/invocation/next`."""
        waiting = self.function.waiting
        while True:
            try:
                call = waiting.get(timeout=0.5)
                break
            except queue.Empty:
                if waiting is not self.function.waiting:
                    self.close_connection = True
                    return
        self.function.current = call
        body = json.dumps(call.event).encode()
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", call.request_id)
        self.send_header("Lambda-Runtime-Deadline-Ms", "9999999999999")
        arn = f"arn:aws:lambda:eu-west-1:123456789012:function:{self.function.name}"
        self.send_header("Lambda-Runtime-Invoked-Function-Arn", arn)
        self.send_header("Lambda-Runtime-Trace-Id", "Root=1-67c42a37-3f1b2c4d5e6f708192a3b4c6;Sampled=0")
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        """`…/invocation/{id}/response`, `…/invocation/{id}/error` or `/init/error`."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"null")
        call, kind = self.function.current, self.path.rpartition("/")[2]
        if call is not None:
            self.function.current = None
            call.answer.put((kind == "response", body))
        self.send_response(202)
        self.send_header("content-length", "0")
        self.end_headers()
