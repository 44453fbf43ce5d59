"""The stage `dev`, synthesized and deployed once for all journeys in the emulated cloud."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cloud import sandbox
from tests.cloud.account import Account, deployed
from tests.engines.servers import install


@pytest.fixture(scope="session")
def synthesized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The templates and assets of `dev`, third-party layers as their lists."""
    from infra.node import node

    if found := node():
        os.environ.setdefault("JSII_NODE", found)
    pytest.importorskip("aws_cdk")
    from infra.app import make_app
    from infra.settings import STAGES

    folder = tmp_path_factory.mktemp("synthesized")
    make_app(STAGES["dev"], str(folder), bundle=False).synth()
    return folder


@pytest.fixture(scope="session")
def account(synthesized: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Account]:
    """An account in which the stage is deployed."""
    if refused := sandbox.refusal():
        pytest.skip(refused)
    if not install.is_installed():
        pytest.skip("OpenSearch and DynamoDB Local are not installed: `make engines`")
    with deployed("dev", synthesized, tmp_path_factory.mktemp("cloud")) as account:
        yield account
