"""The workflows: no long-lived keys, no more rights than a job needs, and a version that fails its check goes back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TRIGGERS = {"push", "pull_request", "workflow_dispatch", "workflow_call"}
OF_A_JOB = {
    "name", "if", "needs", "runs-on", "environment", "timeout-minutes", "permissions", "concurrency", "env", "steps",
    "uses", "with", "strategy", "defaults", "outputs",
}  # fmt: skip
OF_A_STEP = {"name", "id", "if", "uses", "with", "run", "env", "shell", "timeout-minutes", "continue-on-error"}
RIGHTS = {"contents", "id-token", "pull-requests"}


def read(path: Path) -> dict[str, Any]:
    """A workflow; YAML 1.1 takes `on` for a truth value."""
    said = yaml.safe_load(path.read_text())
    return {("on" if key is True else key): value for key, value in said.items()}


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    return dict(read(path)["jobs"])


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in FILES:
        for name, job in jobs(path).items():
            yield from ((f"{path.name}/{name}", step) for step in job.get("steps", []))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_workflow_has_the_shape_that_github_reads(path: Path) -> None:
    said = read(path)
    assert set(said) <= {"name", "on", "permissions", "concurrency", "jobs", "env"}
    assert set(said["on"]) <= TRIGGERS
    for job in said["jobs"].values():
        assert set(job) <= OF_A_JOB
        assert ("uses" in job) != ("runs-on" in job and "steps" in job)
        for step in job.get("steps", []):
            assert set(step) <= OF_A_STEP
            assert ("uses" in step) != ("run" in step)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_rights_are_named_and_few(path: Path) -> None:
    assert read(path)["permissions"] == {"contents": "read"}
    for job in jobs(path).values():
        assert set(job.get("permissions", {})) <= RIGHTS
        assert job.get("permissions", {}).get("contents", "read") == "read"


def test_no_key_of_aws_and_no_secret_is_kept_at_github() -> None:
    texts = "".join(path.read_text() for path in FILES)
    assert "secrets." not in texts
    assert "aws-access-key-id" not in texts
    assert texts.count("role-to-assume") == 2


def test_whoever_gets_a_role_may_ask_for_its_token_and_stands_in_an_environment() -> None:
    for path in FILES:
        for job in jobs(path).values():
            if any("configure-aws-credentials" in step.get("uses", "") for step in job.get("steps", [])):
                assert job["permissions"]["id-token"] == "write"
                assert job["environment"]


def test_nothing_of_a_pull_request_is_written_into_a_script() -> None:
    for where, step in steps():
        assert "${{" not in step.get("run", ""), where


def test_every_local_workflow_that_is_called_is_there_and_gets_what_it_asks_for() -> None:
    for path in FILES:
        for job in jobs(path).values():
            if "uses" in job:
                called = ROOT / job["uses"]
                wanted = read(called)["on"]["workflow_call"]["inputs"]
                assert set(job["with"]) == {name for name, one in wanted.items() if one["required"]}


def test_what_the_steps_call_is_there() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for where, step in steps():
        for target in re.findall(r"\bmake ([a-z]+)", step.get("run", "")):
            assert target in targets, where
        for script in re.findall(r"^(\.ci/\w+)", step.get("run", ""), re.MULTILINE):
            assert (ROOT / script).is_file()


def test_a_version_that_fails_its_check_is_taken_back() -> None:
    (job,) = jobs(ROOT / ".github" / "workflows" / "stage.yml").values()
    names = [step.get("id") or step.get("name") for step in job["steps"] if "run" in step]
    assert names[:3] == ["deploy", "check", "Take a version back that fails the check"]
    back = next(step for step in job["steps"] if step.get("name") == names[2])
    assert back["run"] == "make rollback"
    assert "steps.check.outcome == 'failure'" in back["if"]
    assert back["if"].startswith("failure()")


def test_prod_is_deployed_by_hand_alone() -> None:
    (prod,) = [job for name, job in jobs(ROOT / ".github" / "workflows" / "deploy.yml").items() if name == "prod"]
    assert prod["if"] == "github.event_name == 'workflow_dispatch'"
