"""A real server whose language model fails again and again: it is left alone, and the next server knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.emulators.aws_signature import Refusal
from tests.emulators.openai import KEY, serving
from tests.journeys.process import Careline

QUESTION = "Tot hoe laat mag ik op bezoek?"


def test_after_five_failures_answers_are_quoted_at_once_and_no_server_of_this_home_asks_the_model(
    home_of_their_own: Callable[[], Careline],
) -> None:
    with serving() as cloud:
        chosen = {"MODEL": "openai", "OPENAI_BASE_URL": cloud.url, "OPENAI_API_KEY": KEY}
        careline = replace(
            home_of_their_own(), environment={f"CARELINE_{name}": value for name, value in chosen.items()}
        )
        with careline.served() as server:
            cloud.faults += [Refusal(401)] * 5
            for _ in range(5):
                assert server.ask(QUESTION)["model"] == "extractive"
            assert len(cloud.requests) == 5
            quoted = server.ask(QUESTION)
        with careline.served() as other:
            again = other.ask(QUESTION)
        assert len(cloud.requests) == 5
    for said in (quoted, again):
        assert (said["disposition"], said["model"]) == ("answered", "extractive")
        assert [warning["code"] for warning in said["warnings"]] == ["MODEL_UNAVAILABLE"]
