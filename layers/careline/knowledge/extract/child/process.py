"""One child process that reads documents, as its parent sees it: started, asked, watched, and ended."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

from careline.errors import DocumentRejected, ExtractionUnavailable
from careline.knowledge.extract.child import frames
from careline.knowledge.extract.child.watch import TICK, Watch
from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits
from careline.log.event_log import EventLog
from careline.tables.extracted import Extracted

PROGRAM = "careline.knowledge.extract.child.reader"
"""Module that the child runs."""
_START_SECONDS = 60.0
_END_SECONDS = 5.0
_READ_BLOCK = 1 << 18
_PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "TESSDATA_PREFIX")
"""What of the environment the child is given: no key and no password, which a document might be after."""

log = EventLog(__name__)


class Gone(Exception):
    """The child ended before it had read the request, so the document is not the cause."""


class _Ended(Exception):
    """The child's output ended."""


class ReaderProcess:
    """A child that reads one document after the other until one of them breaks it. Used by one thread at a time."""

    def __init__(self, program: str = PROGRAM) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own program; the argument is a number
            [sys.executable, "-m", program, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment_of_child(os.environ),
            start_new_session=True,
            bufsize=0,
        )
        for pipe in (self._stdin, self._stdout):
            os.set_blocking(pipe.fileno(), False)
        self._buffer = bytearray()
        self.documents = 0

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether it was ended; one that ended by itself is found out when it is asked."""
        return self._stdin.closed

    def read(self, file_name: str, content: bytes, limits: Limits, cancelled: threading.Event) -> Extracted:
        """What the file says. After any error but a rejection that the child itself gave, the child is ended.

        Raises: DocumentRejected, Gone, ExtractionUnavailable, watch.Cancelled.
        """
        watch = Watch(self.pid, limits, cancelled)
        try:
            if self.documents == 0:
                self._wait_until_ready(limits, cancelled)
            self.documents += 1
            watch.begin()
            kind, body = self._ask(frames.request(file_name, content, limits), content, watch)
        except BaseException:
            self.end()
            raise
        try:
            return frames.read_answer(kind, body, limits)
        except MemoryError:
            self.end()
            raise watch.too_much_memory() from None
        except frames.Broken as broken:
            self.end()
            log.write("extraction_broke", kind=broken.kind)
            raise rejected("crashed", detail=broken.kind) from None

    def end(self) -> None:
        """Stop it, and whatever it started, at once; nothing is left of it. May be repeated."""
        if not self._stdin.closed:
            with suppress(ProcessLookupError, PermissionError):  # macOS answers so for a group that has ended
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._stdin.close()
        self._stdout.close()

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _stdout(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _wait_until_ready(self, limits: Limits, cancelled: threading.Event) -> None:
        watch = Watch(self.pid, limits, cancelled)
        watch.begin(_START_SECONDS)
        try:
            kind, _ = self._next_frame(watch)
        except (DocumentRejected, _Ended):
            kind = None
        if kind != frames.READY:
            raise ExtractionUnavailable("the program that reads documents does not start; install Careline again")

    def _ask(self, head: bytes, content: bytes, watch: Watch) -> tuple[int, bytes]:
        taken = False
        try:
            self._write(head, watch)
            self._write(content, watch)
            while True:
                kind, body = self._next_frame(watch)
                if kind in frames.ANSWERS:
                    return kind, body
                taken = taken or kind == frames.TAKEN
                watch.note(kind)
        except (_Ended, BrokenPipeError):
            with suppress(subprocess.TimeoutExpired):  # Its output ends a moment before it does.
                self._process.wait(_END_SECONDS)
            self.end()
            if not taken:
                raise Gone from None
        raise self._why(watch)

    def _why(self, watch: Watch) -> DocumentRejected:
        """What the way in which the child ended says of the document."""
        code = self._process.returncode
        log.write("extraction_ended", exit_code=code, peak_bytes=watch.peak)
        if code == -signal.SIGXCPU:
            return watch.too_slow()
        if code == -signal.SIGKILL:  # Not by us: the system had no memory left.
            return watch.too_much_memory()
        return rejected("crashed", detail=f"signal {-code}" if code < 0 else f"code {code}")

    def _write(self, said: bytes, watch: Watch) -> None:
        left = memoryview(said)
        with selectors.DefaultSelector() as ready:
            ready.register(self._stdin, selectors.EVENT_WRITE)
            while left:
                if ready.select(TICK):
                    left = left[self._stdin.write(left) or 0 :]
                watch.check()

    def _next_frame(self, watch: Watch) -> tuple[int, bytes]:
        head = frames.HEAD.unpack(self._take(frames.HEAD.size, watch))
        kind, size = int(head[0]), int(head[1])
        if size > frames.longest(watch.limits):
            self.end()
            raise rejected("crashed", detail="its answer has no end")
        return kind, self._take(size, watch)

    def _take(self, size: int, watch: Watch) -> bytes:
        """So many bytes of what the child says. Raises: _Ended."""
        with selectors.DefaultSelector() as ready:
            ready.register(self._stdout, selectors.EVENT_READ)
            while len(self._buffer) < size:
                if ready.select(TICK):
                    found = self._stdout.read(_READ_BLOCK)
                    if found == b"":
                        raise _Ended
                    self._buffer += found or b""
                watch.check()
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken


def environment_of_child(ours: Mapping[str, str]) -> dict[str, str]:
    """Where Python finds the same modules as here, and what programs need to run at all."""
    passed = {name: ours[name] for name in _PASSED_ON if name in ours}
    places = os.pathsep.join(os.path.abspath(place) for place in sys.path)
    return {**passed, "PYTHONPATH": places, "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}
