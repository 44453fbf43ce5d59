"""Draws a stage's dashboards from recorded metrics, without an account:

    python -m tests.infra.simulated_week build/week.jsonl
    python -m infra.dashboard_preview build/week.jsonl build/dashboards.html build/dashboards.png

The first file holds lines of the embedded metric format, as the telemetry function writes them, one a line. A picture
is made where its name is given and Chromium is there.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from infra.operations import alarm_rules, dashboards
from infra.operations.example import ACCOUNT, REGION, example
from infra.operations.metric_math import RecordedMetrics
from infra.operations.picture import page

RUNBOOKS = "docs/runbooks.md"


def preview(recorded: Path) -> str:
    """The page for metrics in a file. Raises: OSError, ValueError for lines that are none."""
    metrics = RecordedMetrics()
    with recorded.open(encoding="utf-8") as lines:
        for line in lines:
            metrics.add_line(json.loads(line))
    watched = example("prod", "canary", "firewall", "voice")
    names = [f"careline-prod-{alarm.name}" for alarm in alarm_rules.alarms(watched)]
    arns = [f"arn:aws:cloudwatch:{REGION}:{ACCOUNT}:alarm:{name}" for name in names]
    boards = dashboards.bodies(watched, RUNBOOKS, arns)
    return page({f"careline-prod-{name}": body for name, body in boards.items()}, metrics)


def screenshot(html: Path, png: Path) -> None:
    """A picture of the page. Raises: SystemExit without Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise SystemExit("a picture needs Chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        try:
            shown = browser.new_page(viewport={"width": 1400, "height": 900})
            shown.goto(html.resolve().as_uri())
            shown.screenshot(path=png, full_page=True)
        finally:
            browser.close()


def main(arguments: list[str]) -> None:
    """Recorded metrics, the page that is written, and the picture, if one is wanted."""
    if len(arguments) not in (2, 3):
        raise SystemExit("usage: python -m infra.dashboard_preview RECORDED.jsonl PAGE.html [PICTURE.png]")
    recorded, html, *png = map(Path, arguments)
    html.write_text(preview(recorded), encoding="utf-8")
    for path in png:
        screenshot(html, path)


if __name__ == "__main__":
    main(sys.argv[1:])
