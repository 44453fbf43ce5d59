"""A handler as Lambda runs it: JSON lines with the ids of the invocation, a span of its trace, nobody's words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from careline.errors import NotFound
from careline.runtime.lambda_handler import HIDDEN, IN_LAMBDA, TRACE, observed
from tests.emulators.collector import collecting
from tests.source_roots import PYTHONPATH

ROOT = Path(__file__).resolve().parents[2]
XRAY = "1-67c42a37-3f1b2c4d5e6f708192a3b4c5"
SECRET = "mevrouw Peeters"
PROGRAM = """
import json, sys
from careline_functions.ingestion import stage
from careline_functions.ingestion.fail import handler

class Invocation:
    function_name, memory_limit_in_mb, invoked_function_arn = "careline-dev-ingestion-fail", 512, "arn:aws:lambda"
    aws_request_id = "c1f0b6cf"

def engines():
    raise ValueError("mevrouw Peeters")

stage.engines = engines
print(handler({"error": {"Error": "TooLarge", "Cause": "{}"}}, Invocation()))
try:
    handler(json.load(open(sys.argv[1])), Invocation())
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def in_lambda() -> tuple[list[str], list[dict[str, Any]]]:
    """What a handler writes that answers once and breaks once, and the spans that a collector is sent."""
    with collecting() as collector:
        environment = {
            **os.environ, "PYTHONPATH": PYTHONPATH, IN_LAMBDA: "127.0.0.1:9001", "LAMBDA_TASK_ROOT": str(ROOT),
            TRACE: f"Root={XRAY};Parent=53995c3f42cd8ad8;Sampled=1",
            "AWS_LAMBDA_FUNCTION_NAME": "careline-dev-ingestion-fail",
            "CARELINE_TRACES_EXPORTER": "otlp", "CARELINE_TRACES_ENDPOINT": collector.url,
        }  # fmt: skip
        command = [sys.executable, "-c", PROGRAM, str(ROOT / "events" / "ingestion_fail.json")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert SECRET.encode() not in (done.stdout + done.stderr).encode() + b"".join(collector.bodies)
    return done.stdout.splitlines(), collector.spans()


def test_lines_and_spans_of_an_invocation_are_found_by_its_ids(
    in_lambda: tuple[list[str], list[dict[str, Any]]],
) -> None:
    (answered, answer, failing, broke, raised), spans = in_lambda
    first, second, third = (json.loads(line) for line in (answered, failing, broke))
    told = {"error": "TooLarge", "cause": "the ingestion failed", "rejected": True, "reason": "too_large"}
    assert (answer, raised) == (str(told), f"ValueError {HIDDEN}")
    assert (first["fault"], second["fault"]) == ("system", "system"), "no file is named whose sender could be told"
    assert [line["code"] for line in (first, second, third)] == [
        "upload_not_registered", "ingestion_failed", "handler_broke",
    ]  # fmt: skip
    assert {line["function"] for line in (first, second, third)} == {"ingestion-fail"}
    assert {(line["xray"], line["function_request_id"]) for line in (first, second, third)} == {(XRAY, "c1f0b6cf")}
    assert [line["cold_start"] for line in (first, second)] == [True, False]
    assert (second["job"], second["tenant"]) == ("019599c3a1b0000a1b2c3d4e5", "sint-anna")
    assert (third["kind"], third["raised"]["at"][-1].split()[0]) == ("ValueError", "engines")
    # The trace is the one that X-Ray knows, and the log names.
    assert {one["trace"] for one in spans} == {XRAY.removeprefix("1-").replace("-", "")}
    assert {one["parent"] for one in spans} == {"53995c3f42cd8ad8"}
    assert [(one["name"], one["attributes"]["faas.coldstart"]) for one in spans] == [
        ("ingestion-fail", True), ("ingestion-fail", False),
    ]  # fmt: skip
    assert [one["attributes"].get("error.type") for one in spans] == [None, "ValueError"]
    assert [one["events"] for one in spans] == [0, 0]


def test_a_defect_leaves_under_its_class_and_an_error_of_ours_as_it_is() -> None:
    @observed("ingestion-extract")
    def handler(event: dict[str, Any], invocation: object) -> None:
        raise event["raises"]

    with pytest.raises(NotFound, match="no such document"):
        handler({"raises": NotFound("there is no such document")}, None)
    with pytest.raises(Exception, match=HIDDEN) as told:
        handler({"raises": UnicodeError(SECRET)}, None)
    assert type(told.value).__name__ == "UnicodeError"
    assert told.value.__cause__ is None


TELEMETRY = """
from careline_functions.telemetry.app import handler

class Invocation:
    function_name, memory_limit_in_mb, invoked_function_arn = "careline-dev-telemetry", 512, "arn:aws:lambda"
    aws_request_id = "c1f0b6cf"

attributes = {"MessageGroupId": "sint-anna", "ApproximateReceiveCount": "1"}
handler({"Records": [{"messageId": "one", "body": "", "attributes": attributes}]}, Invocation())
"""


def test_a_function_whose_name_is_part_of_a_modules_name_loses_no_line() -> None:
    environment = {
        **os.environ, "PYTHONPATH": PYTHONPATH, IN_LAMBDA: "127.0.0.1:9001", TRACE: f"Root={XRAY};Sampled=0",
    }  # fmt: skip
    command = [sys.executable, "-c", TELEMETRY]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["code"] for line in done.stdout.splitlines()] == ["turn_not_kept", "turn_kept"]
