"""The second half of a turn: generate, screen, shape and cite, as one stream.

Each step is an async generator over the one before it; nothing is sent that did not come out of the screen.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from careline import wire
from careline.errors import EmbedderUnavailable, ModelOverdue, ModelUnavailable
from careline.installation import Installation
from careline.model import Disposition, Usage
from careline.safety.cautions import Caution
from careline.screened import ScreenedText
from careline.search.answer_kind import asks_for_price
from careline.turn.cite import citation
from careline.turn.generate import generate, sent
from careline.turn.in_time import deadline_of, in_time
from careline.turn.meter_usage import UsageMeter
from careline.turn.name_closest import closest_reply
from careline.turn.route_model import Writer, models_of
from careline.turn.screen_output import HARM, UNAVAILABLE, ScreenedSentence, reviewed, screen_output
from careline.turn.shape import ChatShaper, VoiceShaper, as_reply, shaper, without_markers
from careline.turn.turn import EgressRecord, Turn

ENDINGS = {
    UNAVAILABLE: (Disposition.FAILED, "The answer could not be checked and was not given."),
    HARM: (Disposition.REFUSED, "A sentence that nobody should be told was withheld."),
}
ADVISED = (Disposition.REFUSED, "A sentence that held medical advice was withheld.")
LEFT_OUT = {
    "leak": ("PERSONAL_DATA_WITHHELD", "A sentence with personal data that no source holds was left out."),
    "claim": ("UNGROUNDED_WITHHELD", "A sentence was left out because its figures or its meaning stand in no source."),
}


EMPTY = "MODEL_SAID_NOTHING"
CUT = ("ANSWER_CUT", "The language model stopped answering half way; what it wrote after that was left out.")
UNCITED = ("UNCITED_WITHHELD", "An answer that names no source was not given.")
DECLINED = frozenset({"declined", "uncited"})
"""Ends of an answer after which no other model is asked: the documents were read and nothing of them was told."""
INSTEAD = ("MODEL_UNAVAILABLE", "A language model did not answer; the answer comes from elsewhere.")
logger = logging.getLogger(__name__)
CAUTIONED = {"CONTRAINDICATION": "Contraindications", "CAUTION": "Cautions"}


@dataclass(slots=True)
class AnswerAccumulator:
    """What was said in this turn and how it came about; filled while the stream runs."""

    disposition: Disposition = Disposition.ANSWERED
    reason: str | None = None
    rules: tuple[str, ...] = ()
    parts: list[ScreenedText] = field(default_factory=list)
    citations: list[wire.Citation] = field(default_factory=list)
    warnings: list[wire.Notice] = field(default_factory=list)
    withheld: tuple[str, ...] = ()
    """Rules for which sentences were left out."""
    sent: tuple[EgressRecord, ...] = ()
    screening_seconds: float = 0.0
    """Time that the output screens took, part of the time of `speak`."""
    model: str | None = None
    failure: str | None = None
    """Why the model that was asked last did not finish, if it did not."""
    ended: str | None = None
    """Why its answer goes no further than where it stopped being one, if it did (`ScreenedSentence.ended`)."""
    usage: Usage = field(default_factory=Usage)
    disclaimed: bool = False
    language: str = ""
    gap: str = ""
    """White space that will stand before the next part, if there is one."""

    def text(self) -> ScreenedText:
        """Everything said, in one piece. Called when something was."""
        joined = "".join(self.parts)
        return self.parts[0].reshaped(lambda _: joined)


async def speak(turn: Turn, installation: Installation, said: AnswerAccumulator) -> AsyncGenerator[wire.Event, None]:
    """Token, citation and warning events of the answer."""
    said.language = turn.language
    if turn.outcome is not None:
        for event in _reply(turn, said):
            yield event
        return
    writers, deadline = models_of(turn, installation.engines), deadline_of(turn, installation)
    for left, writer in zip(reversed(range(len(writers))), writers, strict=True):
        if said.failure == ModelOverdue.code and writer.model.follows_instructions:
            continue
        shape = shaper(turn)
        async with aclosing(_written(writer, shape, turn, installation, said, deadline)) as events:
            async for event in events:
                yield event
        if said.failure is None or not left or said.parts:
            break
        for event in _instead(said):
            yield event
    for event in [*_broken_off(shape, turn, said), *_ending(shape, turn, said)]:
        yield event


async def _written(
    writer: Writer,
    shape: ChatShaper | VoiceShaper,
    turn: Turn,
    installation: Installation,
    said: AnswerAccumulator,
    deadline: float,
) -> AsyncGenerator[wire.Event, None]:
    """What one model writes; `said.failure` says afterwards whether it failed."""
    model, said.failure, said.ended = writer.model, None, None
    said.model, said.sent = model.name, (*said.sent, sent(turn, model, writer.where))
    wrote, spent, meter = False, said.usage, UsageMeter(turn, writer, installation)
    chunks, follows = meter.metered(generate(turn, model)), model.follows_instructions
    if follows:
        chunks = in_time(chunks, deadline)
    try:
        screened = screen_output(chunks, turn, installation, follows_instructions=follows)
        async with aclosing(screened) as sentences:
            async for sentence in sentences:
                wrote = wrote or bool(sentence.text.strip() or sentence.withheld) or sentence.ended in DECLINED
                for event in _events(sentence, shape, turn, said):
                    yield event
    except (ModelUnavailable, EmbedderUnavailable) as error:
        said.failure = error.code
        particulars = {"kind": getattr(error, "kind", ""), "status": getattr(error, "answered", None)}
        logger.warning("a language model failed", extra={"code": error.code, "where": writer.where, **particulars})
        for event in _rest(shape, said):
            yield event
    finally:
        said.usage = spent.plus(meter.used())
    if not wrote and follows and said.failure is None:
        said.failure = EMPTY
        logger.warning("a language model wrote nothing", extra={"code": EMPTY, "where": writer.where})


def _instead(said: AnswerAccumulator) -> list[wire.Event]:
    """That another one writes, told once."""
    if any(warning.code == INSTEAD[0] for warning in said.warnings):
        return []
    return [_warning(*INSTEAD, said)]


def _reply(turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    outcome = turn.outcome
    assert outcome is not None
    language = outcome.language or turn.language
    values = dict(outcome.values)
    before = values.pop("said_before", "")
    said.disposition, said.reason, said.rules = outcome.disposition, outcome.reason, outcome.rules
    said.language = language
    text = reviewed(turn.pack, outcome.reply, language, turn, **values)
    if before:
        # What is repeated was screened when it was first said.
        text = text.reshaped(lambda reply: f"{reply} {without_markers(before)}")
    return _tokens(as_reply(text, language) if turn.voice else text, said)


def _tokens(text: ScreenedText, said: AnswerAccumulator) -> list[wire.Event]:
    """The text as an event. White space at its end waits for what follows: the tokens joined are the answer."""
    if not said.parts:
        whole = text.reshaped(str.lstrip)
    elif text.startswith("\n"):
        whole = text.reshaped(lambda after: said.gap.rstrip(" ") + after)
    else:
        whole = text.reshaped(lambda after: said.gap + after)
    shown = whole.reshaped(str.rstrip)
    said.gap = str(whole)[len(shown) :]
    if not shown:
        return []
    said.parts.append(shown)
    return [wire.Token(text=shown)]


def _events(
    sentence: ScreenedSentence, shape: ChatShaper | VoiceShaper, turn: Turn, said: AnswerAccumulator
) -> list[wire.Event]:
    said.screening_seconds += sentence.seconds
    if sentence.ended is not None:
        said.ended = sentence.ended
        said.withheld += (f"ended/{sentence.ended}",)
        return []
    if sentence.withheld:
        return _withheld(sentence.withheld, said)
    if not sentence.text:
        return []
    known = set(shape.cited)
    if sentence.blocked and turn.voice:
        # The refusal is a reply of the pack: it is said whole, after what was held back and as no part of it.
        events = [*_rest(shape, said), *_tokens(_apart(sentence.text.reshaped(str.strip), turn), said)]
    else:
        events = _tokens(shape.push(sentence), said)
    events += _cited(known, shape, turn, said)
    if sentence.blocked:
        code = next((code for code in ENDINGS if code in sentence.blocked), "ADVICE_BLOCKED")
        said.disposition, message = ENDINGS.get(code, ADVISED)
        said.reason, said.rules = code, sentence.blocked
        events.append(_warning(code, message, said))
    return events


def _withheld(rules: tuple[str, ...], said: AnswerAccumulator) -> list[wire.Event]:
    """A warning of each kind, once per answer."""
    said.withheld += rules
    kinds = dict.fromkeys("leak" if rule.startswith("leak/") else "claim" for rule in rules)
    known = {warning.code for warning in said.warnings}
    return [_warning(*LEFT_OUT[kind], said) for kind in kinds if LEFT_OUT[kind][0] not in known]


def _cited(known: set[int], shape: ChatShaper | VoiceShaper, turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    sources = {source.number: source for source in turn.sources}
    events: list[wire.Event] = []
    for number, shown in shape.cited.items():
        if number not in known:
            made = citation(shown, sources[number], turn.search_text, turn.preferences)
            said.citations.append(made)
            events.append(wire.Cited(citation=made))
    return events


def _warning(code: str, message: str, said: AnswerAccumulator) -> wire.Warned:
    said.warnings.append(wire.Notice(code=code, message=message))
    return wire.Warned(code=code, message=message)


def _broken_off(shape: ChatShaper | VoiceShaper, turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    """The apology of an answer that failed where nobody else could take over; nothing of one that did not."""
    if said.failure is None or said.failure == EMPTY:
        return []
    if said.failure == ModelOverdue.code and said.parts:
        # Every sentence that was said is whole and cited: the answer is shorter than it might be.
        return [_warning(said.failure, "The language model took too long; its answer ends early.", said)]
    said.disposition, said.reason = Disposition.FAILED, said.failure
    events = [_warning(said.failure, "The language model did not finish its answer.", said), *_rest(shape, said)]
    return [*events, *_tokens(_apart(reviewed(turn.pack, "model_down", turn.language, turn), turn), said)]


def _apart(reply: ScreenedText, turn: Turn) -> ScreenedText:
    """A reply of the pack that follows other text."""
    return reply.reshaped(lambda text: (" " if turn.voice else "\n\n") + text)


def _rest(shape: ChatShaper | VoiceShaper, said: AnswerAccumulator) -> list[wire.Event]:
    rest = shape.flush()
    return _tokens(rest, said) if rest else []


def _ending(shape: ChatShaper | VoiceShaper, turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    events = _rest(shape, said)
    if not said.parts:
        events += _unanswered(turn, said)
    elif said.ended is not None and said.ended not in DECLINED:
        events.append(_warning(*CUT, said))
    if said.disposition is Disposition.ANSWERED:
        events += _cautions(shape, turn, said)
    if said.disposition is Disposition.ANSWERED and _owes_disclaimer(str(said.text()), turn):
        said.disclaimed = True
        events += _tokens(_apart(reviewed(turn.pack, "disclaimer", turn.language, turn), turn), said)
    return events


def _unanswered(turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    """The pack's reply where a model was asked and nothing of what it wrote is an answer. Where it says that what the
    reader found does not answer, those pages are the closest."""
    events: list[wire.Event] = []
    if turn.supposed_advice and not asks_for_price(turn.question):
        said.disposition, said.reason = Disposition.REFUSED, "SAFETY_REFUSAL"
        return _tokens(reviewed(turn.pack, "safety_refusal", turn.language, turn), said)
    said.disposition, said.reason = Disposition.ESCALATED, "NO_ANSWER"
    if said.ended == "uncited":
        said.reason = "NO_CITATION"
        events.append(_warning(*UNCITED, said))
    closest = [source.hit for source in turn.sources if source.read] if said.ended == "declined" else []
    key, values = closest_reply(closest, turn.pack, turn.language)
    text = reviewed(turn.pack, key, turn.language, turn, **values)
    return [*events, *_tokens(as_reply(text, turn.language) if turn.voice else text, said)]


def _cautions(shape: ChatShaper | VoiceShaper, turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    """What the sources warn of with the medicines of the question and the answer, where the pack shows it, cited."""
    screen = turn.pack.cautions
    found = screen.cautions(turn.sources, f"{turn.search_text}\n{said.text()}") if screen is not None else ()
    known = set(shape.cited)
    for caution in found:
        shape.cited.setdefault(caution.source, len(shape.cited) + 1)
    events = _cited(known, shape, turn, said)
    titles = {source.number: source.title for source in turn.sources}
    for caution in found:
        place = f"{titles[caution.source]} [{shape.cited[caution.source]}]"
        events.append(_warning(caution.kind, f"{CAUTIONED[caution.kind]} in {place}: {_listed(caution)}", said))
    return events


def _listed(caution: Caution) -> str:
    """The statements as they stand in the source, one after another."""
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in caution.statements)


def _owes_disclaimer(text: str, turn: Turn) -> bool:
    screen = turn.pack.disclaimers
    medical = screen is not None and screen.medical(text, turn.language)
    return turn.pack.disclaims(turn.request.channel, medical=medical, disclaimed=turn.conversation.disclaimed)


def finished(turn: Turn, said: AnswerAccumulator) -> Turn:
    """The turn with the warnings of its second half."""
    return replace(turn, warnings=(*turn.warnings, *said.warnings))
