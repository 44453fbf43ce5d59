"""Whether a stage can be deployed from this machine into this account: everything is looked at, nothing is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from careline_local.cloud import builder
from careline_local.cloud.findings import NO_BOTO, CloudUnknown, looked
from careline_local.doctor import Finding, State

SERVICES = (
    "lambda", "apigateway", "opensearchserverless", "stepfunctions", "wafv2", "codedeploy", "cognito-idp", "ecs",
)  # fmt: skip
"""What a stage is made of and not every region has."""
BOOTSTRAP = 6
"""Oldest version of the CDK bootstrap that assets as ours are put through (AWS CDK guide, bootstrapping)."""
NEW_ACCOUNT, UNRESERVED = 10, 100
"""Lambda executions at once: what a new account may have, and what AWS demands beside those that functions reserve
(Lambda developer guide, reserved concurrency)."""
RESERVED = {"dev": 0, "prod": 440}
"""What the functions of a stage reserve (`reserved_concurrency` in infra/settings.py), where no templates tell it."""
INDEX_ROLE = "AWSServiceRoleForAmazonOpenSearchServerless"
MAKE_INDEX_ROLE = "`aws iam create-service-linked-role --aws-service-name observability.aoss.amazonaws.com`"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is about to be deployed. `assembly` holds the templates, and says whether images must be built."""

    stage: str
    region: str | None
    assembly: Path | None = None
    qualifier: str = "hnb659fds"
    model: str | None = None
    """A model of Bedrock that must be there, by its id."""

    @property
    def prefix(self) -> str:
        """Starts every name of the stage."""
        return f"careline-{self.stage}"


def session(region: str | None) -> Any:
    """The session of the credentials of this machine. Raises: CloudUnknown without boto3 or a region."""
    try:
        import boto3
    except ModuleNotFoundError:
        raise CloudUnknown(NO_BOTO) from None
    from botocore.exceptions import BotoCoreError

    try:
        made = boto3.Session(region_name=region)
    except BotoCoreError as error:
        raise CloudUnknown(f"the AWS configuration cannot be used ({error}); see `aws configure list`") from None
    if made.region_name is None:
        raise CloudUnknown("no region is set: give --region, or set AWS_REGION")
    partitions = made.get_available_partitions()
    known = {name for one in partitions for name in made.get_available_regions("lambda", partition_name=one)}
    if made.region_name not in known:
        raise CloudUnknown(f"there is no region {made.region_name}; regions are called like eu-west-1")
    return made


def preflight(plan: Plan) -> Iterator[Finding]:
    """Every check, as it is done. What stands on credentials is left out where there are none."""
    made = session(plan.region)
    yield region(made)
    yield from builder.images(plan.assembly)
    credentials = looked("credentials", partial(_credentials, made))
    yield from credentials
    if any(one.state == "fail" for one in credentials):
        return
    checks: dict[str, Callable[[], Iterator[Finding]]] = {
        "bootstrap": partial(_bootstrap, made, plan),
        "Lambda at once": partial(concurrency, made, plan),
        "other quotas": partial(_quotas, made),
        "role of the index": partial(_index_role, made),
        "left over": partial(_left_over, made, plan),
        "model": partial(_model, made, plan),
    }
    for name, check in checks.items():
        yield from looked(name, check)


def region(made: Any) -> Finding:
    """Whether the region has every service, as far as this botocore knows."""
    partition = made.get_partition_for_region(made.region_name)
    lacking = [
        name for name in SERVICES if made.region_name not in made.get_available_regions(name, partition_name=partition)
    ]
    if not lacking:
        return Finding("region", "ok", f"{made.region_name} ({partition})")
    return Finding(
        "region",
        "warn",
        f"{made.region_name} is not known to have {', '.join(lacking)}",
        "choose another with REGION=, or upgrade boto3 if the service is new there",
    )


def _credentials(made: Any) -> Iterator[Finding]:
    from botocore.exceptions import BotoCoreError, ClientError

    advice = "log in (`aws sso login`, or AWS_PROFILE), with rights to deploy by the CDK bootstrap's roles"
    try:
        found = made.client("sts").get_caller_identity()
    except (BotoCoreError, ClientError) as error:
        yield Finding("credentials", "fail", f"none that AWS takes ({type(error).__name__})", advice)
        return
    is_root = found["Arn"].endswith(":root")
    told = f"account {found['Account']}, {found['Arn'].rpartition(':')[2]}"
    if is_root:
        yield Finding("credentials", "warn", told, "do not deploy as the account's root; use a role")
    else:
        yield Finding("credentials", "ok", told)


def _bootstrap(made: Any, plan: Plan) -> Iterator[Finding]:
    client = made.client("ssm")
    name = f"/cdk-bootstrap/{plan.qualifier}/version"
    advice = f"`make bootstrap STAGE={plan.stage} REGION={made.region_name}`, once for an account and region"
    try:
        version = int(client.get_parameter(Name=name)["Parameter"]["Value"])
    except client.exceptions.ParameterNotFound:
        yield Finding("bootstrap", "fail", f"{made.region_name} is not bootstrapped ({name} is not there)", advice)
        return
    state: State = "ok" if version >= BOOTSTRAP else "fail"
    yield Finding("bootstrap", state, f"version {version}", "" if state == "ok" else advice)


