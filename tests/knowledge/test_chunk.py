"""Chunking: sizes, sections, tables, and that nothing is lost."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.knowledge.chunk.chunk import ChunkSizes, chunk
from careline.model import Chunk
from careline.tables import read as tables
from careline.tables.extracted import Block, BlockKind, Cell, Extracted, Page
from careline.text.sentences import split
from tests.growth import grows_no_faster_than_its_length

HEADING, PARAGRAPH, ITEM, TABLE = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE


def words(text: str) -> int:
    return len(text.split())


def prose(tokens: int, mark: str = "w") -> str:
    """Sentences of ten words each."""
    return " ".join(
        " ".join(["Zin", *(f"{mark}{start + i}" for i in range(8)), "einde."]) for start in range(0, tokens, 10)
    )


def paragraph(text: str) -> Block:
    return Block(PARAGRAPH, text)


def heading(text: str, level: int = 1) -> Block:
    return Block(HEADING, text, level)


def table(*rows: str) -> Block:
    """A table of rows of cells between pipes, the first of which is a header."""
    return tables.block(tables.cells_of([row.split(" | ") for row in rows], headers=1))


def chunks_of(*blocks: Block, sizes: ChunkSizes | None = None) -> list[Chunk]:
    return chunk(Extracted((Page(1, blocks),)), "nl", words, sizes)


def test_a_short_document_is_one_chunk() -> None:
    found = chunks_of(paragraph("Bezoek van 14 tot 20 uur. Welkom."))
    assert found == [Chunk(0, "Bezoek van 14 tot 20 uur. Welkom.", "text", (), 1, 1, 7)]


def test_an_empty_document_has_no_chunks() -> None:
    assert chunks_of() == []


def test_a_section_that_can_stand_alone_is_a_chunk_of_its_own() -> None:
    found = chunks_of(
        heading("A"), paragraph(prose(150)), heading("B"), paragraph(prose(130)), heading("C"), paragraph(prose(480))
    )
    assert [(each.heading_path, each.tokens) for each in found] == [(("A",), 150), (("B",), 130), (("C",), 480)]


def test_small_neighbours_under_one_parent_share_a_chunk_and_keep_their_headings() -> None:
    found = chunks_of(
        heading("Bezoek"), heading("Uren", 2), paragraph("Van 14 tot 20 uur."),
        heading("Kinderen", 2), paragraph("Welkom."), heading("Parkeren"), paragraph(prose(130)),
    )  # fmt: skip
    assert (found[0].heading_path, found[0].text) == (
        ("Bezoek",),
        "Uren\nVan 14 tot 20 uur.\nKinderen\nWelkom.",
    )
    assert found[1].heading_path == ("Parkeren",)


def test_small_sections_of_different_parents_stay_apart() -> None:
    blocks = [heading("A"), heading("A1", 2), paragraph("een."), heading("B"), heading("B1", 2), paragraph("twee.")]
    assert [each.heading_path for each in chunks_of(*blocks)] == [("A", "A1"), ("B", "B1")]


def test_a_title_of_the_same_size_as_the_headings_stands_above_them_all() -> None:
    found = chunks_of(heading("Brochure"), heading("A"), paragraph(prose(130)), heading("B"), paragraph(prose(130)))
    assert [each.heading_path for each in found] == [("Brochure", "A"), ("Brochure", "B")]


def test_a_long_section_is_cut_evenly_between_sentences_with_an_overlap() -> None:
    found = chunks_of(heading("A"), paragraph(prose(1500)))
    assert all(200 <= each.tokens <= 500 for each in found)
    assert max(each.tokens for each in found) - min(each.tokens for each in found) <= 60
    for before, after in pairwise(found):
        shared = [sentence for sentence in split(after.text, "nl") if sentence in split(before.text, "nl")]
        assert 90 <= sum(map(words, shared)) <= 100
        assert after.text.startswith(shared[0])
        assert before.text.endswith(shared[-1])


def test_a_window_rather_ends_with_its_paragraph() -> None:
    found = chunks_of(*(paragraph(prose(95, f"p{number}x")) for number in range(12)))
    assert all(each.text.count("Zin") % 10 == 0 or each is not found[0] for each in found)
    assert found[0].text.split("\n")[-1].count("Zin") == 10


def test_a_sentence_that_leads_in_goes_with_what_it_announces() -> None:
    intro = paragraph(prose(470) + " Breng zeker mee:")
    items = [Block(ITEM, f"voorwerp nummer {number} dat u nodig heeft in het ziekenhuis") for number in range(30)]
    found = chunks_of(intro, *items)
    assert all(not each.text.endswith(":") for each in found)


def test_items_and_paragraphs_stand_on_lines_of_their_own() -> None:
    found = chunks_of(
        paragraph("Eén. Twee."), Block(ITEM, "kaart. Niet vergeten."), Block(ITEM, "1. eerst"), paragraph("Slot.")
    )
    assert found[0].text == "Eén. Twee.\n- kaart. Niet vergeten.\n1. eerst\nSlot."


def test_a_table_is_a_chunk_apart_with_its_caption_and_path() -> None:
    found = chunks_of(
        heading("Tarieven"), paragraph("Voor de tabel."), paragraph("Tabel 1: prijzen"),
        table("Parking | Prijs", "P1 | 2 euro"), paragraph("Na de tabel."),
    )  # fmt: skip
    assert [(each.kind, each.text, each.heading_path) for each in found] == [
        ("text", "Voor de tabel.\nTabel 1: prijzen\nNa de tabel.", ("Tarieven",)),
        ("table", "Tabel 1: prijzen\nParking | Prijs\nP1 | 2 euro", ("Tarieven",)),
    ]


def test_a_long_table_is_cut_between_rows_and_repeats_its_header() -> None:
    rows = [f"rij{number} | waarde {number} en nog wat woorden" for number in range(200)]
    found = chunks_of(table("Naam | Waarde van iets", *rows))
    assert len(found) > 2
    assert all(each.text.startswith("Naam | Waarde van iets\n") and each.tokens <= 500 for each in found)
    assert [line for each in found for line in each.text.split("\n")[1:]] == rows


def test_a_piece_of_a_table_keeps_its_labels_and_the_notes_that_it_needs_and_knows_how_many_rows_there_are() -> None:
    rows = [f"rij{number}{'¹' if number == 150 else ''} | waarde {number} en nog wat woorden" for number in range(200)]
    found = chunks_of(table("Naam | Waarde van iets", *rows), paragraph("¹ op afspraak"))
    tables_found = [each.table for each in found if each.table is not None]
    assert len(tables_found) > 2
    assert {one.total for one in tables_found} == {200}
    assert {one.columns for one in tables_found} == {(("Waarde van iets",),)}
    assert [bool(one.notes) for one in tables_found] == [
        any(row.labels == ("rij150¹",) for row in one.rows) for one in tables_found
    ]


def test_a_note_below_a_table_is_part_of_it_and_no_sentence_of_its_own() -> None:
    found = chunks_of(table("Parking | Prijs", "P1 | 2 euro*"), paragraph("* gratis na 20 uur"), paragraph("Welkom."))
    assert [(each.kind, each.text) for each in found] == [
        ("table", "Parking | Prijs\nP1 | 2 euro*\n* gratis na 20 uur"),
        ("text", "Welkom."),
    ]


@pytest.mark.parametrize(
    ("values", "below"),
    [
        (("2¹", "3²"), "¹ gratis na 20 uur. ² niet op zondag"),
        (("2ᵃ", "3ᵇ"), "a gratis na 20 uur. b niet op zondag"),
        (("2¹", "3²"), "(1) gratis na 20 uur; (2) niet op zondag"),
        (("2*", "3†"), "* gratis na 20 uur † niet op zondag"),
    ],
)
def test_notes_that_stand_behind_one_another_are_notes_of_their_own(values: tuple[str, str], below: str) -> None:
    found = chunks_of(table("Parking | Prijs", f"P1 | {values[0]}", f"P2 | {values[1]}"), paragraph(below))
    assert [[said.rstrip(".;") for _, said in one.table.notes] for one in found if one.table] == [
        ["gratis na 20 uur", "niet op zondag"]
    ]


def test_a_number_in_a_note_begins_no_other_note() -> None:
    found = chunks_of(
        table("Parking | Prijs", "P1 | 2¹", "P2 | 3²"),
        paragraph("¹ gratis voor de eerste 2 uur"),
        paragraph("² zondag"),
    )
    assert [one.table.notes for one in found if one.table] == [(("¹", "gratis voor de eerste 2 uur"), ("²", "zondag"))]


def test_a_short_line_above_a_table_names_it_and_a_sentence_does_not() -> None:
    named = chunks_of(paragraph("Tarieven van de parking"), table("Parking | Prijs", "P1 | 2 euro"))
    told = chunks_of(paragraph("Betaal bij het verlaten."), table("Parking | Prijs", "P1 | 2 euro"))
    assert [one.table.caption for one in (*named, *told) if one.table] == ["Tarieven van de parking", ""]


def test_a_merged_cell_does_not_make_many_times_the_text() -> None:
    long = "een lange uitleg die voor alle rijen geldt " * 20
    cells = [Cell(long, 0, 0, rows=200), *(Cell(f"waarde {row}", row, 1) for row in range(200))]
    drawn = tables.block(cells)
    written = sum(len(cell.text) for cell in cells)
    assert len(drawn.text) < 8 * written
    assert sum(len(each.text) for each in chunks_of(drawn)) < 8 * written
    assert drawn.text.count(long.strip()) == 1
    assert sum(len(text) for row in tables.read(cells).rows for text in (*row.labels, *row.values)) < 20 * written


def test_a_cell_longer_than_a_chunk_is_prose() -> None:
    found = chunks_of(table("Wat | Uitleg", f"Opname | {prose(900)}", "Ontslag | 's middags"))
    assert [each.kind for each in found if each.table is None] == ["text", "text"]
    assert [row.labels for each in found if each.table is not None for row in each.table.rows] == [("Ontslag",)]


def test_a_chunk_knows_its_pages() -> None:
    pages = (Page(3, (heading("A"), paragraph(prose(60)))), Page(4, (paragraph(prose(60, "x")),)))
    found = chunk(Extracted(pages, paged=True), "nl", words)
    assert [(each.first_page, each.last_page) for each in found] == [(3, 4)]


def test_a_sentence_longer_than_a_chunk_is_cut_between_words() -> None:
    text = " ".join(f"w{number}" for number in range(2000))
    found = chunks_of(paragraph(text))
    assert all(each.tokens <= 750 for each in found)
    assert " ".join(each.text for each in found).split() == text.split()


def test_a_word_longer_than_a_chunk_is_cut_too() -> None:
    found = chunk(Extracted((Page(1, (paragraph("x" * 5000),)),)), "nl", len)
    assert all(each.tokens <= 750 for each in found)
    assert "".join(found[0].text.split()).startswith("x")


def test_a_heading_with_nothing_under_it_is_not_lost() -> None:
    found = chunks_of(heading("A"), paragraph("tekst."), heading("Spoed: bel 112", 2), heading("B"), paragraph("meer."))
    assert any("Spoed: bel 112" in each.text for each in found)


def test_every_sentence_is_counted_once() -> None:
    counted: Counter[str] = Counter()

    def count(text: str) -> int:
        counted[text] += 1
        return words(text)

    blocks = (heading("A"), paragraph(prose(1500)), table("K | L", "1 | 2"))
    chunk(Extracted((Page(1, blocks),)), "nl", count)
    assert max(counted.values()) == 1


@pytest.mark.parametrize("sizes", [{"overlap": 500}, {"target": 800}, {"minimum": 600}, {"minimum": 0}])
def test_sizes_that_contradict_one_another_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="sizes"):
        ChunkSizes(**sizes)


def test_a_very_long_section_is_cut_in_steps_that_grow_with_its_length() -> None:
    grows_no_faster_than_its_length(lambda tokens: chunks_of(paragraph(prose(tokens))), 5_000)
    assert len(chunks_of(paragraph(prose(400_000)))) > 900


TEXTS = st.lists(
    st.sampled_from(
        ["Eén zin.", "Dr. Peeters komt om 8.30 uur.", "Kort", "Wat nu?", prose(40), "woord " * 90, "Breng mee:"]
    ),
    min_size=1,
    max_size=12,
).map(" ".join)
BLOCKS = st.one_of(
    st.builds(Block, st.sampled_from([PARAGRAPH, ITEM]), TEXTS),
    st.builds(
        Block, st.just(HEADING), st.sampled_from(["Parkeren", "Bezoek", "Tarieven", "Contact"]), st.integers(1, 4)
    ),
    st.builds(
        Block,
        st.just(TABLE),
        st.lists(st.sampled_from(["a | b", "1 | 2", "c | " + "d " * 60]), min_size=1, max_size=30).map("\n".join),
    ),
)
DOCUMENTS = st.lists(st.lists(BLOCKS, max_size=6), min_size=1, max_size=5).map(
    lambda pages: Extracted(tuple(Page(number, tuple(blocks)) for number, blocks in enumerate(pages, 1)), paged=True)
)
SIZES = st.sampled_from([ChunkSizes(), ChunkSizes(60, 20, 30, 90, 20), ChunkSizes(40, 0, 10, 40, 15)])


@settings(max_examples=250, deadline=None)
@given(DOCUMENTS, SIZES)
def test_every_sentence_is_in_a_chunk_and_every_chunk_keeps_its_bounds(document: Extracted, sizes: ChunkSizes) -> None:
    found = chunk(document, "nl", words, sizes)
    assert [each.ordinal for each in found] == list(range(len(found)))
    lines = [" ".join(each.text.split()) for each in found]
    paths = {title for each in found for title in each.heading_path}
    for page in document.pages:
        for block in page.blocks:
            for sentence in split(block.text, "nl"):
                plain = " ".join(sentence.split())
                if words(plain) <= sizes.maximum // 3:
                    assert plain in paths or any(plain in line for line in lines)
                else:
                    assert all(any(word in line.split() for line in lines) for word in plain.split())
    for each in found:
        assert each.text.strip()
        assert each.tokens <= sizes.maximum
        assert 1 <= each.first_page <= each.last_page <= len(document.pages)


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS)
def test_the_same_document_is_always_cut_the_same(document: Extracted) -> None:
    assert chunk(document, "nl", words) == chunk(document, "nl", words)
