"""Lets text out, sentence by sentence, and nothing that was not read here first.

This is the only module that makes `ScreenedText`. A sentence is judged alone and together with what was said before it,
so that advice split over two sentences is caught; after a blocked sentence the answer ends with the pack's refusal. A
sentence that only claims too much (a dose that no source holds, somebody's telephone number) is left out and the answer
goes on.

What a language model wrote must besides rest on its sources. A sentence that names none gets the one that supports it
(`turn.speak.attribution`). Sentences wait until the model names a source itself, and where it never does until its
answer is over, since a text without markers may still turn out to be no answer; none is said when no source supports
any. Where its text stops being an answer (`safety.completion_end`), the answer ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from careline.errors import ModelUnavailable, kind_and_place
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.model import SpanType
from careline.packs.packs import Pack
from careline.privacy.redaction.redact import without_tokens
from careline.quoting.writer import Quotation
from careline.safety.completion_end import CompletionEnd
from careline.safety.grounding.grounding import Grounds
from careline.safety.grounding.support import ClaimSupport
from careline.safety.in_context import InContext
from careline.safety.injection.document_screen import read_document_screen
from careline.safety.injection.document_signals import Reader
from careline.screened import ScreenedText, _seal
from careline.tenants.tenant_records import Tenant
from careline.text.completion.reasoning import Restart
from careline.text.markers import MARKERS
from careline.turn.outcome import DirectoryAnswer, Statement
from careline.turn.speak.announcements import Announcements
from careline.turn.speak.attribution import Attribution
from careline.turn.speak.cut_sentences import Origins, SentenceCutter, is_closed
from careline.turn.speak.generate import is_unit_notice, notices
from careline.turn.speak.screen_passages import poison
from careline.turn.speak.screened_sentence import ScreenedSentence
from careline.turn.stages.screening.embed_question import is_missed, sentence_embedding_of
from careline.turn.turn import Turn

TELLING_NOBODY = frozenset({SpanType.DATE, SpanType.URL, SpanType.IP})
"""Kinds that say nothing about a person by themselves; an answer's figures are compared with the sources anyway."""
UNAVAILABLE, HARM = "SAFETY_UNAVAILABLE", "HARM_BLOCKED"
"""Reasons why an answer ends: a screen failed, and what it could not read is not said; or what it read is harmful."""
LONGEST_SENTENCE = 2000
"""Characters of a sentence of an answer; a model that ends none in as many has lost its way."""
log = EventLog(__name__)


async def screen_output(
    texts: AsyncGenerator[str | Restart, None], turn: Turn, installation: Installation
) -> AsyncGenerator[ScreenedSentence, None]:
    """The sentences of what a language model writes that may be shown. Raises what the model raises."""
    screen = _screen(turn, installation, is_written=True)
    judged = _with_what_follows(_judged(texts, screen), screen)
    async with aclosing(_once_cited(judged)) as sentences:
        async for sentence in sentences:
            yield sentence


async def screen_quotations(
    quotations: AsyncGenerator[Quotation, None], turn: Turn, installation: Installation
) -> AsyncGenerator[ScreenedSentence, None]:
    """The sentences of an answer that quotes which may be shown: it names its sources itself and is held to no more."""
    screen = _screen(turn, installation, is_written=False)
    async with aclosing(_with_what_follows(_judged(quotations, screen), screen)) as sentences:
        async for sentence in sentences:
            yield sentence


async def screen_statements(
    statements: Sequence[Statement], turn: Turn, installation: Installation
) -> AsyncGenerator[ScreenedSentence, None]:
    """Statements of the hospital's own data that may be shown, each with the numbers it rests on.

    A person has confirmed them, so they are compared with no source; they are held to everything else. After one that
    nobody may be told nothing follows, and one that speaks to an assistant is left out.
    """
    screen = _screen(turn, installation, is_written=False)
    for statement in statements:
        screened = await screen.stated(statement)
        yield screened
        if screened.blocked:
            return


