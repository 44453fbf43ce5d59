"""A sub-heading belongs to every line under it, up to the next one, however the passage is cut."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.knowledge.chunk.chunk import ChunkSizes, chunk
from careline.model import Chunk
from careline.passages.sub_headings import lines_of
from careline.tables.extracted import Block, BlockKind, Extracted, Page

HEADING, PARAGRAPH, ITEM = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM


def above(text: str, *headings: str, titles: tuple[tuple[int, int], ...] = ()) -> dict[str, tuple[str, ...]]:
    """What each line that is no sub-heading stands under."""
    chunk_ = Chunk(0, text, "text", headings, 1, 1, 1, titles=titles)
    return {line.text: line.above for line in lines_of(chunk_) if not line.is_heading}


@pytest.mark.parametrize(
    ("label", "other", "line", "next_line"),
    [
        ("Volwassenen", "Kinderen", "Geef 5 mg per dag.", "Geef 1 mg per dag."),
        ("Adults:", "Children:", "Give 5 mg a day.", "Give 1 mg a day."),
        ("Adultes :", "Enfants :", "Donner 5 mg par jour.", "Donner 1 mg par jour."),
        ("Adulti", "Bambini", "Dare 5 mg al giorno.", "Dare 1 mg al giorno."),
    ],
)
@pytest.mark.parametrize("bullet", ["", "- ", "1. "])
def test_a_short_line_and_one_with_a_colon_stand_above_what_follows_up_to_the_next(
    label: str, other: str, line: str, next_line: str, bullet: str
) -> None:
    text = f"{label}\n{bullet}{line}\n{other}\n{bullet}{next_line}"
    found = {said: path for said, path in above(text).items() if said in (line, next_line)}
    assert found == {line: (label.rstrip(" :"),), next_line: (other.rstrip(" :"),)}


def test_what_leads_a_list_in_is_of_its_items_alone() -> None:
    found = above("Dosis\nU bent nuchter. Neem mee:\n- kaart\n- lijst\nBel 's ochtends als u koorts hebt.")
    assert found["kaart"] == found["lijst"] == ("Dosis", "Neem mee")
    assert found["Bel 's ochtends als u koorts hebt."] == ("Dosis",)


def test_an_item_with_items_under_it_leads_these_in_and_no_others() -> None:
    text = "Dosis:\n- Kinderen\n  - Onder 2 jaar:\n    - 1 mg\n  - boven 2 jaar 2 mg\n- volwassenen 5 mg"
    assert above(text) == {
        "Dosis:": (),
        "Kinderen": ("Dosis",),
        "Onder 2 jaar:": ("Dosis", "Kinderen"),
        "1 mg": ("Dosis", "Kinderen", "Onder 2 jaar"),
        "boven 2 jaar 2 mg": ("Dosis", "Kinderen"),
        "volwassenen 5 mg": ("Dosis",),
    }


def test_an_item_with_a_colon_leads_in_what_follows_where_the_depth_is_lost() -> None:
    found = above(
        "- Adults:\n- 5 mg daily\n- 10 mg weekly\n- Children:\n- 1 mg daily\nNot in pregnancy, whatever the age."
    )
    assert [found[line] for line in ("5 mg daily", "10 mg weekly", "1 mg daily")] == [
        ("Adults",), ("Adults",), ("Children",),
    ]  # fmt: skip
    assert found["Not in pregnancy, whatever the age."] == ()


def test_headings_of_the_document_lie_within_each_other_whatever_they_look_like() -> None:
    text = "1. dosis van het middel.\nVoor boezemfibrilleren\n5 mg.\nVoor trombose\n10 mg.\n2. Bewaren\nKoel."
    found = above(text, titles=((0, 0), (1, 1), (3, 1), (5, 0)))
    assert found == {
        "5 mg.": ("dosis van het middel.", "Voor boezemfibrilleren"),
        "10 mg.": ("dosis van het middel.", "Voor trombose"),
        "Koel.": ("Bewaren",),
    }


def test_a_heading_that_a_page_repeats_is_no_sub_heading() -> None:
    found = above("Contra-indicaties\n- bloeding\nHet  middel\n- zwangerschap", "Het middel")
    assert found == {"bloeding": ("Contra-indicaties",), "zwangerschap": ("Contra-indicaties",)}


_Kind = st.sampled_from(["heading", "label", "lead", "item", "nested", "text"])


@st.composite
def documents(draw: st.DrawFn) -> tuple[tuple[Block, ...], dict[str, str]]:
    """Blocks, and for each line that is no sub-heading the mark of the one right above it, "" where there is none."""
    kinds = draw(st.lists(st.tuples(_Kind, st.integers(1, 3), st.integers(1, 40)), min_size=1, max_size=40))
    blocks: list[Block] = []
    expected: dict[str, str] = {}
    above, item, depth_of_list = "", "", False
    for n, (kind, level, length) in enumerate(kinds):
        following = kinds[n + 1][0] if n + 1 < len(kinds) else "heading"
        mark, text = f"X{n}", " ".join(["woord"] * length)
        if kind == "heading":
            blocks.append(Block(HEADING, f"Kop {mark}", level))
            above, item = ("" if following == "heading" else f"Kop {mark}"), ""
            if following == "heading":
                # With nothing under it, what it is above depends on the level of the next.
                blocks.pop()
        elif kind in ("label", "lead"):
            follows = "item" if kind == "lead" else "text"
            if following != follows:
                continue
            blocks.append(Block(PARAGRAPH, f"Bij {mark}:"))
            if kind == "label":
                above, item = f"Bij {mark}", ""
            else:
                item = f"Bij {mark}"
        elif kind == "text":
            blocks.append(Block(PARAGRAPH, f"Zin {mark} {text}."))
            expected[f"Zin {mark} {text}."] = above
            item = ""
        elif kind == "item" or (kind == "nested" and not depth_of_list):
            blocks.append(Block(ITEM, f"Deel {mark} {text}."))
            expected[f"Deel {mark} {text}."] = item or above
            depth_of_list = True
            continue
        else:
            last = blocks[-1].text if blocks and blocks[-1].kind is ITEM and blocks[-1].level == 0 else ""
            if last:
                blocks.append(Block(ITEM, f"Deel {mark} {text}.", 1))
                expected[f"Deel {mark} {text}."] = last
        depth_of_list = False
    return tuple(blocks), expected


@given(documents(), st.integers(30, 80))
@settings(max_examples=150, deadline=None)
def test_every_line_of_any_document_stands_under_its_own_sub_heading_in_every_chunk_that_has_it(
    document: tuple[tuple[Block, ...], dict[str, str]], target: int
) -> None:
    blocks, expected = document
    sizes = ChunkSizes(target=target, overlap=target // 5, minimum=target // 3, maximum=3 * target, alone=target // 4)
    chunks = chunk(Extracted((Page(1, blocks),)), "nl", lambda text: len(text.split()), sizes)
    told: dict[str, list[tuple[str, ...]]] = {}
    for one in chunks:
        for line in lines_of(one):
            told.setdefault(line.text, []).append((*one.heading_path, *line.above))
    for text, right in expected.items():
        assert text in told, "nothing is lost"
        for path in told[text]:
            assert (path[-1].rstrip(".") if path else "") == right.rstrip("."), (text, path)
    written = {line for one in chunks for line in (*one.heading_path, *(each.text for each in lines_of(one)))}
    assert {block.text for block in blocks} <= written, "the text can be put together again"
