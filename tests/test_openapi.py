"""The published description fits the routes, and the documentation names everything that can be set or run."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner
from openapi_spec_validator import OpenAPIV31SpecValidator

from careline.schemas import wire
from careline.web.openapi.document import document
from careline.web.routes import OPERATIONS
from careline_local.cli.main import COMMANDS, main

METHODS = {"get", "post", "put", "patch", "delete"}


def operations() -> list[dict[str, Any]]:
    return [item[method] for item in document()["paths"].values() for method in item if method in METHODS]


def test_the_document_is_valid_openapi_3_1() -> None:
    assert document()["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(document()).validate()


def test_every_operation_has_a_name_of_its_own_and_says_what_it_does() -> None:
    names = [operation["operationId"] for operation in operations()]
    assert len(set(names)) == len(names)
    assert all(operation["summary"].endswith(".") for operation in operations())


def test_every_parameter_of_a_path_is_described() -> None:
    for path, item in document()["paths"].items():
        for operation in (item[method] for method in item if method in METHODS):
            named = {one["name"] for one in operation.get("parameters", []) if one["in"] == "path"}
            assert named == {part[1:-1] for part in path.split("/") if part.startswith("{")}, path


def test_every_number_that_is_asked_for_has_a_least_and_a_most() -> None:
    given = [(one.name, each) for one in OPERATIONS for each in one.query if each.schema.get("type") == "integer"]
    assert [(name, each.name) for name, each in given if not {"minimum", "maximum"} <= each.schema.keys()] == []


def test_every_refusal_is_a_problem_document() -> None:
    for operation in operations():
        for status, response in operation["responses"].items():
            if status >= "400":
                assert set(response["content"]) == {"application/problem+json"}


@pytest.mark.parametrize(
    "kind", [wire.QueryRequest, wire.SearchRequest, wire.Answer, wire.Problem, *wire.EVENTS.values()]
)
def test_every_body_that_travels_is_a_schema(kind: type[wire.Strict]) -> None:
    schema = document()["components"]["schemas"][kind.__name__]
    assert set(schema["properties"]) == set(kind.model_fields)
    assert schema["additionalProperties"] is False


def test_the_stream_names_every_event() -> None:
    stream = document()["paths"]["/v1/query"]["post"]["responses"]["200"]["content"]["text/event-stream"]
    assert [name for name in wire.EVENTS if name not in stream["schema"]["description"]] == []


def test_every_command_is_named_in_the_help() -> None:
    shown = CliRunner().invoke(main, ["--help"]).output
    assert [name for name in COMMANDS if f"\n  {name} " not in shown] == []