def concurrency(made: Any, plan: Plan) -> Iterator[Finding]:
    """Whether the account allows as many executions at once as the stage reserves, and what must be left beside."""
    limit = int(made.client("lambda").get_account_settings()["AccountLimit"]["ConcurrentExecutions"])
    reserves = reserved(plan)
    told = f"{limit} executions in this account and region"
    if limit >= reserves + UNRESERVED:
        yield Finding("Lambda at once", "ok", told)
        return
    request = f"--service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region {made.region_name}"
    advice = f"ask for more: `aws service-quotas request-service-quota-increase {request}`; it may take a day"
    state: State = "fail" if plan.stage == "prod" or reserves else "warn"
    wanted = f"{plan.stage} reserves {reserves}, and {UNRESERVED} must stay unreserved"
    if not reserves:
        wanted = f"all functions of {plan.stage} share them"
    yield Finding("Lambda at once", state, f"{told}; {wanted}; a new account has {NEW_ACCOUNT}", advice)


def reserved(plan: Plan) -> int:
    """Executions that the functions of a stage reserve: by its templates, or as it comes where there are none."""
    paths = sorted(plan.assembly.glob("*.template.json")) if plan.assembly is not None else []
    if not paths:
        return RESERVED.get(plan.stage, 0)
    stacks = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    there = [one.get("Properties", {}) for stack in stacks for one in stack.get("Resources", {}).values()]
    return sum(int(one.get("ReservedConcurrentExecutions", 0)) for one in there)


QUOTAS = (
    ("fargate", "L-3032A538", "Fargate vCPUs", 4.0, "two tasks of the phone worker, and two while one is replaced"),
    ("vpc", "L-F678F1CE", "VPCs", 2.0, "one for prod beside the default one"),
)
"""Service, code, what it is, how many a stage needs at least, and for what (service-quotas codes from memory)."""


def _quotas(made: Any) -> Iterator[Finding]:
    """Each by itself: one that cannot be known hides no other."""
    client = made.client("service-quotas")
    for quota in QUOTAS:
        yield from looked(quota[2], partial(_quota, client, *quota))


def _quota(client: Any, service: str, code: str, name: str, least: float, what_for: str) -> Iterator[Finding]:
    value = float(client.get_service_quota(ServiceCode=service, QuotaCode=code)["Quota"]["Value"])
    if value >= least:
        yield Finding(name, "ok", f"{value:g}")
        return
    request = f"--service-code {service} --quota-code {code} --desired-value {least:g}"
    advice = f"`aws service-quotas request-service-quota-increase {request}`"
    yield Finding(name, "warn", f"{value:g}; a stage needs {least:g}: {what_for}", advice)


def _index_role(made: Any) -> Iterator[Finding]:
    client = made.client("iam")
    try:
        client.get_role(RoleName=INDEX_ROLE)
    except client.exceptions.NoSuchEntityException:
        told = f"{INDEX_ROLE} is not there; the first collection makes it where the deploying role may"
        yield Finding("role of the index", "warn", told, MAKE_INDEX_ROLE)
        return
    yield Finding("role of the index", "ok", INDEX_ROLE)


def _left_over(made: Any, plan: Plan) -> Iterator[Finding]:
    """Names that an earlier deployment kept stop a first one: CloudFormation does not take over what is there."""
    if _stack_is_there(made, f"{plan.prefix}-data"):
        yield Finding("left over", "ok", "the stage is there already; this is an update")
        return
    aliases = made.client("kms").get_paginator("list_aliases").paginate()
    names = [one["AliasName"] for page in aliases for one in page["Aliases"]]
    logs = made.client("logs").describe_log_groups(logGroupNamePrefix=f"/aws/lambda/{plan.prefix}-")["logGroups"]
    secrets = made.client("secretsmanager").list_secrets(
        IncludePlannedDeletion=True, Filters=[{"Key": "name", "Values": [f"{plan.prefix}/"]}]
    )["SecretList"]
    found = [name for name in names if name == f"alias/{plan.prefix}"]
    found += [one["logGroupName"] for one in logs] + [one["Name"] for one in secrets]
    if not found:
        yield Finding("left over", "ok", "nothing of this stage's names is there")
        return
    advice = "remove them (docs/cloud.md, Destroy), or import them with `cdk import`; of the privacy key keep the value"
    yield Finding("left over", "fail", f"an earlier deployment left {', '.join(sorted(found))}", advice)


def _stack_is_there(made: Any, name: str) -> bool:
    from botocore.exceptions import ClientError

    try:
        stacks = made.client("cloudformation").describe_stacks(StackName=name)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError":
            return False
        raise
    return any(one["StackStatus"] not in {"DELETE_COMPLETE", "REVIEW_IN_PROGRESS"} for one in stacks)


def _model(made: Any, plan: Plan) -> Iterator[Finding]:
    if plan.model is None:
        yield Finding("model", "ok", "none of Bedrock's is asked for (--bedrock-model)")
        return
    found = made.client("bedrock").get_foundation_model_availability(modelId=plan.model)
    parts = ("authorizationStatus", "entitlementAvailability", "regionAvailability")
    lacking = [f"{part} {found[part]}" for part in parts if found[part] not in {"AUTHORIZED", "AVAILABLE"}]
    if found.get("agreementAvailability", {}).get("status", "AVAILABLE") != "AVAILABLE":
        lacking.append("its agreement is not accepted")
    if lacking:
        advice = "open the model in the Bedrock console of this region and accept its terms, or choose another"
        yield Finding("model", "fail", f"{plan.model}: {', '.join(lacking)}", advice)
    else:
        yield Finding("model", "ok", plan.model)
