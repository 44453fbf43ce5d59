"""Makes the templates of both stages once, without an account, a network or docker."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from infra.node import node

Template = dict[str, Any]


class Templates:
    """The resources of a stage, whatever stack they are in."""

    def __init__(self, outdir: Path) -> None:
        self.outdir = outdir
        self.stacks = {path.name.split(".")[0]: json.loads(path.read_text()) for path in outdir.glob("*.template.json")}

    def of(self, kind: str) -> dict[str, Template]:
        """Properties of every resource of a type, by logical id."""
        return {
            name: resource.get("Properties", {})
            for stack in self.stacks.values()
            for name, resource in stack["Resources"].items()
            if resource["Type"] == kind
        }


@pytest.fixture(scope="session")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Templates]:
    if found := node():
        os.environ.setdefault("JSII_NODE", found)
    pytest.importorskip("aws_cdk")
    from infra.app import make_app
    from infra.settings import STAGES

    made = {}
    for name, settings in STAGES.items():
        outdir = tmp_path_factory.mktemp(f"cdk-{name}")
        make_app(settings, str(outdir), bundle=False).synth()
        made[name] = Templates(outdir)
    return made


@pytest.fixture(params=["dev", "prod"])
def stage(request: pytest.FixtureRequest, stages: dict[str, Templates]) -> Templates:
    return stages[request.param]


@pytest.fixture
def dev(stages: dict[str, Templates]) -> Templates:
    return stages["dev"]


@pytest.fixture
def prod(stages: dict[str, Templates]) -> Templates:
    return stages["prod"]