def _screen(turn: Turn, installation: Installation, *, is_written: bool) -> _Screen:
    return _Screen(turn, Grounds(turn.sources, turn.language, turn.search_text), installation, is_written)


async def _judged(
    pieces: AsyncGenerator[str | Restart, None] | AsyncGenerator[Quotation, None], screen: _Screen
) -> AsyncGenerator[ScreenedSentence, None]:
    async with aclosing(_cut(pieces, screen)) as sentences:
        async for one in sentences:
            if isinstance(one, Restart):
                screen.restart()
                yield ScreenedSentence(_seal(""), restarts=True)
                continue
            for screened in await screen.judged(*one):
                yield screened
                if screened.blocked or screened.ended:
                    return
        if screen.loops:
            yield ScreenedSentence(_seal(""), ended="loop")


async def _cut(
    pieces: AsyncGenerator[str | Restart, None] | AsyncGenerator[Quotation, None], screen: _Screen
) -> AsyncGenerator[tuple[str, tuple[int, ...]] | Restart, None]:
    """The sentences with the sources they were drafted from, up to where the text runs in a circle or a sentence does
    not end; of a text that breaks off, the whole ones."""
    cut, origins = screen.cutter(), Origins()
    async with aclosing(pieces):
        try:
            async for piece in pieces:
                if isinstance(piece, Restart):
                    cut, origins = screen.cutter(), Origins()
                    yield piece
                    continue
                if isinstance(piece, str) and screen.is_circle(piece):
                    return
                for sentence in cut.pushed(piece, origins):
                    yield sentence, origins.of_next(sentence)
                if screen.loops:
                    return
        except ModelUnavailable:
            for sentence in filter(is_closed, cut.rest()):
                yield sentence, origins.of_next(sentence)
            raise
    for sentence in cut.rest():
        yield sentence, origins.of_next(sentence)


async def _with_what_follows(
    judged: AsyncGenerator[ScreenedSentence, None], screen: _Screen
) -> AsyncGenerator[ScreenedSentence, None]:
    """The sentences, each that announces something with what it announces: what is left out leaves none behind."""
    waiting = Announcements(screen.is_notice, screen.is_written)
    async with aclosing(judged):
        async for sentence in judged:
            for one in waiting.before(sentence):
                yield one
    for one in waiting.rest():
        yield one


async def _once_cited(judged: AsyncGenerator[ScreenedSentence, None]) -> AsyncGenerator[ScreenedSentence, None]:
    """The sentences from when one of them names a source; those before it wait for that, or for the end."""
    waiting = _Uncited()
    async with aclosing(judged):
        try:
            async for sentence in judged:
                for one in waiting.before(sentence):
                    yield one
        except ModelUnavailable:
            for one in waiting.of_source():
                yield one
            raise
    for one in waiting.rest():
        yield one


@dataclass(slots=True)
class _Uncited:
    """Sentences that wait until their model names a source."""

    held: list[ScreenedSentence] = field(default_factory=list)
    goes_on: bool = False

    def before(self, sentence: ScreenedSentence) -> list[ScreenedSentence]:
        """What is said now that a sentence has come."""
        if sentence.restarts:
            self.held = []
            return []
        is_over = bool(sentence.blocked or sentence.ended)
        if not (self.goes_on or sentence.is_marked or is_over):
            self.held.append(sentence)
            return []
        told = self.of_source() if is_over else self.held
        self.held, self.goes_on = [], True
        return [*told, sentence]

    def of_source(self) -> list[ScreenedSentence]:
        """Those that have a source though nobody named it, and what was left out."""
        return [one for one in self.held if one.sources or not one.text]

    def rest(self) -> list[ScreenedSentence]:
        """What is said at the end: all, where one of them has a source. A marker alone says nothing."""
        if any(one.sources for one in self.held):
            return self.held
        if any(MARKERS.sub("", one.text).strip() for one in self.held):
            return [ScreenedSentence(_seal(""), ended="uncited")]
        return [one for one in self.held if not one.text]


