"""A table of which a piece was found is completed: the row that is asked for may stand in another piece."""

from __future__ import annotations

from careline.installation import Installation
from careline.model import Hit, Passage, Table, TableRow
from careline.search.read_windows import ReadHit
from careline.turn.whole_tables import MOST_PIECES, with_missing_pieces
from tests.builders import a_passage
from tests.fakes import FakeEmbedder
from tests.turn.turns import TENANT, a_turn, an_installation


def a_piece(number: int, *, total: int, heading: str = "Raadplegingen") -> Passage:
    table = Table("", ("Arts",), (("Dag",),), (TableRow((f"Dokter {number}",), ("maandag",)),), (), total)
    return a_passage(
        f"Raadplegingen | Arts | Dag | Dokter {number}",
        tenant=TENANT,
        doc_key="brochure",
        ordinal=number,
        table=table,
        heading_path=(heading,),
    )


async def hospital(*pieces: Passage) -> Installation:
    installation = an_installation()
    vectors = await FakeEmbedder().embed_passages([one.chunk.text for one in pieces])
    await installation.engines.index.add(pieces, vectors)
    await installation.engines.index.activate(TENANT, "brochure", 1)
    return installation


def found(*pieces: Passage) -> list[ReadHit]:
    return [ReadHit(Hit(one, 0.9), ()) for one in pieces]


def ordinals(read: list[ReadHit]) -> list[int]:
    return [one.hit.passage.chunk.ordinal for one in read]


async def test_the_other_pieces_of_a_table_come_behind_the_one_that_was_found() -> None:
    pieces = [a_piece(n, total=3) for n in range(3)]
    installation = await hospital(*pieces, a_piece(3, total=1, heading="Tarieven"))
    assert ordinals(await with_missing_pieces(found(pieces[1]), a_turn("dokter 2"), installation)) == [1, 0, 2]


async def test_a_whole_table_and_a_text_need_no_more() -> None:
    text = a_passage("Bezoek mag van 14 tot 20 uur.", tenant=TENANT, doc_key="brochure", ordinal=1)
    installation = await hospital(a_piece(0, total=1), text)
    assert ordinals(await with_missing_pieces(found(a_piece(0, total=1), text), a_turn("dokter 2"), installation)) == [
        0,
        1,
    ]


async def test_a_table_of_very_many_pieces_stays_as_it_was_found() -> None:
    pieces = [a_piece(n, total=MOST_PIECES + 2) for n in range(MOST_PIECES + 2)]
    assert ordinals(await with_missing_pieces(found(pieces[0]), a_turn("dokter 2"), await hospital(*pieces))) == [0]


async def test_where_the_index_does_not_answer_a_table_stays_as_it_was_found() -> None:
    pieces = [a_piece(n, total=2) for n in range(2)]
    installation = await hospital(*pieces)
    installation.engines.index.down = True  # type: ignore[attr-defined]
    assert ordinals(await with_missing_pieces(found(pieces[0]), a_turn("dokter 2"), installation)) == [0]
