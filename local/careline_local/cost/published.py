"""A published estimate of a pilot for one hospital, about 600 euro a month, and which of our lines stand beside it.

Its sizing: 25,000 queries a month, calls of 45 seconds on average, one number, two servers of four processors. It has
no network of its own for the data, no standby, no alarms, no firewall, and counts about 25,000 minutes of trunk.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from careline_local.cost.estimate import Estimate

TOTAL_EUR = 600
ROWS: tuple[tuple[str, float, str, frozenset[str]], ...] = (
    ("Twilio trunk and number", 60, "trunk and number", frozenset({"trunk", "number"})),
    ("LiveKit server and SIP gateway", 23, "LiveKit Cloud", frozenset({"rooms", "rooms_sip", "rooms_plan"})),
    ("voice worker", 15, "Fargate", frozenset({"fargate_cpu", "fargate_gb"})),
    ("backend", 30, "functions, gateway, queues, state machine", frozenset(
        {"function_gbs", "function_request", "function_ready_gbs", "snapshot_gbs", "snapshot_restore",
         "gateway_request", "queue_request", "transition"})),
    ("PostgreSQL with pgvector", 80, "search, records and files", frozenset(
        {"search_unit", "search_storage", "table_read", "table_write", "table_gb", "table_recovery_gb", "files_gb",
         "files_write"})),
    ("Redis", 10, "nodes of a cache", frozenset({"cache_node"})),
    ("Keycloak", 10, "logins", frozenset({"login"})),
    ("language model and embeddings", 170, "language model", frozenset({"model_in", "model_out", "embedding"})),
    ("Deepgram", 100, "speech to text", frozenset({"speech_to_text"})),
    ("ElevenLabs", 100, "text to speech", frozenset({"text_to_speech"})),
    ("", 0, "keys, secrets, firewall", frozenset(
        {"key", "key_request", "secret", "web_acl", "web_acl_rule", "web_acl_request"})),
    ("", 0, "alarms, dashboards, logs, traces, canary", frozenset(
        {"alarm", "composite_alarm", "dashboard", "metric", "log_gb", "trace", "canary_run"})),
    ("", 0, "private network and data out", frozenset(
        {"endpoint", "nat", "nat_gb", "address", "load_balancer", "out_gb", "image_gb"})),
)  # fmt: skip
"""Its line and euros, ours and the prices that make it up."""
WHY: Mapping[str, str] = MappingProxyType(
    {
        "Twilio trunk and number": "60 for 25,000 minutes is 0.0024 each, less than any price found for Belgium",
        "LiveKit server and SIP gateway": "they run their own; ours is LiveKit Cloud, by the minute",
        "Deepgram": "100 for 18,750 minutes is 0.0053 each, one language; ours is the multilingual model, streaming",
        "ElevenLabs": "100 buys 0.9 million characters here, 36 a query; a spoken answer of ours has 180",
        "language model and embeddings": "one prompt of 2,000 tokens a query; vectors are made in the function",
        "PostgreSQL with pgvector": "two search units stay awake, so that no caller waits for one to wake",
    }
)
"""Why a line differs most."""


def beside(ours: Estimate, euro: float) -> list[dict[str, Any]]:
    """Its lines with ours, in euros; every line of ours is in one of them."""
    rows = []
    for theirs, theirs_eur, what, made_of in ROWS:
        cost = sum(line.cost for line in ours.lines if line.price in made_of) / euro
        row = {"theirs": theirs, "theirs_eur": theirs_eur, "ours": what, "ours_eur": round(cost, 2)}
        rows.append({**row, "why": WHY[theirs]} if theirs in WHY else row)
    return rows
