"""Decides as CloudWatch does whether an alarm tells, from metrics that were recorded.

The rule is that of "Configuring how CloudWatch alarms treat missing data": some more periods are looked at than the
alarm has; where those hold enough data the newest decide; else as many as are wanting are filled in, as good or as bad.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator

from infra.operations.alarm_rules import Alarm
from infra.operations.metric_math import Missing, RecordedMetrics, evaluate

MORE = 2
"""Periods that are looked at besides the alarm's own; CloudWatch does not say how many."""
STEP, SHORT = 60, 300
"""Seconds between two evaluations; of windows longer than the second, so long."""
COMPARISONS = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}


def value_of(alarm: Alarm, recorded: RecordedMetrics, start: int) -> Missing:
    """What the alarm watches, in the period that begins then."""
    found = {name: recorded.statistic(query, start, alarm.period) for name, query in alarm.metrics.items()}
    return found[alarm.expression] if alarm.expression in found else evaluate(alarm.expression, found)


def is_bad(alarm: Alarm, value: float) -> bool:
    return bool(COMPARISONS[alarm.comparison](value, alarm.threshold))


def tells(alarm: Alarm, newest_first: list[Missing]) -> bool:
    """Whether the alarm tells, after these periods."""
    looked_at = newest_first[: alarm.periods + MORE]
    known = [is_bad(alarm, value) for value in looked_at if value is not None][: alarm.periods]
    filled = (alarm.periods - len(known)) * [alarm.rule.missing == "bad"]
    return sum([*known, *filled]) >= alarm.bad_periods


def told_at(alarm: Alarm, recorded: RecordedMetrics, begin: int, end: int) -> Iterator[int]:
    """The moments at which the alarm tells. It is evaluated again and again while its windows slide: AWS's example has
    a period of five minutes, looked at from minute 1 to 5, then from 2 to 6. Nothing is known of the time before
    `begin`, so that the first windows only fill."""
    known: dict[int, Missing] = {}
    for now in range(begin + alarm.periods * alarm.period, end + 1, STEP if alarm.period <= SHORT else SHORT):
        newest_first = []
        for n in range(1, alarm.periods + MORE + 1):
            start = now - n * alarm.period
            if start >= begin:
                if start not in known:
                    known[start] = value_of(alarm, recorded, start)
                newest_first.append(known[start])
        if tells(alarm, newest_first):
            yield now
