"""Who gets in, as the templates say it: the user pool and its client, uploaders, the worker, the console's page."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from careline.settings import Settings
from infra.node import node
from infra.settings import PROD, LoginProvider, StageSettings
from tests.cloud.intrinsics import Resolver
from tests.infra.conftest import Templates
from tests.infra.test_template import ROOT, actions, flat

ADMINISTERS = "aws.cognito.signin.user.admin"
"""The scope by which a token changes its holder's own attributes (Cognito developer guide, scopes)."""
WHAT_ONE_IS = {"custom:role", "custom:tenant"}
PROVIDER = LoginProvider("hospital", "https://login.example", "careline", "careline-prod/login-provider")


def made(settings: StageSettings, outdir: Path, more: Callable[[Any, Any], None] | None = None) -> Templates:
    """The templates of a stage that is set up otherwise; `more` adds to the app with its API."""
    if found := node():
        os.environ.setdefault("JSII_NODE", found)
    pytest.importorskip("aws_cdk")
    import aws_cdk as cdk

    from infra.app import build

    flags = json.loads((ROOT / "cdk.json").read_text())["context"]
    app = cdk.App(context={**flags, "bundle": "false"}, outdir=str(outdir), analytics_reporting=False)
    built = build(app, settings)
    if more is not None:
        more(app, built)
    app.synth()
    return Templates(outdir)


