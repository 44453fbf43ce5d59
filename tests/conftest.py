"""What every test is under: no connection leaves this machine. And which tests stay together in one worker."""

from __future__ import annotations

import gc
import ipaddress
import os
import socket
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

LONG = (
    "cases/test_cases.py",
    "engines/index/test_passage_index.py", "journeys/test_demo.py", "journeys/test_console.py",
    "infra/test_cfn_lint.py", "test_patterns.py", "knowledge/extract/test_extract_growth.py",
    "journeys/test_model_fails.py", "journeys/test_cli.py",
    "infra/test_ingestion_state_machine.py", "safety/test_rule_sets.py", "privacy/test_detect.py",
    "functions/test_telemetry.py", "training/test_train_screens.py", "test_warm_up.py", "training/test_manifest.py",
    "local/test_wheel.py", "journeys", "engines", "knowledge", "safety",
)  # fmt: skip
"""The files that take longest, then the folders: they begin, so that no worker is left alone with one at the end."""
TOGETHER = {
    "tests/engines/index/test_passage_index.py": "real servers",
    "tests/engines/test_real_servers.py": "real servers",
    "tests/engines/index/test_relevance.py": "real servers",
    "tests/engines/storage/test_table.py": "real servers",
    "tests/infra/test_cfn_lint.py": "templates",
    "tests/infra/test_packages.py": "templates",
    "tests/infra/test_queues.py": "templates",
    "tests/infra/test_template.py": "templates",
    "tests/infra/test_livekit.py": "templates",
    "tests/infra/test_voice.py": "templates",
    "tests/journeys/test_demo.py": "demo hospital",
    "tests/journeys/test_tour.py": "demo hospital",
    "tests/safety/test_prefilter.py": "rule sets",
    "tests/safety/test_review.py": "rule sets",
    "tests/safety/test_rule_sets.py": "rule sets",
}
"""Files that share what is made once for a worker, and the name of what they share."""
CALLS = "tests/voice/"
GARBAGE = 20_000
"""Objects after which garbage is looked for; at Python's own 700 a tenth of the time goes into it."""

_connect, _connect_ex, _getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo


class OutsideWorld(RuntimeError):
    """A test tried to reach something that is not on this machine."""

    def __init__(self, where: object) -> None:
        super().__init__(f"tests reach nothing outside of loopback, and one tried {where!r}: use a fake or an emulator")


def is_loopback(host: object) -> bool:
    """Whether a host is this machine; a name other than `localhost` is not."""
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False


def _refuse(family: int, address: Any) -> None:
    if family in (socket.AF_INET, socket.AF_INET6) and not is_loopback(address[0]):
        raise OutsideWorld(address)


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: socket.socket, address: Any) -> None:
        _refuse(self.family, address)
        _connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        _refuse(self.family, address)
        return _connect_ex(self, address)

    def getaddrinfo(host: Any, *rest: Any, **more: Any) -> Any:
        if not is_loopback(host):
            raise OutsideWorld(host)
        return _getaddrinfo(host, *rest, **more)

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


class FileScheduling(LoadScopeScheduling):
    """A file stays in one worker, whose servers and homes its tests share, and files that share more stay together.

    Calls share nothing and wait most of the time, so that each may be in another worker.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return nodeid if file.startswith(CALLS) else TOGETHER.get(file, file)


def pytest_configure() -> None:
    """Look for garbage less often, and let no client read the certificates of those whom tests do not reach: each new
    one, and each new process with one, would take 30 ms for them."""
    gc.set_threshold(GARBAGE)
    os.environ.pop("SSL_CERT_FILE", None)
    os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Which tests go to one worker. Groups by mark do not reach the scheduler of pytest-xdist 3.8 under pytest 9.2."""
    return FileScheduling(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first."""
    tests = Path(__file__).parent

    @cache
    def place(path: Path) -> int:
        file = path.relative_to(tests)
        within = {one.as_posix() for one in (file, *file.parents)}
        return next((n for n, name in enumerate(LONG) if name in within), len(LONG))

    items.sort(key=lambda item: place(item.path))
