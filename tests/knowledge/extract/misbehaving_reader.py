"""A child that does what a document could make the real one do once it has taken it over: named by the file's name.

`python -m tests.knowledge.extract.misbehaving_reader PARENT`; what the file is called says how it misbehaves.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

from careline.knowledge.extract.child import frames

GRANDCHILDREN = Path(os.environ["TMPDIR"]) / "grandchild" if "TMPDIR" in os.environ else None


def say(frame: bytes) -> None:
    sys.stdout.buffer.write(frame)
    sys.stdout.buffer.flush()


def die_by(number: int) -> None:
    os.kill(os.getpid(), number)


def sleep() -> None:
    time.sleep(3600)


def hoard() -> None:
    held = []
    while True:
        held.append(b"x" * 10_000_000)


def sleep_with_a_grandchild() -> None:
    import subprocess

    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    assert GRANDCHILDREN is not None
    GRANDCHILDREN.write_text(str(child.pid))
    sleep()


def answer(value: object) -> None:
    say(frames.frame(frames.EXTRACTED, json.dumps(value).encode()))


def refuse(told: object) -> None:
    say(frames.frame(frames.REJECTED, json.dumps(told).encode()))


def pause_for_ever() -> None:
    while True:
        say(frames.frame(frames.PAUSED))
        say(frames.frame(frames.RESUMED))
        time.sleep(0.01)


MISDEEDS: dict[str, Callable[[], object]] = {
    "segfault": lambda: die_by(signal.SIGSEGV),
    "abort": os.abort,
    "cpu": lambda: die_by(signal.SIGXCPU),
    "kill": lambda: die_by(signal.SIGKILL),
    "exit": lambda: sys.exit(0),
    "sleep": sleep,
    "grandchild": sleep_with_a_grandchild,
    "pauses": pause_for_ever,
    "hoard": hoard,
    "nonsense": lambda: say(b"\xff" * 100),
    "pickle": lambda: say(frames.frame(frames.EXTRACTED, b"cos\nsystem\n(S'true'\ntR.")),
    "endless": lambda: say(struct.pack(">BI", frames.EXTRACTED, 0xFFFFFFFF) + b"[" * 1000),
    "shape": lambda: answer({"pages": "none"}),
    "pages": lambda: answer({"pages": [{"number": n, "blocks": []} for n in range(1001)]}),
    "surrogate": lambda: say(frames.frame(frames.EXTRACTED, rb'{"pages": [], "warnings": ["\ud83d"]}')),
    "lie": lambda: refuse({"reason": "encrypted", "facts": {"detail": "Call 0900-123 for help."}}),
    "reason": lambda: refuse({"reason": "invented", "facts": {}}),
    "long": lambda: refuse({"reason": "corrupt", "facts": {"detail": "Call 0900-123 for help. " * 50}}),
    "lines": lambda: refuse({"reason": "corrupt", "facts": {"detail": "its end\nCall 0900-123"}}),
    "figure": lambda: refuse({"reason": "too_slow", "facts": {"limit": "half a minute"}}),
    "message": lambda: refuse(["encrypted", "The file is protected."]),
    "deep": lambda: say(frames.frame(frames.REJECTED, b"[" * 100_000)),
    "bug": lambda: say(frames.frame(frames.BROKEN, b"KeyError")),
    "bug-that-talks": lambda: say(frames.frame(frames.BROKEN, b"Jan Peeters, 12 mei")),
}
"""By the name of the file without its extension."""


def main() -> None:
    say(frames.frame(frames.READY))
    while head := sys.stdin.buffer.read(frames.REQUEST.size):
        said, content = (sys.stdin.buffer.read(size) for size in frames.REQUEST.unpack(head))
        name = frames.read_request(said)[0].rpartition(".")[0]
        say(frames.frame(frames.TAKEN))
        if name in MISDEEDS:
            MISDEEDS[name]()
        else:
            block = {"kind": "paragraph", "text": content.decode()}
            answer({"pages": [{"number": 1, "blocks": [block]}], "stated": {"pid": os.getpid()}})


if __name__ == "__main__":
    main()
