"""The shipped packs start fast because their examples were proven before; a seal that is out of date is no seal."""

from __future__ import annotations

from pathlib import Path

import pytest

from careline.safety.review import Seals, books

PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"


@pytest.mark.parametrize("pack", ["hospital_line", "clinical_assistant"])
def test_every_book_is_sealed_as_it_stands_which_careline_pack_seal_does(pack: str) -> None:
    assert [file.name for file in books(PACKS / pack) if Seals().of(file) is None] == []
