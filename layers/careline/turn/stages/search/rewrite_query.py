"""Says what is searched for: the question without what is said around it, with what it leaves unsaid."""

from __future__ import annotations

from dataclasses import replace

from careline.errors import ModelUnavailable
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.privacy.redaction.redact import without_tokens
from careline.safety.terminal import IN_ANY_LANGUAGE
from careline.turn.case import with_case
from careline.turn.may_leave import may_leave
from careline.turn.question.standalone_question import in_context, standalone_question
from careline.turn.searches.published_names import names_to_find
from careline.turn.turn import EgressRecord, Turn
from careline.understanding.act_question import way_to
from careline.understanding.earlier import behind_refusals
from careline.understanding.question import StandaloneQuestion
from careline.understanding.rewrite_with_model import rewritten

log = EventLog(__name__)
NOT_REWRITTEN = "No language model read the question in the light of those before it; it was joined to the last one."


async def rewrite_query(turn: Turn, installation: Installation) -> Turn:
    """The turn with the text that is searched for, without personal data, and the names that are looked for first."""
    asked = standalone_question(turn)
    if installation.settings.engines.follow_ups == "model" and turn.choice is None:
        turn, asked = await _by_model(turn, asked, installation)
    if turn.act is not None and (way := way_to(turn.act, _searchable(asked.text), turn.language)):
        asked = StandaloneQuestion(way, entities=asked.entities)
    turn, asked = with_case(turn, asked)
    return replace(
        turn,
        search_text=_searchable(asked.text),
        leans=asked.leans,
        entities=asked.entities,
        names=names_to_find(asked, turn),
    )


async def _by_model(
    turn: Turn, asked: StandaloneQuestion, installation: Installation
) -> tuple[Turn, StandaloneQuestion]:
    """The turn that says what was sent, and what is asked as a model says it; as it was where nothing was said before
    but what was refused, where there is no model or it fails, and where it asks for what is refused."""
    caller, phi = installation.engines.guardrail, turn.phi
    if caller is None or phi is None or not may_leave(turn, installation):
        return turn, asked
    before = behind_refusals(in_context(turn))
    if not before:
        return turn, asked
    sent = EgressRecord(caller.name, "cloud", "question to rewrite, with earlier messages", phi.state == "found")
    unsent, turn = turn, replace(turn, sent=(*turn.sent, sent))
    try:
        seen = await rewritten(phi.question, before, turn.pack.rewrite_prompt, caller)
    except ModelUnavailable as error:
        log.write("question_not_rewritten", error=error.code)
        return (turn if error.was_asked else unsent).warn("QUESTION_NOT_REWRITTEN", NOT_REWRITTEN), asked
    if _is_refused(seen.text, turn):
        # The screens have seen the caller's words alone.
        return turn, asked
    return turn, seen


def _is_refused(text: str, turn: Turn) -> bool:
    """Whether what a model makes of a question would be refused, had a caller said it."""
    is_terminal = turn.pack.terminal.classify(text, turn.language).terminal in IN_ANY_LANGUAGE
    return is_terminal or turn.pack.injection.judge(text, turn.language).injection


def _searchable(text: str) -> str:
    return without_tokens(text).strip() or text
