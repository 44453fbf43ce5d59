"""What the template of the phone workers promises: nobody reaches them, they may ask and no more, calls are kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from careline.schemas import phone_figures
from careline.settings import PhoneSettings, Settings
from tests.infra.conftest import Templates
from tests.infra.test_template import text
from tests.source_roots import ROOT

Template = dict[str, Any]
VENDORS = ("deepgram", "elevenlabs", "livekit")


def of_voice(stage: Templates, kind: str) -> list[Template]:
    """Properties of each resource of a type in the stack of the phone workers."""
    (stack,) = [made for name, made in stage.stacks.items() if name.endswith("-voice")]
    return [one["Properties"] for one in stack["Resources"].values() if one["Type"] == kind]


def one(stage: Templates, kind: str) -> Template:
    (found,) = of_voice(stage, kind)
    return found


def container(stage: Templates) -> Template:
    (found,) = one(stage, "AWS::ECS::TaskDefinition")["ContainerDefinitions"]
    return dict(found)


def granted(stage: Templates, role: str) -> dict[str, Any]:
    """Each action that a role of the stack has, and on what."""
    policies = [
        policy for policy in of_voice(stage, "AWS::IAM::ManagedPolicy") if policy["Roles"][0]["Ref"].startswith(role)
    ]
    statements = [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]
    listed = [(said if isinstance(said := each["Action"], list) else [said], each["Resource"]) for each in statements]
    return {action: resource for actions, resource in listed for action in actions}


def test_nobody_reaches_a_worker(stage: Templates) -> None:
    assert "SecurityGroupIngress" not in one(stage, "AWS::EC2::SecurityGroup")
    assert of_voice(stage, "AWS::EC2::SecurityGroupIngress") == []
    assert stage.of("AWS::ElasticLoadBalancingV2::LoadBalancer") == {}
    assert "LoadBalancers" not in one(stage, "AWS::ECS::Service")
    assert "PortMappings" not in container(stage)


def test_a_worker_reaches_its_line_and_vendors_by_ports_that_are_named(stage: Templates) -> None:
    rules = one(stage, "AWS::EC2::SecurityGroup")["SecurityGroupEgress"]
    assert {rule["IpProtocol"] for rule in rules} == {"tcp", "udp"}
    assert all(rule["Description"] for rule in rules)


def test_a_worker_may_ask_the_orchestrator_and_do_what_concerns_its_task_and_nothing_else(stage: Templates) -> None:
    actions = granted(stage, "TaskRole")
    assert set(actions) == {
        "lambda:InvokeFunctionUrl", "lambda:InvokeFunction",
        "ecs:GetTaskProtection", "ecs:UpdateTaskProtection", "ecs:DescribeServices",
    }  # fmt: skip
    assert "Orchestrator" in json.dumps(actions["lambda:InvokeFunctionUrl"])
    assert actions["lambda:InvokeFunction"] == actions["lambda:InvokeFunctionUrl"]
    name = one(stage, "AWS::ECS::Service")["ServiceName"]
    assert text(actions["ecs:UpdateTaskProtection"]).endswith(f":task/{name}/*")
    assert text(actions["ecs:DescribeServices"]).endswith(f":service/{name}/{name}")


def test_keys_are_read_by_what_starts_a_task_and_not_by_the_worker(stage: Templates) -> None:
    from infra.stacks.phone_keys import FIELDS

    assert set(FIELDS) == set(VENDORS)
    actions = granted(stage, "StartRole")
    assert {"secretsmanager:GetSecretValue", "kms:Decrypt"} <= set(actions)
    assert len(actions["secretsmanager:GetSecretValue"]) == len(FIELDS)
    assert {secret["Name"] for secret in container(stage)["Secrets"]} == {
        variable for fields in FIELDS.values() for variable in fields.values()
    }
    assert not any("secretsmanager" in json.dumps(each) for each in container(stage)["Environment"])


def test_the_orchestrator_knows_the_role_that_a_worker_signs_with(stage: Templates) -> None:
    (role,) = [each["RoleName"] for each in of_voice(stage, "AWS::IAM::Role") if "RoleName" in each]
    variables = [
        each["Environment"]["Variables"]["CARELINE_IAM_ROLES"]
        for each in stage.of("AWS::Lambda::Function").values()
        if "CARELINE_IAM_ROLES" in each["Environment"]["Variables"]
    ]
    assert variables
    assert all(f"{role}=caller@default" in json.dumps(told) for told in variables)


def test_each_hospital_has_workers_of_its_own_whose_calls_are_of_it(everything: Templates) -> None:
    told = set()
    for stack in (each for name, each in everything.stacks.items() if "-voice" in name):
        (service,) = [one["Properties"] for one in stack["Resources"].values() if one["Type"] == "AWS::ECS::Service"]
        (task,) = [one for one in stack["Resources"].values() if one["Type"] == "AWS::ECS::TaskDefinition"]
        variables = {
            each["Name"]: each["Value"] for each in task["Properties"]["ContainerDefinitions"][0]["Environment"]
        }
        told.add((service["ServiceName"], variables["CARELINE_TENANT"], variables["CARELINE_VOICE_AGENT_NAME"]))
    assert told == {
        ("careline-prod-voice", "default", "careline-prod-voice"),
        ("careline-prod-voice-sint-anna", "sint-anna", "careline-prod-voice-sint-anna"),
    }
    functions = json.dumps(everything.of("AWS::Lambda::Function"))
    assert "careline-prod-voice-sint-anna=caller@sint-anna" in functions


def test_a_worker_starts_from_its_environment(stage: Templates) -> None:
    from infra.stacks.voice import CALLS, CALLS_WANTED

    told = {each["Name"]: each["Value"] for each in container(stage)["Environment"]}
    told["CARELINE_ORCHESTRATOR_URL"] = "https://abc.lambda-url.eu-west-1.on.aws/"
    told |= {each["Name"]: "nl=voice" for each in container(stage)["Secrets"] if each["Name"] in Settings.variables()}
    settings = PhoneSettings.load(told)
    assert settings.orchestrator.signed
    assert settings.aws.stage == one(stage, "AWS::ECS::Service")["ServiceName"].split("-")[1]
    assert settings.voice.service == one(stage, "AWS::ECS::Service")["ServiceName"]
    assert settings.voice.calls == CALLS > CALLS_WANTED


def test_a_call_has_what_fargate_gives_it_when_a_task_is_stopped(stage: Templates) -> None:
    from infra.stacks.voice import DRAIN_SECONDS, STOP_SECONDS

    assert container(stage)["StopTimeout"] == STOP_SECONDS == 120
    assert STOP_SECONDS > DRAIN_SECONDS


def test_the_container_writes_to_tmp_alone_is_nobodys_root_and_says_whether_it_is_well(stage: Templates) -> None:
    made = container(stage)
    assert made["ReadonlyRootFilesystem"] is True
    assert made["User"] == "caller"
    assert [each["ContainerPath"] for each in made["MountPoints"]] == ["/tmp"]
    assert made["HealthCheck"]["Command"][:2] == ["CMD", "python"]
    dockerfile = (ROOT / "voice_worker" / "Dockerfile").read_text("utf-8")
    assert 'VOLUME ["/tmp"]' in dockerfile, "else only root may write to what is mounted there"
    assert made["HealthCheck"]["Command"][-1] in dockerfile


def test_a_deployment_that_fails_is_taken_back_and_takes_no_worker_away_before(stage: Templates) -> None:
    deployment = one(stage, "AWS::ECS::Service")["DeploymentConfiguration"]
    assert deployment["DeploymentCircuitBreaker"] == {"Enable": True, "Rollback": True}
    assert (deployment["MinimumHealthyPercent"], deployment["MaximumPercent"]) == (100, 200)


def test_production_is_scaled_by_the_calls_of_a_task_and_a_deployment_does_not_set_it_back(prod: Templates) -> None:
    assert "DesiredCount" not in one(prod, "AWS::ECS::Service")
    target = one(prod, "AWS::ApplicationAutoScaling::ScalableTarget")
    assert (target["MinCapacity"], target["MaxCapacity"]) == (2, 20)
    scaled = one(prod, "AWS::ApplicationAutoScaling::ScalingPolicy")["TargetTrackingScalingPolicyConfiguration"]
    metric = scaled["CustomizedMetricSpecification"]
    told = phone_figures.line({"stage": "prod", "service": "careline-prod-voice"}, 0, {phone_figures.CALLS_PER_TASK: 1})
    declared = json.loads(told)["_aws"]["CloudWatchMetrics"]
    assert {
        "Namespace": metric["Namespace"],
        "Dimensions": [[each["Name"] for each in sorted(metric["Dimensions"], key=lambda one: str(one["Name"]))[::-1]]],
        "Metrics": [{"Name": metric["MetricName"], "Unit": "Count"}],
    } in declared
    assert {each["Name"]: each["Value"] for each in metric["Dimensions"]}.items() <= json.loads(told).items()


def test_development_has_a_service_without_a_task(dev: Templates) -> None:
    assert one(dev, "AWS::ECS::Service")["DesiredCount"] == 0
    assert of_voice(dev, "AWS::ApplicationAutoScaling::ScalableTarget") == []


def test_the_cluster_is_watched_and_the_log_ends_and_is_encrypted(stage: Templates) -> None:
    assert one(stage, "AWS::ECS::Cluster")["ClusterSettings"] == [{"Name": "containerInsights", "Value": "enabled"}]
    log = one(stage, "AWS::Logs::LogGroup")
    assert log["KmsKeyId"]
    assert log["RetentionInDays"] in {30, 365}


def test_workers_run_on_arm(stage: Templates) -> None:
    definition = one(stage, "AWS::ECS::TaskDefinition")
    assert definition["RuntimePlatform"] == {"CpuArchitecture": "ARM64", "OperatingSystemFamily": "LINUX"}


def test_the_image_is_built_from_what_its_dockerfile_copies_and_from_nothing_else(stage: Templates) -> None:
    from infra.constructs.worker_image import copied

    (context,) = [path for path in stage.outdir.glob("asset.*") if (path / "voice_worker" / "Dockerfile").is_file()]
    assert all((context / source).exists() for source in copied())
    assert {path.name for path in context.iterdir()} <= {source.split("/")[0] for source in copied()} | {"voice_worker"}
    assert not list(context.rglob("__pycache__"))


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_key_of_a_vendor_is_a_secret_of_its_own_under_our_key(stage: Templates, vendor: str) -> None:
    (secret,) = [
        each for each in stage.of("AWS::SecretsManager::Secret").values() if each.get("Name", "").endswith(f"/{vendor}")
    ]
    assert secret["KmsKeyId"]


def test_a_tenant_whose_name_cannot_stand_in_a_services_is_refused_with_what_may() -> None:
    from infra.settings import PROD

    assert PROD.phone_service("sint-anna") == "careline-prod-voice-sint-anna"
    with pytest.raises(ValueError, match="letters, digits and hyphens"):
        PROD.phone_service("sint:anna")
