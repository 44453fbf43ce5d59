"""Makes the templates of stages without an account or a network: `python -m infra.app dev prod` writes them to
`cdk.out/dev` and `cdk.out/prod`.

`bundle=false` after it leaves third-party layers empty. `cdk deploy` runs the same file with the stage and the account
as context (`-c stage=prod -c account=…`) and names the folder itself.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace

import aws_cdk as cdk
from cdk_nag import AwsSolutionsChecks

from infra.constructs.packages import ROOT
from infra.settings import PLACEHOLDER_ACCOUNT, STAGES, StageSettings
from infra.stacks.api import ApiStack
from infra.stacks.data import DataStack
from infra.stacks.ingestion import IngestionStack
from infra.stacks.telemetry import TelemetryStack


def make_app(settings: StageSettings, outdir: str, *, bundle: bool = True) -> cdk.App:
    """The app of a stage. `synth` raises when cdk-nag finds something that nobody has reviewed."""
    app = _app({} if bundle else {"bundle": "false"}, outdir)
    build(app, settings)
    return app


def _app(context: dict[str, str], outdir: str) -> cdk.App:
    """Flags are read from `cdk.json`, as the CDK command line does, so that both make the same templates."""
    flags = json.loads((ROOT / "cdk.json").read_text())["context"]
    return cdk.App(context={**flags, **context}, outdir=outdir, analytics_reporting=False)


def build(app: cdk.App, settings: StageSettings) -> tuple[DataStack, IngestionStack, ApiStack]:
    """Add the stacks of a stage to an app."""
    env = cdk.Environment(account=settings.account, region=settings.region)
    data = DataStack(app, f"{settings.prefix}-data", settings, env=env)
    ingestion = IngestionStack(app, f"{settings.prefix}-ingestion", settings, data, env=env)
    api = ApiStack(app, f"{settings.prefix}-api", settings, data, ingestion.state_machine, env=env)
    TelemetryStack(app, f"{settings.prefix}-telemetry", settings, data, env=env)
    for key, value in (("project", "careline"), ("stage", settings.name)):
        cdk.Tags.of(app).add(key, value)
    cdk.Validations.of(app).add_plugins(AwsSolutionsChecks(app, verbose=True))
    return data, ingestion, api


def main(arguments: list[str]) -> None:
    """Take stages and context (`bundle=false`, `account=…`) from the command line, or from the CDK command line."""
    given = dict(argument.partition("=")[::2] for argument in arguments if "=" in argument)
    names = [argument for argument in arguments if "=" not in argument]
    for name in names:
        _write(_app(given, f"cdk.out/{name}"), name)
    if not names:
        app = _app(given, os.environ.get("CDK_OUTDIR", "cdk.out"))
        _write(app, app.node.try_get_context("stage") or "dev")


def _write(app: cdk.App, name: str) -> None:
    if name not in STAGES:
        raise SystemExit(f"there is no stage {name}; there are {', '.join(STAGES)}")
    account = app.node.try_get_context("account") or PLACEHOLDER_ACCOUNT
    build(app, replace(STAGES[name], account=account))
    app.synth()


if __name__ == "__main__":
    main(sys.argv[1:])
