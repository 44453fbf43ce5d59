"""Personal data of a whole conversation, looked for on the wire of the cloud's model and in everything that is kept.

The model is a server on loopback that remembers every byte it was sent; the installation is the real one in a process
of its own, with its real detector.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from tests.emulators.openai import KEY, Endpoint, serving
from tests.journeys.process import Careline, Served

NAME, NISS, PHONE, MAIL = "Lieselotte Vanhaverbeke", "85.07.30-033.28", "0478 12 34 56", "lieselotte@voorbeeld.be"
CONVERSATION = (
    f"{NAME}: hoeveel kost parkeren per uur",
    f"hoeveel kost parkeren per uur, {NISS}",
    f"u kunt mij bellen op {PHONE} of mailen naar {MAIL}, hoeveel kost parkeren per uur",
    "en op zondag?",
    f"hoeveel paracetamol mag {NAME} nemen",
)
TRACES = re.compile(r"lieselotte|vanhaverbeke|850730|03328|033\.28|478.?12|123456|voorbeeld\.be", re.IGNORECASE)


@contextmanager
def with_cloud(careline: Careline, model: Endpoint, **settings: str) -> Iterator[Served]:
    """The installation with a cloud model; what the process wrote is looked through when it has ended."""
    chosen = {"MODEL": "openai", "OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": KEY, **settings}
    environment = {f"CARELINE_{name}": value for name, value in chosen.items()}
    with replace(careline, environment=environment).served() as server:
        yield server
        server.process.terminate()
        said, complained = server.process.communicate(timeout=30)
        assert not TRACES.search(said), "standard output"
        assert not TRACES.search(complained), "the log"


@pytest.fixture
def model() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint


def hold(server: Served, user: str = "0478 99 88 77") -> list[dict[str, Any]]:
    """The conversation from end to end; its answers."""
    named = {"conversation_id": "talk", "user": user.replace(" ", ""), "language": "nl"}
    return [server.ask(text, **named) for text in CONVERSATION]


def test_at_home_and_in_the_cloud_nothing_personal_reaches_the_clouds_model(
    home_of_their_own: Callable[[], Careline], model: Endpoint
) -> None:
    careline = home_of_their_own()
    with with_cloud(careline, model) as server:
        answers = hold(server)
        assert model.requests == [], "the whole conversation stays: a message with personal data stands in its history"
        assert all(answer["phi"] for answer in answers)
        assert {answer["model"] for answer in answers} <= {"extractive", None}
        server.ask("hoeveel kost parkeren per uur", conversation_id="another", language="nl")
        assert len(model.requests) == 1, "what is not personal may go"
        records = [server.record(answer["id"]) for answer in answers]
    assert not TRACES.search(json.dumps(records)), "the records of the turns"
    assert "[PERSON_1]" in records[0]["question_redacted"]
    assert {record["route"]["rule"] for record in records if record["route"]} == {"personal-data-stays"}
    assert all(not sent["where"] == "cloud" for record in records for sent in record["egress"])
    kept = careline.json("audit", "list")
    assert not TRACES.search(json.dumps(kept)), "the audit chain"
    assert "478998877" not in json.dumps([records, kept]), "the caller's number is a pseudonym"


def test_redacted_the_clouds_model_reads_the_same_tokens_all_along_and_the_caller_reads_the_name(
    home_of_their_own: Callable[[], Careline], model: Endpoint
) -> None:
    model.words = ("Dag ", "[PERSON_1], ", "parkeren ", "kost ", "2,50 ", "euro ", "per ", "uur ", "[1].")
    chosen = {"MODE": "cloud_only", "CLOUD_ONLY_PHI": "redact"}
    with with_cloud(home_of_their_own(), model, **chosen) as server:
        answers = hold(server)
    assert len(model.requests) == 4, "all but the request for advice, which no model sees"
    assert not TRACES.search(json.dumps(model.requests)), "the model's wire"
    last = model.requests[-1]["messages"]
    assert any("[PERSON_1]" in message["content"] for message in last), "earlier messages too"
    assert any("[NISS_1]" in message["content"] for message in last)
    assert any("[PHONE_1]" in message["content"] and "[EMAIL_1]" in message["content"] for message in last)
    assert answers[0]["text"].startswith(f"Dag {NAME}, parkeren kost 2,50 euro per uur [1].")


def test_refused_the_clouds_model_is_not_asked_and_the_caller_is_told_how_to_ask(
    home_of_their_own: Callable[[], Careline], model: Endpoint
) -> None:
    with with_cloud(home_of_their_own(), model, MODE="cloud_only") as server:
        answer = server.ask(CONVERSATION[0], language="nl")
    assert (answer["disposition"], answer["reason"]) == ("refused", "PHI_NOT_SENT")
    assert model.requests == []


def test_when_the_detector_fails_the_question_stays_at_home_and_the_user_is_told(
    home_of_their_own: Callable[[], Careline], model: Endpoint
) -> None:
    with with_cloud(home_of_their_own(), model, FAULTS="phi_detector") as server:
        answer = server.ask("hoeveel kost parkeren per uur", language="nl")
        record = server.record(answer["id"])
    assert "2,50 euro" in answer["text"]
    assert [warning["code"] for warning in answer["warnings"]] == ["PHI_ASSUMED"]
    assert (record["phi"]["state"], record["route"]["where"]) == ("assumed", "local")
    assert model.requests == []


@pytest.mark.parametrize("part", ["input_screen", "output_screen"])
def test_when_a_screen_fails_nothing_is_answered_and_the_user_is_told_whom_to_call(
    home_of_their_own: Callable[[], Careline], model: Endpoint, part: str
) -> None:
    with with_cloud(home_of_their_own(), model, FAULTS=part) as server:
        answer = server.ask("hoeveel kost parkeren per uur", language="nl")
        record = server.record(answer["id"])
    assert (answer["disposition"], answer["reason"]) == ("failed", "SAFETY_UNAVAILABLE")
    assert "2,50" not in answer["text"]
    assert "noodgeval" in answer["text"]
    assert "SAFETY_UNAVAILABLE" in record["warnings"]


def test_what_the_user_says_is_not_personal_may_go_and_is_audited(
    home_of_their_own: Callable[[], Careline], model: Endpoint
) -> None:
    careline = home_of_their_own()
    with with_cloud(careline, model) as server:
        answer = server.ask(CONVERSATION[0], language="nl", not_phi=[NAME])
        assert answer["phi"] is False
        record = server.record(answer["id"])
    assert (record["phi"]["state"], record["phi"]["override"]) == ("clear", True)
    kinds = [entry["kind"] for entry in careline.json("audit", "list")["entries"]]
    assert "phi override" in kinds or "phi_override" in kinds
