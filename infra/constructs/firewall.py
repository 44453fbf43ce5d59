"""The firewall in front of the API: AWS's lists and common rules, and a limit for each address.

A document is not an attack: a page of HTML holds scripts and a PDF whatever bytes, so what the common rules find in
a body is held against every request but the upload of a file. They count it and say so in a label, and a rule of ours
blocks by the label. The rest of an upload, its address, headers and query, is looked at as that of any request. A log
holds what was refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_kms as kms
from aws_cdk import aws_wafv2 as waf
from constructs import Construct

from infra.constructs.function import encrypted_log
from infra.settings import StageSettings

PER_FIVE_MINUTES = 1000
"""Requests of one address. A ward behind one address asks a few dozen questions a minute."""
EDGE_HEADER, VIEWER_HEADER = "x-careline-edge", "x-careline-viewer"
"""Headers that CloudFront adds: the proof that it was there, and the address of whoever asked it."""
SIZE_RULE = "SizeRestrictions_BODY"
"""Finds bodies over 8 KB, which a question of 4,000 letters and an upload are; the API has limits of its own."""
BODY_RULES = ("CrossSiteScripting_BODY", "GenericLFI_BODY", "GenericRFI_BODY", "EC2MetaDataSSRF_BODY")
"""What the common rules look for in bodies (AWS WAF developer guide, baseline rule groups)."""
LABELS = "awswaf:managed:aws:core-rule-set:"
UPLOAD_PATH = "/v1/documents"
"""How the path of an upload ends; before it stands the name of the stage, or nothing behind a name of one's own."""
MAX_DIRECT_UPLOAD_BYTES = 4_400_000
"""Bytes of a file in a request: Lambda takes 6 MB (6,291,456 bytes), of which the event around the body is some, and a
body that is no text travels in base64, four bytes for three. API Gateway alone takes 10 MB."""
OVER_LIMIT = "^(4[6-9][0-9]{5}|[5-9][0-9]{6}|[1-9][0-9]{7,})$"
"""Content lengths from 4,600,000 on, which with base64 come to more than Lambda takes."""
TOO_LARGE = "too-large"
TOLD = (
    f"a request carries files up to {MAX_DIRECT_UPLOAD_BYTES} bytes; announce this one with POST /v1/documents/uploads "
    "and put it where the answer says"
)
TOLD_TOO_LARGE = json.dumps(
    {"title": "TooLarge", "status": 413, "error_code": "TOO_LARGE", "message": TOLD, "detail": TOLD}
)
"""What a client is told, by the firewall or the gateway, of a body that does not reach us."""
HIDDEN: tuple[Mapping[str, Any], ...] = (
    {"uri_path": {}},
    {"query_string": {}},
    {"single_header": {"Name": "authorization"}},
    {"single_header": {"Name": "cookie"}},
)
"""What stands as REDACTED in the log: paths and queries name people and hold what is searched for, the headers log in.
A body is in no log of the firewall."""
KEPT_ACTIONS = ("BLOCK", "COUNT", "EXCLUDED_AS_COUNT")