@pytest.fixture(scope="module", name="other")
def the_other(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    """A stage with a name of its own, two hospitals with uploaders, a login provider, and a role that may ask."""
    settings = replace(
        PROD,
        tenants=("sint-anna", "elzenvoorde"),
        uploaders=tuple((one, f"arn:aws:iam::222222222222:role/{one}") for one in ("sint-anna", "elzenvoorde")),
        signers=(("arn:aws:iam::111111111111:role/desk", "user@elzenvoorde"),),
        login_provider=PROVIDER,
        console_domain="careline.example",
        console_certificate="arn:aws:acm:us-east-1:111111111111:certificate/11111111-2222-3333-4444-555555555555",
    )
    return made(settings, tmp_path_factory.mktemp("other"), _worker)


def _worker(app: Any, built: Any) -> None:
    import aws_cdk as cdk

    from infra.constructs.access.role import ServiceRole
    from infra.stacks.api import ApiStack

    stack = cdk.Stack(app, "worker", env=cdk.Environment(account=PROD.account, region=PROD.region))
    role = ServiceRole(stack, "Role", "ecs-tasks.amazonaws.com", role_name=PROD.phone_service("sint-anna"))
    (api,) = [stack for stack in built if isinstance(stack, ApiStack)]
    api.let_ask(role)


def test_nobody_signs_up_and_everybody_has_a_second_factor(stage: Templates) -> None:
    (pool,) = stage.of("AWS::Cognito::UserPool").values()
    assert pool["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"] is True
    assert (pool["MfaConfiguration"], pool["EnabledMfas"]) == ("ON", ["SOFTWARE_TOKEN_MFA"])
    assert pool["Policies"]["PasswordPolicy"]["MinimumLength"] >= 14


def test_production_judges_the_risk_of_logins_and_keeps_its_people(prod: Templates, dev: Templates) -> None:
    (pool,) = prod.of("AWS::Cognito::UserPool").values()
    assert (pool["UserPoolTier"], pool["UserPoolAddOns"]["AdvancedSecurityMode"]) == ("PLUS", "ENFORCED")
    assert pool["DeletionProtection"] == "ACTIVE"
    (cheap,) = dev.of("AWS::Cognito::UserPool").values()
    assert cheap["UserPoolTier"] == "ESSENTIALS"


def test_the_attributes_are_the_claims_that_the_functions_read(stage: Templates) -> None:
    (pool,) = stage.of("AWS::Cognito::UserPool").values()
    access = Settings().access
    assert {f"custom:{one['Name']}" for one in pool["Schema"]} == {access.role_claim, access.tenant_claim}


def test_no_token_of_the_console_changes_what_its_holder_is(stage: Templates, other: Templates) -> None:
    (client,) = stage.of("AWS::Cognito::UserPoolClient").values()
    assert set(client["ReadAttributes"]) >= WHAT_ONE_IS
    assert not set(client["WriteAttributes"]) & WHAT_ONE_IS
    for template in (stage, other):
        (client,) = template.of("AWS::Cognito::UserPoolClient").values()
        assert ADMINISTERS not in client["AllowedOAuthScopes"]
        # A login beside the managed page gives that scope; without a word Cognito allows some (CreateUserPoolClient),
        # and with rotation it refuses the one that renews (refresh token rotation).
        assert client["ExplicitAuthFlows"] == ["ALLOW_ADMIN_USER_PASSWORD_AUTH"]


def test_the_console_is_a_public_client_with_codes_alone_whose_tokens_end_soon(stage: Templates) -> None:
    (client,) = stage.of("AWS::Cognito::UserPoolClient").values()
    assert (client["GenerateSecret"], client["AllowedOAuthFlows"]) == (False, ["code"])
    assert client["EnableTokenRevocation"] is True
    assert client["PreventUserExistenceErrors"] == "ENABLED"
    assert client["TokenValidityUnits"]["IdToken"] == "minutes"
    assert client["IdTokenValidity"] <= 15
    assert client["RefreshTokenRotation"]["Feature"] == "ENABLED"
    assert client["CallbackURLs"] == client["LogoutURLs"]


def test_a_provider_of_the_hospital_says_who_people_are_and_the_pool_signs_it(other: Templates) -> None:
    (provider,) = other.of("AWS::Cognito::UserPoolIdentityProvider").values()
    assert provider["AttributeMapping"] == {
        "email": "email", "custom:role": "careline_role", "custom:tenant": "careline_tenant",
    }  # fmt: skip
    assert "{{resolve:secretsmanager:careline-prod/login-provider" in flat(provider["ProviderDetails"])
    (client,) = other.of("AWS::Cognito::UserPoolClient").values()
    assert client["SupportedIdentityProviders"] == ["hospital"], "nobody gets in beside the provider"
    assert set(client["WriteAttributes"]) >= WHAT_ONE_IS, "Cognito refuses a federated login otherwise"


def test_the_worker_may_ask_through_the_url_and_is_known_by_its_full_arn(other: Templates) -> None:
    policies = other.stacks["worker"]["Resources"].values()
    (policy,) = [one["Properties"] for one in policies if one["Type"] == "AWS::IAM::ManagedPolicy"]
    allowed = policy["PolicyDocument"]["Statement"]
    assert {action for one in allowed for action in actions(one)} == {
        "lambda:InvokeFunctionUrl", "lambda:InvokeFunction",
    }  # fmt: skip
    (through,) = [one for one in allowed if "lambda:InvokeFunction" in actions(one)]
    assert through["Condition"] == {"Bool": {"lambda:InvokedViaFunctionUrl": True}}
    (role,) = [one["Properties"]["RoleName"] for one in policies if one["Type"] == "AWS::IAM::Role"]
    (variables,) = {
        Resolver({}).value(function["Environment"]["Variables"]["CARELINE_IAM_ROLES"], "")
        for function in other.of("AWS::Lambda::Function").values()
        if "CARELINE_IAM_ROLES" in function["Environment"]["Variables"]
    }
    account = "arn:aws:iam::111111111111:role"
    assert variables.split(",") == [
        f"{account}/{role}=caller@sint-anna",
        f"{account}/careline-prod-voice-elzenvoorde=caller@elzenvoorde",
        f"{account}/careline-prod-canary=caller@sint-anna",
        f"{account}/desk=user@elzenvoorde",
    ]
    roles = Settings.load({"CARELINE_IAM_ROLES": variables}).access.iam_roles
    assert len(roles) == 4


UPLOADERS_OWN = {"careline-tenant": "sint-anna"}
ADMIN_FUNCTION = {"careline-uploads": "admin"}


@pytest.mark.parametrize(
    ("tags", "action", "key", "denied"),
    [
        (UPLOADERS_OWN, "s3:PutObject", "uploads/sint-anna/a.pdf", False),
        (UPLOADERS_OWN, "s3:PutObject", "uploads/elzenvoorde/a.pdf", True),
        (UPLOADERS_OWN, "s3:PutObject", "uploads/sint-anna2/a.pdf", True),
        (UPLOADERS_OWN, "s3:PutObject", "documents/sint-anna/x", True),
        (UPLOADERS_OWN, "s3:DeleteObject", "uploads/elzenvoorde/a.pdf", True),
        (UPLOADERS_OWN, "s3:GetObject", "documents/elzenvoorde/x", True),
        ({**UPLOADERS_OWN, **ADMIN_FUNCTION}, "s3:PutObject", "uploads/elzenvoorde/a.pdf", True),
        ({}, "s3:PutObject", "uploads/sint-anna/a.pdf", True),
        ({}, "s3:PutObject", "documents/sint-anna/x", False),
        ({}, "s3:GetObject", "uploads/sint-anna/a.pdf", False),
        (ADMIN_FUNCTION, "s3:PutObject", "uploads/elzenvoorde/a.pdf", False),
        (ADMIN_FUNCTION, "s3:PutObject", "documents/elzenvoorde/x", False),
    ],
)
def test_who_uploads_for_one_hospital_reaches_no_others(
    stage: Templates, tags: dict[str, str], action: str, key: str, denied: bool
) -> None:
    (policy,) = [
        one["PolicyDocument"]["Statement"]
        for name, one in stage.of("AWS::S3::BucketPolicy").items()
        if name.startswith("FilesPolicy")
    ]
    ours = [one for one in policy if one.get("Sid")]
    assert all(one["Effect"] == "Deny" and one["Principal"] == {"AWS": "*"} for one in ours)
    assert any(_applies(one, action, key, tags) for one in ours) is denied


def _applies(statement: dict[str, Any], action: str, key: str, tags: dict[str, str]) -> bool:
    """Whether a statement is about a request, as IAM reads it: `Null` is true for a tag that is not there, and all of
    the conditions must hold."""
    nulls = statement["Condition"]["Null"]
    absent = {name: name.removeprefix("aws:PrincipalTag/") not in tags for name in nulls}
    if action not in actions(statement) or any(absent[name] != (said == "true") for name, said in nulls.items()):
        return False
    (kind,) = {"Resource", "NotResource"} & set(statement)
    pattern = statement[kind]["Fn::Join"][1][1].removeprefix("/")
    filled = re.sub(r"\$\{aws:PrincipalTag/([\w-]+)\}", lambda found: tags[found[1]], pattern)
    return fnmatchcase(key, filled) is (kind == "Resource")


def test_the_admin_function_puts_uploads_and_each_uploader_has_its_hospitals_tag(
    stage: Templates, other: Templates
) -> None:
    tagged = {
        name: {tag["Key"]: tag["Value"] for tag in role.get("Tags", [])}
        for name, role in stage.of("AWS::IAM::Role").items()
    }
    assert [name for name, tags in tagged.items() if "careline-uploads" in tags] == [
        name for name in tagged if name.startswith("AdminRole")
    ]
    uploaders = {
        role["RoleName"]: {tag["Key"]: tag["Value"] for tag in role["Tags"]}
        for role in other.of("AWS::IAM::Role").values()
        if "uploader" in role.get("RoleName", "")
    }
    assert {name: tags["careline-tenant"] for name, tags in uploaders.items()} == {
        "careline-prod-uploader-sint-anna": "sint-anna",
        "careline-prod-uploader-elzenvoorde": "elzenvoorde",
    }


def test_the_page_of_the_console_loads_and_tells_nothing_elsewhere(stage: Templates) -> None:
    (headers,) = stage.of("AWS::CloudFront::ResponseHeadersPolicy").values()
    said = headers["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"]
    between, parts = said["ContentSecurityPolicy"]["ContentSecurityPolicy"]["Fn::Join"]
    # The bucket's own address is what the one reference gives.
    policy = between.join("the-bucket" if isinstance(part, dict) else part for part in parts)
    assert "unsafe" not in policy
    assert "*" not in policy
    login = re.findall(r"https://\S+?(?=[; ])", policy)
    (domain,) = stage.of("AWS::Cognito::UserPoolDomain").values()
    assert login == [f"https://{domain['Domain']}.auth.eu-west-1.amazoncognito.com", "https://the-bucket"]
    assert said["StrictTransportSecurity"]["AccessControlMaxAgeSec"] >= 31_536_000
    assert said["FrameOptions"]["FrameOption"] == "DENY"


def test_the_api_is_under_the_consoles_name_uncached_and_with_its_token(stage: Templates) -> None:
    from aws_cdk import aws_cloudfront as cloudfront

    (distribution,) = [one["DistributionConfig"] for one in stage.of("AWS::CloudFront::Distribution").values()]
    answers = {one["PathPattern"]: one for one in distribution["CacheBehaviors"]}
    assert set(answers) == {"/v1/*", "/openapi.json"}
    for one in answers.values():
        assert one["CachePolicyId"] == cloudfront.CachePolicy.CACHING_DISABLED.cache_policy_id
        forwarded = cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER
        assert one["OriginRequestPolicyId"] == forwarded.origin_request_policy_id
        assert (one["Compress"], one["ViewerProtocolPolicy"]) == (False, "https-only")
    files = distribution["DefaultCacheBehavior"]
    assert "OriginRequestPolicyId" not in files, "no token goes to the bucket"
    assert files["ResponseHeadersPolicyId"] == answers["/v1/*"]["ResponseHeadersPolicyId"]
    assert distribution["PriceClass"] == "PriceClass_100"


def test_people_behind_cloudfront_are_counted_by_their_own_address_and_others_by_theirs(
    watched_stage: Templates,
) -> None:
    (acl,) = watched_stage.of("AWS::WAFv2::WebACL").values()
    rates = {one["Name"]: one["Statement"].get("RateBasedStatement", {}) for one in acl["Rules"]}
    assert rates["rate"]["AggregateKeyType"] == "IP"
    (key,) = rates["rate-of-viewers"]["CustomKeys"]
    through = rates["rate-of-viewers"]["ScopeDownStatement"]
    assert rates["rate"]["ScopeDownStatement"] == {"NotStatement": {"Statement": through}}, "each request counts once"
    (distribution,) = [one["DistributionConfig"] for one in watched_stage.of("AWS::CloudFront::Distribution").values()]
    (sent,) = [one for origin in distribution["Origins"] for one in origin.get("OriginCustomHeaders", [])]
    assert sent["HeaderName"] == through["ByteMatchStatement"]["FieldToMatch"]["SingleHeader"]["Name"]
    assert "resolve:secretsmanager" in flat(through["ByteMatchStatement"]["SearchString"])
    assert "resolve:secretsmanager" in flat(sent["HeaderValue"])
    (function,) = watched_stage.of("AWS::CloudFront::Function").values()
    assert f"headers['{key['Header']['Name']}'] = {{ value: event.viewer.ip }}" in function["FunctionCode"]
    answers = [one for one in distribution["CacheBehaviors"] if one["FunctionAssociations"]]
    assert len(answers) == len(distribution["CacheBehaviors"])


def test_a_name_of_ones_own_is_held_to_tls_1_2(other: Templates) -> None:
    (distribution,) = [one["DistributionConfig"] for one in other.of("AWS::CloudFront::Distribution").values()]
    assert distribution["Aliases"] == ["careline.example"]
    assert distribution["ViewerCertificate"]["MinimumProtocolVersion"] == "TLSv1.2_2021"
    (client,) = other.of("AWS::Cognito::UserPoolClient").values()
    assert client["CallbackURLs"] == ["https://careline.example/"]


def test_what_puts_the_console_in_place_finds_its_outputs(stage: Templates) -> None:
    (outputs,) = [one["Outputs"] for name, one in stage.stacks.items() if name.endswith("-console")]
    assert {"ConsoleBucket", "ConsoleUrl", "DistributionId", "ConsoleLogin"} <= set(outputs)
    parts = outputs["ConsoleLogin"]["Value"]["Fn::Join"][1]
    assert parts[0].startswith('{"kind":"oidc","address":"https://careline-')
    assert "Ref" in parts[1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"console_domain": "careline.example"},
        {"uploaders": (("elsewhere", "arn:aws:iam::222222222222:root"),)},
        {"tenants": ()},
    ],
)
def test_a_stage_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"belong together|of the stage's tenants"):
        replace(PROD, **wrong)


def test_the_console_may_put_large_files_straight_into_the_bucket(stage: Templates) -> None:
    (rule,) = [
        rule
        for one in stage.of("AWS::S3::Bucket").values()
        for rule in one.get("CorsConfiguration", {}).get("CorsRules", ())
    ]
    assert (rule["AllowedMethods"], rule["ExposedHeaders"]) == (["PUT"], ["ETag"])
    (policy,) = stage.of("AWS::CloudFront::ResponseHeadersPolicy").values()
    said = flat(policy["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"]["ContentSecurityPolicy"])
    assert "connect-src" in said
    assert "Files" in said
