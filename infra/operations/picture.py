"""Draws a dashboard from metrics that were recorded, as one HTML page with the pictures in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

from infra.operations.dashboards import WIDE
from infra.operations.metric_math import Missing, RecordedMetrics, evaluate
from infra.operations.metric_query import MetricQuery

Json = Mapping[str, Any]
COLUMN, ROW = 56, 50
"""Pixels of a field of the grid."""
COLOURS = ("#1f6fb4", "#d9822b", "#2e8b57", "#a03c78", "#7a6a2f", "#5a5fb0", "#b03a2e", "#3a8f96", "#777777", "#222222")
_SEARCH = re.compile(r"SEARCH\('\{(?P<schema>[^}]+)\} (?P<asked>.+)', '(?P<stat>\w+)'\)")
STYLE = """
body { font: 13px/1.4 system-ui, sans-serif; margin: 16px; background: #f4f5f7; color: #16191f; }
.board { position: relative; margin-bottom: 32px; }
.widget { position: absolute; box-sizing: border-box; padding: 6px 10px; background: #fff; border: 1px solid #d5dbdb;
  overflow: hidden; }
.widget h3 { font-size: 12.5px; margin: 0 0 2px; font-weight: 600; }
.widget h1 { font-size: 18px; margin: 2px 0; } .widget h2 { font-size: 15px; margin: 2px 0; }
.widget p, .widget ul { margin: 2px 0; } .legend span { margin-right: 10px; white-space: nowrap; }
.legend { font-size: 10.5px; max-height: 30px; overflow: hidden; } .legend i { display: inline-block; width: 9px;
  height: 9px; margin-right: 3px; } .none { color: #687078; margin-top: 60px; text-align: center; }
.alarm { display: inline-block; font-size: 10.5px; padding: 1px 6px; margin: 2px; border: 1px solid #9fb6c3; }
svg text { font: 10px system-ui, sans-serif; fill: #545b64; }
"""


@dataclass(frozen=True, slots=True)
class Series:
    """One line: a value for each period, None where nothing was recorded."""

    label: str
    values: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """What is drawn: from a second, so many periods of so many seconds."""

    begin: int
    periods: int
    period: int

    def starts(self) -> range:
        """The seconds at which periods begin."""
        return range(self.begin, self.begin + self.periods * self.period, self.period)


def page(boards: Mapping[str, Json], recorded: RecordedMetrics) -> str:
    """Every dashboard under its name. Raises: ValueError when nothing was recorded."""
    span = recorded.span()
    drawn = "".join(f"<h2>{escape(name)}</h2>{_board(body, recorded, span)}" for name, body in boards.items())
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Dashboards</title><style>{STYLE}</style>'
    return head + drawn


def _board(body: Json, recorded: RecordedMetrics, span: tuple[int, int]) -> str:
    widgets = body["widgets"]
    height = max(one["y"] + one["height"] for one in widgets) * ROW
    days = int(body["start"].strip("-PD"))
    shown = (max(span[0], span[1] - days * 86_400), span[1])
    drawn = "".join(_widget(one, recorded, shown) for one in widgets)
    return f'<div class="board" style="width:{WIDE * COLUMN}px;height:{height}px">{drawn}</div>'


def _widget(one: Json, recorded: RecordedMetrics, span: tuple[int, int]) -> str:
    width, height = one["width"] * COLUMN - 6, one["height"] * ROW - 6
    place = f"left:{one['x'] * COLUMN}px;top:{one['y'] * ROW}px;width:{width}px;height:{height}px"
    match one["type"]:
        case "text":
            inside = _text(one["properties"]["markdown"])
        case "alarm":
            inside = _alarms(one["properties"])
        case _:
            inside = _picture(one["properties"], recorded, span, width - 20, height - 62)
    return f'<div class="widget" style="{place}">{inside}</div>'


def _text(markdown: str) -> str:
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": False}).render(markdown))


def _alarms(properties: Json) -> str:
    names = (arn.rpartition(":")[2] for arn in properties["alarms"])
    listed = "".join(f'<span class="alarm">{escape(name)}</span>' for name in names)
    return f"<h3>{escape(properties['title'])}</h3>{listed}"


def _picture(properties: Json, recorded: RecordedMetrics, span: tuple[int, int], width: int, height: int) -> str:
    period = properties["period"]
    begin = span[0] - span[0] % period
    drawn = Span(begin, max(1, (span[1] - begin) // period + 1), period)
    lines = [one for one in series(properties["metrics"], recorded, drawn) if any(v is not None for v in one.values)]
    unit = properties["yAxis"]["left"].get("label", "")
    title = f"<h3>{escape(properties['title'])}{f' <small>{escape(unit)}</small>' if unit else ''}</h3>"
    if not lines:
        return f'{title}<p class="none">nothing recorded</p>'
    targets = [one["value"] for one in properties.get("annotations", {}).get("horizontal", ())]
    if properties["stacked"]:
        lines = list(_stacked(lines))
    legend = "".join(
        f'<span><i style="background:{COLOURS[n % len(COLOURS)]}"></i>{escape(one.label)}</span>'
        for n, one in enumerate(lines)
    )
    picture = _svg(lines, targets, drawn, (width, height), is_filled=properties["stacked"])
    return f'{title}{picture}<div class="legend">{legend}</div>'


def series(entries: Sequence[Sequence[Any]], recorded: RecordedMetrics, span: Span) -> Iterator[Series]:
    """The lines of a picture, from its entries as CloudWatch takes them."""
    named: dict[str, tuple[Missing, ...]] = {}
    for entry in entries:
        options = entry[-1]
        if (expression := options.get("expression")) is not None:
            if found := _SEARCH.fullmatch(expression):
                yield from _searched(found, recorded, span)
            else:
                yield Series(options["label"], tuple(_worked_out(expression, named, span)))
            continue
        namespace, name, *dimensions = entry[:-1]
        pairs = tuple(zip(dimensions[::2], dimensions[1::2], strict=True))
        values = _values(MetricQuery(namespace, name, pairs, options["stat"]), recorded, span)
        if "id" in options:
            named[options["id"]] = values
        if options.get("visible", True):
            yield Series(options.get("label") or name, values)


def _values(query: MetricQuery, recorded: RecordedMetrics, span: Span) -> tuple[Missing, ...]:
    return tuple(recorded.statistic(query, start, span.period) for start in span.starts())


def _worked_out(expression: str, named: Mapping[str, Sequence[Missing]], span: Span) -> Iterator[Missing]:
    for n in range(span.periods):
        yield evaluate(expression, {name: values[n] for name, values in named.items()})


def _searched(found: re.Match[str], recorded: RecordedMetrics, span: Span) -> Iterator[Series]:
    """Every metric with these dimensions, by the one that was not asked for."""
    namespace, *names = found["schema"].split(",")
    asked = dict(re.findall(r'(\w+)="([^"]+)"', found["asked"]))
    metric = asked.pop("MetricName")
    for key_namespace, name, dimensions in sorted(recorded.keys()):
        held = dict(dimensions)
        if (key_namespace, name, set(held)) == (namespace, metric, set(names)) and asked.items() <= held.items():
            label = ", ".join(value for each, value in dimensions if each not in asked)
            yield Series(label, _values(MetricQuery(namespace, name, dimensions, found["stat"]), recorded, span))


def _stacked(lines: Sequence[Series]) -> Iterator[Series]:
    below = [0.0] * len(lines[0].values)
    for one in lines:
        below = [low + (value or 0.0) for low, value in zip(below, one.values, strict=True)]
        yield Series(one.label, tuple(below))


def _svg(
    lines: Sequence[Series], targets: Sequence[float], span: Span, size: tuple[int, int], *, is_filled: bool
) -> str:
    (width, height), left, top, low = size, 44, 8, 16
    most = max([*(value for one in lines for value in one.values if value is not None), *targets, 1e-9]) * 1.05
    wide, high = width - left - 6, height - top - low

    def across(n: int) -> float:
        return left + wide * n / max(1, span.periods - 1)

    def up(value: float) -> float:
        return top + high * (1 - value / most)

    parts = [f'<svg width="{width}" height="{height}" role="img">']
    for share in (0, 0.5, 1):
        y = up(most * share)
        parts.append(f'<line x1="{left}" x2="{width - 6}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e3e7e9"/>')
        parts.append(f'<text x="{left - 4}" y="{y + 3:.1f}" text-anchor="end">{_figure(most * share)}</text>')
    for n in _days(span):
        day = datetime.fromtimestamp(span.begin + n * span.period, UTC)
        parts.append(f'<text x="{across(n):.1f}" y="{height - 3}">{day:%a %d}</text>')
    parts += [_target(up(value), left, width) for value in targets]
    for n, one in reversed(list(enumerate(lines))):
        points = [(across(at), up(value)) for at, value in enumerate(one.values) if value is not None]
        parts.append(_line(points, COLOURS[n % len(COLOURS)], up(0) if is_filled else None))
    return "".join([*parts, "</svg>"])


def _days(span: Span) -> Iterator[int]:
    """Periods at which a day begins."""
    for n, start in enumerate(span.starts()):
        if start % 86_400 < span.period:
            yield n


def _target(y: float, left: int, width: int) -> str:
    return f'<line x1="{left}" x2="{width - 6}" y1="{y:.1f}" y2="{y:.1f}" stroke="#c0392b" stroke-dasharray="4 3"/>'


def _line(points: Sequence[tuple[float, float]], colour: str, ground: float | None) -> str:
    """A line, or the area between it and the ground."""
    if ground is not None:
        told = " ".join(f"{x:.1f},{y:.1f}" for x, y in [(points[0][0], ground), *points, (points[-1][0], ground)])
        return f'<polygon points="{told}" fill="{colour}"/>'
    if len(points) == 1:
        return f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="2.5" fill="{colour}"/>'
    told = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{told}" fill="none" stroke="{colour}" stroke-width="1.3"/>'


def _figure(value: float) -> str:
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.1f}{unit}"
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"
