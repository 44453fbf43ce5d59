"""LiveKit of one's own, where LiveKit Cloud is not wanted: its server, its SIP service, and Valkey between them.

Off unless a stage names it (`StageSettings.livekit`). Workers and the SIP service meet inside the network; of all this
only the SIP service is reached from outside, by the carrier alone. Never tried on an account.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_certificatemanager as acm
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_elasticache as elasticache
from aws_cdk import aws_elasticloadbalancingv2 as elb
from aws_cdk import aws_kms as kms
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from careline.carriers import carriers
from infra.constructs.access.task_role import task_role
from infra.constructs.function import encrypted_log
from infra.constructs.reviewed import reviewed
from infra.settings import LiveKitHost, StageSettings
from infra.stacks.keys import KeyStack
from infra.stacks.network import NetworkStack
from infra.stacks.phone_keys import PhoneKeysStack

SIGNALS, SIGNALS_TLS, AUDIO_TCP, AUDIO = 7880, 443, 7881, (50000, 60000)
"""Of the server (its config-sample.yaml)."""
SIP_TLS, RTP, SIP_HEALTH = 5061, (10000, 20000), 8080
"""Of the SIP service (its pkg/config/config.go)."""
VALKEY_PORT = 6380
BACKUP_DAYS = 15
NOBODY = "65534"
STOP_SECONDS = 120
PASSWORD = "VALKEY-PASSWORD"  # noqa: S105 - what stands for it in the configuration until a task starts
BEGIN_SERVER = "NODE_IP=$(hostname -i) exec /livekit-server"
BEGIN_SIP = (
    'umask 077; printf %s "$TLS_CERTIFICATE" > /dev/shm/tls.crt; printf %s "$TLS_KEY" > /dev/shm/tls.key; '
    f'SIP_CONFIG_BODY=$(printf %s "$SIP_CONFIG" | sed "s|{PASSWORD}|$VALKEY_PASSWORD|"); export SIP_CONFIG_BODY; '
    "unset TLS_KEY VALKEY_PASSWORD; exec livekit-sip"
)
"""The service reads its certificate from files and its password from its configuration alone: both are made in memory,
as nothing else can be written to."""


OWN_RANGE = "What comes in is the range of the network itself, which another stack tells; the rule cannot read that."


class LiveKitStack(cdk.Stack):
    """The output `SipHost` is the host of the origination URI; `SignalHost` is what `wss://` + the domain points at."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: StageSettings,
        host: LiveKitHost,
        *,
        network: NetworkStack,
        keys: PhoneKeysStack,
        stage_keys: KeyStack,
        **more: Any,
    ) -> None:
        super().__init__(scope, construct_id, **more)
        self._settings, self._host, self._keys = settings, host, keys
        self._vpc, self._inside = network.vpc, ec2.Peer.ipv4(network.vpc.vpc_cidr_block)
        # By its ARN: the CDK would name who uses it in the key, which knows no later stack.
        self._key = kms.Key.from_key_arn(self, "Key", stage_keys.secrets.key_arn)
        self._log = encrypted_log(self, "Log", settings, f"/careline/{settings.prefix}-livekit", stage_keys.logs)
        self._certificate = self._secret("SipCertificate", "sip-certificate")
        self._password = self._secret("ValkeyPassword", "valkey-password", exclude_punctuation=True)
        self._server_group = self._group("Server", "LiveKit server")
        self._sip_group = self._group("Sip", "LiveKit SIP service")
        self._store = self._make_store(network)
        self._cluster = ecs.Cluster(
            self, "Cluster", vpc=self._vpc, container_insights_v2=ecs.ContainerInsights.ENABLED
        )
        self.server = self._make_server(network)
        self.sip = self._make_sip()

    def _secret(self, construct_id: str, name: str, **generated: Any) -> secretsmanager.Secret:
        secret = secretsmanager.Secret(
            self,
            construct_id,
            secret_name=f"{self._settings.prefix}/{name}",
            encryption_key=self._key,
            generate_secret_string=secretsmanager.SecretStringGenerator(password_length=64, **generated),
        )
        reviewed(secret, SMG4="A new one cuts off calls: it is put in by hand, when there are none.")
        return secret

    def _group(self, name: str, what: str) -> ec2.SecurityGroup:
        group = ec2.SecurityGroup(self, f"{name}Group", vpc=self._vpc, description=what, allow_all_outbound=True)
        reviewed(group, EC23=OWN_RANGE)
        return group

    def _make_store(self, network: NetworkStack) -> elasticache.CfnReplicationGroup:
        """One shard, as server and service expect one address. Trunks and dispatch rules are kept in it alone."""
        group = ec2.SecurityGroup(
            self, "StoreGroup", vpc=self._vpc, description="Valkey of LiveKit", allow_all_outbound=False
        )
        for who in (self._server_group, self._sip_group):
            group.add_ingress_rule(who, ec2.Port.tcp(VALKEY_PORT), "LiveKit")
        subnets = elasticache.CfnSubnetGroup(
            self,
            "StoreSubnets",
            description="Valkey of LiveKit",
            subnet_ids=self._vpc.select_subnets(
                subnet_group_name=network.worker_subnets.subnet_group_name
            ).subnet_ids,
        )
        return elasticache.CfnReplicationGroup(
            self,
            "Store",
            replication_group_description="Rooms, trunks and dispatch rules of LiveKit",
            engine="valkey",
            engine_version="8.0",
            cache_node_type="cache.t4g.micro",
            num_node_groups=1,
            replicas_per_node_group=1,
            automatic_failover_enabled=True,
            multi_az_enabled=True,
            at_rest_encryption_enabled=True,
            kms_key_id=self._key.key_arn,
            transit_encryption_enabled=True,
            auth_token=self._password.secret_value.unsafe_unwrap(),
            port=VALKEY_PORT,
            cache_subnet_group_name=subnets.ref,
            security_group_ids=[group.security_group_id],
            snapshot_retention_limit=BACKUP_DAYS,
        )

    def _at_store(self) -> dict[str, object]:
        return {"address": f"{self._store.attr_primary_end_point_address}:{VALKEY_PORT}", "use_tls": True}

    def _make_server(self, network: NetworkStack) -> ecs.FargateService:
        """Inside the network, behind an address of its own, where TLS ends."""
        configuration = {
            "port": SIGNALS,
            "redis": self._at_store(),
            "rtc": {
                "tcp_port": AUDIO_TCP,
                "port_range_start": AUDIO[0],
                "port_range_end": AUDIO[1],
                "use_external_ip": False,
                "ips": {"includes": [self._vpc.vpc_cidr_block]},
            },
        }
        definition = self._define(
            "Server",
            self._host.server_image,
            BEGIN_SERVER,
            environment={"LIVEKIT_CONFIG": self.to_json_string(configuration)},
            secrets={
                "LIVEKIT_KEYS": ecs.Secret.from_secrets_manager(self._keys.secrets["livekit"], "keys"),
                "REDIS_PASSWORD": ecs.Secret.from_secrets_manager(self._password),
            },
            port=SIGNALS,
        )
        service = self._serve("Server", definition, self._server_group, network.worker_subnets, tasks=2)
        for port in (ec2.Port.tcp(AUDIO_TCP), ec2.Port.udp_range(*AUDIO)):
            self._server_group.add_ingress_rule(self._inside, port, "audio of workers and callers")
        balancer = self._balance("Signals", self._inside, SIGNALS_TLS, network.worker_subnets, public=False)
        self._server_group.add_ingress_rule(_group_of(balancer), ec2.Port.tcp(SIGNALS), "signals")
        certificate = acm.Certificate.from_certificate_arn(self, "Certificate", self._host.certificate_arn)
        listener = balancer.add_listener(
            "Tls", port=SIGNALS_TLS, certificates=[certificate], ssl_policy=elb.SslPolicy.RECOMMENDED_TLS
        )
        listener.add_targets("Server", port=SIGNALS, protocol=elb.Protocol.TCP, targets=[service])
        cdk.CfnOutput(self, "SignalHost", value=balancer.load_balancer_dns_name)
        return service

    def _make_sip(self) -> ecs.FargateService:
        """One task: what a carrier sends within a call has to reach the task that holds it. Signals go through the
        balancer, which has an address that stays, unopened; audio goes to the task's own address."""
        configuration = {
            "ws_url": f"wss://{self._host.domain}",
            "redis": {**self._at_store(), "password": PASSWORD},
            "health_port": SIP_HEALTH,
            "tls": {
                "port": SIP_TLS,
                "certs": [{"cert_file": "/dev/shm/tls.crt", "key_file": "/dev/shm/tls.key"}],  # noqa: S108
                "min_version": "tls1.2",
            },
            "rtp_port": f"{RTP[0]}-{RTP[1]}",
            "local_net": self._vpc.vpc_cidr_block,
            "use_external_ip": True,
            "hide_inbound_port": True,
        }
        livekit = self._keys.secrets["livekit"]
        definition = self._define(
            "Sip",
            self._host.sip_image,
            BEGIN_SIP,
            environment={"SIP_CONFIG": self.to_json_string(configuration)},
            secrets={
                "LIVEKIT_API_KEY": ecs.Secret.from_secrets_manager(livekit, "api_key"),
                "LIVEKIT_API_SECRET": ecs.Secret.from_secrets_manager(livekit, "api_secret"),
                "VALKEY_PASSWORD": ecs.Secret.from_secrets_manager(self._password),
                "TLS_CERTIFICATE": ecs.Secret.from_secrets_manager(self._certificate, "certificate"),
                "TLS_KEY": ecs.Secret.from_secrets_manager(self._certificate, "private_key"),
            },
            port=SIP_TLS,
        )
        outside = ec2.SubnetSelection(subnet_type=ec2.SubnetType.PUBLIC)
        service = self._serve("Sip", definition, self._sip_group, outside, tasks=1)
        balancer = self._balance("Calls", None, SIP_TLS, outside, public=True)
        carrier = carriers()[self._host.carrier]
        for place, network in carrier.signals.items():
            for group in (self._sip_group, _group_of(balancer)):
                group.add_ingress_rule(ec2.Peer.ipv4(network), ec2.Port.tcp(SIP_TLS), f"{carrier.name}, {place}")
        for network in carrier.audio:
            self._sip_group.add_ingress_rule(ec2.Peer.ipv4(network), ec2.Port.udp_range(*RTP), "audio of the carrier")
        self._sip_group.add_ingress_rule(_group_of(balancer), ec2.Port.tcp(SIP_TLS), "whether it listens")
        listener = balancer.add_listener("Tls", port=SIP_TLS, protocol=elb.Protocol.TCP)
        listener.add_targets(
            "Sip", port=SIP_TLS, protocol=elb.Protocol.TCP, targets=[service], preserve_client_ip=True
        )
        cdk.CfnOutput(self, "SipHost", value=balancer.load_balancer_dns_name)
        return service

    def _define(
        self,
        name: str,
        image: str,
        begin: str,
        *,
        environment: Mapping[str, str],
        secrets: Mapping[str, ecs.Secret],
        port: int,
    ) -> ecs.FargateTaskDefinition:
        definition = ecs.FargateTaskDefinition(
            self,
            f"{name}Task",
            cpu=1024,
            memory_limit_mib=2048,
            task_role=task_role(self, f"{name}Role"),
            execution_role=task_role(self, f"{name}StartRole"),
            runtime_platform=ecs.RuntimePlatform(
                cpu_architecture=ecs.CpuArchitecture.ARM64,
                operating_system_family=ecs.OperatingSystemFamily.LINUX,
            ),
        )
        definition.add_container(
            name.lower(),
            image=ecs.ContainerImage.from_registry(image),
            entry_point=["/bin/sh", "-c"],
            command=[begin],
            environment=dict(environment),
            secrets=dict(secrets),
            user=NOBODY,
            readonly_root_filesystem=True,
            stop_timeout=cdk.Duration.seconds(STOP_SECONDS),
            logging=ecs.LogDrivers.aws_logs(stream_prefix=name.lower(), log_group=self._log),
            port_mappings=[ecs.PortMapping(container_port=port)],
        )
        starts = definition.obtain_execution_role()
        self._keys.let_read(starts)
        reviewed(definition, ECS2="These variables are addresses and ports; keys come from Secrets Manager.")
        return definition

    def _serve(
        self,
        name: str,
        definition: ecs.FargateTaskDefinition,
        group: ec2.SecurityGroup,
        subnets: ec2.SubnetSelection,
        *,
        tasks: int,
    ) -> ecs.FargateService:
        return ecs.FargateService(
            self,
            name,
            cluster=self._cluster,
            task_definition=definition,
            desired_count=tasks,
            min_healthy_percent=100,
            max_healthy_percent=200,
            circuit_breaker=ecs.DeploymentCircuitBreaker(enable=True, rollback=True),
            vpc_subnets=subnets,
            assign_public_ip=subnets.subnet_type == ec2.SubnetType.PUBLIC,
            security_groups=[group],
        )

    def _balance(
        self, name: str, who: ec2.IPeer | None, port: int, subnets: ec2.SubnetSelection, *, public: bool
    ) -> elb.NetworkLoadBalancer:
        group = self._group(name, f"{name} of LiveKit")
        if who is not None:
            group.add_ingress_rule(who, ec2.Port.tcp(port), "workers, the SIP service and operators")
        balancer = elb.NetworkLoadBalancer(
            self,
            name,
            vpc=self._vpc,
            vpc_subnets=subnets,
            internet_facing=public,
            security_groups=[group],
            cross_zone_enabled=True,
            deletion_protection=self._settings.keep_data,
        )
        reviewed(balancer, ELB2="Server and SIP service log each connection and call themselves, without its audio.")
        return balancer


def _group_of(balancer: elb.NetworkLoadBalancer) -> ec2.ISecurityGroup:
    (group,) = balancer.connections.security_groups
    return group
