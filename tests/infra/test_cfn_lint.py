"""What CloudFormation refuses is found before it is deployed: cfn-lint knows its schemas and the states language."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.infra.conftest import Templates

ROOT = Path(__file__).resolve().parents[2]
LINTER = Path(sys.executable).with_name("cfn-lint")
UNKNOWN_TYPES = ("date", "binary", "float", "boolean", "object")


def findings_of(templates: Iterable[Path]) -> Mapping[str, Sequence[str]]:
    """What the linter says of each file under the project's own rules, `RULE path of the template`."""
    assert LINTER.is_file(), "make test installs cfn-lint"
    command = [str(LINTER), "--config-file", str(ROOT / ".cfnlintrc.yaml"), "--format", "json", "--template"]
    done = subprocess.run([*command, *map(str, templates)], capture_output=True, text=True, cwd=ROOT)
    assert done.stderr == ""
    found: dict[str, list[str]] = {str(path): [] for path in templates}
    for one in json.loads(done.stdout):
        found[one["Filename"]].append(f"{one['Rule']['Id']} {'/'.join(map(str, one['Location']['Path']))}")
    return found


def changed(stage: Templates, stack: str, kind: str, folder: Path, **properties: Any) -> Path:
    """A template of which the first resource of a type has these properties instead."""
    (path,) = stage.outdir.glob(f"*-{stack}.template.json")
    template = json.loads(path.read_text())
    resource = next(one for one in template["Resources"].values() if one["Type"] == kind)
    for name, change in properties.items():
        resource["Properties"][name] = change(resource["Properties"][name])
    (folder / path.name).write_text(json.dumps(template))
    return folder / path.name


def templates_of(stage: Templates) -> Sequence[Path]:
    return sorted(stage.outdir.rglob("*.template.json"))


def of_unknown_type(stage: Templates, kind: str, folder: Path) -> Path:
    """A template whose index resource has a property of this type."""

    def dated(mappings: Any) -> Any:
        mappings["Properties"]["valid_from"]["Type"] = kind
        return mappings

    return changed(stage, "data", "AWS::OpenSearchServerless::Index", folder, Mappings=dated)


def of_unknown_state(stage: Templates, folder: Path) -> Path:
    """A template whose state machine has a state of a type that there is not."""

    def misspelt(definition: str) -> str:
        return definition.replace('"Type": "Task"', '"Type": "Tusk"', 1)

    return changed(stage, "ingestion", "AWS::StepFunctions::StateMachine", folder, DefinitionString=misspelt)


@pytest.fixture(scope="module")
def found(stages: dict[str, Templates], tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Sequence[str]]:
    """What is found in every template, and in the changed ones under what was changed. One process reads them all: its
    start, and the schemas that it reads first, take longer than a template."""
    made = {str(path): path for stage in stages.values() for path in templates_of(stage)}
    for kind in UNKNOWN_TYPES:
        made[kind] = of_unknown_type(stages["dev"], kind, tmp_path_factory.mktemp(kind))
    made["Tusk"] = of_unknown_state(stages["dev"], tmp_path_factory.mktemp("Tusk"))
    told = findings_of(made.values())
    return {name: told[str(path)] for name, path in made.items()}


def test_cloudformation_takes_every_template(stage: Templates, found: Mapping[str, Sequence[str]]) -> None:
    templates = templates_of(stage)
    assert len(templates) == len(stage.stacks)
    assert [one for path in templates for one in found[str(path)]] == []


@pytest.mark.parametrize("kind", UNKNOWN_TYPES)
def test_a_type_that_the_index_resource_does_not_know_is_found(found: Mapping[str, Sequence[str]], kind: str) -> None:
    (told,) = found[kind]
    assert told.startswith("E3030 ")
    assert told.endswith("/Mappings/Properties/valid_from/Type")


def test_a_state_that_the_states_language_does_not_know_is_found(found: Mapping[str, Sequence[str]]) -> None:
    """The linter reads a definition that stands in the template, none that is uploaded beside it."""
    (told,) = found["Tusk"]
    assert told.startswith("E3601 ")
