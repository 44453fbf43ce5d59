"""The engines that the audit chain is also tried on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engines.conftest import aws, clock, dynamo, dynamodb
from tests.telemetry.chains import close_all

__all__ = ["aws", "clock", "dynamo", "dynamodb"]


@pytest.fixture(autouse=True, scope="module")
def _files_are_closed() -> Iterator[None]:
    yield
    close_all()
