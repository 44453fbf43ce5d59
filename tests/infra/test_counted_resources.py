"""What commands keep of the templates, to tell it where there are none, is what the templates have."""

from __future__ import annotations

from pathlib import Path

from careline_local.bench.scale.demand import CALLS_OF_A_TASK
from careline_local.cloud.preflight import RESERVED, Plan, reserved
from careline_local.cost.resources import counted, of_stage
from tests.infra.conftest import Templates


def test_the_kept_counts_are_those_of_the_templates(stages: dict[str, Templates]) -> None:
    what_to_do = "run `make synth` and `python -m careline_local.cost.resources cdk.out`"
    for name, templates in stages.items():
        assert counted(templates.outdir) == of_stage(name), what_to_do


def test_what_preflight_takes_for_reserved_is_what_the_templates_reserve(stages: dict[str, Templates]) -> None:
    for name, templates in stages.items():
        functions = templates.of("AWS::Lambda::Function").values()
        there = sum(one.get("ReservedConcurrentExecutions", 0) for one in functions)
        assert RESERVED[name] == reserved(Plan(name, None, templates.outdir)) == there


def test_without_templates_preflight_takes_what_it_keeps(tmp_path: Path) -> None:
    assert reserved(Plan("prod", None)) == reserved(Plan("prod", None, tmp_path / "nowhere")) == RESERVED["prod"]


def test_the_bench_of_scale_counts_with_the_calls_that_a_task_takes(prod: Templates) -> None:
    (task,) = prod.of("AWS::ECS::TaskDefinition").values()
    environment = {one["Name"]: one["Value"] for one in task["ContainerDefinitions"][0]["Environment"]}
    assert environment["CARELINE_VOICE_CALLS"] == str(CALLS_OF_A_TASK)
