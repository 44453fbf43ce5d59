"""Starts what `install` laid out, each server on a free port of loopback; they end when their standard input does.

`python -m tests.engines.servers.run` starts both, prints their addresses as JSON, and stops them when its input ends.
A process that is killed takes its servers with it, because the pipe to them is closed then.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.engines.servers.install import INSTALLED

TIMEOUT = 90.0
"""Seconds after which a start has gone wrong; it takes one to eleven."""
JVM = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


@contextmanager
def opensearch(heap: str = "512m") -> Iterator[str]:
    """The address of a node with k-NN, empty, which takes no refresh or index that nobody asked for."""
    home = INSTALLED / "opensearch"
    with tempfile.TemporaryDirectory(prefix="opensearch-") as folder:
        memory, classes = (f"-Xms{heap}", f"-Xmx{heap}"), f"{home}/home/lib/*:{home}/classes"
        command = ["java", *memory, *JVM, "-cp", classes, "OpenSearchNode"]
        with _running([*command, f"{home}/home", f"{folder}/data"], Path(folder)) as address:
            yield address


@contextmanager
def dynamodb() -> Iterator[str]:
    """The address of a DynamoDB Local in memory."""
    home = INSTALLED / "dynamodb"
    with tempfile.TemporaryDirectory(prefix="dynamodb-") as folder:
        command = ["java", "-Xmx256m", *JVM, "-cp", f"{home}/fetched/*:{home}/classes", "DynamoDbLocal"]
        with _running(command, Path(folder)) as address:
            yield address


@contextmanager
def _running(command: Sequence[str], folder: Path) -> Iterator[str]:
    told, log = folder / "address", folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, str(told)], stdin=subprocess.PIPE, stdout=output, stderr=output, cwd=folder
        )
    try:
        until = time.monotonic() + TIMEOUT
        while not told.exists():
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{command[-1]} did not start:\n{log.read_text(errors='replace')[-3000:]}")
            time.sleep(0.05)
        yield f"http://{told.read_text()}"
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    with opensearch() as first, dynamodb() as second:
        sys.stdout.write(json.dumps({"opensearch": first, "dynamodb": second}) + "\n")
        sys.stdout.flush()
        sys.stdin.read()