@dataclass(slots=True)
class _Screen:
    """The screens of one answer and what they have let through so far."""

    turn: Turn
    grounds: Grounds
    installation: Installation
    is_written: bool
    """Whether a language model wrote it in its own words, rather than quoting."""
    end: CompletionEnd = field(init=False)
    support: ClaimSupport = field(init=False)
    attribution: Attribution = field(init=False)
    reader: Reader = field(default_factory=lambda: read_document_screen().reader())
    said: str = ""
    is_cited: bool = False
    is_marked: bool = False
    """Whether a sentence has named its sources, and so was said as soon as it was written."""
    loops: bool = False
    missed_embedding: bool = False
    """Whether that of the sentence in hand came too late."""

    def __post_init__(self) -> None:
        engines = self.installation.engines
        self.end = CompletionEnd(self.turn.language, engines.identify)
        self.support = ClaimSupport(self.turn.sources, self.turn.language, engines.reader)
        self.attribution = Attribution(self.turn, self.grounds, self.support, self._given())

    def is_circle(self, piece: str) -> bool:
        """Whether a text runs in a circle once this piece of it has come."""
        self.loops = self.end.loops(piece)
        return self.loops

    def is_endless(self, sentence: str) -> bool:
        """Whether a language model wrote on and on without an end of its sentence, which is neither read nor said."""
        is_endless = self.is_written and len(sentence) > LONGEST_SENTENCE
        self.loops = self.loops or is_endless
        return is_endless

    def cutter(self) -> SentenceCutter:
        """What cuts this answer into sentences, from its beginning."""
        return SentenceCutter(self.turn.language, self.is_notice, self.is_endless)

    def restart(self) -> None:
        """Forget what was written, which is no part of the answer."""
        self.end = CompletionEnd(self.turn.language, self.installation.engines.identify)
        if not self.is_marked:
            self.said, self.is_cited = "", False

    async def judged(self, sentence: str, sources: tuple[int, ...]) -> list[ScreenedSentence]:
        """What becomes of a sentence: itself or what stands in its place, and after it the end if the answer ends."""
        # Its quotation was just chosen, and the screens take as long again: others are answered in between.
        await asyncio.sleep(0)
        clock = self.installation.engines.clock
        began, ended = clock.elapsed(), None
        try:
            quoted = self.grounds.holds(MARKERS.sub("", sentence).strip())
            if self.is_written:
                quoted = quoted or bool(self.grounds.quoted_from(sentence))
                sentence, ended = self.end.answering(sentence, quoted=quoted)
            screened = await self._judged(sentence, sources, quoted) if sentence else ScreenedSentence(_seal(""))
        except Exception as error:
            log.write("sentence_not_screened", **kind_and_place(error))
            # A sentence that no screen could read is not said, whatever failed.
            screened = self._refusal("screen_down", (UNAVAILABLE,))
        screened = replace(screened, seconds=clock.elapsed() - began, by_words_alone=self.missed_embedding)
        self.missed_embedding = False
        is_over = ended is not None and not screened.blocked
        return [screened, ScreenedSentence(_seal(""), ended=ended)] if is_over else [screened]

    async def stated(self, statement: Statement) -> ScreenedSentence:
        """The statement, or what stands in its place; it stays as it is or goes."""
        clock = self.installation.engines.clock
        began = clock.elapsed()
        try:
            screened = await self._stated(statement)
        except Exception as error:
            log.write("sentence_not_screened", **kind_and_place(error))
            screened = self._refusal("screen_down", (UNAVAILABLE,))
        return replace(screened, seconds=clock.elapsed() - began)

    async def _stated(self, statement: Statement) -> ScreenedSentence:
        text = f"{statement.text.strip()} "
        said = InContext(text, self.said)
        if harm := self.turn.pack.harm.judge(said, self.turn.language):
            return self._refusal("withheld", (HARM, *harm))
        if advice := await self._advice_of_statement(text, said):
            return self._refusal("partial_blocked" if self.is_cited else "blocked", advice)
        if spoilt := await poison(text, self.said, self.turn, self.installation, self.reader):
            return ScreenedSentence(_seal(""), withheld=spoilt)
        self.said += text
        self.is_cited = self.is_cited or bool(statement.citations)
        return ScreenedSentence(_seal(text), statement.citations, unnamed=statement.citations)

    async def _judged(self, sentence: str, sources: tuple[int, ...], quoted: bool) -> ScreenedSentence:
        """The sentence, or what stands in its place; `quoted` when a source says it literally, and so leaks nothing."""
        pack, said = self.turn.pack, InContext(sentence, self.said)
        if harm := pack.harm.judge(said, self.turn.language):
            return self._refusal("withheld", (HARM, *harm))
        if advice := await self._advice(sentence, said, quoted):
            return self._refusal("partial_blocked" if self.is_cited else "blocked", advice)
        await asyncio.sleep(0)
        if spoilt := await poison(MARKERS.sub("", sentence), self.said, self.turn, self.installation, self.reader):
            return ScreenedSentence(_seal(""), withheld=spoilt)
        leaked = () if quoted else self._leaked(sentence)
        named = sources or self._named(sentence)
        is_attributed = self.is_written and not named and not leaked
        found = await self.attribution.sources_of(sentence, self.said) if is_attributed else named
        claims = (*self.grounds.ungrounded(sentence, sources or found, self.said), *leaked)
        if self.is_written and not claims and self._tells_another(sentence):
            claims = ("claim/number",)
        if claims == ("claim/label",) and (labelled := self.grounds.labelled(sentence, sources)) is not None:
            text, number = labelled
            sentence, sources, found = f"{text} [{number}] ", (number,), (number,)
        elif claims or not ((is_attributed and found) or await self._supported(sentence, sources)):
            return ScreenedSentence(_seal(""), withheld=claims or ("claim/unsupported",))
        elif self.is_written and not found and self.attribution.claims(sentence):
            # What it says stands in the sources, but in none of them as it says it.
            return ScreenedSentence(_seal(""), withheld=("claim/unsupported",))
        self.said += sentence
        restored = self.turn.phi.vault.restore(sentence) if self.turn.phi is not None else sentence
        cited = self.grounds.sources_of(sentence, found)
        self.is_cited = self.is_cited or bool(cited)
        self.is_marked = self.is_marked or bool(named)
        return ScreenedSentence(_seal(restored), cited, () if sources else cited, is_marked=bool(named))

    def _tells_another(self, sentence: str) -> bool:
        """Whether a figure is told of something else than a source tells it of, which says no such sentence."""
        return self.grounds.tells_another(sentence) and not self.grounds.quoted_from(sentence)

    def _named(self, sentence: str) -> tuple[int, ...]:
        """The sources that a language model named in a sentence; a marker alone says nothing of them."""
        is_text = self.is_written and MARKERS.sub("", sentence).strip()
        return self.grounds.marked(sentence) if is_text else ()

    async def _supported(self, sentence: str, sources: tuple[int, ...]) -> bool:
        """Whether the sources speak of what a model wrote that they do not say word for word."""
        if not self.is_written or self.grounds.quoted_from(sentence):
            return True
        numbers = sources or self.grounds.marked(sentence)
        return await self.support.supports(without_tokens(sentence), numbers, self._given())

    def _given(self) -> str:
        """What the user said of people, which an answer may repeat."""
        spans = self.turn.phi.spans if self.turn.phi is not None else ()
        return " ".join(self.turn.question[span.start : span.end] for span in spans)

    async def _advice_of_statement(self, text: str, said: InContext) -> tuple[str, ...]:
        """The same of a statement; of the directory by patterns alone, as of whatever the hospital publishes."""
        pack = self.turn.pack
        if pack.advice is not None and isinstance(self.turn.outcome, DirectoryAnswer):
            return pack.advice.of_published(said, self.turn.language).reasons
        return await self._advice(text, said, quoted=False)

    async def _advice(self, sentence: str, said: InContext, quoted: bool) -> tuple[str, ...]:
        """Why the sentence advises, where the pack looks for that; empty when it does not."""
        pack = self.turn.pack
        if pack.advice is None or is_unit_notice(sentence, self.turn):
            return ()
        if pack.own_publications == "quote" and self.grounds.publishes(self._without_notice(sentence)):
            return pack.advice.of_published(said, self.turn.language).reasons
        look = pack.advice.first_look(said, self.turn.language)
        if not look.in_doubt or quoted:
            return look.verdict().reasons
        embedded = await sentence_embedding_of(sentence, self.installation)
        self.missed_embedding = is_missed(embedded, self.installation)
        return look.verdict(embedded).reasons

    def _without_notice(self, sentence: str) -> str:
        """The sentence without what says of which document in another language it is."""
        start = sentence.lstrip()
        return next((start.removeprefix(one) for one in self._notices() if start.startswith(one)), sentence)

    def is_notice(self, sentence: str) -> bool:
        """Whether a sentence only announces what comes after it: that it may not answer, or its document."""
        unsure = self.turn.pack.template("unsure_notice", self.turn.language)
        return sentence.strip() in {unsure.strip(), *self._notices()} or is_unit_notice(sentence, self.turn)

    def _notices(self) -> list[str]:
        spoken, sources = notices(self.turn), self.turn.sources
        return [spoken[one.language].replace("{title}", one.title) for one in sources if one.language in spoken]

    def _refusal(self, reply: str, rules: tuple[str, ...]) -> ScreenedSentence:
        text = reviewed(self.turn.pack, reply, self.turn.language, self.turn)
        gap = "\n\n" if self.said.strip() and not self.said.endswith("\n") else ""
        return ScreenedSentence(text.reshaped(lambda whole: gap + whole), blocked=rules)

    def _leaked(self, sentence: str) -> tuple[str, ...]:
        """Personal data in the sentence that neither the user gave nor a source holds, nor the hospital publishes."""
        if self.turn.phi is None or self.turn.phi.state in {"off", "assumed"}:
            # Where the detector failed, the answer stays in the house as the question did.
            return ()
        sentence = without_tokens(sentence)
        found = self.installation.engines.detector.find(sentence, self.turn.language, self.turn.tenant.staff)
        found = self.turn.edition.directory.published.without(found, sentence)
        values = {span: sentence[span.start : span.end] for span in found if span.type not in TELLING_NOBODY}
        known = self._known_words() if values else ""
        given = {span for span, value in values.items() if self._is_of_sources(value) or value.casefold() in known}
        return tuple(f"leak/{span.type}" for span in values if span not in given)

    def _is_of_sources(self, value: str) -> bool:
        """Whether a source holds a value, or each part of it: a street in the heading of a table and the label of a row
        that is said behind it read as one address."""
        return self.grounds.holds(value) or all(self.grounds.holds(part) for part in value.split(","))

    def _known_words(self) -> str:
        """What the user said, and what is said of a source in another language: "het Frans" is a name as well."""
        earlier = (message.text for message in self.turn.conversation.messages if message.role == "user")
        return "\n".join((*earlier, self.turn.question, *notices(self.turn).values())).casefold()


def reviewed(pack: Pack, key: str, language: str, turn: Turn, **values: str) -> ScreenedText:
    """A reply of the pack, which people have reviewed. Values come from the tenant's data, and from documents what was
    looked at before it is said: titles that may be named, and the names of rows that passed this screen."""
    return reviewed_of(pack, key, language, turn.tenant, **values)


def reviewed_of(pack: Pack, key: str, language: str, tenant: Tenant, **values: str) -> ScreenedText:
    """The same where there is no turn."""
    known = {
        "emergency_number": tenant.emergency_number,
        "hospital": tenant.name_in(language) or "",
        "phone": tenant.helpdesk_phone or "",
        **values,
    }
    return _seal(pack.say(key, language, **{name: value for name, value in known.items() if value}))
