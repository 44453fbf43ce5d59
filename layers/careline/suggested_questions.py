"""Questions that a first screen offers: what the hospital's own documents ask and answer, never what nobody has read.

A heading that is a question, or the subject of a document with one of its headings, is offered where a turn that asks
it would quote the passage below that heading before all others, and say no doubt, or be told what a person has
confirmed (`careline.turn.dry_run`).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass
from datetime import date

from careline.curation.hospital import hospital
from careline.errors import BadRequest
from careline.installation import DOCUMENTS, Installation, usual_pack
from careline.knowledge import catalogue
from careline.log.event_log import EventLog
from careline.model import Chunk, Document, DocumentState
from careline.packs.packs import Pack
from careline.quoting.writer import chosen_quotes, sureness
from careline.safety.terminal import Terminal
from careline.safety.utterance import Utterance
from careline.schemas import wire
from careline.schemas.questions import SuggestedQuestions
from careline.search.split_question import parts_of
from careline.text.analysers import terms
from careline.text.answer_kind import is_open_question
from careline.turn.dry_run import dry_run
from careline.turn.outcome import DirectoryAnswer
from careline.turn.speak.generate import quoting_input

log = EventLog(__name__)
SHOWN = 4
"""Questions that are offered at most, each of another document."""
TRIED = 10
"""Candidates that are searched for at most."""
SURE = 0.4
"""How far above a doubt an answer must lie (`quoting.writer.sureness`), in logits."""
READ = 60
"""Documents whose headings are looked at, the newest first."""
LONGEST = 70
"""Characters of a question that fits beside others."""
FEWEST, MOST = 4, 12
"""Words of a heading that says by itself what it asks."""
_KEPT = 64
_Reader = tuple[str, str, str, tuple[str, ...]]
"""For whom: hospital, pack, language, audiences."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """What was found in one state of the corpus, on one day."""

    corpus: int
    today: date
    questions: tuple[str, ...]


offers: OrderedDict[_Reader, _Offer] = OrderedDict()
"""What was found last; the oldest goes first."""
_searches: dict[_Reader, asyncio.Task[_Offer]] = {}
"""One at a time for the same readers; those who ask meanwhile wait for it, or get what is known of the same day."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    doc_key: str
    heading: str


async def suggested(pack_name: str, language: str, installation: Installation) -> SuggestedQuestions:
    """Questions for the first screen of a pack, in a language; none where no document has any, and while documents are
    being loaded, as nothing is answered without a doubt then.

    Raises: BadRequest for an unknown pack or a language that it does not speak, TableUnavailable, IndexUnavailable.
    """
    engines, settings = installation.engines, installation.settings
    tenant, _ = await hospital(engines, settings.tenant, settings, installation.directories_seen)
    pack = installation.packs.get(pack_name or usual_pack(tenant, installation))
    if pack is None or not installation.asker.may_see(pack.audience):
        raise BadRequest("pack: there is no such pack; GET /v1/packs names those there are")
    if language not in pack.languages:
        raise BadRequest(f"language: the pack speaks {', '.join(pack.languages)}")
    if installation.readiness.loads(DOCUMENTS):
        return {"questions": []}
    audiences = tuple(one for one in pack.audiences_searched if installation.asker.may_see(one))
    today = tenant.day_of(engines.clock.now())
    corpus = await engines.index.corpus_version(settings.tenant)
    reader: _Reader = (settings.tenant, pack.name, language, audiences)
    known, search = offers.get(reader), _search_of(reader)
    if known is not None and known.today == today and (known.corpus == corpus or search is not None):
        offer = known
    else:
        search = search or _begun(reader, _offered(reader, pack, corpus, today, installation))
        # Who asked first may leave, and the others still wait.
        offer = await asyncio.shield(search)
    log.write("questions_suggested", count=len(offer.questions))
    return {"questions": list(offer.questions)}


def _search_of(reader: _Reader) -> asyncio.Task[_Offer] | None:
    """The search that goes on for these readers; one of a loop that was closed never ends."""
    search = _searches.get(reader)
    return search if search is not None and search.get_loop() is asyncio.get_running_loop() else None


def _begun(reader: _Reader, work: Coroutine[None, None, _Offer]) -> asyncio.Task[_Offer]:
    """The search for these readers until it ends; its error is that of whoever waits, if anybody still does."""
    search = asyncio.create_task(work)
    _searches[reader] = search

    def let_go(ended: asyncio.Task[_Offer]) -> None:
        if _searches.get(reader) is ended:
            del _searches[reader]
        if not ended.cancelled():
            ended.exception()

    search.add_done_callback(let_go)
    return search


async def _offered(reader: _Reader, pack: Pack, corpus: int, today: date, installation: Installation) -> _Offer:
    """What is found now, and known from now on."""
    _, _, language, audiences = reader
    questions = [one async for one in _answered(pack, language, audiences, today, installation)]
    offers[reader] = _Offer(corpus, today, tuple(questions))
    offers.move_to_end(reader)
    while len(offers) > _KEPT:
        offers.popitem(last=False)
    return offers[reader]


