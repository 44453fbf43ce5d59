"""A metric of CloudWatch as alarms and dashboards ask for it. Our own are checked against the catalogue, so that none
is asked for that nobody writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from careline.telemetry.metric_catalogue import NAMESPACE, metrics

Dimensions = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class MetricQuery:
    """`statistic` is Sum, Average, Maximum, SampleCount or a percentile such as p95."""

    namespace: str
    name: str
    dimensions: Dimensions
    statistic: str


def own(name: str, stage: str, statistic: str, dimensions: Mapping[str, str]) -> MetricQuery:
    """One of ours. Raises: ValueError for one that is not in the catalogue, that nothing measures, or that is not kept
    under these dimensions."""
    metric = metrics().get(name)
    if metric is None or metric.origin == "none":
        raise ValueError(f"{name}: no metric of layers/careline/telemetry/metrics.yaml that anybody writes")
    if metric.origin == "log":
        if dimensions:
            raise ValueError(f"{name} is counted from the log and has no dimensions")
        return MetricQuery(f"{NAMESPACE}/{stage}", name, (), statistic)
    wanted = {"stage", *dimensions}
    if wanted not in [set(one) for one in metric.dimension_sets]:
        raise ValueError(f"{name} is not kept under {', '.join(sorted(wanted))}")
    return MetricQuery(NAMESPACE, name, (("stage", stage), *sorted(dimensions.items())), statistic)


def of_aws(name: str, statistic: str, dimensions: Mapping[str, str]) -> MetricQuery:
    """One of AWS's, `Lambda/Errors`."""
    service, _, metric = name.partition("/")
    return MetricQuery(f"AWS/{service}", metric, tuple(sorted(dimensions.items())), statistic)


def read(said: Mapping[str, str], values: Mapping[str, object]) -> MetricQuery:
    """A metric as it is written down, with `{names}` of `values` in its dimensions. Raises: ValueError, KeyError."""
    beside = {name: text for name, text in said.items() if name not in ("metric", "aws", "stat", "of")}
    dimensions = {name: text.format(**values) for name, text in beside.items()}
    if "of" in said:
        dimensions |= cast(Mapping[str, str], values[said["of"]])
    if "metric" in said:
        return own(said["metric"].format(**values), str(values["stage"]), said["stat"], dimensions)
    return of_aws(said["aws"], said["stat"], dimensions)
