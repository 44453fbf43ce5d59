"""The file by which the commands of a home find the server that runs on it, and how each proves itself to the other.

The file lies in the home, which is its owner's alone, and holds a secret made for one run of the server. A command asks
the server for a proof that it has the secret before it sends anything; whoever took the port since has none.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import socket
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import reduce
from pathlib import Path

from careline.settings import Settings

FILE = "serving.json"
CHALLENGE, PROOF, TERMINAL = "x-careline-challenge", "x-careline-proof", "x-careline-terminal"
"""Headers: a command's challenge, the server's proof, and the command's own."""
MOST_BYTES = 4096
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 # what a server listens on, and where it is reached here
_LONGEST_CONNECT = 1.0
"""Seconds that a server of this machine takes to take a connection."""
LOOPBACK = ("127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that runs. `installation` stands for its home and settings: a command with other ones works alone."""

    host: str
    port: int
    pid: int
    secret: str
    installation: str

    @property
    def address(self) -> str:
        """Where it is reached."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    def proof(self, challenge: str) -> str:
        """What the server answers to a challenge."""
        return self._keyed("proof", challenge)

    def password(self) -> str:
        """What a command shows with its question."""
        return self._keyed("terminal", "")

    def _keyed(self, purpose: str, text: str) -> str:
        return hmac.new(self.secret.encode(), f"{purpose}\0{text}".encode(), hashlib.sha256).hexdigest()


def announced(settings: Settings, host: str, port: int) -> Serving | None:
    """Write the file for a server that listens here; none for an address that is not this machine's own alone.

    Raises: OSError when the home cannot be written to.
    """
    reached = ANYWHERE.get(host, host)
    if reached not in LOOPBACK:
        return None
    secret = secrets.token_hex(32)
    serving = Serving(reached, port, os.getpid(), secret, fingerprint(settings, secret))
    beside = settings.home / f"{FILE}.{serving.pid}"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        json.dump(asdict(serving), file)
    beside.replace(settings.home / FILE)
    return serving


def found(home: Path) -> Serving | None:
    """The server that the file names; None without a file, and for one that others may write or that cannot be read."""
    try:
        with (home / FILE).open("rb") as file:
            if not _is_private(os.fstat(file.fileno())):
                return None
            held = json.loads(file.read(MOST_BYTES))
        serving = Serving(**held)
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    words = (serving.secret, serving.installation)
    if serving.host not in LOOPBACK or not all(isinstance(one, str) and one.isascii() for one in words):
        return None
    numbers = (serving.port, serving.pid)
    return serving if all(type(one) is int and one > 0 for one in numbers) else None


def _is_private(file: os.stat_result) -> bool:
    return os.name != "posix" or (file.st_uid == os.geteuid() and not stat.S_IMODE(file.st_mode) & 0o077)


def forget(home: Path, serving: Serving) -> None:
    """Remove the file of a server that has stopped; that of another one which began since is left."""
    if found(home) == serving:
        with suppress(OSError):
            (home / FILE).unlink()


def runs(serving: Serving) -> bool:
    """Whether a process of its number runs."""
    try:
        os.kill(serving.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        # It runs and is somebody else's; its proof will tell.
        return True
    return True


def reached(home: Path) -> Serving | None:
    """The server of a home that takes connections; None where it has stopped without removing its file."""
    serving = found(home)
    if serving is None or not runs(serving):
        return None
    try:
        with socket.create_connection((serving.host, serving.port), timeout=_LONGEST_CONNECT):
            return serving
    except OSError:
        return None


def fingerprint(settings: Settings, secret: str) -> str:
    """Stands for the home and every setting; keyed with the server's secret, so that it tells nothing of theirs."""
    values = {name: _plain(reduce(getattr, path, settings)) for name, path in settings.variables().items()}
    values |= {"home": str(settings.home.resolve())}
    return hmac.new(secret.encode(), json.dumps(values, sort_keys=True).encode(), hashlib.sha256).hexdigest()


def _plain(value: object) -> str:
    hidden = getattr(value, "get_secret_value", None)
    return str(hidden() if hidden is not None else value)
