"""The services of AWS that functions are called by and write to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from careline_functions.telemetry import app
from tests.engines.conftest import aws, clock, dynamo

__all__ = ["aws", "clock", "dynamo"]


@pytest.fixture(autouse=True, scope="module")
def _loop_is_closed() -> Iterator[None]:
    yield
    app._runner().close()
    app._runner.cache_clear()
