"""Fills the disk of a home under a running server, and prints what is answered: run in a mount namespace of its own.

`unshare -Urm python -m tests.cases.strangers.full_disk FOLDER` mounts a small disk at FOLDER, takes a document in,
serves, writes the disk full to its last byte, and asks. `read_only` as a second argument makes it read-only instead.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.cases.strangers.emergency_words import EMERGENCIES, OTHER
from tests.journeys.process import Careline, Served

MOUNT = ("mount", "-t", "tmpfs", "-o", "size=24m,mode=0700", "tmpfs")
PAGE = "# Visiting\n\nVisiting is from 14:00 to 20:00 every day.\n"


def fill(disk: Path) -> None:
    """Write until not one byte more fits."""
    with (disk / "ballast").open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 1):
            with suppress(OSError):
                while file.write(b"x" * size) == size:
                    pass


def answers(server: Served) -> dict[str, Any]:
    """What every channel says to an emergency in each language, and what another question comes to."""
    found: dict[str, Any] = {}
    for language, words in EMERGENCIES.items():
        asked = server.client.post("/v1/query", json={"text": words})
        told = server.stream(words)
        heard = server.stream(words, channel="voice", language=language, speculative=True, conversation_id="call")
        found[language] = {
            "json": [asked.status_code, asked.json()],
            "stream": [json.loads(told[-1].model_dump_json())["answer"], [one.name for one in told]],
            "voice": [json.loads(heard[-1].model_dump_json())["answer"], [one.name for one in heard]],
        }
    refused = server.client.post("/v1/query", json={"text": OTHER})
    return {**found, "other": [refused.status_code, refused.json()]}


def main(disk: Path, read_only: bool) -> None:
    """See the module."""
    subprocess.run([*MOUNT, str(disk)], check=True)
    careline = Careline(disk / "home")
    page = disk / "visiting.md"
    page.write_text(PAGE, "utf-8")
    done = careline.run("ingest", str(page))
    assert done.returncode == 0, done.stdout + done.stderr
    if read_only:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    with careline.served() as server:
        if not read_only:
            server.ask(OTHER)
            fill(disk)
        found = answers(server)
        called = careline.run("call", "--text", EMERGENCIES["nl"], "--json")
        written = {" ".join(line): careline.run(*line) for line in WRITING}
    found["call"] = [called.returncode, called.stdout, called.stderr]
    found["writing"] = {line: [done.returncode, done.stdout, done.stderr] for line, done in written.items()}
    sys.stdout.write(json.dumps(found))


WRITING = (
    ("tenant", "set", "default", "--helpdesk", "011 90 10 00"),
    ("token", "new", "--role", "user"),
    ("retention", "turns=10"),
    ("documents", "delete", "document-visiting"),
    ("reindex",),
    ("erase", "--subject", "user-1"),
    ("ask", "--local", OTHER),
)
"""Commands that write to a home."""

if __name__ == "__main__":
    main(Path(sys.argv[1]), "read_only" in sys.argv[2:])
