"""Sifts the passages of a version: what may be found, and what is held back until a person has looked at it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from careline.knowledge.quarantine import held_passages
from careline.knowledge.quarantine.parts import parts_of, to_json
from careline.knowledge.quarantine.screen_with_model import planted_by_model
from careline.model import Chunk, Document, HeldPassage
from careline.ports import Engines
from careline.records import keys
from careline.records.record_table import Body, Delete, Item, Put
from careline.safety.classifiers.classifier import FirstLook
from careline.safety.injection.contacts import Known, contacts
from careline.safety.injection.document_screen import LONGEST_EXCERPT, Finding, read_document_screen
from careline.safety.injection.planted_text import (
    PLANTED_TEXT,
    found_planted,
    read_planted_text_screen,
    read_statements,
)

HIDDEN = "hidden_text"
_PER_WRITE = 90


@dataclass(frozen=True, slots=True)
class Sifted:
    """`kept` are places of the passages that may be found, in order; `held` those that may not. `cut` has, by its
    place, what is left of a passage of which a person discarded parts."""

    kept: tuple[int, ...]
    held: tuple[HeldPassage, ...]
    cut: Mapping[int, Chunk]


@dataclass(frozen=True, slots=True)
class Told:
    """A passage that a person decided to have told, what is told of it, and the names of the parts left out of that."""

    passage: HeldPassage
    left: Chunk
    without: frozenset[str]


async def sift(document: Document, chunks: Sequence[Chunk], engines: Engines) -> Sifted:
    """Judge every passage, and write down which are held back and what the document names. Repeated without effect.

    Raises: TableUnavailable.
    """
    found = await asyncio.to_thread(_judged, document, chunks, await _known(document, engines))
    # What is merely hidden is read by the models too: a closed menu is nothing to look at, a planted sentence is.
    free = [at for at, held in enumerate(found) if not held or _ordinary(document, chunks[at], held)]
    planted = await _planted([chunks[place] for place in free], document.facts.language, engines)
    for place, findings in zip(free, planted, strict=True):
        found[place] = (*found[place], *findings)
    await _add_what_a_model_sees(document, chunks, found, engines)
    kept, held, told, cut = await _decided(document, chunks, found, engines)
    await _write_down(document, chunks, held, told, found, engines)
    return Sifted(tuple(kept), tuple(held), cut)


async def _decided(
    document: Document, chunks: Sequence[Chunk], found: Sequence[tuple[Finding, ...]], engines: Engines
) -> tuple[list[int], list[HeldPassage], list[Told], dict[int, Chunk]]:
    """Places of what may be found; what is held back; what a person decided to have told, and what is left of it."""
    kept: list[int] = []
    held: list[HeldPassage] = []
    told: list[Told] = []
    cut: dict[int, Chunk] = {}
    for place, (chunk, findings) in enumerate(zip(chunks, found, strict=True)):
        if not findings:
            kept.append(place)
            continue
        if _ordinary(document, chunk, findings):
            continue
        name = held_passages.passage_id(chunk)
        reasons = tuple(dict.fromkeys(each.reason for each in findings))
        one = HeldPassage(name, chunk.first_page, reasons, findings[0].excerpt)
        decisions = await held_passages.decisions(engines.table, document.tenant, name)
        left = decisions.told(chunk, parts_of(chunk.text, findings))
        if left is None:
            held.append(one)
            continue
        told.append(Told(one, left, decisions.discarded))
        kept.append(place)
        if left != chunk:
            cut[place] = left
    return kept, held, told, cut


def _judged(document: Document, chunks: Sequence[Chunk], known: Known) -> list[tuple[Finding, ...]]:
    screen, facts = read_document_screen(), document.facts
    asked = (text for chunk in chunks if chunk.curated for text in (*chunk.curated.questions, *chunk.curated.sources))
    about = "\n".join(filter(None, (facts.title, *facts.authors, facts.publisher, facts.organisation, *asked)))
    everywhere = [replace(one, marks=(), beside=True) for one in screen.judge(about, facts.language, known)]
    said = [screen.judge(each.text, facts.language, known, each.heading_path) for each in chunks]
    of_help = screen.kinds.settled_by_its_document
    if any(each.reason in of_help for judged in said for each in judged) and _says_when_to_call(chunks, facts.language):
        known = replace(known, says_when_to_call=True)
        said = [screen.judge(each.text, facts.language, known, each.heading_path) for each in chunks]
    found: list[tuple[Finding, ...]] = []
    for chunk, judged in zip(chunks, said, strict=True):
        hidden = (Finding(HIDDEN, chunk.text[:LONGEST_EXCERPT], beside=True),) if chunk.hidden else ()
        found.append((*hidden, *everywhere, *judged))
    return found


def _says_when_to_call(chunks: Sequence[Chunk], language: str) -> bool:
    """Whether the document tells its readers somewhere when help is to be called."""
    screen = read_document_screen()
    return any(screen.says_when_to_call(each.text, language, each.heading_path) for each in chunks if not each.hidden)


async def _planted(chunks: Sequence[Chunk], language: str, engines: Engines) -> list[tuple[Finding, ...]]:
    """What the models take for planted, a finding a passage at most; by words alone where nothing embeds sentences."""
    looks = await asyncio.to_thread(_looked_at, [each.text for each in chunks], language)
    doubted = [statement for statement, look in looks.items() if look.in_doubt]
    embedder = engines.sentence_embedder
    rows = await embedder.sentence_embeddings(doubted) if doubted and embedder is not None else [None] * len(doubted)
    planted = {one for one, row in zip(doubted, rows, strict=True) if looks[one].verdict(row)}
    return await asyncio.to_thread(lambda: [_found_planted(each, language, planted) for each in chunks])


async def _add_what_a_model_sees(
    document: Document, chunks: Sequence[Chunk], found: list[tuple[Finding, ...]], engines: Engines
) -> None:
    caller = engines.document_guardrail
    free = [at for at, held in enumerate(found) if not held or _ordinary(document, chunks[at], held)]
    if caller is None or not free:
        return
    seen = await planted_by_model([chunks[at] for at in free], caller)
    for at, sentence in zip(free, seen, strict=True):
        if sentence is not None:
            found[at] = (*found[at], _named(sentence, chunks[at]))


def _named(sentence: str, chunk: Chunk) -> Finding:
    """What a language model names: a sentence of the passage, all of it, or words of its headings."""
    at = chunk.text.find(sentence)
    marks = ((at, at + len(sentence)),) if at >= 0 and sentence != chunk.text else ()
    return Finding(PLANTED_TEXT, sentence[:LONGEST_EXCERPT], marks, beside=not marks)


def _found_planted(chunk: Chunk, language: str, planted: Collection[str]) -> tuple[Finding, ...]:
    if not any(one in planted for one in read_statements(chunk.text, language)):
        return ()
    return found_planted(chunk.text, language, chunk.heading_path, planted)


def _looked_at(texts: Sequence[str], language: str) -> dict[str, FirstLook[bool]]:
    screen = read_planted_text_screen()
    statements = dict.fromkeys(each for text in texts for each in read_statements(text, language))
    return {each: screen.first_look(each, language) for each in statements}


def _ordinary(document: Document, chunk: Chunk, findings: Sequence[Finding]) -> bool:
    """Closed menus and words for screen readers, of which web pages are full: told to nobody, nothing to look at."""
    return chunk.hidden and len(findings) == 1 and document.file_name.lower().endswith((".html", ".htm"))


async def _known(document: Document, engines: Engines) -> Known:
    """What the tenant's other documents name."""
    accounts: set[str] = set()
    hosts: set[str] = set()
    numbers: set[str] = set()
    async for item in engines.table.query(keys.contacts(document.tenant)):
        if item.sort != document.doc_key:
            accounts.update(item.body["accounts"])
            hosts.update(item.body["hosts"])
            numbers.update(item.body.get("numbers", ()))
    return Known(frozenset(accounts), frozenset(hosts), frozenset(numbers))


