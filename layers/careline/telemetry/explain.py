"""Says why a turn went the way it did, from its record: what was seen, which rules fired, what left the trust boundary.

A record written by an older version lacks some of it; that is then said to be unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from careline.packs.packs import Pack
from careline.ports import Engines
from careline.records.record_table import Body
from careline.safety.rules.rule_sets import Rule, RuleSet
from careline.telemetry import turns
from careline.telemetry.mismatches import preview

WHY: Mapping[str, str] = {
    "EMERGENCY": "The question sounded like an emergency; the pack's emergency reply was given and no model was asked.",
    "SAFETY_REFUSAL": "The question asked for medical advice; the pack's refusal was given and no model was asked.",
    "HANDOFF_REQUEST": "The caller asked for a person.",
    "REPEAT_REQUEST": "The caller asked to hear the last answer again.",
    "OFF_TOPIC_PERSONAL": "The question was small talk or had nothing to do with the hospital.",
    "FAREWELL": "The caller said goodbye.",
    "ACKNOWLEDGED": "The caller only showed that the answer was heard.",
    "GREETING": "The caller said hello and nothing else.",
    "LANGUAGE_REQUEST": "The caller asked for or spoke another language than that of the call; the pack replied.",
    "PATIENT_INFORMATION": "The caller asked for news of a patient, which no document holds; a person was offered.",
    "CANNOT_DO": "What was asked for is not done here; that was said, and what the documents say or a person.",
    "INJECTION": "The question tried to change what the assistant does; it was refused and no model was asked.",
    "SAFETY_UNAVAILABLE": "A screen did not work; what could not be checked was not said.",
    "PHI_NOT_SENT": "There was personal data and the policy lets no available model see it.",
    "CLOSEST_PAGE": "No page answers the question; those that come closest were named.",
    "DIRECTORY": "The hospital's directory answered; no document was searched and no model was asked.",
    "CONFIRMATION": "A call of a tool was announced; it runs when the user says yes.",
    "WHICH_ONE": "Several entries of the directory have the name that was said; it was asked which one is meant.",
    "WHICH_PART": "Something of the directory was named and it was not known what is wanted of it; that was asked.",
    "WHICH_MEANING": "A term may mean several things whose answers differ; it was asked which one is meant.",
    "WHICH_NEXT": "What was chosen may mean several things itself; it was asked which one.",
    "WHICH_WORD": "A word alone that nothing surely answers; it was asked what it stands for.",
    "WHICH_ROW": "Several rows of a table may be meant; the caller was asked which one.",
    "DOCUMENTS_LOADING": "Documents were still being loaded, and those that were there do not answer the question.",
    "NO_EVIDENCE": "The documents hold nothing near enough to the question; no model was asked.",
    "NO_ANSWER": "The model found no answer in the sources it was given.",
    "NO_CITATION": "The model named no source of what it wrote; it was not said.",
    "ADVICE_BLOCKED": "A sentence of the answer was medical advice; it was withheld and the answer ended there.",
    "HARM_BLOCKED": "A sentence of the answer was what nobody should be told; the answer ended before it.",
    "CLIENT_LEFT": "Nobody was there any more while the answer was given; what was said until then is recorded.",
    "INDEX_UNAVAILABLE": "The documents could not be searched.",
    "MODEL_UNAVAILABLE": "The language model did not answer.",
    "DEGRADED": "Several components were not asked, as they had failed again and again.",
    "MODEL_KEY_MISSING": "Nobody has put in the language model's key yet.",
    "MODEL_STALLED": "The language model stopped half way through its answer.",
    "MODEL_OVERDUE": "The language model had not finished its answer when the time for all of it was over.",
    "EMBEDDER_UNAVAILABLE": "The embedding that an answer's sentences are screened with was not to be had.",
}
"""A sentence for each reason that a turn is recorded with."""
FIELDS: Mapping[str, str] = {
    "egfr": "eGFR", "creatinine_umol_l": "creatinine", "weight_kg": "weight", "pregnant": "pregnancy",
    "chief_complaint": "complaint",
}  # fmt: skip
"""How fields of a patient's case are called where their names do not say it."""
ANSWERED = "Sources with enough evidence were found and the answer was taken from them."
WRITTEN = "A person's answer was written for this very question; it was told in place of any page."
"""Said in place of it where a curated answer was told."""
UNSURE = (
    "Nothing that was found surely answers the question: what comes nearest was quoted, and the answer begins by "
    "saying that it may not be one. Its confidence lies below {needed:.2f}, from which on that is not said: it is "
    "{confidence:.2f}."
)
"""Said in place of it where the answer was hedged."""
UNSURE_ANYHOW = (
    "The answer begins by saying that it may not be one, however sure it is: documents were still being loaded, or "
    "what was found is the best of a few and not relevant enough by itself."
)


async def explanation(engines: Engines, tenant: str, turn_id: str, packs: Mapping[str, Pack]) -> dict[str, Any]:
    """Why a turn went the way it did. Raises: NotFound, TableUnavailable."""
    return explain(await turns.show(turn_id, tenant, engines), packs)


