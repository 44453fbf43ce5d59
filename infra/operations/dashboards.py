"""Two dashboards as CloudWatch reads them: the service, for whoever answers for it in the hospital, and the machinery,
for whoever is on call. Texts say what a picture means, not what it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from careline.telemetry.metric_catalogue import NAMESPACE, metrics
from careline.telemetry.metrics import DISPOSITIONS, FIRST_TOKEN_TARGET_MS
from infra.operations.metric_query import MetricQuery, of_aws, own
from infra.operations.objectives import FAST_MINUTES
from infra.operations.watched import Watched

Json = dict[str, Any]
WIDE, HIGH = 24, 6
"""Columns of CloudWatch's grid, and rows of a picture."""
HOUR = 3600
FIRST_AUDIO_TARGET_MS = 2500.0
PERCENTILES = ("p50", "p95", "p99")
OF_DISPOSITION = {
    "answered": "answered", "clarified": "asked back", "refused": "refused", "escalated": "sent to a person",
    "farewelled": "said goodbye", "failed": "failed",
}  # fmt: skip


@dataclass(slots=True)
class Lines:
    """The lines of one picture: metrics, and metric math over them."""

    entries: list[list[Any]] = field(default_factory=list)

    def metric(self, query: MetricQuery, label: str = "", *, name: str = "") -> Lines:
        """One metric; with a name it is for metric math alone and not drawn."""
        dimensions = [each for pair in query.dimensions for each in pair]
        shown: Json = {"stat": query.statistic}
        shown |= {"id": name, "visible": False} if name else {"label": label}
        self.entries.append([query.namespace, query.name, *dimensions, shown])
        return self

    def math(self, expression: str, label: str) -> Lines:
        """A line that is worked out."""
        self.entries.append([{"expression": expression, "label": label, "id": f"e{len(self.entries)}"}])
        return self


@dataclass(slots=True)
class Board:
    """A dashboard that is filled from left to right, row by row."""

    watched: Watched
    days: int
    widgets: list[Json] = field(default_factory=list)
    _x: int = 0
    _y: int = 0
    _row: int = 0

    def text(self, markdown: str, *, width: int = WIDE, height: int = 2) -> None:
        """A text."""
        self._put({"type": "text", "properties": {"markdown": markdown}}, width, height)

    def picture(self, title: str, lines: Lines, *, width: int = 8, period: int = HOUR, **more: Any) -> None:
        """A picture of lines over time; `target` is a line across it, `unit` what stands at its side."""
        properties: Json = {
            "title": title, "view": "timeSeries", "stacked": bool(more.get("stacked")), "period": period,
            "region": self.watched.region, "metrics": lines.entries,
            "yAxis": {"left": {"min": 0, **({"label": more["unit"], "showUnits": False} if "unit" in more else {})}},
        }  # fmt: skip
        if "target" in more:
            properties["annotations"] = {"horizontal": [{"label": "target", "value": more["target"]}]}
        self._put({"type": "metric", "properties": properties}, width, HIGH)

    def alarms(self, title: str, arns: Sequence[str], *, height: int = 8) -> None:
        """The state of alarms, which CloudWatch takes no empty list of."""
        if not arns:
            return
        self._put({"type": "alarm", "properties": {"title": title, "alarms": list(arns)}}, WIDE, height)

    def body(self) -> Json:
        """What CloudWatch takes."""
        return {"start": f"-P{self.days}D", "periodOverride": "inherit", "widgets": self.widgets}

    def _put(self, widget: Json, width: int, height: int) -> None:
        if self._x + width > WIDE:
            self._x, self._y, self._row = 0, self._y + self._row, 0
        self.widgets.append({**widget, "x": self._x, "y": self._y, "width": width, "height": height})
        self._x, self._row = self._x + width, max(self._row, height)


def by_channel(watched: Watched, name: str, statistic: str = "Sum") -> Lines:
    """A metric of chat and one of the telephone."""
    lines = Lines()
    for channel, label in (("chat", "in chat"), ("voice", "by telephone")):
        lines.metric(own(name, watched.stage, statistic, {"channel": channel}), label)
    return lines


def of_both(watched: Watched, names: Iterable[str]) -> Lines:
    """Metrics of both channels as `name_chat` and `name_voice`, for metric math."""
    lines = Lines()
    for name in names:
        for channel in ("chat", "voice"):
            lines.metric(own(name, watched.stage, "Sum", {"channel": channel}), name=f"{name}_{channel}")
    return lines


