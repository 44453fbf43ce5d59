"""Installs the pinned packages of a file and tells how far it is: pip is silent for minutes, or prints pages.

Run as `python requirements/install.py FILE` by the Python of the environment. What pip says is shown where it fails.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

OPTIONS = ("--disable-pip-version-check", "install", "--progress-bar", "off", "--require-hashes")
PIP = (sys.executable, "-m", "pip", *OPTIONS)
EVERY = 10.0
"""Seconds between lines where nobody watches a terminal."""
_PINNED = re.compile(r"^[A-Za-z0-9][^\s=]*==[^;\n]*$", re.MULTILINE)
"""Those of every platform; a few more may be of this one alone."""
_FOUND = re.compile(r"\s*(?:Collecting|Requirement already satisfied:) ")


class Progress:
    """How many of the packages pip has come to, told every second on one line, or now and then on lines of its own."""

    def __init__(self, packages: int) -> None:
        self._packages, self._began = packages, time.monotonic()
        self._seen, self._installs = 0, False
        self._over = threading.Event()
        self._telling = threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> Progress:
        self._telling.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._telling.join()
        self._write("\n" if sys.stderr.isatty() else "")

    def note(self, line: str) -> None:
        """Take in one line that pip wrote."""
        self._seen += bool(_FOUND.match(line))
        self._installs = self._installs or line.startswith("Installing collected packages")

    def line(self) -> str:
        """Where it is now."""
        step = "installing" if self._installs else "downloading"
        done = min(self._seen, self._packages)
        return f"  {step}: {done} of {self._packages} packages, {time.monotonic() - self._began:.0f} s"

    def _tell(self) -> None:
        is_watched = sys.stderr.isatty()
        while not self._over.wait(1.0 if is_watched else EVERY):
            self._write(f"\r{self.line()} " if is_watched else f"{self.line()}\n")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def install(file: Path, pip: Sequence[str] = PIP) -> int:
    """Install what a file pins, and give pip's exit status; where that is not 0, all that pip said is shown."""
    said: list[str] = []
    with (
        Progress(len(_PINNED.findall(file.read_text("utf-8")))) as progress,
        subprocess.Popen(  # noqa: S603
            [*pip, "--requirement", str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as running,
    ):
        assert running.stdout is not None
        for line in running.stdout:
            said.append(line)
            progress.note(line)
    if running.returncode:
        sys.stderr.write("".join(said))
    return running.returncode


if __name__ == "__main__":
    sys.exit(install(Path(sys.argv[1])))
