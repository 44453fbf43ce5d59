"""What is kept of a turn: the conversation for its owner, figures without words for everybody else."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from careline.errors import NotFound
from careline.telemetry import turns
from careline.turn import conversations
from careline.turn.admit import REMEMBERED, remembered
from careline.turn.turn import Installation
from tests.fakes import NOW, SettableClock
from tests.turn.turns import TENANT, a_hospital, an_installation, answer, ask

SECRET = "godelieve"


async def conversation(installation: Installation, minutes: int = 30) -> list[str]:
    """What a turn that begins now is told of the conversation `talk`."""
    since = installation.engines.clock.now() - timedelta(minutes=minutes)
    return [m.text for m in (await remembered(installation.engines.table, TENANT, "talk", since)).messages]


@pytest.mark.parametrize(
    "question",
    [
        "wanneer mag mijn buurvrouw Godelieve bezoek krijgen",
        "hoeveel paracetamol mag Godelieve nemen",
        "Godelieve ademt niet",
    ],
)
async def test_no_word_of_the_caller_is_in_telemetry_audit_or_billing(question: str) -> None:
    installation = await a_hospital(["Godelieve mag bezoek van 14 tot 20 uur [1]."])
    await ask(installation, question, user="nurse-7")
    (entry,) = installation.engines.outbox.waiting
    assert SECRET not in json.dumps(entry.body).lower()
    await turns.relay(installation.engines)
    for partition in ("turns", "audit", "billing"):
        kept = [item.body async for item in installation.engines.table.query(f"{TENANT}/{partition}")]
        assert len(kept) == 1
        assert SECRET not in json.dumps(kept).lower()


async def test_the_record_says_how_the_turn_went() -> None:
    installation = await a_hospital(["Bezoek mag van 14 tot 20 uur [1]."])
    made = answer(await ask(installation, "wanneer is er bezoek", user="nurse-7"))
    await turns.relay(installation.engines)
    kept = await turns.show(made.id, TENANT, installation.engines)
    assert (kept["disposition"], kept["model"], kept["model_called"], kept["language"]) == (
        "answered",
        "scripted",
        True,
        "nl",
    )
    assert kept["cited"] == ["brochure-bezoek:1:0"]
    assert {timing["stage"] for timing in kept["timings"]} >= {"admit", "retrieve", "speak"}
    audit = await installation.engines.table.get(f"{TENANT}/audit", made.id)
    assert audit is not None
    assert (audit.body["user"], audit.body["question_characters"]) == ("nurse-7", len("wanneer is er bezoek"))


async def test_a_turn_that_no_model_took_part_in_says_so() -> None:
    installation = an_installation()
    made = answer(await ask(installation, "hoeveel ibuprofen mag ik nemen"))
    await turns.relay(installation.engines)
    kept = await turns.show(made.id, TENANT, installation.engines)
    assert (kept["model_called"], kept["model"], kept["sources"]) == (False, None, [])


async def test_an_entry_that_is_delivered_twice_keeps_one_record() -> None:
    installation = await a_hospital(["Bezoek mag [1]."])
    made = answer(await ask(installation, "wanneer is er bezoek"))
    (entry,) = installation.engines.outbox.waiting
    await turns.keep(entry, installation.engines)
    assert await turns.relay(installation.engines) == 1
    await turns.keep(entry, installation.engines)
    assert [kept["turn_id"] for kept in await turns.newest(TENANT, 10, installation.engines)] == [made.id]
    assert installation.engines.outbox.waiting == []


async def test_the_newest_turns_come_first() -> None:
    installation = an_installation()
    asked = [answer(await ask(installation, "goeiedag")).id for _ in range(3)]
    await turns.relay(installation.engines)
    assert [kept["turn_id"] for kept in await turns.newest(TENANT, 2, installation.engines)] == asked[:0:-1]


async def test_a_record_that_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFound):
        await turns.show("no-such-turn", TENANT, an_installation().engines)


async def test_both_sides_of_a_conversation_are_kept_and_the_next_turn_sees_them() -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."])
    await ask(installation, "wanneer is er bezoek", conversation_id="talk")
    assert await conversation(installation) == ["wanneer is er bezoek", "Van 14 tot 20 uur [1]."]
    shown = await conversations.show("talk", installation)
    assert [(message["role"], message["text"]) for message in shown["messages"]] == [
        ("user", "wanneer is er bezoek"), ("assistant", "Van 14 tot 20 uur [1]."),
    ]  # fmt: skip


async def test_a_turn_sees_the_last_ten_messages_in_order() -> None:
    installation = an_installation()
    for number in range(8):
        await ask(installation, f"goeiedag {number}", conversation_id="talk")
    seen = await conversation(installation)
    assert len(seen) == REMEMBERED == 10
    assert [text for text in seen if text.startswith("goeiedag")] == [f"goeiedag {number}" for number in range(3, 8)]


@pytest.mark.parametrize(("minutes", "remembers"), [(29, True), (30, True), (31, False)])
async def test_a_conversation_is_gone_on_with_for_thirty_idle_minutes(minutes: int, remembers: bool) -> None:
    clock = SettableClock(NOW)
    installation = await a_hospital(["Van 14 tot 20 uur."], ["Ook op zondag."], clock=clock)
    await ask(installation, "wanneer is er bezoek", conversation_id="talk")
    clock.move(minutes * 60)
    await ask(installation, "en bezoek op zondag", conversation_id="talk")
    assert ("wanneer" in installation.engines.model.briefs[1].search_text) is remembers
    assert len((await conversations.show("talk", installation))["messages"]) == 4, "the history stays"


async def test_preferences_are_kept_with_the_conversation() -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."], ["Van 14 tot 20 uur [1]."])
    style = {"citation_style": "footnote"}
    await ask(installation, "wanneer is er bezoek", conversation_id="talk", preferences=style)
    assert "[^1]" in answer(await ask(installation, "wanneer is er bezoek", conversation_id="talk")).text


async def test_a_history_that_the_client_keeps_is_understood_and_becomes_part_of_the_conversation() -> None:
    installation = await a_hospital(["Ook op zondag."])
    await ask(installation, "en op zondag", conversation_id="talk", history=["wanneer is er bezoek"])
    assert installation.engines.model.briefs[0].search_text == "wanneer is er bezoek en op zondag"
    assert (await conversation(installation))[0] == "wanneer is er bezoek"


async def test_a_conversation_that_is_forgotten_is_gone_with_every_message() -> None:
    installation = an_installation()
    for _ in range(60):
        await ask(installation, "goeiedag", conversation_id="talk")
    await conversations.forget("talk", installation)
    with pytest.raises(NotFound):
        await conversations.show("talk", installation)
    assert [item async for item in installation.engines.table.query(f"{TENANT}/messages/talk")] == []
    with pytest.raises(NotFound):
        await conversations.forget("talk", installation)


async def test_conversations_of_another_name_are_left_alone() -> None:
    installation = an_installation()
    for name in ("talk", "talk-2"):
        await ask(installation, "goeiedag", conversation_id=name)
    await conversations.forget("talk", installation)
    assert len((await conversations.show("talk-2", installation))["messages"]) == 2
