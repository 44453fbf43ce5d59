"""Requests made from the published description, right and wrong: never a defect of ours, always what was described."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.applications import Starlette
from starlette.testclient import TestClient

from careline.web.openapi.document import document
from careline_local import server
from tests.turn.turns import a_hospital

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
HERE = "http://127.0.0.1"
EXAMPLES = 25
"""Requests for each operation and kind."""


def operations() -> Iterator[tuple[str, str, GenerationMode]]:
    """Every operation as it should be called, and as it should not where there is a way to."""
    for path, item in document()["paths"].items():
        for method, operation in item.items():
            yield method.upper(), path, GenerationMode.POSITIVE
            if "requestBody" in operation or any(one["in"] == "query" for one in operation.get("parameters", [])):
                yield method.upper(), path, GenerationMode.NEGATIVE


@pytest.fixture(scope="module")
def app() -> Starlette:
    """The laptop's app over fakes, with two documents to ask about."""
    installation = asyncio.run(a_hospital())
    made = server.application(installation)
    made.state.installation = installation
    return made


@pytest.fixture(scope="module")
def api(app: Starlette) -> schemathesis.BaseSchema:
    """What the app says of itself."""
    loaded = schemathesis.openapi.from_asgi("/openapi.json", app, headers={"host": "127.0.0.1"})
    loaded.config.update(base_url=HERE)
    return loaded


@pytest.mark.parametrize(("method", "path", "mode"), list(operations()))
def test_whatever_is_sent_the_response_is_one_that_is_described(
    api: schemathesis.BaseSchema, method: str, path: str, mode: GenerationMode
) -> None:
    operation = api[path][method]

    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def described(case: schemathesis.Case) -> None:
        if isinstance(case.body, dict):
            # Nobody decides here, so that each speculative turn would wait for its decision in vain.
            case.body.pop("speculative", None)
        case.call_and_validate(checks=CHECKS)

    described()


FORM = "multipart/form-data; boundary=x"
SNIPPETS = (
    b"--x",
    b"--x--",
    b"\r\n",
    b"\r\n\r\n",
    b'Content-Disposition: form-data; name="file"; filename="a.md"',
    b'"',
    b"{}",
)
BODIES = st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(SNIPPETS), max_size=12).map(b"".join))
TYPES = ["application/json", FORM, "multipart/form-data; boundary=", "text/plain; charset=nonsense", ""]


@settings(max_examples=150, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(["/v1/query", "/v1/search", "/v1/documents", "/v1/jobs/x/retry"]), BODIES, st.sampled_from(TYPES)
)
def test_no_bytes_at_all_are_a_defect_of_ours(app: Starlette, path: str, body: bytes, kind: str) -> None:
    response = TestClient(app, base_url=HERE).post(path, content=body, headers={"content-type": kind})
    assert response.status_code < 500
    assert response.headers["content-type"] in {"application/json", "application/problem+json"}