def both(name: str) -> str:
    """The sum of what `of_both` named."""
    return f"(FILL({name}_chat, 0) + FILL({name}_voice, 0))"


def percentiles(name: str, watched: Watched, **dimensions: str) -> Lines:
    """Half, 95 and 99 of 100."""
    lines = Lines()
    for one in PERCENTILES:
        lines.metric(own(name, watched.stage, one, dimensions), f"{one[1:]} of 100 within")
    return lines


def listed(watched: Watched, name: str, by: str, statistic: str = "Sum") -> Lines:
    """A metric for each hospital or model that there is."""
    own(name, watched.stage, statistic, {by: ""})
    search = f"SEARCH('{{{NAMESPACE},stage,{by}}} MetricName=\"{name}\" stage=\"{watched.stage}\"', '{statistic}')"
    return Lines().math(search, "")


def service(watched: Watched, runbooks: str) -> Json:
    """How callers fare."""
    board = Board(watched, days=7)
    board.text(
        f"# Careline, {watched.stage}: how callers fare\n"
        "The first row is what counts most. Each picture shows the last seven days, hour by hour. "
        f"What to do when something is wrong: [runbooks]({runbooks}). "
        f"What a metric is made of: [metrics]({runbooks.replace('runbooks.md', 'metrics.md')})."
    )
    _success(board)
    _volume(board)
    _money_and_documents(board)
    gaps = [f"- `{one.name}`: {one.meaning}" for one in metrics().values() if one.origin == "none"]
    board.text("## Not measured yet\n" + "\n".join(gaps), height=6)
    return board.body()


def _success(board: Board) -> None:
    watched = board.watched
    advice = by_channel(watched, "advice_withheld")
    board.picture("Medical advice taken out before it was said (should be near 0)", advice, width=6)
    first = percentiles("first_audio_ms", watched)
    board.picture("Telephone: from the caller's last word to our first sound", first, width=6, unit="ms",
                  target=FIRST_AUDIO_TARGET_MS)  # fmt: skip
    cited = of_both(watched, ("answers_cited", "turns_answered"))
    cited.math(f"100 * {both('answers_cited')} / {both('turns_answered')}", "of 100 answers")
    board.picture("Answers that name their source", cited, width=6, unit="of 100")
    wrong = of_both(watched, ("category_mismatches", "turns"))
    wrong.math(f"100 * {both('category_mismatches')} / {both('turns')}", "of 100 questions")
    board.picture("Answers about the wrong thing: the best page is of another category", wrong, width=6, unit="of 100")


def _volume(board: Board) -> None:
    watched = board.watched
    board.picture("Questions an hour", by_channel(watched, "turns"))
    calls = Lines().metric(own("calls", watched.stage, "Sum", {}), "calls")
    calls.metric(own("transfers", watched.stage, "Sum", {}), "put through to a person")
    calls.metric(own("calls_dropped", watched.stage, "Sum", {}), "broke off because of us")
    board.picture("Calls an hour", calls)
    board.picture("Chat: from the question to the first words", percentiles("first_token_ms", watched, channel="chat"),
                  unit="ms", target=FIRST_TOKEN_TARGET_MS)  # fmt: skip
    endings = of_both(watched, (f"turns_{one}" for one in DISPOSITIONS))
    for one in DISPOSITIONS:
        endings.math(both(f"turns_{one}"), OF_DISPOSITION[one])
    board.picture("How questions end", endings, stacked=True)
    rates = of_both(watched, ("turns", "turns_refused", "disclaimers", "emergencies"))
    for name, label in (("turns_refused", "refused"), ("disclaimers", "with the medical disclaimer"),
                        ("emergencies", "taken for an emergency")):  # fmt: skip
        rates.math(f"1000 * {both(name)} / {both('turns')}", label)
    board.picture("Of 1,000 questions, day by day", rates, unit="of 1,000", period=24 * HOUR)
    whole = by_channel(watched, "turn_ms", "p95")
    board.picture("The whole answer: 95 of 100 are over within", whole, unit="ms")
    stages = ("embed_query", "retrieve", "rerank", "speak")
    slow = Lines()
    for one in stages:
        slow.metric(own(f"{one}_ms", watched.stage, "p95", {"channel": "chat"}), one)
    board.picture("Where the time of an answer goes (chat, 95 of 100 within)", slow, unit="ms")
    board.picture("Answers in spite of a fault (an engine was missing)", by_channel(watched, "turns_degraded"))
    _each_hospital(board)


