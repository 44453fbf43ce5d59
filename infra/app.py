"""Makes the templates of stages without an account or a network: `python -m infra.app dev prod` writes them to
`cdk.out/dev` and `cdk.out/prod`.

`bundle=false` after it leaves third-party layers empty, `search=open` leaves a private search open until its index is
made. The CDK command line runs the same file and names the folder itself; stage, account, region and who is told of
alarms are its context (`-c stage=prod -c account=… -c region=… -c alarms=ward@hospital.example`), else account and
region those of its credentials. With `-c makes_alarms=false` nobody need be told: nothing with alarms is deployed.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace

import aws_cdk as cdk
from cdk_nag import AwsSolutionsChecks, HIPAASecurityChecks

from infra.constructs.packages import ROOT
from infra.findings import accept_findings
from infra.settings import PLACEHOLDER_ACCOUNT, STAGES, StageSettings
from infra.stacks.api import ApiStack
from infra.stacks.audit import AuditStack
from infra.stacks.console import ConsoleStack
from infra.stacks.data import DataStack
from infra.stacks.identity import IdentityStack
from infra.stacks.ingestion import IngestionStack
from infra.stacks.keys import KeyStack
from infra.stacks.livekit import LiveKitStack
from infra.stacks.network import NetworkStack
from infra.stacks.operations import NOBODY, OperationsStack
from infra.stacks.phone_keys import PhoneKeysStack
from infra.stacks.telemetry import TelemetryStack
from infra.stacks.voice import VoiceStack


def make_app(settings: StageSettings, outdir: str, *, bundle: bool = True) -> cdk.App:
    """The app of a stage. `synth` raises when cdk-nag finds something that nobody has reviewed."""
    app = empty_app({} if bundle else {"bundle": "false"}, outdir)
    build(app, settings)
    return app


def empty_app(context: dict[str, str], outdir: str) -> cdk.App:
    """Flags are read from `cdk.json`, as the CDK command line does, so that both make the same templates."""
    flags = json.loads((ROOT / "cdk.json").read_text())["context"]
    return cdk.App(context={**flags, **context}, outdir=outdir, analytics_reporting=False)


def build(app: cdk.App, settings: StageSettings) -> tuple[DataStack, IngestionStack, ApiStack]:
    """Add the stacks of a stage to an app."""
    env = cdk.Environment(account=settings.account, region=settings.region)
    keys = KeyStack(app, f"{settings.prefix}-keys", settings, env=env)
    network = NetworkStack(app, f"{settings.prefix}-network", settings, key=keys.logs, env=env)
    data = DataStack(app, f"{settings.prefix}-data", settings, keys=keys, network=network, env=env)
    ingestion = IngestionStack(app, f"{settings.prefix}-ingestion", settings, data, env=env)
    identity = IdentityStack(app, f"{settings.prefix}-identity", settings, data, env=env)
    people = identity.pool
    api = ApiStack(app, f"{settings.prefix}-api", settings, data, ingestion.state_machine, people, env=env)
    files = f"https://{data.bucket.bucket_regional_domain_name}"
    ConsoleStack(app, f"{settings.prefix}-console", settings, identity, api, files, env=env)
    _add_phone(app, settings, keys, network, api, env)
    AuditStack(app, f"{settings.prefix}-audit", settings, data, env=env)
    TelemetryStack(app, f"{settings.prefix}-telemetry", settings, data, env=env)
    OperationsStack(app, f"{settings.prefix}-operations", settings, data, api, env=env)
    for key, value in (("project", "careline"), ("stage", settings.name)):
        cdk.Tags.of(app).add(key, value)
    accept_findings(app, settings)
    cdk.Validations.of(app).add_plugins(
        AwsSolutionsChecks(app, verbose=True), HIPAASecurityChecks(app, verbose=True)
    )
    return data, ingestion, api


def _add_phone(
    app: cdk.App, settings: StageSettings, stage_keys: KeyStack, network: NetworkStack, api: ApiStack,
    env: cdk.Environment,
) -> list[VoiceStack]:
    """Phone workers, those of each hospital in a stack of their own."""
    keys = PhoneKeysStack(app, f"{settings.prefix}-phone-keys", settings, key=stage_keys.secrets, env=env)
    if settings.livekit is not None:
        name = f"{settings.prefix}-livekit"
        LiveKitStack(app, name, settings, settings.livekit, network=network, keys=keys, stage_keys=stage_keys, env=env)
    return [
        VoiceStack(
            app,
            settings.phone_service(tenant),
            settings,
            network=network,
            keys=keys,
            orchestrator=api.url,
            key=stage_keys.logs,
            tenant=tenant,
            env=env,
        )
        for tenant in settings.tenants
    ]


def main(arguments: list[str]) -> None:
    """Take stages and context (`bundle=false`, `account=…`) from the command line, or from the CDK command line."""
    given = dict(argument.partition("=")[::2] for argument in arguments if "=" in argument)
    names = [argument for argument in arguments if "=" not in argument]
    for name in names:
        _write(empty_app(given, f"cdk.out/{name}"), name)
    if not names:
        # The CDK command line tells in its environment whose credentials it has.
        here = {"account": os.environ.get("CDK_DEFAULT_ACCOUNT"), "region": os.environ.get("CDK_DEFAULT_REGION")}
        app = empty_app({name: value for name, value in {**here, **given}.items() if value}, _outdir())
        _write(app, app.node.try_get_context("stage") or "dev")


def _outdir() -> str:
    return os.environ.get("CDK_OUTDIR", "cdk.out")


def _write(app: cdk.App, name: str) -> None:
    if name not in STAGES:
        raise SystemExit(f"there is no stage {name}; there are {', '.join(STAGES)}")
    account = app.node.try_get_context("account") or PLACEHOLDER_ACCOUNT
    settings = replace(
        STAGES[name],
        account=account,
        region=app.node.try_get_context("region") or STAGES[name].region,
        opens_search=app.node.try_get_context("search") == "open",
        makes_alarms=app.node.try_get_context("makes_alarms") != "false",
        alarm_mail=app.node.try_get_context("alarms"),
    )
    if runbooks := app.node.try_get_context("runbooks"):
        settings = replace(settings, runbooks=runbooks)
    try:
        build(app, settings)
    except ValueError as error:
        raise SystemExit(f"{name}: {error}") from None
    if settings.alarm_mail is None:
        sys.stderr.write(f"{name}: {NOBODY}\n")
    app.synth()


if __name__ == "__main__":
    main(sys.argv[1:])
