"""Every set has its card, and the counts of the sets add up."""

from __future__ import annotations

import re

from training import build_ordinary, count_lines, train_suffix


def test_every_row_of_the_table_of_counts_adds_up() -> None:
    rows = re.findall(r"^\| [^|]+((?:\| \d+ ){5})\|$", count_lines.table(), re.MULTILINE)
    counts = [[int(cell) for cell in row.split("|") if cell.strip()] for row in rows]
    assert len(counts) > 20
    assert [each for each in counts if sum(each[:-1]) != each[-1] or not each[-1]] == []


def test_every_set_has_a_card_that_says_who_wrote_it_for_what_and_how_it_was_judged() -> None:
    cards = {path.stem: path.read_text(encoding="utf-8") for path in (count_lines.HERE / "cards").glob("*.md")}
    folders = {path.name for path in count_lines.HERE.iterdir() if path.is_dir()} - {"cards", "reader", "__pycache__"}
    assert set(cards) == {*folders, "hospitals", "ordinary_sentences"}
    for text in cards.values():
        assert re.findall(r"\*\*(For what|Who wrote it|Judged how|Licence)\.\*\*", text)[:4] == [
            "For what", "Who wrote it", "Judged how", "Licence",
        ]  # fmt: skip


def test_the_numbers_in_the_cards_are_those_of_the_programs() -> None:
    said = (count_lines.HERE / "cards" / "adversarial_suffixes.md").read_text(encoding="utf-8")
    for number in (train_suffix.TAILS, train_suffix.BENT, train_suffix.WITH_PARTICULARS):
        assert f"{number:,}" in said or str(number) in said
    assert len(build_ordinary.SENTENCES) == 40
