"""The OpenSearch Serverless collection of passages with its index; the next generation, which can sleep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_opensearchserverless as aoss
from constructs import Construct

from careline.engines.aws.passage_index.index_mapping import index_body
from infra.settings import StageSettings

READ = ("aoss:ReadDocument",)
WRITE = ("aoss:ReadDocument", "aoss:WriteDocument")
DEPLOY = ("aoss:CreateIndex", "aoss:DescribeIndex", "aoss:UpdateIndex", "aoss:DeleteIndex")


class PassageCollection(Construct):
    """A vector collection in a group of its own. Requests are signed; data access policies say who may do what. With
    an `endpoint` requests come through it alone."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        key: kms.IKey,
        endpoint: aoss.CfnVpcEndpoint | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        self._name = f"{settings.prefix}-passages"
        self.index = settings.search_index
        standby = "ENABLED"
        group = aoss.CfnCollectionGroup(
            self,
            "Group",
            name=settings.prefix,
            generation="NEXTGEN",
            standby_replicas=standby,
            capacity_limits=aoss.CfnCollectionGroup.CapacityLimitsProperty(
                min_search_capacity_in_ocu=settings.search_units[0],
                max_search_capacity_in_ocu=settings.search_units[1],
                min_indexing_capacity_in_ocu=settings.indexing_units[0],
                max_indexing_capacity_in_ocu=settings.indexing_units[1],
            ),
        )
        encryption = self._policy(
            "Encryption", "encryption", {"AWSOwnedKey": False, "KmsARN": key.key_arn}, listed=False
        )
        network = self._policy("Network", "network", _reached(settings, endpoint), listed=True)
        self.collection = aoss.CfnCollection(
            self,
            "Collection",
            name=self._name,
            type="VECTORSEARCH",
            collection_group_name=group.name,
            standby_replicas=standby,
            deletion_protection="ENABLED" if settings.keep_data else "DISABLED",
        )
        self.collection.node.add_dependency(group, encryption, network)
        self._index(settings)

    @property
    def endpoint(self) -> str:
        """Where requests go."""
        return self.collection.attr_collection_endpoint

    def _policy(
        self, construct_id: str, kind: str, says: Mapping[str, object], *, listed: bool
    ) -> aoss.CfnSecurityPolicy:
        """Encryption policies are one object, network policies a list of them."""
        policy = {"Rules": [{"ResourceType": "collection", "Resource": [f"collection/{self._name}"]}], **says}
        text = _joined([policy] if listed else policy, self)
        return aoss.CfnSecurityPolicy(self, construct_id, name=self._name, type=kind, policy=text)

    def _index(self, settings: StageSettings) -> None:
        """The index is made by CloudFormation, whose role needs to be let in like any other."""
        access = self._access(self, "DeployAccess", "deploy", DEPLOY, [_deployer(self)])
        body = index_body(settings.vector_dimensions, "aoss")
        index = aoss.CfnIndex(
            self,
            "Index",
            collection_endpoint=self.endpoint,
            index_name=settings.search_index,
            mappings=aoss.CfnIndex.MappingsProperty(
                properties={name: _property(field) for name, field in body["mappings"]["properties"].items()}
            ),
            settings=aoss.CfnIndex.IndexSettingsProperty(
                index=aoss.CfnIndex.IndexProperty(
                    knn=True, knn_algo_param_ef_search=body["settings"]["index"]["knn.algo_param.ef_search"]
                )
            ),
        )
        index.node.add_dependency(self.collection, access)

    def let_in(self, scope: Construct, construct_id: str, role: iam.Role, permissions: Sequence[str]) -> None:
        """Allow a role to send requests to the collection, and in it these operations on the index alone."""
        statement = iam.PolicyStatement(actions=["aoss:APIAccessAll"], resources=[self.collection.attr_arn])
        role.add_to_policy(statement)
        self._access(scope, f"{construct_id}IndexAccess", construct_id.lower(), permissions, [role.role_arn])

    def _access(
        self, scope: Construct, construct_id: str, who: str, permissions: Sequence[str], principals: Sequence[str]
    ) -> aoss.CfnAccessPolicy:
        rule = {
            "ResourceType": "index",
            "Resource": [f"index/{self._name}/{self.index}"],
            "Permission": list(permissions),
        }
        text = _joined([{"Rules": [rule], "Principal": list(principals)}], scope)
        name = f"{self._name.removesuffix('-passages')}-{who}"
        return aoss.CfnAccessPolicy(scope, construct_id, name=name, type="data", policy=text)


def _reached(settings: StageSettings, endpoint: aoss.CfnVpcEndpoint | None) -> Mapping[str, object]:
    """From where requests may come."""
    if endpoint is None or settings.opens_search:
        return {"AllowFromPublic": True}
    return {"AllowFromPublic": False, "SourceVPCEs": [endpoint.ref]}


def _deployer(scope: Construct) -> str:
    """The role that CloudFormation works with, as the account was bootstrapped (`cdk bootstrap`)."""
    stack = cdk.Stack.of(scope)
    qualifier = stack.synthesizer.bootstrap_qualifier or cdk.DefaultStackSynthesizer.DEFAULT_QUALIFIER
    name = f"cdk-{qualifier}-cfn-exec-role-{stack.account}-{stack.region}"
    return stack.format_arn(service="iam", region="", resource="role", resource_name=name)


def _joined(policy: Any, scope: Construct) -> str:
    """JSON in which ARNs and ids may still be references."""
    return cdk.Stack.of(scope).to_json_string(policy)


def _property(field: Mapping[str, Any]) -> aoss.CfnIndex.PropertyMappingProperty:
    method = field.get("method")
    return aoss.CfnIndex.PropertyMappingProperty(
        type=field["type"],
        analyzer=field.get("analyzer"),
        index=field.get("index"),
        dimension=field.get("dimension"),
        method=None if method is None else _method(method),
    )


def _method(method: Mapping[str, Any]) -> aoss.CfnIndex.MethodProperty:
    parameters = method["parameters"]
    return aoss.CfnIndex.MethodProperty(
        name=method["name"],
        engine=method["engine"],
        space_type=method["space_type"],
        parameters=aoss.CfnIndex.ParametersProperty(m=parameters["m"], ef_construction=parameters["ef_construction"]),
    )
