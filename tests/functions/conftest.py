"""The services of AWS that functions are called by and write to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from careline_functions.notary import app as notary
from careline_functions.telemetry import app as telemetry
from tests.engines.conftest import aws, clock, dynamo, dynamodb

__all__ = ["aws", "clock", "dynamo", "dynamodb"]


@pytest.fixture(autouse=True, scope="module")
def _loop_is_closed() -> Iterator[None]:
    yield
    for app in (telemetry, notary):
        app.runner().close()
        app.runner.cache_clear()
