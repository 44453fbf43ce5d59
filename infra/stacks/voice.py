"""The phone workers of one hospital: a service of Fargate that reaches out to LiveKit and is reached by nobody."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from careline.schemas import phone_figures
from infra.constructs.access.task_role import task_role
from infra.constructs.function import encrypted_log
from infra.constructs.reviewed import reviewed, reviewed_wildcard
from infra.constructs.worker_image import worker_image
from infra.settings import StageSettings
from infra.stacks.network import NetworkStack
from infra.stacks.phone_keys import FIELDS, PhoneKeysStack

CPU, MEMORY_MB = 1024, 2048
CALLS = 6
"""Calls of one task, which take a tenth of a processor each, measured with ten of them (docs/phone.md)."""
CALLS_WANTED = 3
"""Calls of a task that the service is scaled to: a new task takes a minute to answer, in which calls may double."""
SCALES_IN_AFTER_MINUTES = 15
STOP_SECONDS = 120
"""The longest that Fargate waits after SIGTERM (ECS API reference, ContainerDefinition, stopTimeout)."""
DRAIN_SECONDS = STOP_SECONDS - 10
HEALTH_PORT = 8081
HEALTHY = f"import urllib.request; urllib.request.urlopen('http://127.0.0.1:{HEALTH_PORT}/', timeout=2)"
REACHED: tuple[tuple[ec2.Port, str], ...] = (
    (ec2.Port.tcp(443), "LiveKit, vendors, the orchestrator and AWS"),
    (ec2.Port.tcp(7881), "audio over TCP where LiveKit is self-hosted"),
    (ec2.Port.udp(3478), "audio by LiveKit's relay"),
    (ec2.Port.udp_range(50000, 60000), "audio"),
)
"""What a worker reaches (LiveKit docs, ports and firewall)."""
OWN_TASKS = "Tasks are named when they start; the cluster holds no others than those of this service."


class VoiceStack(cdk.Stack):
    """`service`, its `task_role` and `name`; `figure` gives a metric of its workers.

    One stack for each hospital: the orchestrator knows by the role that signs whose line asks.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: StageSettings,
        *,
        network: NetworkStack,
        keys: PhoneKeysStack,
        orchestrator: lambda_.FunctionUrl,
        key: kms.IKey,
        tenant: str,
        **more: Any,
    ) -> None:
        super().__init__(scope, construct_id, **more)
        self._settings, self._tenant = settings, tenant
        self.name = settings.phone_service(tenant)
        """Of the service, its cluster, its task definition and its role."""
        self.log = encrypted_log(self, "Log", settings, f"/careline/{self.name}", key)
        self.task_role = self._make_role(orchestrator)
        definition = self._define_task(keys, orchestrator)
        keys.let_read(definition.obtain_execution_role())
        self.service = self._make_service(network, definition)
        self._scale()

    def figure(self, name: str, statistic: str = "Sum", minutes: int = 1) -> cloudwatch.Metric:
        """A metric of `careline.schemas.phone_figures`; those of a worker are kept by service, others by stage."""
        by_service = {phone_figures.SERVICE: self.name} if name in phone_figures.BY_SERVICE else {}
        return cloudwatch.Metric(
            namespace=phone_figures.NAMESPACE,
            metric_name=name,
            dimensions_map={phone_figures.STAGE: self._settings.name, **by_service},
            statistic=statistic,
            period=cdk.Duration.minutes(minutes),
        )

    def _make_role(self, orchestrator: lambda_.FunctionUrl) -> iam.Role:
        """A caller's rights, and of ECS what concerns the task itself."""
        role = task_role(self, "TaskRole", self.name)
        orchestrator.grant_invoke_url(role)
        tasks, service = self._own("task", f"{self.name}/*"), self._own("service", f"{self.name}/{self.name}")
        protect = ["ecs:GetTaskProtection", "ecs:UpdateTaskProtection"]
        role.add_to_policy(iam.PolicyStatement(actions=protect, resources=[tasks]))
        role.add_to_policy(iam.PolicyStatement(actions=["ecs:DescribeServices"], resources=[service]))
        reviewed_wildcard(role, f"Resource::{as_found(self, tasks)}", OWN_TASKS)
        return role

    def _own(self, kind: str, name: str) -> str:
        return self.format_arn(service="ecs", resource=kind, resource_name=name)

    def _define_task(self, keys: PhoneKeysStack, orchestrator: lambda_.FunctionUrl) -> ecs.FargateTaskDefinition:
        definition = ecs.FargateTaskDefinition(
            self,
            "Task",
            family=self.name,
            cpu=CPU,
            memory_limit_mib=MEMORY_MB,
            task_role=self.task_role,
            execution_role=task_role(self, "StartRole"),
            runtime_platform=ecs.RuntimePlatform(
                cpu_architecture=ecs.CpuArchitecture.ARM64,
                operating_system_family=ecs.OperatingSystemFamily.LINUX,
            ),
            volumes=[ecs.Volume(name="tmp")],
        )
        container = definition.add_container(
            "worker",
            image=worker_image(),
            user="caller",
            readonly_root_filesystem=True,
            stop_timeout=cdk.Duration.seconds(STOP_SECONDS),
            logging=ecs.LogDrivers.aws_logs(stream_prefix="worker", log_group=self.log),
            linux_parameters=ecs.LinuxParameters(self, "Init", init_process_enabled=True),
            environment=self._worker_settings(orchestrator),
            secrets={
                variable: ecs.Secret.from_secrets_manager(keys.secrets[vendor], field)
                for vendor, fields in FIELDS.items()
                for field, variable in fields.items()
            },
            # ECS does not look at the one of the image.
            health_check=ecs.HealthCheck(
                command=["CMD", "python", "-c", HEALTHY],
                interval=cdk.Duration.seconds(15),
                timeout=cdk.Duration.seconds(5),
                retries=3,
                start_period=cdk.Duration.seconds(60),
            ),
        )
        container.add_mount_points(
            ecs.MountPoint(container_path="/tmp", source_volume="tmp", read_only=False)  # noqa: S108
        )
        reviewed(definition, ECS2="These variables are settings; keys come from Secrets Manager when a task starts.")
        starts = definition.obtain_execution_role()
        reviewed_wildcard(starts, "Resource::*", "Logging in to the registry of images takes nothing but a star.")
        return definition

    def _worker_settings(self, orchestrator: lambda_.FunctionUrl) -> dict[str, str]:
        """Names are fields of `careline.settings.PhoneSettings`."""
        return {
            "CARELINE_TENANT": self._tenant,
            "CARELINE_STAGE": self._settings.name,
            "CARELINE_AWS_REGION": self.region,
            "CARELINE_ORCHESTRATOR_URL": orchestrator.url,
            "CARELINE_ORCHESTRATOR_SIGNED": "true",
            "CARELINE_VOICE_AGENT_NAME": self.name,
            "CARELINE_VOICE_CALLS": str(CALLS),
            "CARELINE_VOICE_DRAIN_SECONDS": str(DRAIN_SECONDS),
            "CARELINE_VOICE_HEALTH_PORT": str(HEALTH_PORT),
            "CARELINE_VOICE_HOST": "127.0.0.1",
            "CARELINE_VOICE_SERVICE": self.name,
        }

    def _make_service(self, network: NetworkStack, definition: ecs.FargateTaskDefinition) -> ecs.FargateService:
        """Spot is not for calls: it gives two minutes' notice. Who scales has the number of tasks, so that the template
        says it only where nobody does: a deployment would set it back."""
        least, most = self._settings.phone_tasks
        cluster = ecs.Cluster(
            self,
            "Cluster",
            cluster_name=self.name,
            vpc=network.vpc,
            container_insights_v2=ecs.ContainerInsights.ENABLED,
        )
        return ecs.FargateService(
            self,
            "Service",
            service_name=self.name,
            cluster=cluster,
            task_definition=definition,
            desired_count=least if least == most else None,
            min_healthy_percent=100,
            max_healthy_percent=200,
            circuit_breaker=ecs.DeploymentCircuitBreaker(enable=True, rollback=True),
            vpc_subnets=network.worker_subnets,
            assign_public_ip=network.vpc.select_subnets(
                subnet_group_name=network.worker_subnets.subnet_group_name
            ).has_public,
            security_groups=[self._reaching_out(network)],
            propagate_tags=ecs.PropagatedTagSource.SERVICE,
        )

    def _reaching_out(self, network: NetworkStack) -> ec2.SecurityGroup:
        says = "phone workers: nobody comes in, the line and its vendors are reached"
        group = ec2.SecurityGroup(self, "Group", vpc=network.vpc, description=says, allow_all_outbound=False)
        for port, what in REACHED:
            group.add_egress_rule(ec2.Peer.any_ipv4(), port, what)
        return group

    def _scale(self) -> None:
        """Scaling in is allowed, as ECS leaves tasks alone that hold calls; slowly, as calls come in waves."""
        least, most = self._settings.phone_tasks
        if least == most:
            return
        scaled = self.service.auto_scale_task_count(min_capacity=least, max_capacity=most)
        scaled.scale_to_track_custom_metric(
            "Calls",
            metric=self.figure(phone_figures.CALLS_PER_TASK, "Average"),
            target_value=CALLS_WANTED,
            scale_out_cooldown=cdk.Duration.seconds(60),
            scale_in_cooldown=cdk.Duration.minutes(SCALES_IN_AFTER_MINUTES),
        )


def as_found(stack: cdk.Stack, arn: str) -> str:
    """An ARN as cdk-nag writes it: references, such as the partition, by their names."""
    resolved = stack.resolve(arn)
    if isinstance(resolved, str):
        return resolved
    return "".join(part if isinstance(part, str) else f"<{part['Ref']}>" for part in resolved["Fn::Join"][1])
