"""Makes the templates of both stages once, without an account, a network or docker."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infra.node import node

Template = dict[str, Any]
OF_CDK = "CustomVpcRestrictDefaultSG"
"""The CDK's function that closes the default group of a network; `test_compliance.py` says what it may do."""


class Templates:
    """The resources of a stage, whatever stack they are in."""

    def __init__(self, outdir: Path) -> None:
        self.outdir = outdir
        self.stacks = {path.name.split(".")[0]: json.loads(path.read_text()) for path in outdir.glob("*.template.json")}

    def of(self, kind: str) -> dict[str, Template]:
        """Properties of every resource of a type, by logical id, and by its stack where two have the same; but for
        those of a function that the CDK brings."""
        found: dict[str, Template] = {}
        for title, stack in self.stacks.items():
            for name, resource in stack["Resources"].items():
                if resource["Type"] == kind and not name.startswith(OF_CDK):
                    found[name if name not in found else f"{title}/{name}"] = resource.get("Properties", {})
        return found


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


@pytest.fixture(scope="session")
def everything(stages: dict[str, Templates], tmp_path_factory: pytest.TempPathFactory) -> Templates:
    """Production with what no stage has by itself: two hospitals, LiveKit of one's own and a vendor's model."""
    from infra.app import make_app
    from infra.settings import PROD, LiveKitHost, ModelSettings

    arn = "arn:aws:acm:eu-west-1:111111111111:certificate/0f1e2d3c-0000-0000-0000-000000000000"
    outdir = tmp_path_factory.mktemp("cdk-everything")
    livekit = LiveKitHost("livekit.example.org", arn)
    options = replace(PROD, tenants=("default", "sint-anna"), livekit=livekit, model=ModelSettings("openai"))
    make_app(options, str(outdir), bundle=False).synth()
    return Templates(outdir)


@pytest.fixture(params=["dev", "prod"])
def stage(request: pytest.FixtureRequest, stages: dict[str, Templates]) -> Templates:
    return stages[request.param]


@pytest.fixture(scope="session")
def dev_with_alarms(stages: dict[str, Templates], tmp_path_factory: pytest.TempPathFactory) -> Templates:
    """Development with somebody who is told of its alarms, and with a firewall."""
    from infra.app import make_app
    from infra.settings import DEV

    outdir = tmp_path_factory.mktemp("cdk-dev-with-alarms")
    options = replace(DEV, alarm_mail="ward@hospital.example", has_firewall=True)
    make_app(options, str(outdir), bundle=False).synth()
    return Templates(outdir)


@pytest.fixture(params=["dev_with_alarms", "prod"])
def watched_stage(request: pytest.FixtureRequest) -> Templates:
    """A stage with alarms and a firewall."""
    found: Templates = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def dev(stages: dict[str, Templates]) -> Templates:
    return stages["dev"]


@pytest.fixture
def prod(stages: dict[str, Templates]) -> Templates:
    return stages["prod"]