def _each_hospital(board: Board) -> None:
    watched = board.watched
    board.picture("Questions of each hospital", listed(watched, "turns", "tenant"))
    late = listed(watched, "first_token_ms", "tenant", "p95")
    board.picture("First words at each hospital: 95 of 100 within", late, unit="ms", target=FIRST_TOKEN_TARGET_MS)
    board.picture("Medical advice taken out at each hospital", listed(watched, "advice_withheld", "tenant"))


def _money_and_documents(board: Board) -> None:
    watched = board.watched
    board.picture("Answers written by each model", listed(watched, "model_turns", "model"))
    board.picture("What each model costs", listed(watched, "cost_euro", "model"), unit="euro", period=24 * HOUR)
    board.picture("What each hospital costs", listed(watched, "cost_euro", "tenant"), unit="euro", period=24 * HOUR)
    tokens = by_channel(watched, "tokens_input")
    board.picture("Tokens that models read", tokens)
    documents = Lines()
    for name, label in (("documents_completed", "became live"), ("documents_rejected", "rejected, the sender mends"),
                        ("documents_failed", "failed because of us"),
                        ("passages_held_back", "passages held back for a person")):  # fmt: skip
        documents.metric(own(name, watched.stage, "Sum", {}), label)
    board.picture("Documents", documents)
    burn = Lines()
    for one in watched.objectives:
        dimensions = {"SloName": watched.objective_name(one), "BurnRateWindowMinutes": str(FAST_MINUTES)}
        burn.metric(of_aws("ApplicationSignals/BurnRate", "Maximum", dimensions), one.says)
    board.picture("Are our promises kept? (above 1: not at this rate)", burn, target=1)


def machinery(watched: Watched, runbooks: str, alarm_arns: Sequence[str]) -> Json:
    """How the parts fare that it runs on."""
    board = Board(watched, days=1)
    board.text(
        f"# Careline, {watched.stage}: the machinery\nThe last day, five minutes by five minutes. Each alarm has a "
        f"section in the [runbooks]({runbooks}): what it means for callers, where to look, what to do."
    )
    _success(board)
    board.alarms("Alarms", alarm_arns)
    _functions(board)
    _ways_in(board)
    _what_lasts(board)
    _watchers(board)
    return board.body()


def _functions(board: Board) -> None:
    for name, title, statistic, unit in (
        ("Invocations", "Functions: how often they ran", "Sum", "times"),
        ("Errors", "Functions: how often they broke", "Sum", "times"),
        ("Throttles", "Functions: how often they were refused", "Sum", "times"),
        ("Duration", "Functions: 99 of 100 ran within", "p99", "ms"),
        ("ConcurrentExecutions", "Functions: at once, at most", "Maximum", "at once"),
    ):
        lines = Lines()
        for function in board.watched.functions:
            lines.metric(of_aws(f"Lambda/{name}", statistic, {"FunctionName": function}), board.watched.short(function))
        board.picture(title, lines, unit=unit, period=300)
    lines = Lines().metric(own("error_lines", board.watched.stage, "Sum", {}), "lines")
    board.picture("Lines of the log that tell of an error", lines, period=300)


def _ways_in(board: Board) -> None:
    watched = board.watched
    api = {"ApiName": watched.api, "Stage": watched.stage}
    lines = Lines()
    for name, label in (("Count", "requests"), ("4XXError", "refused (4xx)"), ("5XXError", "failed (5xx)")):
        lines.metric(of_aws(f"ApiGateway/{name}", "Sum", api), label)
    board.picture("API", lines, period=300)
    times = Lines()
    for one in PERCENTILES:
        times.metric(of_aws("ApiGateway/Latency", one, api), f"{one[1:]} of 100 within")
    board.picture("API: how long requests take", times, period=300, unit="ms")
    urls = Lines()
    for function in watched.web:
        for name, label in (("UrlRequestCount", "requests"), ("Url4xxCount", "refused"), ("Url5xxCount", "failed")):
            urls.metric(of_aws(f"Lambda/{name}", "Sum", {"FunctionName": function}), label)
    board.picture("Streaming URL", urls, period=300)
    if "firewall" in watched.parts:
        blocked = {"WebACL": watched.web_acl, "Region": watched.region, "Rule": "ALL"}
        lines = Lines().metric(of_aws("WAFV2/BlockedRequests", "Sum", blocked), "refused")
        lines.metric(of_aws("WAFV2/AllowedRequests", "Sum", blocked), "let through")
        board.picture("Firewall", lines, period=300)
    for machine, arn in watched.state_machines.items():
        lines = Lines()
        for name, label in (
            ("ExecutionsStarted", "begun"), ("ExecutionsSucceeded", "done"),
            ("ExecutionsFailed", "failed or rejected"), ("ExecutionsTimedOut", "timed out"),
        ):  # fmt: skip
            lines.metric(of_aws(f"States/{name}", "Sum", {"StateMachineArn": arn}), label)
        board.picture(f"Documents on their way: {machine}", lines, period=300)
        lines = Lines().metric(of_aws("States/ExecutionTime", "p95", {"StateMachineArn": arn}), "95 of 100 within")
        board.picture("Documents: from upload to live", lines, period=300, unit="ms")


