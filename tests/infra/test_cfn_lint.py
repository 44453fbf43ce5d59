"""What CloudFormation refuses is found before it is deployed: cfn-lint knows its schemas and the states language."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.infra.conftest import Templates

ROOT = Path(__file__).resolve().parents[2]
LINTER = Path(sys.executable).with_name("cfn-lint")
UNKNOWN_TYPES = ("date", "binary", "float", "boolean", "object")


def findings(*templates: Path) -> Sequence[str]:
    """What the linter says under the project's own rules, `RULE path of the template`."""
    return [found for each in findings_of(*templates).values() for found in each]


def findings_of(*templates: Path) -> Mapping[str, Sequence[str]]:
    """The same for each file; one process reads them all, as its start takes longer than a template."""
    assert LINTER.is_file(), "make test installs cfn-lint"
    command = [str(LINTER), "--config-file", str(ROOT / ".cfnlintrc.yaml"), "--format", "json", "--template"]
    done = subprocess.run([*command, *map(str, templates)], capture_output=True, text=True, cwd=ROOT)
    assert done.stderr == ""
    found: dict[str, list[str]] = {str(path): [] for path in templates}
    for one in json.loads(done.stdout):
        found[one["Filename"]].append(f"{one['Rule']['Id']} {'/'.join(map(str, one['Location']['Path']))}")
    return found


def changed(stage: Templates, stack: str, kind: str, folder: Path, **properties: Any) -> Path:
    """A template of which the one resource of a type has these properties instead."""
    (path,) = stage.outdir.glob(f"*-{stack}.template.json")
    template = json.loads(path.read_text())
    (resource,) = [one for one in template["Resources"].values() if one["Type"] == kind]
    for name, change in properties.items():
        resource["Properties"][name] = change(resource["Properties"][name])
    (folder / path.name).write_text(json.dumps(template))
    return folder / path.name


def test_cloudformation_takes_every_template(stage: Templates) -> None:
    templates = sorted(stage.outdir.rglob("*.template.json"))
    assert len(templates) == len(stage.stacks)
    assert findings(*templates) == []


@pytest.fixture(scope="module")
def of_unknown_types(
    stages: dict[str, Templates], tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Sequence[str]]:
    """What is found when an index resource has a property of each unknown type."""

    def template(kind: str) -> Path:
        def dated(mappings: Any) -> Any:
            mappings["Properties"]["valid_from"]["Type"] = kind
            return mappings

        folder = tmp_path_factory.mktemp(kind)
        return changed(stages["dev"], "data", "AWS::OpenSearchServerless::Index", folder, Mappings=dated)

    found = findings_of(*map(template, UNKNOWN_TYPES))
    return dict(zip(UNKNOWN_TYPES, found.values(), strict=True))


@pytest.mark.parametrize("kind", UNKNOWN_TYPES)
def test_a_type_that_the_index_resource_does_not_know_is_found(
    of_unknown_types: Mapping[str, Sequence[str]], kind: str
) -> None:
    (found,) = of_unknown_types[kind]
    assert found.startswith("E3030 ")
    assert found.endswith("/Mappings/Properties/valid_from/Type")


def test_a_state_that_the_states_language_does_not_know_is_found(dev: Templates, tmp_path: Path) -> None:
    """The linter reads a definition that stands in the template, none that is uploaded beside it."""

    def misspelt(definition: str) -> str:
        return definition.replace('"Type": "Task"', '"Type": "Tusk"', 1)

    template = changed(dev, "ingestion", "AWS::StepFunctions::StateMachine", tmp_path, DefinitionString=misspelt)
    (found,) = findings(template)
    assert found.startswith("E3601 ")
