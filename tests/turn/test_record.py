"""What is kept of a turn: the conversation for its owner, figures without words for everybody else."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from careline.audit import chain as audit
from careline.audit.verify import verify
from careline.conversation import conversations, question
from careline.conversation.store import remembered
from careline.errors import NotFound
from careline.installation import Installation
from careline.model import Span, SpanType
from careline.packs.routing import PhiState
from careline.privacy.redaction.keyed_digest import digest
from careline.privacy.redaction.pseudonym import pseudonym
from careline.privacy.redaction.redact import Vault
from careline.safety.injection.attempts import InjectionVerdict
from careline.safety.terminal import Terminal, TerminalVerdict
from careline.telemetry import subjects, turns
from careline.telemetry.explain import explanation
from careline.turn.pipeline import answered
from careline.turn.record import record
from careline.turn.speak.answer_accumulator import AnswerAccumulator
from careline.turn.speak.screen_output import reviewed
from careline.turn.stages.admit import REMEMBERED
from careline.turn.turn import DOCUMENTS_LOADING, EgressRecord, Evidence, PersonalData, Route, Turn
from tests.fakes import KEY, NOW, FakeDetector, SettableClock
from tests.turn.turns import TALK, TENANT, WatchedIndex, a_hospital, a_turn, an_installation, answer, ask

SECRET = "godelieve"
NURSE = pseudonym("nurse-7", KEY)


async def conversation(installation: Installation, minutes: int = 30) -> list[str]:
    """What a turn that begins now is told of the conversation `talk`."""
    since = installation.engines.clock.now() - timedelta(minutes=minutes)
    return [m.text for m in (await remembered(TENANT, TALK, since, REMEMBERED, installation.engines)).messages]


@pytest.mark.parametrize(
    "question",
    [
        "wanneer mag mijn buurvrouw Godelieve bezoek krijgen",
        "hoeveel paracetamol mag Godelieve nemen",
        "Godelieve ademt niet",
    ],
)
async def test_no_word_of_the_caller_is_in_telemetry_audit_or_billing(question: str) -> None:
    finding = FakeDetector("Godelieve")
    installation = await a_hospital(["Godelieve mag bezoek van 14 tot 20 uur [1]."], detector=finding)
    await ask(installation, question, user="nurse-7")
    (entry,) = installation.engines.outbox.waiting
    assert SECRET not in json.dumps(entry.body).lower()
    await turns.relay(installation.engines)
    for partition in ("turns", "audit", "billing", f"subjects/{NURSE}"):
        kept = [item.body async for item in installation.engines.table.query(f"{TENANT}/{partition}")]
        assert kept
        assert SECRET not in json.dumps(kept).lower()
        assert "nurse-7" not in json.dumps(kept)


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
    (entry,) = await audit.newest(installation.engines, TENANT, 5)
    assert (entry.entry_id, entry.subject, kept["user"]) == (made.id, NURSE, NURSE)
    assert entry.body["question_characters"] == len("wanneer is er bezoek")


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
    index = WatchedIndex()
    installation = await a_hospital(["Van 14 tot 20 uur."], ["Ook op zondag."], clock=clock, index=index)
    await ask(installation, "wanneer is er bezoek", conversation_id="talk")
    clock.move(minutes * 60)
    await ask(installation, "en bezoek op zondag", conversation_id="talk")
    assert ("wanneer" in index.asked[1].text) is remembers
    assert len((await conversations.show("talk", installation))["messages"]) == 4, "the history stays"


async def test_preferences_are_kept_with_the_conversation() -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."], ["Van 14 tot 20 uur [1]."])
    style = {"citation_style": "footnote"}
    await ask(installation, "wanneer is er bezoek", conversation_id="talk", preferences=style)
    assert "[^1]" in answer(await ask(installation, "wanneer is er bezoek", conversation_id="talk")).text


async def test_a_history_that_the_client_keeps_is_understood_and_becomes_part_of_the_conversation() -> None:
    index = WatchedIndex()
    installation = await a_hospital(["Ook op zondag."], index=index)
    await ask(installation, "en op zondag", conversation_id="talk", history=["wanneer is er bezoek"])
    assert index.asked[0].text == "wanneer is er bezoek? en op zondag?"
    assert (await conversation(installation))[0] == "wanneer is er bezoek"


async def test_a_conversation_that_is_forgotten_is_gone_with_every_message() -> None:
    installation = an_installation()
    for _ in range(60):
        await ask(installation, "goeiedag", conversation_id="talk")
    await conversations.forget("talk", installation)
    with pytest.raises(NotFound):
        await conversations.show("talk", installation)
    assert [item async for item in installation.engines.table.query(f"{TENANT}/messages/{TALK}")] == []
    with pytest.raises(NotFound):
        await conversations.forget("talk", installation)


async def test_conversations_of_another_name_are_left_alone() -> None:
    installation = an_installation()
    for name in ("talk", "talk-2"):
        await ask(installation, "goeiedag", conversation_id=name)
    await conversations.forget("talk", installation)
    assert len((await conversations.show("talk-2", installation))["messages"]) == 2


async def test_a_conversation_is_listed_under_its_persons_pseudonym_and_goes_from_the_list_when_forgotten() -> None:
    installation = an_installation()
    await ask(installation, "goeiedag", conversation_id="talk", user="nurse-7")
    await ask(installation, "goeiedag", conversation_id="talk")
    table = installation.engines.table
    kept = await table.get(f"{TENANT}/conversations", TALK)
    assert kept is not None
    assert kept.body["user"] == NURSE, "a message that names nobody does not make it nobody's"
    listed = [item.sort async for item in table.query(f"{TENANT}/subjects/{NURSE}", "conversation/")]
    assert listed == [f"conversation/{TALK}"]
    await conversations.forget("talk", installation)
    assert [item async for item in table.query(f"{TENANT}/subjects/{NURSE}", "conversation/")] == []


async def test_everything_a_person_asked_can_be_exported_and_erased() -> None:
    installation = await a_hospital(["Bezoek mag van 14 tot 20 uur [1]."])
    engines = installation.engines
    await ask(installation, "wanneer is er bezoek", conversation_id="talk", user="0470-12-34-56")
    await turns.relay(engines)
    held = await subjects.export(engines, TENANT, "+32 470 12 34 56")
    assert held["conversations"][0]["messages"][0]["text"] == "wanneer is er bezoek"
    assert len(held["turns"]) == len(held["billing"]) == 1
    done = await subjects.erase(engines, TENANT, "+32 470 12 34 56")
    assert done["erased"] == {"conversations": 1, "messages": 2, "turns": 1}
    with pytest.raises(NotFound):
        await conversations.show("talk", installation)
    assert (await verify(engines, TENANT)).intact


async def test_what_was_said_is_gone_after_ninety_days_and_how_it_went_after_four_hundred() -> None:
    clock = SettableClock(NOW)
    installation = an_installation(clock=clock)
    made = answer(await ask(installation, "goeiedag", conversation_id="talk", user="nurse-7"))
    await turns.relay(installation.engines)
    clock.move(90 * 86_400)
    with pytest.raises(NotFound):
        await conversations.show("talk", installation)
    assert [item async for item in installation.engines.table.query(f"{TENANT}/messages/{TALK}")] == []
    assert (await turns.show(made.id, TENANT, installation.engines))["turn_id"] == made.id
    clock.move(310 * 86_400)
    with pytest.raises(NotFound):
        await turns.show(made.id, TENANT, installation.engines)


async def test_the_record_of_a_turn_explains_itself() -> None:
    installation = await a_hospital(["Bezoek mag van 14 tot 20 uur [1]."])
    made = answer(await ask(installation, "wanneer is er bezoek", user="nurse-7"))
    await turns.relay(installation.engines)
    told = await explanation(installation.engines, TENANT, made.id, installation.packs)
    assert told["phi"]["state"] in {"clear", "found", "assumed"}
    assert told["screening"]["input"]["class"] == "FALLTHROUGH"
    assert told["screening"]["injection"]["found"] is False
    assert (told["route"]["model"], told["route"]["where"]) == ("scripted", "local")
    assert "scripted" in [one["to"] for one in told["egress"]]
    assert told["sources"]["cited"] == ["brochure-bezoek:1:0"]


async def test_a_refusal_names_its_rule_and_that_nothing_left() -> None:
    installation = an_installation()
    made = answer(await ask(installation, "hoeveel ibuprofen mag ik nemen"))
    await turns.relay(installation.engines)
    told = await explanation(installation.engines, TENANT, made.id, installation.packs)
    assert (told["reason"], told["egress"], told["model"]["model"]) == ("SAFETY_REFUSAL", [], None)
    assert told["rules"][0]["screen"] == "input"
    assert any(one["example"] for one in told["rules"])


def a_turn_with_personal_data(state: PhiState = "found", **chosen: Any) -> Turn:
    """A turn that was looked at, screened and routed, and told two parties something."""
    person, place = Span(7, 16, SpanType.PERSON, "person/list"), Span(26, 35, SpanType.PERSON, "person/cue")
    redacted = "" if state == "assumed" else "mag ik [PERSON_1] bezoeken in antwerpen"
    phi = PersonalData(state, Vault(KEY), redacted, (), (person,), (place,) if chosen.pop("override", False) else ())
    return a_turn(
        "mag ik Godelieve bezoeken in antwerpen",
        user="nurse-7",
        **{
            "phi": phi,
            "terminal": TerminalVerdict(Terminal.FALLTHROUGH),
            "injection": InjectionVerdict(False),
            "route": Route("cloud", "otherwise", ("phi=found",), redacted=True),
            "sent": (EgressRecord("embedder", "cloud", "question", redacted=True),),
            **chosen,
        },
    )


async def recorded(turn: Turn, said: AnswerAccumulator | None = None, *, reply: str = "unknown") -> dict[str, Any]:
    """The outbox entry that a turn leaves behind whose answer begins with this reply of the pack."""
    installation = an_installation()
    said = said or AnswerAccumulator(
        model="gpt-4.1-mini", sent=(EgressRecord("gpt-4.1-mini", "cloud", "question, sources", redacted=True),)
    )
    said.parts, said.language = [reviewed(turn.pack, reply, "nl", turn)], "nl"
    await record(turn, said, answered(turn, said), installation)
    (entry,) = installation.engines.outbox.waiting
    json.dumps(entry.body)
    return entry.body


async def test_what_was_seen_and_what_left_is_recorded_in_its_redacted_form() -> None:
    body = (await recorded(a_turn_with_personal_data()))["turn"]
    kept = question.shown(body, TENANT, KEY)
    assert "antwerpen" not in json.dumps(body), "encrypted until it is shown"
    assert kept["question_redacted"] == "mag ik [PERSON_1] bezoeken in antwerpen"
    assert kept["phi"] == {"state": "found", "types": {"PERSON": 1}, "rules": ["person/list"], "override": False}
    assert (kept["route"]["where"], kept["route"]["rule"], kept["route"]["redacted"]) == ("cloud", "otherwise", True)
    assert kept["egress"] == [
        {"to": "embedder", "where": "cloud", "what": "question", "redacted": True},
        {"to": "gpt-4.1-mini", "where": "cloud", "what": "question, sources", "redacted": True},
    ]
    assert kept["screening"]["input"] == {"class": "FALLTHROUGH", "rules": [], "saw": "words"}
    assert kept["screening"]["output"] == []
    assert kept["screening"]["sentences_by_words_alone"] == 0


async def test_what_was_screened_without_an_embedding_that_was_wanted_is_recorded() -> None:
    said = AnswerAccumulator(by_words_alone=2)
    kept = (await recorded(a_turn_with_personal_data(embedding_missed=True), said))["turn"]["screening"]
    assert kept["input"] == {"class": "FALLTHROUGH", "rules": [], "saw": "words", "embedding_missed": True}
    assert kept["sentences_by_words_alone"] == 2


async def test_the_audit_entry_has_the_question_only_as_a_digest_that_its_owner_can_make_again() -> None:
    body = await recorded(a_turn_with_personal_data())
    audited = body["audit"]
    assert audited["question_digest"] == digest("mag ik [PERSON_1] bezoeken in antwerpen", KEY, "question")
    assert audited["conversation"] == digest("talk", KEY, "conversation")
    assert "bezoeken" not in json.dumps(audited)
    assert "nurse-7" not in json.dumps(body)
    assert SECRET not in json.dumps(body).lower()


@pytest.mark.parametrize("state", ["assumed", "off"])
async def test_a_question_that_nobody_looked_at_is_not_recorded(state: PhiState) -> None:
    body = await recorded(a_turn_with_personal_data(state))
    assert body["turn"]["question_encrypted"] is None
    assert body["audit"]["question_digest"] is None
    assert body["turn"]["phi"]["state"] == state


async def test_what_a_user_says_is_no_personal_data_is_audited_by_kind_and_not_in_words() -> None:
    body = await recorded(a_turn_with_personal_data(override=True))
    assert body["override"] == {"turn_id": "turn-1", "types": {"PERSON": 1}, "rules": ["person/cue"]}
    assert body["turn"]["phi"]["override"] is True
    assert (await recorded(a_turn_with_personal_data()))["override"] is None


async def test_sentences_that_were_blocked_or_left_out_name_their_rules() -> None:
    said = AnswerAccumulator(reason="ADVICE_BLOCKED", rules=("nl/DOSE/x",), withheld=("leak/PERSON",))
    kept = (await recorded(a_turn_with_personal_data(), said))["turn"]
    assert kept["screening"]["output"] == [
        {"action": "blocked", "rules": ["nl/DOSE/x"]},
        {"action": "left out", "rules": ["leak/PERSON"]},
    ]


async def test_an_answer_that_says_it_may_not_be_one_is_recorded_with_what_it_lacked() -> None:
    turn = a_turn_with_personal_data(evidence=Evidence(2.5, "reader", 0.7812))
    kept = (await recorded(turn, reply="unsure_notice"))["turn"]["evidence"]
    assert kept == {
        "relevance": 2.5, "confidence": 0.7812, "by": "reader", "is_unsure": True,
        "unsure_below": turn.pack.evidence.min_sure,
    }  # fmt: skip
    assert (await recorded(turn))["turn"]["evidence"] == {**kept, "is_unsure": False, "unsure_below": None}
    loading = turn.warn(DOCUMENTS_LOADING, "Documents are being loaded.")
    kept = (await recorded(loading, reply="unsure_notice"))["turn"]["evidence"]
    assert (kept["is_unsure"], kept["unsure_below"]) == (True, None)
    assert (await recorded(a_turn_with_personal_data()))["turn"]["evidence"] is None
