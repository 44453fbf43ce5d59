"""The page on a turn: what was seen, what fired, what left, and why; also from records that know less."""

from __future__ import annotations

from typing import Any

import pytest

from careline.errors import NotFound
from careline.telemetry import turns
from careline.telemetry.explain import WHY, explain, explanation
from tests.builders import some_engines
from tests.telemetry.chains import TENANT
from tests.telemetry.test_retention import an_entry
from tests.turn.turns import packs

RECORD: dict[str, Any] = {
    "turn_id": "turn-1", "began_at": "2026-03-02T09:30:15+00:00", "channel": "voice", "pack": "hospital_line",
    "language": "nl", "intent": "general", "user": "0123456789abcdef", "disposition": "answered", "reason": None,
    "rules": [], "model": "gpt-4.1-mini", "tokens": {"input": 900, "output": 60, "cached": 0}, "cost": 0.0004,
    "hits": 7, "best_score": 0.9, "best_similarity": 0.8, "best_coverage": 1.0, "searched": ["documents"],
    "sources": ["brochure-1:1:0", "brochure-2:1:3"], "cited": ["brochure-1:1:0"], "warnings": [],
    "timings": [{"stage": "retrieve", "ms": 3.1}], "question_redacted": "ligt [PERSON_1] op kamer 12",
    "phi": {"state": "found", "types": {"PERSON": 1}, "rules": ["person/list"], "override": False},
    "screening": {
        "input": {"class": "FALLTHROUGH", "rules": []}, "injection": {"found": False, "rules": []}, "output": [],
    },
    "route": {
        "model": "gpt-4.1-mini", "where": "cloud", "use": "cloud", "rule": "otherwise", "reasons": ["phi=found"],
        "redacted": True,
    },
    "egress": [{"to": "gpt-4.1-mini", "where": "cloud", "what": "question, 2 sources", "redacted": True}],
}  # fmt: skip


def test_an_answer_is_explained_from_its_sources_its_route_and_what_left() -> None:
    told = explain(RECORD, packs())
    assert told["question_redacted"] == "ligt [PERSON_1] op kamer 12"
    assert told["phi"]["types"] == {"PERSON": 1}
    assert told["sources"]["given"] == RECORD["sources"]
    assert told["egress"] == RECORD["egress"]
    assert told["why"][0].startswith("Sources with enough evidence")
    assert "Routing rule otherwise" in told["why"][-1]
    assert told["rules"] == [{"screen": "personal data", "rule": "person/list", "example": None}]


def test_the_relevance_of_the_best_passage_is_told_where_it_was_recorded() -> None:
    assert explain(RECORD, packs())["sources"]["evidence"] is None
    evidence = {"relevance": 2.5, "by": "reader"}
    assert explain({**RECORD, "evidence": evidence}, packs())["sources"]["evidence"] == evidence


def test_an_answer_that_is_unsure_however_well_it_answers_is_explained_so() -> None:
    evidence = {"relevance": 2.5, "confidence": 9.0, "by": "reader", "is_unsure": True, "unsure_below": None}
    told = explain({**RECORD, "evidence": evidence}, packs())
    assert "however sure" in told["why"][0]
    assert told["sources"]["evidence"] == evidence


def test_an_answer_that_may_not_be_one_is_explained_by_what_it_lacks() -> None:
    evidence = {"relevance": 4.2, "confidence": 0.78, "by": "reader", "is_unsure": True, "unsure_below": 3.0}
    told = explain({**RECORD, "evidence": evidence}, packs())
    assert "may not be one" in told["why"][0]
    assert "below 3.00" in told["why"][0]
    assert "it is 0.78" in told["why"][0]
    assert not any("enough evidence" in why for why in told["why"])
    sure = explain({**RECORD, "evidence": {**evidence, "is_unsure": False, "unsure_below": None}}, packs())
    assert sure["why"][0].startswith("Sources with enough evidence")


