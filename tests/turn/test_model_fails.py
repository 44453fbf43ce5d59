"""A language model that fails is replaced by the next one inwards, down to the documents themselves."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from careline.errors import EmbedderUnavailable, ModelKeyMissing, ModelStalled, ModelUnavailable
from careline.installation import Installation
from careline.model import Usage
from tests.builders import as_sent
from tests.fakes import FakeDetector, ScriptedModel
from tests.turn.turns import a_hospital, answer, ask, quote_instead, shown

QUESTION = "wanneer is er bezoek"
DOWN = [ModelUnavailable("the language model answered with status 401", kind="status", answered=401, passing=False)]
SAID = ["Van 14 tot 20 uur [1]."]


class Named(ScriptedModel):
    """A model with a name of its own."""

    def __init__(self, name: str, *answers: Any) -> None:
        super().__init__(*answers)
        self.name = name


async def with_models(cloud: Any, local: Any, **more: Any) -> Installation:
    """A hospital whose three models write, in order, these answers and what the documents say."""
    engines = {"cloud": Named("large", cloud), **more}
    installation = await a_hospital(local, detector=FakeDetector("Jan"), **engines)
    installation.engines.model.name = "local"
    return installation


@pytest.mark.parametrize("channel", ["chat", "voice"])
@pytest.mark.parametrize("cloud", [DOWN, [ModelStalled("cut off", kind="cut_off")], ["Van 14", ModelStalled("")], [""]])
async def test_the_local_model_writes_when_the_cloud_does_not_and_the_client_is_told(
    cloud: list[Any], channel: str
) -> None:
    installation = await with_models(cloud, SAID)
    events = await ask(installation, QUESTION, channel=channel)
    assert (answer(events).disposition, answer(events).model) == ("answered", "local")
    assert as_sent("14 tot 20 uur", channel) in answer(events).text
    assert [warning.code for warning in answer(events).warnings] == ["MODEL_UNAVAILABLE"]
    assert shown(events) == answer(events).text
    (entry,) = installation.engines.outbox.waiting
    asked = [(sent["to"], sent["where"]) for sent in entry.body["turn"]["egress"] if sent["to"] != "embedder"]
    assert asked == [("large", "cloud"), ("local", "local")]
    assert entry.body["turn"]["route"]["where"] == "local"


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_the_documents_are_quoted_when_no_model_writes(channel: str) -> None:
    events = await ask(await with_models(DOWN, DOWN), QUESTION, channel=channel)
    assert (answer(events).disposition, answer(events).model) == ("answered", "extractive")
    assert as_sent("14", channel) in answer(events).text
    assert answer(events).citations
    assert [warning.code for warning in answer(events).warnings] == ["MODEL_UNAVAILABLE"]


async def test_without_a_key_of_the_model_answers_are_quoted_nothing_is_sent_and_the_reason_is_said() -> None:
    installation = await with_models([ModelKeyMissing("there is no key yet", kind="no_key", passing=False)], DOWN)
    installation = Installation(
        replace(installation.engines, model=None), installation.packs, installation.settings
    )
    events = await ask(installation, QUESTION)
    assert (answer(events).disposition, answer(events).model) == ("answered", "extractive")
    assert [warning.code for warning in answer(events).warnings] == ["MODEL_KEY_MISSING"]
    (entry,) = installation.engines.outbox.waiting
    assert "large" not in {sent["to"] for sent in entry.body["turn"]["egress"]}


@pytest.mark.parametrize(
    ("quoted", "disposition"), [([], "escalated"), ([EmbedderUnavailable("gone")], "failed")], ids=["silent", "broken"]
)
async def test_where_nobody_writes_the_number_to_call_is_given(
    monkeypatch: pytest.MonkeyPatch, quoted: list[BaseException], disposition: str
) -> None:
    quote_instead(monkeypatch, *quoted)
    installation = await with_models(DOWN, DOWN)
    settings = installation.settings.with_changes(hospital={"helpdesk_phone": "03 555 12 12"})
    events = await ask(Installation(installation.engines, installation.packs, settings), QUESTION)
    assert answer(events).disposition == disposition
    assert "03 555 12 12" in answer(events).text


async def test_what_was_shown_stays_when_the_stream_breaks_and_nobody_takes_over() -> None:
    events = await ask(await with_models([*SAID, " En op ", ModelStalled("cut off")], SAID), QUESTION)
    assert answer(events).text.startswith("Van 14 tot 20 uur")
    assert answer(events).text.count("Van 14") == 1
    assert (answer(events).disposition, answer(events).reason) == ("failed", "MODEL_STALLED")
    assert [warning.code for warning in answer(events).warnings] == ["MODEL_STALLED"]


async def test_a_failure_never_leads_outwards() -> None:
    installation = await with_models(SAID, DOWN)
    events = await ask(installation, "Ik ben Jan, wanneer is er bezoek")
    assert answer(events).model == "extractive"
    assert installation.engines.cloud.told == []  # type: ignore[union-attr]


async def test_who_takes_over_is_told_no_more_than_the_one_that_failed() -> None:
    chosen = {"settings": {"routing": {"mode": "cloud_only", "cloud_only_phi": "redact"}}}
    installation = await with_models(DOWN, SAID, **chosen)
    await ask(installation, "Ik ben Jan, wanneer is er bezoek")
    (first,), (second,) = installation.engines.cloud.told, installation.engines.model.told  # type: ignore[union-attr]
    assert "Jan" not in repr(first)
    assert second == first


async def test_what_both_consumed_is_on_the_bill() -> None:
    spent = Usage(10, 2, 0, 0.5)
    events = await ask(await with_models(["", spent], [*SAID, spent]), QUESTION)
    assert (answer(events).tokens.input, answer(events).cost) == (20, 1.0)


async def test_a_failure_is_logged_with_its_kind_and_without_words(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        await ask(await with_models(DOWN, [""]), "wanneer is er bezoek bij zonderling")
    said = {record.msg: vars(record) for record in caplog.records}
    failed = said["a language model failed"]
    assert (failed["error"], failed["kind"], failed["status"], failed["where"]) == (
        "MODEL_UNAVAILABLE", "status", 401, "cloud",
    )  # fmt: skip
    assert "a language model wrote nothing" in said
    assert "zonderling" not in repr(said)
