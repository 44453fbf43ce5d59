"""A dashboard is drawn from recorded metrics: a line is what CloudWatch would have, and Chromium shows each picture."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from careline.telemetry import metrics
from infra import dashboard_preview
from infra.operations.dashboards import service
from infra.operations.example import example
from infra.operations.metric_math import RecordedMetrics
from infra.operations.picture import Span, page, series
from tests.fakes import NOW
from tests.infra.simulated_week import BEGIN, line
from tests.journeys.browser import chromium

ROOT = Path(__file__).resolve().parents[2]
START = int(BEGIN.timestamp())
HOUR = 3600


def a_record(disposition: str, **more: Any) -> dict[str, Any]:
    record = {"channel": "chat", "began_at": NOW.isoformat(), "disposition": disposition, "reason": None}
    return {**record, "disclaimed": False, **more}


@pytest.fixture
def recorded(capsys: pytest.CaptureFixture[str]) -> RecordedMetrics:
    """Ten turns of one hour, two of them refused, as the telemetry function writes them."""
    made = RecordedMetrics()
    for n in range(10):
        record = a_record("refused", model=None) if n < 2 else a_record("answered", model="m")
        metrics.emit("sint-anna", record, "prod")
    for text in capsys.readouterr().out.splitlines():
        written = json.loads(text)
        written["_aws"]["Timestamp"] = START * 1000
        made.add_line(written)
    return made


def lines_of(title: str, recorded: RecordedMetrics) -> Iterator[tuple[str, float | None]]:
    """The last value of each line of a picture."""
    widgets = service(example("prod"), "docs/runbooks.md")["widgets"]
    (one,) = [each["properties"] for each in widgets if each["properties"].get("title") == title]
    for drawn in series(one["metrics"], recorded, Span(START, 1, one["period"])):
        yield drawn.label, drawn.values[-1]


def test_a_picture_shows_what_the_turns_add_up_to(recorded: RecordedMetrics) -> None:
    assert dict(lines_of("Of 1,000 questions, day by day", recorded))["refused"] == 200
    endings = dict(lines_of("How questions end", recorded))
    assert (endings["answered"], endings["refused"], endings["failed"]) == (8, 2, 0)
    assert dict(lines_of("Questions an hour", recorded)) == {"in chat": 10, "by telephone": None}
    assert dict(lines_of("Answers written by each model", recorded)) == {"m": 8}
    assert dict(lines_of("Questions of each hospital", recorded)) == {"sint-anna": 10}


def test_what_was_not_recorded_is_said(recorded: RecordedMetrics) -> None:
    drawn = page({"service": service(example("prod"), "docs/runbooks.md")}, recorded)
    assert drawn.count("nothing recorded") > 5


def test_names_and_texts_in_metrics_cannot_become_part_of_the_page() -> None:
    made = RecordedMetrics()
    under = {"stage": "prod", "tenant": "<script>alert(1)</script>"}
    made.add_line(line("Careline", "turns", 0, 3.0, under))
    drawn = page({"service": service(example("prod"), "docs/runbooks.md")}, made)
    assert "<script>" not in drawn
    assert "&lt;script&gt;" in drawn


def test_the_command_draws_both_dashboards_and_every_picture_is_seen(tmp_path: Path) -> None:
    from tests.infra.simulated_week import week

    recorded, html = tmp_path / "week.jsonl", tmp_path / "dashboards.html"
    recorded.write_text("".join(json.dumps(one) + "\n" for one in week()), encoding="utf-8")
    command = [sys.executable, "-m", "infra.dashboard_preview", str(recorded), str(html)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = html.read_text(encoding="utf-8")
    assert re.findall(r"<h2>careline-prod-(\w+)</h2>", text) == ["service", "machinery"]
    with chromium() as browser:
        shown = browser.new_page(viewport={"width": 1400, "height": 900})
        shown.goto(html.as_uri())
        pictures = shown.locator("svg")
        assert pictures.count() >= 35
        sizes = [pictures.nth(n).bounding_box() for n in range(pictures.count())]
        assert all(size is not None and size["width"] > 200 and size["height"] > 100 for size in sizes)
        assert shown.locator(".alarm").count() > 60


def test_the_command_says_how_it_is_used() -> None:
    with pytest.raises(SystemExit, match="usage"):
        dashboard_preview.main([])