async def _write_down(
    document: Document,
    chunks: Sequence[Chunk],
    held: Sequence[HeldPassage],
    told: Sequence[Told],
    found: Sequence[tuple[Finding, ...]],
    engines: Engines,
) -> None:
    tenant, key, version = document.tenant, document.doc_key, document.version
    before = {body["passage_id"] async for body in held_passages.entries(engines.table, tenant, key, version)}
    texts = {held_passages.passage_id(chunk): (chunk, why) for chunk, why in zip(chunks, found, strict=True)}
    names = {one.passage_id: one for one in (*held, *(each.passage for each in told))}
    changes: list[Put | Delete] = [
        held_passages.put_entry(
            tenant, key, version, name, {**_entry(document, *texts[name], one), **_told_of(name, told)}
        )
        for name, one in names.items()
    ]
    changes += [held_passages.drop_entry(tenant, key, version, name) for name in sorted(before - set(names))]
    named = contacts("\n".join(chunk.text for name, (chunk, _) in texts.items() if name not in names))
    if named.accounts or named.hosts or named.numbers:
        body = {name: sorted(getattr(named, name))[:100] for name in ("accounts", "hosts", "numbers")}
        changes.append(Put(Item(*keys.document_contacts(tenant, key), body)))
    for start in range(0, len(changes), _PER_WRITE):
        await engines.table.write(*changes[start : start + _PER_WRITE])


def _entry(document: Document, chunk: Chunk, found: Sequence[Finding], held: HeldPassage) -> Body:
    return {
        "passage_id": held.passage_id,
        "doc_key": document.doc_key,
        "version": document.version,
        "file_name": document.file_name,
        "title": document.facts.title,
        "page": held.page,
        "ordinal": chunk.ordinal,
        "headings": list(chunk.heading_path),
        "reasons": list(held.reasons),
        "excerpt": held.excerpt,
        "findings": to_json(found),
        "text": chunk.text,
    }


def _told_of(passage: str, told: Sequence[Told]) -> Body:
    """The names that what is told of a passage has where it is looked up when it is said, and which parts it lacks."""
    names = {held_passages.passage_id(one.left): one.without for one in told if one.passage.passage_id == passage}
    return {"told": {"passages": sorted(names), "without": sorted(frozenset().union(*names.values()))}} if names else {}