async def _answered(
    pack: Pack, language: str, audiences: Sequence[str], today: date, installation: Installation
) -> AsyncIterator[str]:
    """The candidates that their own passage answers, one of each document."""
    documents: set[str] = set()
    tried = 0
    for candidate in await _candidates(pack, language, audiences, today, installation):
        if candidate.doc_key in documents:
            continue
        if not await _let_through(candidate.text, language, pack, installation):
            continue
        if tried == TRIED or len(documents) == SHOWN:
            return
        tried += 1
        if await _is_answered(candidate, pack, language, installation):
            documents.add(candidate.doc_key)
            yield candidate.text


async def _candidates(
    pack: Pack, language: str, audiences: Sequence[str], today: date, installation: Installation
) -> list[_Candidate]:
    """Documents for the pack's own readers first, then the newest; of each its questions, or its subject with a
    heading: the first of every document, then the second, and so on."""
    engines, tenant = installation.engines, installation.settings.tenant
    every = [one async for one in catalogue.documents(engines.table, tenant)]
    live = [one for one in every if _is_told(one, language, audiences, today)]
    live.sort(key=lambda one: (one.activated_at or one.created_at, one.doc_key), reverse=True)
    live.sort(key=lambda one: one.facts.audience != pack.audience)
    found: list[tuple[bool, int, _Candidate]] = []
    for document in live[:READ]:
        # Those of the index: what is held back is not among them.
        passages = await engines.index.passages(tenant, document.doc_key, document.version)
        headings = dict.fromkeys(each for passage in passages for each in _headings(passage.chunk))
        of_document = [(each, each) for each in headings if _asks(each, document.facts.title, language)]
        if not of_document:
            subject = document.facts.title.partition(":")[0].strip()
            of_document = [(f"{subject}: {each}", each) for each in headings if _names(each, subject)]
        others = document.facts.audience != pack.audience
        for number, (text, heading) in enumerate(one for one in of_document if len(one[0]) <= LONGEST):
            found.append((others, number, _Candidate(text, document.doc_key, heading)))
    found.sort(key=lambda one: (one[0], one[1], not one[2].text.endswith("?")))
    return [candidate for _, _, candidate in found]


def _headings(chunk: Chunk) -> list[str]:
    """Those that the passage stands under, and those of the document within its text."""
    lines = chunk.text.split("\n")
    return [*chunk.heading_path, *(lines[number].strip() for number, _ in chunk.titles if number < len(lines))]


def _is_told(document: Document, language: str, audiences: Sequence[str], today: date) -> bool:
    facts = document.facts
    return (
        document.state is DocumentState.LIVE
        and facts.language == language
        and facts.audience in audiences
        and catalogue.validity(document, today) == "valid"
    )


def _asks(heading: str, title: str, language: str) -> bool:
    """Whether a heading is one question, and no yes or no, that says by itself what it is about: it is the title, or
    shares a word with it."""
    if not heading.rstrip().endswith("?") or not is_open_question(heading) or len(parts_of(heading, language)) > 1:
        return False
    if heading == title:
        return True
    shared = set(terms(heading, language)) & set(terms(title, language))
    return FEWEST <= len(heading.split()) <= MOST and bool(shared)


def _names(heading: str, subject: str) -> bool:
    """Whether a heading says something of a subject: not the subject again, not a question, not numbered alone."""
    words = heading.split()
    return bool(subject) and subject not in heading and 2 <= len(words) <= FEWEST + 2 and heading[-1].isalpha()


async def _let_through(text: str, language: str, pack: Pack, installation: Installation) -> bool:
    """Whether it is of no terminal class, and ends no turn that sees its words alone: none waits long for more."""
    said, embedder = Utterance(text), installation.engines.sentence_embedder
    terminal, injection = pack.terminal.first_look(said, language), pack.injection.first_look(said, language)
    embedding = None
    if embedder is not None and (terminal.in_doubt or injection.in_doubt):
        (embedding,) = await embedder.sentence_embeddings([text])
    fits = terminal.verdict(embedding).terminal is Terminal.FALLTHROUGH and not terminal.verdict().ends
    return fits and not injection.verdict(embedding).injection and not injection.verdict().injection


async def _is_answered(candidate: _Candidate, pack: Pack, language: str, installation: Installation) -> bool:
    """Whether a turn would answer it from the directory, or quote the passage below its heading first, well above a
    doubt."""
    asked = {"text": candidate.text, "pack": pack.name, "language": language}
    turn = await dry_run(wire.QueryRequest.model_validate(asked), installation)
    if isinstance(turn.outcome, DirectoryAnswer):
        return True
    if turn.is_decided or turn.act is not None:
        return False
    quoted = quoting_input(turn)
    chosen = chosen_quotes(quoted)
    if sureness(chosen, quoted) < SURE:
        return False
    passage = chosen[0].source.hit.passage
    return passage.doc_key == candidate.doc_key and candidate.heading in _headings(passage.chunk)