def explain(record: Body, packs: Mapping[str, Pack]) -> dict[str, Any]:
    """The explanation of a turn's record, as JSON; `packs` lend the examples of the rules that fired."""
    pack = packs.get(record.get("pack") or "")
    plain = ("turn_id", "began_at", "channel", "pack", "language", "intent", "user", "disposition", "reason")
    return {
        **{name: record.get(name) for name in plain},
        "understood": record.get("understood"),
        "why": list(_why(record)),
        "question_redacted": record.get("question_redacted"),
        "standalone_redacted": record.get("standalone_redacted"),
        "phi": record.get("phi"),
        "case": record.get("case"),
        "rules": [_rule(screen, rule, pack) for screen, rule in _fired(record)],
        "screening": record.get("screening"),
        "sources": {
            "searched": record.get("searched") or [],
            "hits": record.get("hits") or 0,
            "best": {name: record.get(f"best_{name}") for name in ("score", "similarity", "coverage")},
            "evidence": record.get("evidence"),
            "given": record.get("sources") or [],
            "directory": record.get("directory"),
            "cited": record.get("cited") or [],
        },
        "value": _value(record),
        "route": record.get("route"),
        "egress": record.get("egress"),
        "model": {name: record.get(name) for name in ("model", "tokens", "cost")},
        "warnings": record.get("warnings") or [],
        "timings": record.get("timings") or [],
    }


def _value(record: Body) -> dict[str, Any] | None:
    """The categories of what was found, and the beginning of the question that they were found for; None where nothing
    was searched."""
    value = record.get("value")
    return None if value is None else {**value, "preview": preview(record)}


def _why(record: Body) -> Iterator[str]:
    reason = record.get("reason")
    if reason is not None:
        yield WHY.get(reason, f"The turn ended with the reason {reason}.")
    elif record.get("disposition") == "answered":
        yield _answered(record.get("evidence") or {})
    state = (record.get("phi") or {}).get("state")
    if state == "assumed":
        yield "Personal data could not be looked for, so it was taken to be there."
    if state == "off":
        yield "Looking for personal data is switched off in this installation."
    yield from _of_case(record.get("case") or {})
    if (record.get("phi") or {}).get("override"):
        yield "The user said that something taken for personal data is none; that is in the audit chain."
    yield from _how_screened(record.get("screening") or {})
    route = record.get("route") or {}
    if route.get("use") == "refuse":
        yield f"Routing rule {route['rule']} let no model see it."
    elif route.get("rule"):
        yield f"Routing rule {route['rule']} chose the {route.get('use', route.get('where'))} model."


def _of_case(case: Mapping[str, Any]) -> Iterator[str]:
    """What of the patient's case was known, and what of it was searched with; never what it holds."""
    if known := case.get("known"):
        yield f"Of the patient were known: {', '.join(map(_field, known))}."
    if searched := case.get("searched"):
        yield f"The question did not say it, so it was searched with the patient's {', '.join(map(_field, searched))}."


def _field(name: str) -> str:
    """A field of the case as one says it."""
    return FIELDS.get(name, name.replace("_", " "))


def _how_screened(screening: Mapping[str, Any]) -> Iterator[str]:
    """What was special about how the screens came to what they say."""
    of_input = screening.get("input") or {}
    if of_input.get("embedding_missed"):
        yield "The question's sentence embedding was not there in time: the screens judged it by rules and words alone."
    if late := screening.get("sentences_by_words_alone"):
        yield f"The embedding of {late} of the answer's sentences was not there in time: words alone were screened."
    if of_input.get("supposed"):
        yield "Taken for a request for advice, it waited for what the hospital publishes for everybody."


def _answered(evidence: Mapping[str, Any]) -> str:
    """That sources answer, or that they may not."""
    needed = evidence.get("unsure_below")
    if evidence.get("by") == "person":
        return WRITTEN
    if needed is None:
        return UNSURE_ANYHOW if evidence.get("is_unsure") else ANSWERED
    confidence = evidence.get("confidence")
    return UNSURE.format(needed=needed, confidence=evidence["relevance"] if confidence is None else confidence)


def _fired(record: Body) -> Iterator[tuple[str, str]]:
    """Each rule that fired with the screen it belongs to, once."""
    screening = record.get("screening") or {}
    by_screen = {
        "personal data": (record.get("phi") or {}).get("rules"),
        "input": (screening.get("input") or {}).get("rules"),
        "injection": (screening.get("injection") or {}).get("rules"),
        "request": (screening.get("act") or {}).get("rules"),
        "output": list(chain.from_iterable(one.get("rules") or [] for one in screening.get("output") or [])),
        "outcome": record.get("rules"),
    }
    seen: set[str] = set()
    for screen, rules in by_screen.items():
        for rule in rules or []:
            if rule not in seen:
                seen.add(rule)
                yield screen, rule


def _rule(screen: str, rule_id: str, pack: Pack | None) -> dict[str, Any]:
    known = _known(rule_id, pack) if pack is not None else None
    return {"screen": screen, "rule": rule_id, "example": known.must_match[0] if known else None}


def _known(rule_id: str, pack: Pack) -> Rule | None:
    """The rule of a pack's rule sets with this id; only rule sets of its language are compiled for it."""
    language = rule_id.partition("/")[0]
    rule_sets = (rule_set for rule_set in _rule_sets(pack) if rule_set.language == language)
    return next((rule for rule_set in rule_sets for rule in rule_set.rules if rule.rule_id == rule_id), None)


def _rule_sets(pack: Pack) -> Iterator[RuleSet]:
    for rule_layers in pack.terminal.rule_layers.values():
        yield from (rule_layer.rule_set for rule_layer in rule_layers)
    yield from pack.acts.rule_sets.values()
    yield from pack.injection.rule_sets.values()
    yield from pack.harm.rule_sets.values()
    if pack.advice is not None:
        yield from pack.advice.rule_sets.values()
