"""Which model writes: the policy's choice, what happens where that model is not set up, and what it is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from careline.chat import ChatMessage
from careline.records.record_table import Item, Put
from careline.tenants.spending import month
from careline.turn.stages.route_model import complexity
from tests.fakes import NOW, FakeDetector, ScriptedModel
from tests.turn.turns import a_hospital, a_turn, answer, ask, shown

SAID = ["Van 14 tot 20 uur [1]."]


class Named(ScriptedModel):
    """A model with a name of its own."""

    def __init__(self, name: str, *answers: Any) -> None:
        super().__init__(*answers)
        self.name = name


async def with_models(*said: Any, **chosen: Any) -> Any:
    """A hospital with a local and two cloud models, all of which would say the same."""
    answers = said or (SAID, SAID, SAID)
    cloud, small = Named("large", *answers), Named("small", *answers)
    installation = await a_hospital(*answers, detector=FakeDetector("Jan"), cloud=cloud, cloud_small=small, **chosen)
    installation.engines.model.name = "local"
    return installation


@pytest.mark.parametrize(
    ("question", "routing", "model"),
    [
        ("wanneer is er bezoek", {}, "small"),
        ("wanneer is er bezoek? wanneer is bezoek?", {}, "large"),
        ("wanneer is er bezoek voor Jan", {}, "local"),
        ("wanneer is er bezoek voor Jan", {"cloud_covered": True}, "large"),
        ("wanneer is er bezoek", {"mode": "local_only"}, "local"),
        ("wanneer is er bezoek", {"region": "eu"}, "local"),
        ("wanneer is er bezoek", {"region": "eu", "cloud_region": "eu"}, "small"),
        ("wanneer is er bezoek voor Jan", {"mode": "cloud_only", "cloud_only_phi": "redact"}, "large"),
    ],
)
async def test_the_policy_chooses_the_model(question: str, routing: dict[str, Any], model: str) -> None:
    events = await ask(await with_models(settings={"routing": routing}), question)
    # `covered` and `redact` leave the rest of the choice to size, which the policy names for them.
    assert answer(events).model == model


async def test_a_model_that_is_not_set_up_gives_way_and_the_record_says_so() -> None:
    installation = await a_hospital(SAID)
    events = await ask(installation, "wanneer is er bezoek")
    assert answer(events).model == installation.engines.model.name
    (entry,) = installation.engines.outbox.waiting
    route = entry.body["turn"]["route"]
    assert (route["where"], route["reasons"][-1]) == ("local", "cloud_small is not set up")


async def test_in_the_cloud_alone_personal_data_is_refused_and_no_model_is_asked() -> None:
    installation = await with_models(settings={"routing": {"mode": "cloud_only"}})
    events = await ask(installation, "wanneer is er bezoek voor Jan")
    assert (answer(events).disposition, answer(events).reason) == ("refused", "PHI_NOT_SENT")
    assert "zonder naam" in shown(events)
    engines = installation.engines
    assert engines.cloud.told == engines.cloud_small.told == engines.model.told == []
    (entry,) = engines.outbox.waiting
    route = entry.body["turn"]["route"]
    assert (route["use"], route["where"], route["model"]) == ("refuse", "nowhere", None)


async def test_redacted_the_cloud_reads_tokens_and_the_user_reads_the_name() -> None:
    told = ["[PERSON_1] mag bezoek van 14 tot 20 uur [1]."]
    installation = await with_models(told, settings={"routing": {"mode": "cloud_only", "cloud_only_phi": "redact"}})
    events = await ask(installation, "wanneer is er bezoek voor Jan")
    (told,) = installation.engines.cloud.told
    assert told[-1] == ChatMessage("user", "wanneer is er bezoek voor [PERSON_1]")
    assert "Jan" not in repr(told)
    assert shown(events).startswith("Jan mag bezoek van 14 tot 20 uur")
    (entry,) = installation.engines.outbox.waiting
    assert entry.body["turn"]["egress"] == [
        {"to": "large", "where": "cloud", "what": "question, 0 earlier messages, 1 passages", "redacted": True}
    ]


async def test_a_budget_that_is_spent_keeps_answers_at_home() -> None:
    installation = await with_models(settings={"routing": {"monthly_budget": 10.0}})
    spent = Item("default/spending", month(NOW), {"euro": 10.0})
    await installation.engines.table.write(Put(spent))
    assert answer(await ask(installation, "wanneer is er bezoek")).model == "local"
    await installation.engines.table.write(Put(replace(spent, body={"euro": 9.5})))
    assert answer(await ask(installation, "wanneer is er bezoek? wanneer is bezoek?")).model == "small"


def test_a_long_question_or_two_at_once_or_one_that_leans_is_complex() -> None:
    assert complexity(a_turn("wanneer is er bezoek")) == "simple"
    assert complexity(a_turn("wanneer? waar?")) == "complex"
    assert complexity(a_turn(" ".join(["woord"] * 15))) == "complex"
    assert complexity(a_turn("en op zondag", search_text="wanneer is er bezoek op zondag?", leans=True)) == "complex"
    assert complexity(a_turn("goedemorgen, wanneer is er bezoek?", search_text="wanneer is er bezoek?")) == "simple"