def _what_lasts(board: Board) -> None:
    watched = board.watched
    lines, dead = Lines(), Lines()
    for name, queue in watched.queues.items():
        lines.metric(of_aws("SQS/ApproximateAgeOfOldestMessage", "Maximum", {"QueueName": queue}), name)
    for name, queue in watched.dead_letters.items():
        dead.metric(of_aws("SQS/ApproximateNumberOfMessagesVisible", "Maximum", {"QueueName": queue}), name)
    board.picture("Turns that wait to be recorded: the oldest", lines, period=300, unit="s")
    board.picture("Messages that nobody could handle", dead, period=300)
    lines = Lines()
    for name, label in (
        ("ConsumedReadCapacityUnits", "read"), ("ConsumedWriteCapacityUnits", "written"),
        ("ReadThrottleEvents", "reads refused"), ("WriteThrottleEvents", "writes refused"),
    ):  # fmt: skip
        lines.metric(of_aws(f"DynamoDB/{name}", "Sum", {"TableName": watched.table}), label)
    board.picture("Table of records", lines, period=300)
    lines = Lines()
    for name, label in (("SearchOCU", "search"), ("IndexingOCU", "indexing")):
        lines.metric(of_aws(f"AOSS/{name}", "Sum", {"ClientId": watched.account}), label)
    board.picture("Search: units of capacity (all of the account)", lines, period=60)
    of_collection = {
        "ClientId": watched.account, "CollectionId": watched.collection_id, "CollectionName": watched.collection,
    }  # fmt: skip
    lines = Lines().metric(of_aws("AOSS/SearchRequestLatency", "p95", of_collection), "95 of 100 within")
    board.picture("Search: how long it takes", lines, period=300, unit="ms")
    lines = Lines()
    for name, label in (("4xx", "refused"), ("5xx", "failed")):
        lines.metric(of_aws(f"AOSS/{name}", "Sum", of_collection), label)
    board.picture("Search: requests without an answer", lines, period=300)


def _watchers(board: Board) -> None:
    watched = board.watched
    if "canary" in watched.parts:
        lines = Lines().metric(own("canary_runs", watched.stage, "Sum", {}), "asked")
        lines.metric(own("canary_failures", watched.stage, "Sum", {}), "not answered as they should be")
        board.picture("Canary: known questions", lines, period=900)
        lines = Lines().metric(own("canary_first_token_ms", watched.stage, "Maximum", {}), "slowest")
        board.picture("Canary: first words", lines, period=900, unit="ms")
    if "voice" in watched.parts:
        lines = Lines().metric(own("CallsPerTask", watched.stage, "Maximum", {}), "most in one task")
        board.picture("Phone workers: calls under way", lines, period=300)
        lines = Lines()
        for name, label in (
            ("outages", "failures that callers were told of"), ("refused_transfers", "not put through"),
            ("not_heard", "not made out"), ("protection_failures", "tasks that could not be protected"),
        ):  # fmt: skip
            lines.metric(own(name, watched.stage, "Sum", {}), label)
        board.picture("Phone workers: what went wrong", lines, period=300)
    recorded = Lines().metric(own("turns_finished", watched.stage, "Sum", {}), "answered")
    for channel in ("chat", "voice"):
        recorded.metric(own("turns", watched.stage, "Sum", {"channel": channel}), f"recorded, {channel}")
    board.picture("Are all turns recorded?", recorded, period=900)


def bodies(watched: Watched, runbooks: str, alarm_arns: Sequence[str]) -> Mapping[str, Json]:
    """Both, by the end of their names."""
    return {"service": service(watched, runbooks), "machinery": machinery(watched, runbooks, alarm_arns)}
