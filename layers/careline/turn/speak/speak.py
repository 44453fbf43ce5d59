"""The second half of a turn: generate, screen, shape and cite, as one stream.

Each step is an async generator over the one before it; nothing is sent that did not come out of the screen.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import assert_never

from careline.conversation.pending import Choice, choice_id
from careline.errors import CUT_SHORT, EmbedderUnavailable, ModelKeyMissing, ModelOverdue, ModelUnavailable
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.model import Disposition
from careline.packs.replies import CANNOT
from careline.safety.cautions import Caution
from careline.schemas import wire
from careline.screened import ScreenedText
from careline.text.answer_kind import asks_for_price
from careline.turn.case import patient_of
from careline.turn.outcome import (
    WRITTEN,
    Clarification,
    Confirmation,
    DirectoryAnswer,
    Reply,
    Statement,
    Written,
)
from careline.turn.searches.name_closest import NOT_LOADED, TITLES, closest_reply
from careline.turn.speak.answer_accumulator import AnswerAccumulator
from careline.turn.speak.cite import citation
from careline.turn.speak.generate import generate, quote, sent
from careline.turn.speak.in_time import deadline_of, in_time
from careline.turn.speak.meter_usage import UsageMeter
from careline.turn.speak.read_completion import read_completion
from careline.turn.speak.screen_output import (
    HARM,
    UNAVAILABLE,
    reviewed,
    screen_output,
    screen_quotations,
    screen_statements,
)
from careline.turn.speak.screened_sentence import ScreenedSentence
from careline.turn.speak.shape import ChatShaper, VoiceShaper, as_reply, shaper, without_markers
from careline.turn.turn import CANNOT_DO, DIRECTORY, DOCUMENTS_LOADING, Turn
from careline.turn.writers import ModelWriter, Quoter, Writer, writers_of

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
UNFINISHED = "The language model did not finish its answer."
UNCITED = ("UNCITED_WITHHELD", "An answer that names no source was not given.")
DECLINED = frozenset({"declined", "uncited"})
"""Ends of an answer after which no other model is asked: the documents were read and nothing of them was told."""
INSTEAD = ("MODEL_UNAVAILABLE", "A language model did not answer; the answer comes from elsewhere.")
NO_KEY = (ModelKeyMissing.code, "There is no key of the language model yet: answers are quoted from documents.")
log = EventLog(__name__)
LEAST_CHOICES = 2
"""Choices of a question back; of one there is nothing to ask."""
CAUTIONED = {"CONTRAINDICATION": "Contraindications", "CAUTION": "Cautions"}


async def speak(turn: Turn, installation: Installation, said: AnswerAccumulator) -> AsyncGenerator[wire.Event, None]:
    """Token, citation and warning events of the answer."""
    said.language = turn.language
    for event in _not_done_here(turn, said):
        yield event
    async with aclosing(_told(turn, installation, said)) as events:
        async for event in events:
            yield event


def _not_done_here(turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    """That what is asked for is not done here, ahead of what is said instead."""
    if turn.act is None:
        return []
    text = reviewed(turn.pack, f"{CANNOT}{turn.act.act.lower()}", turn.language, turn)
    events = _tokens(as_reply(text, turn.language) if turn.voice else text, said)
    said.ahead, said.gap = len(said.parts), " " if turn.voice else "\n\n"
    return events


def _told(turn: Turn, installation: Installation, said: AnswerAccumulator) -> AsyncGenerator[wire.Event, None]:
    match turn.outcome:
        case Written():
            return _by_writers(turn, installation, said)
        case Reply():
            return _by_reply(turn, turn.outcome, said)
        case DirectoryAnswer():
            return _by_directory(turn, turn.outcome, installation, said)
        case Clarification():
            return _by_question(turn, turn.outcome, installation, said)
        case Confirmation():
            return _by_confirmation(turn, turn.outcome, said)
        case _:
            assert_never(turn.outcome)


async def _by_writers(
    turn: Turn, installation: Installation, said: AnswerAccumulator
) -> AsyncGenerator[wire.Event, None]:
    """The answer of the first writer that writes one."""
    writers, deadline = writers_of(turn, installation.engines), deadline_of(turn, installation)
    for left, writer in zip(reversed(range(len(writers))), writers, strict=True):
        if said.failure == ModelOverdue.code and isinstance(writer, ModelWriter):
            continue
        shape = shaper(turn, is_quoted=isinstance(writer, Quoter))
        async with aclosing(_written(writer, shape, turn, installation, said, deadline)) as events:
            async for event in events:
                yield event
        if said.failure is None or not left or said.has_answer:
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
    """What one writer writes; `said.failure` says afterwards whether it failed."""
    said.failure, said.ended, said.is_cut_short = None, None, False
    before = said.sent
    said.model, said.sent = writer.name, (*before, sent(turn, writer.name, writer.where))
    wrote, spent, meter = False, said.usage, UsageMeter(turn, writer.where, installation)
    try:
        async with aclosing(_screened(writer, meter, turn, installation, deadline)) as sentences:
            async for sentence in sentences:
                wrote = wrote or bool(sentence.text.strip() or sentence.withheld) or sentence.ended in DECLINED
                _log(sentence, writer.name, turn)
                for event in _events(sentence, shape, turn, said):
                    yield event
    except (ModelUnavailable, EmbedderUnavailable) as error:
        said.failure = error.code
        said.is_cut_short = isinstance(error, ModelUnavailable) and error.kind in CUT_SHORT
        said.sent = said.sent if error.was_asked else before
        particulars = {"kind": getattr(error, "kind", ""), "status": getattr(error, "answered", None)}
        log.write("model_failed", error=error.code, where=writer.where, **particulars)
        for event in _rest(shape, said):
            yield event
    finally:
        said.usage = spent.plus(meter.used())
    if not wrote and isinstance(writer, ModelWriter) and said.failure is None:
        said.failure = EMPTY
        log.write("model_silent", error=EMPTY, where=writer.where)


def _screened(
    writer: Writer, meter: UsageMeter, turn: Turn, installation: Installation, deadline: float
) -> AsyncGenerator[ScreenedSentence, None]:
    """The sentences of a writer that may be shown; of a model those that come before the deadline, counted."""
    match writer:
        case ModelWriter():
            texts = in_time(meter.metered(generate(turn, writer.model)), deadline)
            return screen_output(read_completion(texts, turn.sources), turn, installation)
        case Quoter():
            return screen_quotations(quote(turn), turn, installation)
        case _:
            assert_never(writer)


def _log(sentence: ScreenedSentence, model: str, turn: Turn) -> None:
    """What a screen did to a sentence, by the rules that it names."""
    if sentence.blocked:
        code = "voice_llm_post_filter_triggered" if turn.voice else "chat_llm_post_filter_triggered"
        log.write(code, rules=" ".join(sentence.blocked), model=model)
    elif sentence.withheld:
        log.write("sentence_left_out", rules=" ".join(sentence.withheld), model=model)


def _instead(said: AnswerAccumulator) -> list[wire.Event]:
    """That another one writes, and why where somebody can help it; each told once."""
    notice = NO_KEY if said.failure == ModelKeyMissing.code else INSTEAD
    return [] if any(warning.code == notice[0] for warning in said.warnings) else [_warning(*notice, said)]


async def _by_reply(turn: Turn, outcome: Reply, said: AnswerAccumulator) -> AsyncGenerator[wire.Event, None]:
    language = outcome.language or turn.language
    values = dict(outcome.values)
    before = values.pop("said_before", "")
    said.disposition, said.reason, said.rules = outcome.disposition, outcome.reason, outcome.rules
    said.language = language
    text = reviewed(turn.pack, outcome.reply, language, turn, **values)
    said.choices = _choices(text, [one.told for one in outcome.choices], turn)
    if before:
        # What is repeated was screened when it was first said.
        text = text.reshaped(lambda reply: f"{reply} {without_markers(before)}")
    for event in _tokens(as_reply(text, language) if turn.voice else text, said):
        yield event


def _choices(text: ScreenedText, told: Sequence[str], turn: Turn) -> list[wire.Choice]:
    """What a reply names that may be asked for, as it stands there."""
    return [
        wire.Choice(id=choice_id(turn.turn_id, n), text=_part_of(text, one))
        for n, one in enumerate(told, 1)
        if one in text
    ]


def _part_of(text: ScreenedText, told: str) -> ScreenedText:
    return text.reshaped(lambda _: told)


async def _by_directory(
    turn: Turn, outcome: DirectoryAnswer, installation: Installation, said: AnswerAccumulator
) -> AsyncGenerator[wire.Event, None]:
    """The statements of the directory with their citations; a person where none may be told."""
    said.reason = outcome.reason
    shape = shaper(turn)
    async with aclosing(screen_statements(outcome.statements, turn, installation)) as statements:
        async for statement in statements:
            _log(statement, "directory", turn)
            for event in _events(statement, shape, turn, said):
                yield event
    for event in _rest(shape, said):
        yield event
    if not said.has_answer:
        said.disposition, said.reason = Disposition.ESCALATED, "NO_ANSWER"
        text = reviewed(turn.pack, "unknown", turn.language, turn)
        for event in _tokens(as_reply(text, turn.language) if turn.voice else text, said):
            yield event


async def _by_question(
    turn: Turn, outcome: Clarification, installation: Installation, said: AnswerAccumulator
) -> AsyncGenerator[wire.Event, None]:
    """The question back, made of the choices that may be said; an answer where that is no choice any more."""
    sayable = await _sayable(outcome.choices, turn, installation)
    if len(sayable) < LEAST_CHOICES:
        said.outcome = WRITTEN
        async with aclosing(_by_writers(replace(turn, outcome=WRITTEN), installation, said)) as events:
            async for event in events:
                yield event
        return
    said.choices = [wire.Choice(id=choice_id(turn.turn_id, n), text=text) for n, (_, text) in enumerate(sayable, 1)]
    *others, last = (text for _, text in sayable)
    values = {**outcome.values, "choices": ", ".join(others), "other": str(last)}
    asked = replace(outcome, choices=tuple(choice for choice, _ in sayable), values=values)
    said.outcome = asked
    for event in _asked_back(turn, asked, said):
        yield event


async def _sayable(
    choices: Sequence[Choice], turn: Turn, installation: Installation
) -> list[tuple[Choice, ScreenedText]]:
    """The choices that may be said, each as it is."""
    statements = [Statement(choice.told) for choice in choices]
    async with aclosing(screen_statements(statements, turn, installation)) as screened:
        # A blocked one ends what is read, so there may be fewer than there are choices.
        read = zip(choices, [one async for one in screened], strict=False)
    return [(choice, one.text.reshaped(str.strip)) for choice, one in read if one.text and not one.blocked]


async def _by_confirmation(
    turn: Turn, outcome: Confirmation, said: AnswerAccumulator
) -> AsyncGenerator[wire.Event, None]:
    """What would be done, and whether it may be."""
    for event in _asked_back(turn, outcome, said):
        yield event


def _asked_back(turn: Turn, outcome: Clarification | Confirmation, said: AnswerAccumulator) -> list[wire.Event]:
    said.disposition, said.reason, said.rules = Disposition.CLARIFIED, outcome.reason, outcome.rules
    text = reviewed(turn.pack, outcome.reply, turn.language, turn, **outcome.values)
    return _tokens(as_reply(text, turn.language) if turn.voice else text, said)


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
    said.by_words_alone += sentence.by_words_alone
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
    events: list[wire.Event] = []
    for number, shown in shape.cited.items():
        if number not in known:
            made = _citation(number, shown, turn)
            said.citations.append(made)
            events.append(wire.Cited(citation=made))
    return events


def _citation(number: int, shown: int, turn: Turn) -> wire.Citation:
    """What a statement rests on under the number that the reader sees."""
    if isinstance(turn.outcome, DirectoryAnswer):
        return turn.outcome.citations[number - 1].model_copy(update={"number": shown})
    source = next(source for source in turn.sources if source.number == number)
    return citation(shown, source, turn.search_text, turn.preferences)


def _warning(code: str, message: str, said: AnswerAccumulator) -> wire.Warned:
    said.warnings.append(wire.Notice(code=code, message=message))
    return wire.Warned(code=code, message=message)


def _broken_off(shape: ChatShaper | VoiceShaper, turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    """The apology of an answer that failed where nobody else could take over; nothing of one that did not."""
    if said.failure is None or said.failure == EMPTY:
        return []
    if said.failure == ModelOverdue.code and said.has_answer:
        # Every sentence that was said is whole and cited: the answer is shorter than it might be.
        return [_warning(said.failure, "The language model took too long; its answer ends early.", said)]
    if said.is_cut_short and said.has_answer:
        return [_warning(said.failure, UNFINISHED, said)]
    said.disposition, said.reason = Disposition.FAILED, said.failure
    events = [_warning(said.failure, UNFINISHED, said), *_rest(shape, said)]
    return [*events, *_tokens(_apart(reviewed(turn.pack, "model_down", turn.language, turn), turn), said)]


def _apart(reply: ScreenedText, turn: Turn) -> ScreenedText:
    """A reply of the pack that follows other text."""
    return reply.reshaped(lambda text: (" " if turn.voice else "\n\n") + text)


def _rest(shape: ChatShaper | VoiceShaper, said: AnswerAccumulator) -> list[wire.Event]:
    rest = shape.flush()
    return _tokens(rest, said) if rest else []


def _ending(shape: ChatShaper | VoiceShaper, turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    events = _rest(shape, said)
    if not said.has_answer:
        events += _unanswered(turn, said)
    elif said.ended is not None and said.ended not in DECLINED:
        events.append(_warning(*CUT, said))
    if said.disposition is Disposition.ANSWERED:
        events += _cautions(shape, turn, said)
    if said.disposition is Disposition.ANSWERED and turn.act is not None:
        said.reason = CANNOT_DO
        offer = reviewed(turn.pack, "cannot_person", turn.language, turn)
        events += _tokens(_apart(as_reply(offer, turn.language) if turn.voice else offer, turn), said)
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
    if turn.supposed_off_topic:
        said.disposition, said.reason = Disposition.REFUSED, "OFF_TOPIC_PERSONAL"
        return _tokens(reviewed(turn.pack, "off_topic", turn.language, turn), said)
    said.disposition, said.reason = Disposition.ESCALATED, "NO_ANSWER"
    if said.ended == "uncited":
        said.reason = "NO_CITATION"
        events.append(_warning(*UNCITED, said))
    text = _not_found(turn, said)
    return [*events, *_tokens(as_reply(text, turn.language) if turn.voice else text, said)]


def _not_found(turn: Turn, said: AnswerAccumulator) -> ScreenedText:
    """The pack's reply where no document answers; that it may still come while documents are being loaded."""
    if turn.documents_loading:
        said.disposition, said.reason = Disposition.FAILED, DOCUMENTS_LOADING
        return reviewed(turn.pack, NOT_LOADED, turn.language, turn)
    is_read = turn.evidence is not None and turn.evidence.by == "reader"
    # The directory is no page that anybody could be shown.
    pages = [source.hit for source in turn.sources if source.hit.passage.facts.source_type != DIRECTORY]
    closest = pages if is_read and said.ended == "declined" else []
    key, values = closest_reply(closest, turn.pack, turn.language)
    text = reviewed(turn.pack, key, turn.language, turn, **values)
    said.choices = _choices(text, [values[name] for name in TITLES if name in values], turn)
    return text


def _cautions(shape: ChatShaper | VoiceShaper, turn: Turn, said: AnswerAccumulator) -> list[wire.Event]:
    """What the sources warn of with the medicines of the question and the answer, where the pack shows it, cited."""
    screen = turn.pack.cautions
    about = f"{turn.search_text}\n{said.text()}"
    found = screen.cautions(turn.sources, about, patient_of(turn)) if screen is not None else ()
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
    owed = turn.pack.disclaims(turn.request.channel, medical=medical, disclaimed=turn.conversation.disclaimed)
    log.write("voice_disclaimer_decision" if turn.voice else "chat_disclaimer_decision", detected=medical, prepend=owed)
    return owed


def finished(turn: Turn, said: AnswerAccumulator) -> Turn:
    """The turn with the warnings of its second half, and how it was answered."""
    outcome = turn.outcome if said.outcome is None else said.outcome
    return replace(turn, outcome=outcome, warnings=(*turn.warnings, *said.warnings))
