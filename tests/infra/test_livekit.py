"""LiveKit of one's own is off unless a stage names it; what it lets in is its workers and the carrier."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from careline.carriers import carriers
from tests.infra.conftest import Templates
from tests.infra.test_cfn_lint import findings_of

Template = dict[str, Any]


@pytest.fixture
def hosted(everything: Templates) -> Template:
    """The resources of the stack."""
    return dict(everything.stacks["careline-prod-livekit"]["Resources"])


def of(stack: Template, kind: str) -> list[Template]:
    return [each["Properties"] for each in stack.values() if each["Type"] == kind]


def variables(stack: Template, container: str) -> dict[str, str]:
    """The variables of a container, references as their names."""
    (made,) = [
        each
        for task in of(stack, "AWS::ECS::TaskDefinition")
        for each in task["ContainerDefinitions"]
        if each["Name"] == container
    ]
    return {each["Name"]: _plain(each["Value"]) for each in made["Environment"]}


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "".join(part if isinstance(part, str) else "10.0.0.0/16" for part in value["Fn::Join"][1])


def test_no_stage_has_it_unless_it_is_named(stage: Templates) -> None:
    assert not any("livekit" in name for name in stage.stacks)


def test_cloudformation_takes_the_template(everything: Templates) -> None:
    """That there is one says that cdk-nag had nothing to say either."""
    path = everything.outdir / "careline-prod-livekit.template.json"
    assert findings_of([path]) == {str(path): []}


def test_from_outside_only_the_carrier_comes_in_by_tls_and_with_audio(hosted: Template) -> None:
    groups = of(hosted, "AWS::EC2::SecurityGroup")
    rules = [rule for group in groups for rule in group.get("SecurityGroupIngress", ())]
    assert all("CidrIp" not in rule for rule in of(hosted, "AWS::EC2::SecurityGroupIngress"))
    named = [rule for rule in rules if isinstance(rule["CidrIp"], str)]
    outside = {(rule["CidrIp"], rule["FromPort"], rule["IpProtocol"]) for rule in named}
    twilio = carriers()["twilio"]
    assert outside == {(network, 5061, "tcp") for network in twilio.signals.values()} | {
        (network, 10000, "udp") for network in twilio.audio
    }


def test_the_server_is_reached_from_inside_alone_and_by_tls(hosted: Template) -> None:
    schemes = {each["Scheme"] for each in of(hosted, "AWS::ElasticLoadBalancingV2::LoadBalancer")}
    assert schemes == {"internal", "internet-facing"}
    listeners = {each["Port"]: each for each in of(hosted, "AWS::ElasticLoadBalancingV2::Listener")}
    assert listeners[443]["Protocol"] == "TLS"
    assert listeners[443]["Certificates"]
    assert listeners[5061]["Protocol"] == "TCP", "the SIP service opens it itself"


def test_the_sip_service_sees_who_calls(hosted: Template) -> None:
    """Else every caller would come from the balancer, and the trunk lets in the carrier's addresses alone."""
    (group,) = [each for each in of(hosted, "AWS::ElasticLoadBalancingV2::TargetGroup") if each["Port"] == 5061]
    attributes = {each["Key"]: each["Value"] for each in group["TargetGroupAttributes"]}
    assert attributes["preserve_client_ip.enabled"] == "true"


def test_the_configurations_are_what_server_and_service_read(hosted: Template) -> None:
    server = yaml.safe_load(variables(hosted, "server")["LIVEKIT_CONFIG"])
    sip = yaml.safe_load(variables(hosted, "sip")["SIP_CONFIG"])
    assert server["redis"]["use_tls"] is sip["redis"]["use_tls"] is True
    assert server["redis"]["address"] == sip["redis"]["address"]
    assert sip["tls"]["port"] == 5061
    assert sip["rtp_port"] == "10000-20000"
    assert sip["ws_url"] == "wss://livekit.example.org"
    assert server["rtc"]["use_external_ip"] is False


def test_what_is_between_them_is_encrypted_has_a_password_and_a_second_node(hosted: Template) -> None:
    (store,) = of(hosted, "AWS::ElastiCache::ReplicationGroup")
    assert store["Engine"] == "valkey"
    assert store["TransitEncryptionEnabled"] is store["AtRestEncryptionEnabled"] is store["MultiAZEnabled"] is True
    assert "resolve:secretsmanager" in json.dumps(store["AuthToken"])


def test_no_key_stands_in_a_template_and_nobody_is_root(hosted: Template) -> None:
    for task in of(hosted, "AWS::ECS::TaskDefinition"):
        (container,) = task["ContainerDefinitions"]
        assert container["User"] == "65534"
        assert container["ReadonlyRootFilesystem"] is True
        assert container["Image"].rpartition(":")[2].startswith("v")
        assert not {"LIVEKIT_API_SECRET", "LIVEKIT_KEYS", "REDIS_PASSWORD", "TLS_KEY"} & {
            each["Name"] for each in container["Environment"]
        }


def test_the_sip_service_begins_with_its_certificate_in_files_and_its_password_in_its_configuration(
    tmp_path: Path, hosted: Template
) -> None:
    from infra.stacks.livekit import BEGIN_SIP, PASSWORD

    begun = tmp_path / "livekit-sip"
    begun.write_text(f'#!/bin/sh\nprintf %s "$SIP_CONFIG_BODY" > {tmp_path}/body\nenv > {tmp_path}/env\n')
    begun.chmod(0o755)
    told = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "SIP_CONFIG": json.dumps({"redis": {"address": "store:6380", "password": PASSWORD}}),
        "VALKEY_PASSWORD": "Abc123",
        "TLS_CERTIFICATE": "-----BEGIN CERTIFICATE-----\nMIIB\n",
        "TLS_KEY": "-----BEGIN PRIVATE KEY-----\nMIIE\n",
    }
    script = BEGIN_SIP.replace("/dev/shm", str(tmp_path))
    subprocess.run(["/bin/sh", "-c", script], env=told, check=True, timeout=30)
    assert json.loads((tmp_path / "body").read_text()) == {"redis": {"address": "store:6380", "password": "Abc123"}}
    assert (tmp_path / "tls.crt").read_text() == told["TLS_CERTIFICATE"]
    assert (tmp_path / "tls.key").read_text() == told["TLS_KEY"]
    assert (tmp_path / "tls.key").stat().st_mode & 0o077 == 0
    assert "TLS_KEY=" not in (tmp_path / "env").read_text()