class Firewall(Construct):
    """Attached to one stage of the API. `edge` is what CloudFront sends in `EDGE_HEADER` and nobody else knows."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        stage_arn: str,
        log_key: kms.IKey,
        edge: str,
    ) -> None:
        super().__init__(scope, construct_id)
        acl = waf.CfnWebACL(
            self,
            "Rules",
            name=f"{settings.prefix}-api",
            scope="REGIONAL",
            default_action=waf.CfnWebACL.DefaultActionProperty(allow={}),
            visibility_config=_seen(f"{settings.prefix}-api"),
            custom_response_bodies={
                TOO_LARGE: waf.CfnWebACL.CustomResponseBodyProperty(
                    content_type="APPLICATION_JSON", content=TOLD_TOO_LARGE
                )
            },
            rules=[_reputation(0), _rate(1, edge), _rate_of_viewers(2, edge), _too_large(3), _common(4), _bodies(5)],
        )
        waf.CfnWebACLAssociation(self, "Attached", resource_arn=stage_arn, web_acl_arn=acl.attr_arn)
        self._log(acl, settings, log_key)

    def _log(self, acl: waf.CfnWebACL, settings: StageSettings, key: kms.IKey) -> None:
        """The firewall writes to a log group of this prefix alone, named without the star that CDK's ARN ends in."""
        name = f"aws-waf-logs-{settings.prefix}-api"
        group = encrypted_log(self, "Log", settings, name, key)
        arn = cdk.Stack.of(self).format_arn(
            service="logs", resource="log-group", resource_name=name, arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME
        )
        logging = waf.CfnLoggingConfiguration(
            self,
            "Logging",
            resource_arn=acl.attr_arn,
            log_destination_configs=[arn],
            redacted_fields=[waf.CfnLoggingConfiguration.FieldToMatchProperty(**field) for field in HIDDEN],
            logging_filter=_refused_alone(),
        )
        logging.node.add_dependency(group)


def _refused_alone() -> dict[str, object]:
    conditions = [{"ActionCondition": {"Action": action}} for action in KEPT_ACTIONS]
    kept = {"Behavior": "KEEP", "Requirement": "MEETS_ANY", "Conditions": conditions}
    return {"DefaultBehavior": "DROP", "Filters": [kept]}


Statement = waf.CfnWebACL.StatementProperty


def _seen(name: str) -> waf.CfnWebACL.VisibilityConfigProperty:
    """Counted, and not sampled: a sample would keep a caller's request."""
    return waf.CfnWebACL.VisibilityConfigProperty(
        cloud_watch_metrics_enabled=True, metric_name=name, sampled_requests_enabled=False
    )


def _rule(name: str, priority: int, statement: Statement, block: dict[str, Any]) -> waf.CfnWebACL.RuleProperty:
    return waf.CfnWebACL.RuleProperty(
        name=name,
        priority=priority,
        action=waf.CfnWebACL.RuleActionProperty(block=waf.CfnWebACL.BlockActionProperty(**block)),
        visibility_config=_seen(name),
        statement=statement,
    )


def _group(
    name: str, priority: int, group: str, counted: tuple[str, ...] = ()
) -> waf.CfnWebACL.RuleProperty:
    """A group of rules that AWS keeps; those that are `counted` leave a label and block nothing."""
    count = waf.CfnWebACL.RuleActionProperty(count={})
    overrides = [waf.CfnWebACL.RuleActionOverrideProperty(name=one, action_to_use=count) for one in counted]
    managed = waf.CfnWebACL.ManagedRuleGroupStatementProperty(
        vendor_name="AWS", name=group, rule_action_overrides=overrides or None
    )
    return waf.CfnWebACL.RuleProperty(
        name=name,
        priority=priority,
        override_action=waf.CfnWebACL.OverrideActionProperty(none={}),
        visibility_config=_seen(name),
        statement=Statement(managed_rule_group_statement=managed),
    )


def _reputation(priority: int) -> waf.CfnWebACL.RuleProperty:
    """Addresses that AWS has seen attack others."""
    return _group("reputation", priority, "AWSManagedRulesAmazonIpReputationList")


def _rate(priority: int, edge: str) -> waf.CfnWebACL.RuleProperty:
    """Of whoever calls the gateway itself."""
    scope = Statement(not_statement=waf.CfnWebACL.NotStatementProperty(statement=_from_edge(edge)))
    counted = waf.CfnWebACL.RateBasedStatementProperty(
        limit=PER_FIVE_MINUTES, aggregate_key_type="IP", scope_down_statement=scope
    )
    return _rule("rate", priority, Statement(rate_based_statement=counted), {})


