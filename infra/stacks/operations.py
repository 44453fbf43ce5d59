"""What tells people how a stage fares: alarms, dashboards, objectives, budgets, saved queries, and in prod a canary.

It is made last and watches whatever functions, state machines and rules the other stacks have, so that a new one has
its alarms without being named here. Data and texts are in `infra/operations/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_applicationsignals as signals
from aws_cdk import aws_budgets as budgets
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_events as events
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_sns as sns
from aws_cdk import aws_stepfunctions as sfn

from infra.constructs.canary import Canary
from infra.operations import alarm_rules, dashboards, logged
from infra.operations.alarm_rules import Alarm
from infra.operations.metric_query import MetricQuery, own
from infra.operations.objectives import DAYS, FAST_MINUTES, SLOW_MINUTES, Objective
from infra.operations.watched import Watched
from infra.settings import PLACEHOLDER_ACCOUNT, StageSettings
from infra.stacks.api import ApiStack
from infra.stacks.data import DataStack

COMPARISONS = {
    ">=": "GreaterThanOrEqualToThreshold", ">": "GreaterThanThreshold",
    "<=": "LessThanOrEqualToThreshold", "<": "LessThanThreshold",
}  # fmt: skip
MISSING = {"ok": "notBreaching", "bad": "breaching"}
SLO = signals.CfnServiceLevelObjective
PHONE = "AWS::ECS::Service"
"""What phone workers run as."""
OTHER_LOGS = "/careline/"
"""What logs of ours begin with that are no function's: the phone workers'."""
NOBODY = "nobody is told of this stage's alarms: name somebody with ALARMS=ward@hospital.example"


class OperationsStack(cdk.Stack):
    """Names of ours are written out, so that few exports hold the other stacks; it is deployed after all of them."""

    def __init__(
        self, scope: cdk.App, construct_id: str, settings: StageSettings, data: DataStack, api: ApiStack, **more: Any
    ) -> None:
        """Raises: ValueError for prod in a real account when nobody would be told of its alarms."""
        super().__init__(scope, construct_id, **more)
        self._settings, self._data = settings, data
        self._told_somebody()
        if settings.canary:
            Canary(self, "Canary", settings=settings, key=data.key, log_key=data.log_key, url=api.url)
        self._wait_for_others(scope)
        self.watched = self._watched(scope)
        self._topic = data.alarms.topic.topic_arn
        for objective in self.watched.objectives:
            self._objective(objective)
        self._count_lines()
        rules = alarm_rules.alarms(self.watched) if settings.has_alarms else ()
        made = [self._alarm(one) for one in rules]
        self._dashboards([alarm.alarm_name or "" for alarm in made])
        self._log_queries(scope)
        self._budget()

    def _told_somebody(self) -> None:
        settings = self._settings
        if settings.alarm_mail is not None:
            sns.CfnSubscription(
                self, "Mail", topic_arn=self._data.alarms.topic.topic_arn, protocol="email",
                endpoint=settings.alarm_mail,
            )  # fmt: skip
        elif settings.name == "prod" and settings.account != PLACEHOLDER_ACCOUNT and settings.makes_alarms:
            raise ValueError(NOBODY)
        else:
            cdk.Annotations.of(self).add_warning_v2("careline:alarms", NOBODY)

    def _wait_for_others(self, app: cdk.App) -> None:
        for other in app.node.children:
            if isinstance(other, cdk.Stack) and other is not self:
                self.add_stack_dependency(other)

    def _watched(self, app: cdk.App) -> Watched:
        """Everything that the stacks have by now."""
        settings, found = self._settings, app.node.find_all()
        functions = {
            str(one.function_name): int(one.timeout or 3)
            for one in found
            if isinstance(one, lambda_.CfnFunction) and one.function_name
        }
        there = {"canary": settings.canary, "firewall": settings.has_firewall}
        parts = {name for name, is_there in there.items() if is_there}
        if any(isinstance(one, cdk.CfnResource) and one.cfn_resource_type == PHONE for one in found):
            parts.add("voice")
        return Watched(
            stage=settings.name, account=settings.account, region=settings.region,
            functions=dict(sorted(functions.items())), web=(f"{settings.prefix}-orchestrator",),
            api=settings.prefix, web_acl=f"{settings.prefix}-api",
            state_machines=dict(self._state_machines(found)), rules=dict(_rules(found)),
            queues={name: queue.queue_name for name, queue in self._data.alarms.waiting.items()},
            dead_letters={name: queue.queue_name for name, queue in self._data.alarms.dead_letters.items()},
            table=self._data.table.table_name, collection=f"{settings.prefix}-passages",
            collection_id=self._data.collection.collection.attr_id,
            search_units=settings.search_units[1], indexing_units=settings.indexing_units[1],
            model_euro_a_month=settings.model_euro_a_month, parts=frozenset(parts),
        )  # fmt: skip

    def _state_machines(self, found: Sequence[Any]) -> list[tuple[str, str]]:
        names = [one.state_machine_name for one in found if isinstance(one, sfn.CfnStateMachine)]
        return [(self._short(name), self._arn("states", "stateMachine", name)) for name in names if name]

    def _short(self, name: str) -> str:
        return name.removeprefix(f"{self._settings.prefix}-")

    def _arn(self, service: str, resource: str, name: str) -> str:
        named = cdk.ArnFormat.COLON_RESOURCE_NAME
        return self.format_arn(service=service, resource=resource, resource_name=name, arn_format=named)

    def _alarm(self, alarm: Alarm) -> cloudwatch.CfnAlarm:
        rule, settings = alarm.rule, self._settings
        about = f" ({alarm.of})" if alarm.of else ""
        says = f"{rule.means[0].upper()}{rule.means[1:]}{about}. {settings.runbooks}#{rule.name}"
        return cloudwatch.CfnAlarm(
            self,
            _construct_id(alarm.name),
            alarm_name=f"{settings.prefix}-{alarm.name}",
            alarm_description=says,
            comparison_operator=COMPARISONS[alarm.comparison],
            threshold=alarm.threshold,
            evaluation_periods=alarm.periods,
            datapoints_to_alarm=alarm.bad_periods,
            treat_missing_data=MISSING[rule.missing],
            alarm_actions=[self._topic],
            ok_actions=[self._topic],
            **_asked(alarm),
        )

    def _count_lines(self) -> None:
        """Metrics that are counted from the log."""
        for metric, function in logged.filters(tuple(self.watched.functions)):
            read = metric.logged_as
            logs.CfnMetricFilter(
                self,
                _construct_id(f"{metric.name}-of-{self.watched.short(function)}"),
                log_group_name=f"/aws/lambda/{function}",
                filter_pattern=logged.pattern(read),
                metric_transformations=[
                    logs.CfnMetricFilter.MetricTransformationProperty(
                        metric_namespace=f"Careline/{self._settings.name}",
                        metric_name=metric.name,
                        metric_value=f"$.{read.counted}" if read.counted else "1",
                        unit=metric.unit,
                        default_value=0 if metric.unit == "Count" else None,
                    )
                ],
            )

    def _objective(self, one: Objective) -> None:
        stage, dimensions = self._settings.name, dict(one.dimensions)
        counted = [_counted("counted", own(one.counted, stage, "SampleCount", dimensions))]
        bad = [_counted("bad", own(one.bad, stage, "Sum", dimensions))]
        SLO(
            self,
            _construct_id(f"objective-{one.name}"),
            name=self.watched.objective_name(one),
            description=one.says,
            goal=SLO.GoalProperty(
                attainment_goal=one.attained,
                warning_threshold=50,
                interval=SLO.IntervalProperty(
                    rolling_interval=SLO.RollingIntervalProperty(duration=DAYS, duration_unit="DAY")
                ),
            ),
            request_based_sli=SLO.RequestBasedSliProperty(
                request_based_sli_metric=SLO.RequestBasedSliMetricProperty(
                    total_request_count_metric=counted,
                    monitored_request_count_metric=SLO.MonitoredRequestCountMetricProperty(bad_count_metric=bad),
                )
            ),
            burn_rate_configurations=[
                SLO.BurnRateConfigurationProperty(look_back_window_minutes=minutes)
                for minutes in (FAST_MINUTES, SLOW_MINUTES)
            ],
        )

    def _dashboards(self, alarms: Sequence[str]) -> None:
        arns = [self._arn("cloudwatch", "alarm", name) for name in alarms]
        for name, body in dashboards.bodies(self.watched, self._settings.runbooks, arns).items():
            cloudwatch.CfnDashboard(
                self,
                _construct_id(f"{name}-dashboard"),
                dashboard_name=f"{self._settings.prefix}-{name}",
                dashboard_body=self.to_json_string(body),
            )

    def _log_queries(self, app: cdk.App) -> None:
        named = [one.log_group_name for one in app.node.find_all() if isinstance(one, logs.CfnLogGroup)]
        others = sorted(name for name in named if name and name.startswith(OTHER_LOGS))
        for one in logged.QUERIES:
            asked = [f"/aws/lambda/{name}" for name in self.watched.functions if re.search(one.only, name)]
            logs.CfnQueryDefinition(
                self,
                _construct_id(f"query {one.name}"),
                name=f"{self._settings.prefix}/{one.name}",
                query_string=one.query,
                log_group_names=[*asked, *(() if one.only else others)],
            )

    def _budget(self) -> None:
        """What AWS costs, by the tag that everything of a stage has. It is told by e-mail: the budget service may not
        use the key of our topic."""
        settings = self._settings
        told = [("FORECASTED", 100), ("ACTUAL", 80), ("ACTUAL", 100)] if settings.alarm_mail else []
        budgets.CfnBudget(
            self,
            "Budget",
            budget=budgets.CfnBudget.BudgetDataProperty(
                budget_name=settings.prefix,
                budget_type="COST",
                time_unit="MONTHLY",
                budget_limit=budgets.CfnBudget.SpendProperty(amount=settings.dollars_a_month, unit="USD"),
                cost_filters={"TagKeyValue": [f"user:stage${settings.name}"]},
            ),
            notifications_with_subscribers=[
                budgets.CfnBudget.NotificationWithSubscribersProperty(
                    notification=budgets.CfnBudget.NotificationProperty(
                        comparison_operator="GREATER_THAN", notification_type=kind, threshold=share,
                        threshold_type="PERCENTAGE",
                    ),
                    subscribers=[
                        budgets.CfnBudget.SubscriberProperty(
                            address=str(settings.alarm_mail), subscription_type="EMAIL"
                        )
                    ],
                )
                for kind, share in told
            ],
        )  # fmt: skip


def _rules(found: Sequence[Any]) -> list[tuple[str, str]]:
    """Rules of EventBridge, by the name that they have in their stack: `ingestion-upload`."""
    rules = [one for one in found if isinstance(one, events.CfnRule)]
    return [(f"{one.stack.stack_name.rpartition('-')[2]}-{one.node.path.split('/')[-2].lower()}", one.ref)
            for one in rules]  # fmt: skip


def _construct_id(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"\W|_", name))


def _asked(alarm: Alarm) -> dict[str, Any]:
    """What an alarm watches: one metric, or metric math over several."""
    if alarm.expression in alarm.metrics:
        query = alarm.metrics[alarm.expression]
        kind = "extended_statistic" if re.fullmatch(r"p[\d.]+", query.statistic) else "statistic"
        return {
            "namespace": query.namespace, "metric_name": query.name, "period": alarm.period, kind: query.statistic,
            "dimensions": [
                cloudwatch.CfnAlarm.DimensionProperty(name=name, value=value) for name, value in query.dimensions
            ],
        }  # fmt: skip
    asked = [_of_math(name, query, alarm.period) for name, query in alarm.metrics.items()]
    worked_out = cloudwatch.CfnAlarm.MetricDataQueryProperty(
        id="worked_out", expression=alarm.expression, label=alarm.rule.means, return_data=True
    )
    return {"metrics": [worked_out, *asked]}


def _of_math(name: str, query: MetricQuery, period: int) -> cloudwatch.CfnAlarm.MetricDataQueryProperty:
    dimensions = [cloudwatch.CfnAlarm.DimensionProperty(name=name, value=value) for name, value in query.dimensions]
    metric = cloudwatch.CfnAlarm.MetricProperty(
        namespace=query.namespace, metric_name=query.name, dimensions=dimensions
    )
    stat = cloudwatch.CfnAlarm.MetricStatProperty(metric=metric, period=period, stat=query.statistic)
    return cloudwatch.CfnAlarm.MetricDataQueryProperty(id=name, metric_stat=stat, return_data=False)


def _counted(name: str, query: MetricQuery) -> signals.CfnServiceLevelObjective.MetricDataQueryProperty:
    metric = SLO.MetricProperty(
        namespace=query.namespace, metric_name=query.name,
        dimensions=[SLO.DimensionProperty(name=each, value=value) for each, value in query.dimensions],
    )  # fmt: skip
    stat = SLO.MetricStatProperty(metric=metric, period=60, stat=query.statistic)
    return SLO.MetricDataQueryProperty(id=name, metric_stat=stat, return_data=True)