def test_a_question_that_waited_for_what_is_published_is_said_to_have_waited() -> None:
    seen = {"class": "SAFETY_REFUSAL", "rules": ["learned/SAFETY_REFUSAL/0.90"], "supposed": True}
    told = explain({**RECORD, "screening": {"input": seen}}, packs())
    assert any("waited for what the hospital publishes" in why for why in told["why"])


def test_screens_that_saw_words_alone_because_an_embedding_was_late_are_said_to_have() -> None:
    late = {"input": {"class": "FALLTHROUGH", "rules": [], "embedding_missed": True}, "output": []}
    assert any("rules and words alone" in why for why in explain({**RECORD, "screening": late}, packs())["why"])
    told = explain({**RECORD, "screening": {**RECORD["screening"], "sentences_by_words_alone": 2}}, packs())
    assert any("2 of the answer's sentences" in why for why in told["why"])
    assert not any("words alone" in why for why in explain(RECORD, packs())["why"])


def test_a_rule_of_the_pack_is_shown_with_its_example() -> None:
    rule = packs()["hospital_line"].terminal.rule_layers["nl"][0].rule_set.rules[0]
    record = {
        **RECORD, "reason": "EMERGENCY", "disposition": "escalated", "rules": [rule.rule_id],
        "screening": {"input": {"class": "EMERGENCY", "rules": [rule.rule_id]}},
    }  # fmt: skip
    told = explain(record, packs())
    fired = [one for one in told["rules"] if one["rule"] == rule.rule_id]
    assert fired == [{"screen": "input", "rule": rule.rule_id, "example": rule.must_match[0]}]
    assert told["why"][0] == WHY["EMERGENCY"]


def test_a_blocked_sentence_names_the_rule_of_the_answer_rule_set() -> None:
    advice = packs()["hospital_line"].advice
    assert advice is not None
    rule = advice.rule_sets["nl"].rules[0]
    blocked = {"output": [{"action": "blocked", "rules": [rule.rule_id]}]}
    told = explain({**RECORD, "reason": "ADVICE_BLOCKED", "screening": blocked}, packs())
    assert {"screen": "output", "rule": rule.rule_id, "example": rule.must_match[0]} in told["rules"]


@pytest.mark.parametrize(
    "missing", ["phi", "screening", "route", "egress", "question_redacted", "searched", "rules", "user"]
)
@pytest.mark.parametrize("how", ["absent", "null"])
def test_a_record_that_lacks_something_is_explained_as_far_as_it_goes(missing: str, how: str) -> None:
    record = {name: value for name, value in RECORD.items() if name != missing}
    told = explain(record if how == "absent" else {**record, missing: None}, packs())
    assert told["turn_id"] == "turn-1"


def test_a_record_of_the_oldest_kind_and_of_a_pack_that_is_gone_is_explained() -> None:
    told = explain({"turn_id": "turn-0", "disposition": "refused", "reason": "SOMETHING", "rules": ["nl/X/y"]}, {})
    assert told["why"] == ["The turn ended with the reason SOMETHING."]
    assert told["rules"] == [{"screen": "outcome", "rule": "nl/X/y", "example": None}]


@pytest.mark.parametrize(
    ("phi", "said"),
    [
        ({"state": "assumed"}, "could not be looked for"),
        ({"state": "off"}, "switched off"),
        ({"state": "found", "override": True}, "The user said"),
    ],
)
def test_what_was_special_about_personal_data_is_said(phi: dict[str, Any], said: str) -> None:
    assert any(said in sentence for sentence in explain({**RECORD, "phi": phi}, packs())["why"])


async def test_a_turn_is_explained_once_it_is_recorded() -> None:
    engines = some_engines()
    with pytest.raises(NotFound):
        await explanation(engines, TENANT, "turn-1", packs())
    await turns.keep(an_entry(), engines)
    assert (await explanation(engines, TENANT, "turn-1", packs()))["turn_id"] == "turn-1"
