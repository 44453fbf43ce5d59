"""The firewall in front of the API: AWS's common rules and a limit for each address."""

from __future__ import annotations

from aws_cdk import aws_wafv2 as waf
from constructs import Construct

from infra.settings import StageSettings

PER_FIVE_MINUTES = 1000
"""Requests of one address. A ward behind one address asks a few dozen questions a minute."""
BODY_RULE = "SizeRestrictions_BODY"
"""Refuses bodies over 8 KB, which a question of 4,000 letters and an upload are; the API has limits of its own."""


class Firewall(Construct):
    """Attached to one stage of the API."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: StageSettings, stage_arn: str) -> None:
        super().__init__(scope, construct_id)
        acl = waf.CfnWebACL(
            self,
            "Rules",
            name=f"{settings.prefix}-api",
            scope="REGIONAL",
            default_action=waf.CfnWebACL.DefaultActionProperty(allow={}),
            visibility_config=_seen(f"{settings.prefix}-api"),
            rules=[_common(), _rate()],
        )
        waf.CfnWebACLAssociation(self, "Attached", resource_arn=stage_arn, web_acl_arn=acl.attr_arn)


def _seen(name: str) -> waf.CfnWebACL.VisibilityConfigProperty:
    """Counted, and not sampled: a sample would keep a caller's request."""
    return waf.CfnWebACL.VisibilityConfigProperty(
        cloud_watch_metrics_enabled=True, metric_name=name, sampled_requests_enabled=False
    )


def _common() -> waf.CfnWebACL.RuleProperty:
    counted = waf.CfnWebACL.RuleActionOverrideProperty(
        name=BODY_RULE, action_to_use=waf.CfnWebACL.RuleActionProperty(count={})
    )
    return waf.CfnWebACL.RuleProperty(
        name="common",
        priority=0,
        override_action=waf.CfnWebACL.OverrideActionProperty(none={}),
        visibility_config=_seen("common"),
        statement=waf.CfnWebACL.StatementProperty(
            managed_rule_group_statement=waf.CfnWebACL.ManagedRuleGroupStatementProperty(
                vendor_name="AWS", name="AWSManagedRulesCommonRuleSet", rule_action_overrides=[counted]
            )
        ),
    )


def _rate() -> waf.CfnWebACL.RuleProperty:
    return waf.CfnWebACL.RuleProperty(
        name="rate",
        priority=1,
        action=waf.CfnWebACL.RuleActionProperty(block={}),
        visibility_config=_seen("rate"),
        statement=waf.CfnWebACL.StatementProperty(
            rate_based_statement=waf.CfnWebACL.RateBasedStatementProperty(
                limit=PER_FIVE_MINUTES, aggregate_key_type="IP"
            )
        ),
    )
