"""The network of a stage: where the phone worker runs, and where functions run that may be reached by nobody."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk import aws_opensearchserverless as aoss
from constructs import Construct

from infra.constructs.access.role import ServiceRole
from infra.constructs.function import encrypted_log
from infra.settings import StageSettings

RANGE = "10.40.0.0/16"
HTTPS = 443
PUBLIC, WORKERS, FUNCTIONS = "public", "workers", "functions"
"""Names of the subnets. `public` holds the gateway to the internet and nothing of ours, where there are `workers`."""


class NetworkStack(cdk.Stack):
    """Nothing in it can be reached from outside. With a way out (`nat_gateways`) workers and functions reach their
    vendors, and AWS by gateways and endpoints; without one it costs nothing and holds at most a worker.

    `key` encrypts the log of its traffic.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: StageSettings,
        *,
        key: kms.IKey | None = None,
        **more: Any,
    ) -> None:
        super().__init__(scope, construct_id, **more)
        self._settings = settings
        self.vpc = self._make_vpc()
        self._log_traffic(key)
        self._log_provider(key)
        self._let_reach_tables_and_files()
        self.function_group = self._group("FunctionGroup", "functions: nobody comes in, TLS goes out")
        self.function_group.add_egress_rule(ec2.Peer.any_ipv4(), ec2.Port.tcp(HTTPS), "vendors and AWS")
        self.search_endpoint = self._reach_services() if settings.is_private else None

    @property
    def worker_subnets(self) -> ec2.SubnetSelection:
        """Where the phone worker runs; in public ones it needs an address of its own (`assign_public_ip`)."""
        return ec2.SubnetSelection(subnet_group_name=WORKERS if self._settings.nat_gateways else PUBLIC)

    @property
    def function_subnets(self) -> ec2.SubnetSelection:
        """Where functions run."""
        return ec2.SubnetSelection(subnet_group_name=FUNCTIONS)

    @property
    def availability_zones(self) -> list[str]:
        """Picked by CloudFormation: the CDK would ask the account, and without one write a zone that does not exist."""
        return [cdk.Fn.select(zone, cdk.Fn.get_azs()) for zone in range(self._settings.zones)]

    def _make_vpc(self) -> ec2.Vpc:
        settings = self._settings
        inside = ec2.SubnetType.PRIVATE_WITH_EGRESS if settings.nat_gateways else ec2.SubnetType.PRIVATE_ISOLATED
        subnets = [
            ec2.SubnetConfiguration(
                name=PUBLIC, subnet_type=ec2.SubnetType.PUBLIC, cidr_mask=24, map_public_ip_on_launch=False
            ),
            ec2.SubnetConfiguration(name=WORKERS, subnet_type=inside, cidr_mask=22),
            ec2.SubnetConfiguration(name=FUNCTIONS, subnet_type=inside, cidr_mask=20),
        ]
        return ec2.Vpc(
            self,
            "Vpc",
            ip_addresses=ec2.IpAddresses.cidr(RANGE),
            availability_zones=self.availability_zones,
            nat_gateways=settings.nat_gateways,
            subnet_configuration=subnets,
            restrict_default_security_group=True,
        )

    def _log_traffic(self, key: kms.IKey | None) -> None:
        """Addresses and ports, never content."""
        log = encrypted_log(self, "TrafficLog", self._settings, f"/careline/{self._settings.prefix}/traffic", key)
        role = ServiceRole(self, "TrafficRole", "vpc-flow-logs.amazonaws.com")
        destination = ec2.FlowLogDestination.to_cloud_watch_logs(log, role)
        interval = ec2.FlowLogMaxAggregationInterval.TEN_MINUTES
        self.vpc.add_flow_log("Traffic", destination=destination, max_aggregation_interval=interval)

    def _log_provider(self, key: kms.IKey | None) -> None:
        """The CDK closes the VPC's default group with a function of its own, whose log would have no end and no key."""
        provider = self.node.find_child("Custom::VpcRestrictDefaultSGCustomResourceProvider")
        function: Any = provider.node.find_child("Handler")
        log = encrypted_log(self, "ProviderLog", self._settings, f"/aws/lambda/{function.ref}", key)
        self.vpc.node.find_child("RestrictDefaultSecurityGroupCustomResource").node.add_dependency(log)

    def _let_reach_tables_and_files(self) -> None:
        """Gateways cost nothing, and save what the way out asks for each byte."""
        self.vpc.add_gateway_endpoint("Files", service=ec2.GatewayVpcEndpointAwsService.S3)
        self.vpc.add_gateway_endpoint("Tables", service=ec2.GatewayVpcEndpointAwsService.DYNAMODB)

    def _reach_services(self) -> aoss.CfnVpcEndpoint:
        """An endpoint for search, which is private by it, and one for each service the stage names."""
        group = self._group("EndpointGroup", "endpoints of AWS services: TLS from inside comes in, nothing goes out")
        # A service with an endpoint is reached through it by everything inside, the phone worker too.
        group.add_ingress_rule(ec2.Peer.ipv4(RANGE), ec2.Port.tcp(HTTPS), "functions and workers")
        for service in self._settings.endpoints:
            self.vpc.add_interface_endpoint(
                "".join(part.title() for part in service.split("-")),
                service=ec2.InterfaceVpcEndpointAwsService(service),
                subnets=self.function_subnets,
                security_groups=[group],
                open=False,
            )
        return aoss.CfnVpcEndpoint(
            self,
            "Search",
            name=f"{self._settings.prefix}-search",
            vpc_id=self.vpc.vpc_id,
            subnet_ids=self.vpc.select_subnets(subnet_group_name=FUNCTIONS).subnet_ids,
            security_group_ids=[group.security_group_id],
        )

    def _group(self, construct_id: str, says: str) -> ec2.SecurityGroup:
        return ec2.SecurityGroup(self, construct_id, vpc=self.vpc, description=says, allow_all_outbound=False)