def _rate_of_viewers(priority: int, edge: str) -> waf.CfnWebACL.RuleProperty:
    """Of whoever comes through CloudFront, whose own addresses many share: by the viewer's, as CloudFront tells it."""
    viewer = waf.CfnWebACL.RateLimitHeaderProperty(name=VIEWER_HEADER, text_transformations=[_as_it_is()])
    counted = waf.CfnWebACL.RateBasedStatementProperty(
        limit=PER_FIVE_MINUTES,
        aggregate_key_type="CUSTOM_KEYS",
        custom_keys=[waf.CfnWebACL.RateBasedStatementCustomKeyProperty(header=viewer)],
        scope_down_statement=_from_edge(edge),
    )
    return _rule("rate-of-viewers", priority, Statement(rate_based_statement=counted), {})


def _from_edge(edge: str) -> Statement:
    header = waf.CfnWebACL.ByteMatchStatementProperty(
        field_to_match=waf.CfnWebACL.FieldToMatchProperty(single_header={"Name": EDGE_HEADER}),
        positional_constraint="EXACTLY",
        search_string=edge,
        text_transformations=[_as_it_is()],
    )
    return Statement(byte_match_statement=header)


def _common(priority: int) -> waf.CfnWebACL.RuleProperty:
    return _group("common", priority, "AWSManagedRulesCommonRuleSet", (SIZE_RULE, *BODY_RULES))


def _bodies(priority: int) -> waf.CfnWebACL.RuleProperty:
    """What was found in a body blocks, unless it is the body of an upload."""
    found = [
        Statement(label_match_statement=waf.CfnWebACL.LabelMatchStatementProperty(scope="LABEL", key=label))
        for label in (LABELS + name.replace("_BODY", "_Body") for name in BODY_RULES)
    ]
    no_upload = Statement(not_statement=waf.CfnWebACL.NotStatementProperty(statement=_is_upload()))
    any_of = Statement(or_statement=waf.CfnWebACL.OrStatementProperty(statements=found))
    both = waf.CfnWebACL.AndStatementProperty(statements=[any_of, no_upload])
    return _rule("bodies", priority, Statement(and_statement=both), {})


def _too_large(priority: int) -> waf.CfnWebACL.RuleProperty:
    """An upload that no function could be given is told where to go, in place of an error of the gateway."""
    length = waf.CfnWebACL.RegexMatchStatementProperty(
        field_to_match=waf.CfnWebACL.FieldToMatchProperty(single_header={"Name": "content-length"}),
        regex_string=OVER_LIMIT,
        text_transformations=[_as_it_is()],
    )
    both = waf.CfnWebACL.AndStatementProperty(statements=[_is_upload(), Statement(regex_match_statement=length)])
    told = waf.CfnWebACL.CustomResponseProperty(response_code=413, custom_response_body_key=TOO_LARGE)
    return _rule("too-large", priority, Statement(and_statement=both), {"custom_response": told})


def _is_upload() -> Statement:
    path = waf.CfnWebACL.ByteMatchStatementProperty(
        field_to_match=waf.CfnWebACL.FieldToMatchProperty(uri_path={}),
        positional_constraint="ENDS_WITH",
        search_string=UPLOAD_PATH,
        text_transformations=[_as_it_is()],
    )
    method = waf.CfnWebACL.ByteMatchStatementProperty(
        field_to_match=waf.CfnWebACL.FieldToMatchProperty(method={}),
        positional_constraint="EXACTLY",
        search_string="POST",
        text_transformations=[_as_it_is()],
    )
    kind = waf.CfnWebACL.ByteMatchStatementProperty(
        field_to_match=waf.CfnWebACL.FieldToMatchProperty(single_header={"Name": "content-type"}),
        positional_constraint="STARTS_WITH",
        search_string="multipart/form-data",
        text_transformations=[waf.CfnWebACL.TextTransformationProperty(priority=0, type="LOWERCASE")],
    )
    parts = [Statement(byte_match_statement=one) for one in (path, method, kind)]
    return Statement(and_statement=waf.CfnWebACL.AndStatementProperty(statements=parts))


def _as_it_is() -> waf.CfnWebACL.TextTransformationProperty:
    return waf.CfnWebACL.TextTransformationProperty(priority=0, type="NONE")
