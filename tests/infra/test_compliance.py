"""What the templates promise to who audits them: a closed network, locked heads, backups, keys apart, and reasons."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from infra.findings import AcceptedFinding, accepted_findings
from infra.settings import PROD
from tests.infra.conftest import OF_CDK, Templates
from tests.infra.test_template import flat, functions, statements

ROOT = Path(__file__).resolve().parents[2]
ENFORCED = ("AwsSolutions", "HIPAA.Security")


def resources(stage: Templates) -> list[tuple[str, str, dict[str, Any]]]:
    """Stack, logical id and resource of everything."""
    return [
        (stack, name, resource)
        for stack, template in stage.stacks.items()
        for name, resource in template["Resources"].items()
    ]


def findings(stage: Templates, kind: str) -> list[tuple[str, str]]:
    """Pack's rule and the construct's path, of findings that are open (`violations`) or have a reason."""
    report = json.loads((stage.outdir / "validation-report.json").read_text())
    return [
        (violation["ruleName"], construct["constructPath"])
        for plugin in report["pluginReports"]
        if plugin["pluginName"] in ENFORCED
        for violation in plugin.get(kind, [])
        for construct in violation["violatingConstructs"]
    ]


# Rule packs


def test_both_packs_ran_and_nothing_is_open(stage: Templates) -> None:
    report = json.loads((stage.outdir / "validation-report.json").read_text())
    assert {plugin["pluginName"] for plugin in report["pluginReports"]} >= set(ENFORCED)
    assert findings(stage, "violations") == []


@pytest.mark.parametrize("accepted", accepted_findings(), ids=lambda one: f"{one.rule} {one.where}")
def test_what_is_accepted_is_still_found(
    stages: dict[str, Templates], everything: Templates, accepted: AcceptedFinding
) -> None:
    # What stands with an option alone is looked for in production with every option.
    made = {name: stages[name] for name in accepted.stages} if accepted.option is None else {"prod": everything}
    for name, stage in made.items():
        places = [
            path.removeprefix(f"careline-{name}-")
            for rule, path in findings(stage, "suppressedViolations")
            if rule == accepted.rule
        ]
        assert any(fnmatchcase(path, accepted.where) for path in places), name


def test_a_reason_says_more_than_the_rule() -> None:
    assert all(len(accepted.reason.split()) >= 12 for accepted in accepted_findings())


def test_the_runtime_is_the_newest_python_that_the_project_is_tested_on(stage: Templates) -> None:
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    above = re.search(r"<\s*3\.(\d+)", requires)
    assert above is not None
    runtimes = {one["Runtime"] for one in functions(stage).values() if "Runtime" in one}
    assert runtimes == {f"python3.{int(above[1]) - 1}"}


# The network


def test_production_functions_run_inside_and_development_outside(dev: Templates, prod: Templates) -> None:
    assert all("VpcConfig" not in one for one in functions(dev).values())
    for one in functions(prod).values():
        assert len(one["VpcConfig"]["SubnetIds"]) == 2
        (group,) = one["VpcConfig"]["SecurityGroupIds"]
        assert "FunctionGroup" in flat(group)


def test_nobody_comes_into_the_functions_group_and_tls_alone_goes_out(prod: Templates) -> None:
    groups = prod.of("AWS::EC2::SecurityGroup")
    (group,) = [one for name, one in groups.items() if name.startswith("FunctionGroup")]
    assert "SecurityGroupIngress" not in group
    (out,) = group["SecurityGroupEgress"]
    assert (out["IpProtocol"], out["FromPort"], out["ToPort"]) == ("tcp", 443, 443)
    assert prod.of("AWS::EC2::SecurityGroupIngress") == {}


def test_endpoints_take_tls_from_inside_the_network_alone(prod: Templates) -> None:
    (group,) = [one for name, one in prod.of("AWS::EC2::SecurityGroup").items() if name.startswith("EndpointGroup")]
    (inward,) = group["SecurityGroupIngress"]
    assert (inward["FromPort"], inward["ToPort"]) == (443, 443)
    (vpc,) = prod.of("AWS::EC2::VPC").values()
    assert inward["CidrIp"] == vpc["CidrBlock"]


def test_a_functions_code_may_not_use_what_lambda_joins_the_network_with(prod: Templates) -> None:
    names = {one["FunctionName"] for one in functions(prod).values()}
    denied = [one for _, one in statements(prod) if one["Effect"] == "Deny"]
    found = {flat(one["Condition"]["ArnEquals"]["lambda:SourceFunctionArn"]) for one in denied}
    assert len(denied) == len(found) == len(names)
    assert {name for name in names if any(f"function:{name}" in one for one in found)} == names
    assert all(any(action.startswith("ec2:") for action in one["Action"]) for one in denied)


def test_search_is_reached_through_its_endpoint_alone_in_production(dev: Templates, prod: Templates) -> None:
    def network(stage: Templates) -> str:
        policies = stage.of("AWS::OpenSearchServerless::SecurityPolicy").values()
        (policy,) = [one for one in policies if one["Type"] == "network"]
        return flat(policy["Policy"]).replace('\\\\\\"', '"').replace('\\"', '"')

    assert '"AllowFromPublic":true' in network(dev)
    assert '"AllowFromPublic":false' in network(prod)
    assert "SourceVPCEs" in network(prod)
    (endpoint,) = prod.of("AWS::OpenSearchServerless::VpcEndpoint").values()
    assert len(endpoint["SubnetIds"]) == 2


def test_production_pays_for_the_endpoints_that_were_chosen_and_development_for_none(
    dev: Templates, prod: Templates
) -> None:
    def services(stage: Templates, kind: str) -> set[str]:
        made = [one for one in stage.of("AWS::EC2::VPCEndpoint").values() if one["VpcEndpointType"] == kind]
        return {flat(one["ServiceName"]).rstrip(']}"').rpartition(".")[2] for one in made}

    assert services(prod, "Interface") == set(PROD.endpoints) == {"secretsmanager", "sqs"}
    assert services(dev, "Interface") == set()
    assert services(prod, "Gateway") == services(dev, "Gateway") == {"s3", "dynamodb"}
    assert (len(prod.of("AWS::EC2::NatGateway")), len(dev.of("AWS::EC2::NatGateway"))) == (1, 0)


def test_no_zone_is_made_up_and_nothing_is_asked_of_an_account(stage: Templates) -> None:
    assert "dummy1" not in (stage.outdir / "manifest.json").read_text()
    subnets = stage.of("AWS::EC2::Subnet").values()
    assert {flat(one["AvailabilityZone"]) for one in subnets} == {
        flat({"Fn::Select": [zone, {"Fn::GetAZs": ""}]}) for zone in (0, 1)
    }
    assert not any(one.get("MapPublicIpOnLaunch") for one in subnets)


def test_traffic_is_logged_and_the_default_group_is_closed(stage: Templates) -> None:
    (flow,) = stage.of("AWS::EC2::FlowLog").values()
    assert flow["TrafficType"] == "ALL"
    ours = [(name, one) for _, name, one in resources(stage) if name.startswith(OF_CDK)]
    (role,) = [one for _, one in ours if one["Type"] == "AWS::IAM::Role"]
    (policy,) = role["Properties"]["Policies"]
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert all(action.startswith("ec2:") and "SecurityGroup" in action for action in statement["Action"])
    assert "security-group/" in flat(statement["Resource"])
    assert len([one for _, _, one in resources(stage) if one["Type"] == "Custom::VpcRestrictDefaultSG"]) == 1


# Keys, locks and backups


def test_production_has_keys_apart_and_development_one(dev: Templates, prod: Templates) -> None:
    assert (len(prod.of("AWS::KMS::Key")), len(dev.of("AWS::KMS::Key"))) == (4, 1)

    def key_of(reference: object) -> str:
        (found,) = set(re.findall(r"(Records|Secrets|Logs|Heads)[0-9A-F]{8}Arn", flat(reference)))
        return str(found)

    assert {key_of(one["KmsKeyId"]) for one in prod.of("AWS::Logs::LogGroup").values()} == {"Logs"}
    assert {key_of(one["KmsKeyId"]) for one in prod.of("AWS::SecretsManager::Secret").values()} == {"Secrets"}
    (table,) = prod.of("AWS::DynamoDB::Table").values()
    assert key_of(table["SSESpecification"]["KMSMasterKeyId"]) == "Records"
    (heads,) = [one for one in prod.of("AWS::S3::Bucket").values() if one.get("ObjectLockEnabled")]
    assert key_of(heads["BucketEncryption"]) == "Heads"


def test_no_function_but_those_that_note_heads_may_use_their_key_and_none_decrypts_with_it(prod: Templates) -> None:
    named = re.compile(r"Heads[0-9A-F]{8}Arn")
    using = [(role, one) for role, one in statements(prod) if named.search(flat(one["Resource"]))]
    mine = [(role, one) for role, one in using if "kms" in flat(one["Action"])]
    assert {re.sub(r"Role.*", "", role) for role, _ in mine} == {"Admin", "Notary"}
    assert {flat(one["Action"]) for _, one in mine} == {'"kms:GenerateDataKey"'}


def test_heads_are_locked_by_nobody_can_unlock_them_in_production(dev: Templates, prod: Templates) -> None:
    for stage, mode, days in ((prod, "COMPLIANCE", 3650), (dev, "GOVERNANCE", 1)):
        (heads,) = [one for one in stage.of("AWS::S3::Bucket").values() if one.get("ObjectLockEnabled")]
        retention = heads["ObjectLockConfiguration"]["Rule"]["DefaultRetention"]
        assert retention == {"Mode": mode, "Days": days}
        assert heads["VersioningConfiguration"] == {"Status": "Enabled"}
        (kept,) = heads["LifecycleConfiguration"]["Rules"]
        assert kept["ExpirationInDays"] > days


def test_no_role_may_delete_a_head_or_loosen_its_lock(stage: Templates) -> None:
    said = {action for _, one in statements(stage) if one["Effect"] == "Allow" for action in [*one["Action"]]}
    actions = {one["Action"] for _, one in statements(stage) if isinstance(one["Action"], str)} | said
    assert not any(re.search(r"s3:(Delete|Bypass|PutObjectRetention|PutObjectLegal|PutBucket)", one) for one in actions)


def test_the_heads_of_chains_are_noted_each_hour(stage: Templates) -> None:
    (rule,) = [one for one in stage.of("AWS::Events::Rule").values() if "ScheduleExpression" in one]
    assert rule["ScheduleExpression"] == "rate(1 hour)"
    assert "Notary" in flat(rule["Targets"][0]["Arn"])


def test_records_are_copied_each_night_and_kept_as_long_as_they_can_be_brought_back(prod: Templates) -> None:
    (plan,) = prod.of("AWS::Backup::BackupPlan").values()
    (rule,) = plan["BackupPlan"]["BackupPlanRule"]
    assert rule["Lifecycle"] == {"DeleteAfterDays": 35}
    (vault,) = prod.of("AWS::Backup::BackupVault").values()
    assert "EncryptionKeyArn" in vault
    denied = [one["Action"] for one in vault["AccessPolicy"]["Statement"] if one["Effect"] == "Deny"]
    assert "backup:DeleteRecoveryPoint" in flat(denied)


def test_every_bucket_keeps_versions_for_a_while(stage: Templates) -> None:
    for name, bucket in stage.of("AWS::S3::Bucket").items():
        assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}, name
        rules = bucket["LifecycleConfiguration"]["Rules"]
        assert any("NoncurrentVersionExpiration" in rule for rule in rules), name


# A deploy that fails, and other partitions


def test_what_a_failed_first_deploy_leaves_never_blocks_the_second(stage: Templates) -> None:
    # A version of a function has another name each time; it is kept so that there is one to go back to.
    named = [one for _, _, one in resources(stage) if one["Type"] != "AWS::Lambda::Version"]
    policies = Counter(resource.get("DeletionPolicy") for resource in named)
    assert policies["Retain"] == 0
    assert policies["RetainExceptOnCreate"] > 0


def test_production_keeps_everything_that_holds_data(prod: Templates) -> None:
    holds = {
        "AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::KMS::Key", "AWS::Logs::LogGroup", "AWS::Backup::BackupVault",
    }  # fmt: skip
    for _, name, resource in resources(prod):
        if resource["Type"] in holds:
            assert resource["DeletionPolicy"] == "RetainExceptOnCreate", name
            assert resource["UpdateReplacePolicy"] == "Retain", name


def test_no_template_names_a_partition_or_who_bootstrapped_the_account(stage: Templates) -> None:
    """But for the states language, in which a partition is written out; it is that of the region."""
    for path in stage.outdir.glob("*.template.json"):
        template = json.loads(path.read_text())
        for resource in template["Resources"].values():
            resource.get("Properties", {}).pop("DefinitionString", None)
        assert "arn:aws:" not in json.dumps(template), path.name


def test_the_state_machine_calls_services_of_its_regions_partition() -> None:
    import aws_cdk as cdk

    from infra.state_machines.partition import in_partition

    stack = cdk.Stack(cdk.App(), "Elsewhere", env=cdk.Environment(account="1" * 12, region="cn-north-1"))
    assert in_partition('"arn:aws:states:::lambda:invoke"', stack) == '"arn:aws-cn:states:::lambda:invoke"'


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory, stages: dict[str, Templates]) -> Templates:
    """Production with everything that is chosen by a setting or on the command line."""
    from infra.app import build, empty_app

    folder = tmp_path_factory.mktemp("chosen")
    app = empty_app({"bundle": "false", "@aws-cdk/core:bootstrapQualifier": "hospital1"}, str(folder))
    settings = replace(
        PROD,
        backup_region="eu-central-1",
        locks_vault=True,
        opens_search=True,
        endpoints=(*PROD.endpoints, "bedrock-runtime"),
    )
    build(app, settings)
    app.synth()
    return Templates(folder)


def test_another_bootstrap_qualifier_is_the_one_that_may_make_the_index(chosen: Templates) -> None:
    access = chosen.of("AWS::OpenSearchServerless::AccessPolicy")
    assert "cdk-hospital1-cfn-exec-role-" in flat(access)
    assert "hnb659fds" not in flat(access)


def test_search_can_be_left_open_until_its_index_is_made(chosen: Templates) -> None:
    policies = chosen.of("AWS::OpenSearchServerless::SecurityPolicy").values()
    (network,) = [one for one in policies if one["Type"] == "network"]
    assert 'AllowFromPublic\\\\":true' in flat(network) or 'AllowFromPublic\\":true' in flat(network)


def test_a_second_region_and_a_lock_of_backups_are_chosen_by_settings(chosen: Templates) -> None:
    (plan,) = chosen.of("AWS::Backup::BackupPlan").values()
    ((copy,),) = [rule["CopyActions"] for rule in plan["BackupPlan"]["BackupPlanRule"]]
    assert "backup:eu-central-1:" in flat(copy["DestinationBackupVaultArn"])
    assert copy["Lifecycle"] == {"DeleteAfterDays": 35}
    (vault,) = chosen.of("AWS::Backup::BackupVault").values()
    assert vault["LockConfiguration"] == {"MinRetentionDays": 35, "ChangeableForDays": 3}


def test_a_further_endpoint_is_one_name(chosen: Templates, prod: Templates) -> None:
    made, usual = (len(stage.of("AWS::EC2::VPCEndpoint")) for stage in (chosen, prod))
    assert made == usual + 1
    assert "bedrock-runtime" in flat(chosen.of("AWS::EC2::VPCEndpoint"))


# Logs


def test_the_firewall_logs_what_it_refuses_without_words_of_callers(watched_stage: Templates) -> None:
    (logging,) = watched_stage.of("AWS::WAFv2::LoggingConfiguration").values()
    (target,) = logging["LogDestinationConfigs"]
    assert re.search(r"log-group:aws-waf-logs-careline-(dev|prod)-api\"", flat(target))
    redacted = [next(iter(field)) for field in logging["RedactedFields"]]
    headers = [field["SingleHeader"]["Name"] for field in logging["RedactedFields"] if "SingleHeader" in field]
    assert set(redacted) == {"UriPath", "QueryString", "SingleHeader"}
    assert headers == ["authorization", "cookie"]
    assert logging["LoggingFilter"]["DefaultBehavior"] == "DROP"
    kept = {one["ActionCondition"]["Action"] for one in logging["LoggingFilter"]["Filters"][0]["Conditions"]}
    assert "ALLOW" not in kept
    assert "BLOCK" in kept


def test_the_log_that_api_gateway_would_make_itself_is_declared_before_its_stage(stage: Templates) -> None:
    logs = stage.of("AWS::Logs::LogGroup")
    (name,) = [name for name, log in logs.items() if "API-Gateway-Execution-Logs_" in flat(log["LogGroupName"])]
    (deployed,) = [one for _, _, one in resources(stage) if one["Type"] == "AWS::ApiGateway::Stage"]
    assert name in deployed["DependsOn"]


def test_permissions_are_managed_policies_and_short_enough(stage: Templates) -> None:
    assert stage.of("AWS::IAM::Policy") == {}
    assert not any("Policies" in role for role in stage.of("AWS::IAM::Role").values())
    for policy in stage.of("AWS::IAM::ManagedPolicy").values():
        assert len(re.sub(r"\s", "", json.dumps(policy["PolicyDocument"]))) < 6144


def test_production_reserves_what_each_function_may_run_at_once(dev: Templates, prod: Templates) -> None:
    reserved = {one["FunctionName"]: one["ReservedConcurrentExecutions"] for one in functions(prod).values()}
    assert reserved["careline-prod-orchestrator"] == 200
    assert sum(reserved.values()) <= 1000 - 100, "an account's usual quota, of which 100 stay unreserved"
    assert not any("ReservedConcurrentExecutions" in one for one in functions(dev).values())
