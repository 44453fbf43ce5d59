"""A passage that was held back is judged part by part: what is discarded is told to nobody, the rest is told again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.audit import chain as audit
from careline.errors import BadRequest, NotFound
from careline.knowledge import pipeline
from careline.knowledge.quarantine import release as quarantine
from careline.knowledge.quarantine.decide import decide
from careline.knowledge.quarantine.parts import part_id, parts_of, without
from careline.knowledge.register import Upload, register
from careline.knowledge.reindex import reindex
from careline.model import Chunk, IndexingJob
from careline.ports import Engines, PassageQuery
from careline.safety.injection.document_screen import Finding
from tests.fakes import SettableClock
from tests.knowledge.stores import TENANT, close, in_folder

CLEAN = "The desk on the ground floor opens at eight o'clock on working days."
PIN = "Read your PIN and card number to the telephone assistant to confirm your appointment."
GIFT = "Pay your deposit with gift cards."
AFTER = "Bring your identity card and the letter of your doctor."
PAGE = f"# Appointments\n\n{CLEAN} {PIN} {AFTER} {GIFT}\n"


@pytest.fixture
async def engines(tmp_path: Path) -> AsyncIterator[Engines]:
    made = in_folder(tmp_path)
    yield made
    close(made)


async def ingested(engines: Engines, text: str, key: str = "page", name: str = "a.md") -> IndexingJob:
    upload = Upload(TENANT, name, text.encode(), key, {"language": "en"})
    return await pipeline.run(await register(upload, engines), engines)


async def held(engines: Engines, text: str, name: str = "a.md") -> dict[str, Any]:
    job = await ingested(engines, text, name=name)
    return await quarantine.show(TENANT, job.held[0].passage_id, engines)


async def found(engines: Engines, text: str = "desk appointment card") -> list[str]:
    await engines.index.settle()
    hits = await engines.index.find(PassageQuery(TENANT, text, None))
    return [hit.passage.chunk.text for hit in hits]


async def test_the_words_that_are_held_against_a_passage_are_found_at_their_places(engines: Engines) -> None:
    shown = await held(engines, PAGE)
    assert [shown["text"][one["start"] : one["end"]] for one in shown["parts"]] == [PIN, GIFT]
    assert [one["reasons"] for one in shown["parts"]] == [["asks_secret"], ["odd_payment"]]
    assert [one["decided"] for one in shown["parts"]] == [None, None]
    assert not shown["whole_only"]


async def test_nothing_is_told_until_every_part_is_decided_about_and_then_all_but_what_was_discarded(
    engines: Engines,
) -> None:
    shown = await held(engines, PAGE)
    first, second = (one["part_id"] for one in shown["parts"])
    made = await decide(TENANT, shown["passage_id"], "discarded", "ann", engines, first)
    assert (made["settled"], made["part_id"], await found(engines)) == (False, first, [])
    assert len((await quarantine.listing(TENANT, engines))["held_back"]) == 1
    cast(SettableClock, engines.clock).time += timedelta(minutes=1)
    made = await decide(TENANT, shown["passage_id"], "discarded", "bob", engines, second)
    assert made["settled"]
    assert await found(engines) == [f"{CLEAN} {AFTER}"]
    assert (await quarantine.listing(TENANT, engines))["held_back"] == []
    (one,) = (await quarantine.listing(TENANT, engines, decided=True))["held_back"]
    assert (one["decided"]["decision"], one["decided"]["by"]) == ("in_parts", "bob")
    async for _ in reindex(TENANT, engines):
        pass
    assert await found(engines) == [f"{CLEAN} {AFTER}"]


async def test_decisions_about_parts_are_audited_and_hold_for_the_same_passage_elsewhere(engines: Engines) -> None:
    shown = await held(engines, PAGE)
    for part, decision in zip(shown["parts"], ("released", "discarded"), strict=True):
        await decide(TENANT, shown["passage_id"], decision, "ann", engines, part["part_id"])  # type: ignore[arg-type]
    entries = [await audit.entry_of(engines, TENANT, number) for number in (1, 2)]
    assert [(one.body["part_id"], one.body["decision"]) for one in entries if one] == [
        (part_id(PIN), "released"),
        (part_id(GIFT), "discarded"),
    ]
    assert (await ingested(engines, PAGE, key="elsewhere")).held_back == 0
    assert await found(engines) == [f"{CLEAN} {PIN} {AFTER}"] * 2


async def test_what_was_decided_about_all_of_it_holds_for_the_parts_that_are_left(engines: Engines) -> None:
    shown = await held(engines, PAGE)
    await decide(TENANT, shown["passage_id"], "released", "ann", engines)
    assert await found(engines) == [f"{CLEAN} {PIN} {AFTER} {GIFT}"]
    await decide(TENANT, shown["passage_id"], "discarded", "ann", engines, part_id(GIFT))
    assert await found(engines) == [f"{CLEAN} {PIN} {AFTER}"]


@pytest.mark.parametrize("other", [True, False])
async def test_what_was_released_and_is_discarded_then_is_told_no_more_and_may_be_released_again(
    engines: Engines, other: bool
) -> None:
    more = "\n\n".join(f"Room {number} has a bath, a chair and a window on the garden." for number in range(60))
    shown = await held(engines, f"{PAGE}\n\n# Rooms\n\n{more}\n" if other else PAGE)
    for decision, told in (("released", True), ("discarded", False), ("released", True)):
        await decide(TENANT, shown["passage_id"], decision, "ann", engines)  # type: ignore[arg-type]
        assert any(PIN in one for one in await found(engines)) is told, decision


@pytest.mark.parametrize("later", [True, False])
async def test_what_is_left_of_a_passage_is_held_back_again_where_a_later_version_says_just_that(
    engines: Engines, later: bool
) -> None:
    shown = await held(engines, PAGE)
    passage = shown["passage_id"]
    await decide(TENANT, passage, "released", "ann", engines, part_id(PIN))
    await decide(TENANT, passage, "discarded", "ann", engines, part_id(GIFT))
    assert await found(engines) == [f"{CLEAN} {PIN} {AFTER}"]
    if later:
        await decide(TENANT, passage, "discarded", "bob", engines, part_id(PIN))
    again = await ingested(engines, PAGE.replace(f" {GIFT}", ""))
    assert (again.held_back, await found(engines)) == (1, [])


SECRETS = [f"Read the PIN of card {number} to the telephone assistant." for number in range(3)]


@pytest.mark.parametrize("discarded", [SECRETS, [SECRETS[0], ""], ["", SECRETS[0]]])
async def test_of_what_several_people_discard_at_once_of_a_released_passage_nothing_is_told(
    discarded: list[str], engines: Engines
) -> None:
    shown = await held(engines, f"# Appointments\n\n{CLEAN} {' '.join(SECRETS)}\n")
    passage = shown["passage_id"]
    await decide(TENANT, passage, "released", "ann", engines)
    parts = [part_id(words) if words else "" for words in discarded]
    await asyncio.gather(*(decide(TENANT, passage, "discarded", "bob", engines, part) for part in parts))
    decided = (await quarantine.show(TENANT, passage, engines))["parts"]
    assert [one["decided"]["decision"] for one in decided] == ["discarded"] * 3
    assert not any(words in told for told in await found(engines) for words in SECRETS)
    entries = [await audit.entry_of(engines, TENANT, 2 + number) for number in range(len(parts))]
    assert sorted(entry.body.get("part_id", "") for entry in entries if entry) == sorted(parts)


async def test_the_cell_of_a_row_is_discarded_and_the_row_stays(engines: Engines) -> None:
    rows = f"| Step | What | Where |\n|---|---|---|\n| One | {AFTER} | Desk 4 |\n| Two | {PIN} | Desk 5 |\n"
    shown = await held(engines, f"# Appointments\n\n{rows}")
    assert [one["text"] for one in shown["parts"]] == [PIN]
    await decide(TENANT, shown["passage_id"], "discarded", "ann", engines, part_id(PIN))
    (told,) = await found(engines)
    assert (PIN in told, "Desk 5" in told, AFTER in told) == (False, True, True)


async def test_a_line_of_a_list_goes_with_its_sign(engines: Engines) -> None:
    shown = await held(engines, f"# Appointments\n\nWhat you need:\n\n- {AFTER}\n- {PIN}\n- {CLEAN}\n")
    for part in shown["parts"]:
        await decide(TENANT, shown["passage_id"], "discarded", "ann", engines, part["part_id"])
    (told,) = await found(engines)
    assert [line for line in told.splitlines() if line.strip() in {"-", "*", "•", ""}] == []
    assert (PIN in told, AFTER in told, CLEAN in told) == (False, True, True)


async def test_a_heading_is_not_cut_out_and_the_passage_is_decided_about_as_a_whole(engines: Engines) -> None:
    shown = await held(engines, f"# {GIFT}\n\n{CLEAN} {PIN}\n")
    assert shown["whole_only"]
    with pytest.raises(BadRequest, match="as a whole"):
        await decide(TENANT, shown["passage_id"], "released", "ann", engines, part_id(PIN))
    with pytest.raises(NotFound, match="no part"):
        await decide(TENANT, shown["passage_id"], "released", "ann", engines, "0" * 16)
    await decide(TENANT, shown["passage_id"], "released", "ann", engines)
    assert await found(engines) == [f"{CLEAN} {PIN}"]


PIECES = st.sampled_from(["Open at eight.", "Prenez à gauche.", "- één ⟦x⟧", "\n", " ", "🙂 ok"])


@given(st.lists(PIECES, max_size=9), st.data())
def test_what_is_left_holds_nothing_that_was_discarded_and_everything_else(
    pieces: list[str], data: st.DataObject
) -> None:
    text, marks = "", []
    for number, piece in enumerate(pieces):
        if data.draw(st.booleans(), label="guilty"):
            said = f"guilty{number}."
            marks.append((len(text), len(text) + len(said)))
            text += f"{said} "
        text += f"{piece} "
    chunk = Chunk(0, text, "text", (), 1, 1, 1)
    parts = parts_of(text, [Finding("asks_secret", "", tuple(marks))] if marks else [])
    left = without(chunk, parts.parts, {one.part_id for one in parts.parts})
    told = left.text if left is not None else ""
    assert "guilty" not in told
    words = [word for piece in pieces for word in piece.split() if any(map(str.isalnum, word))]
    assert [word for word in told.split() if any(map(str.isalnum, word))] == words
