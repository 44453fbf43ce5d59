"""The shipped packs start fast because their examples were proven before; a seal that is out of date is no seal."""

from __future__ import annotations

from pathlib import Path

import pytest

from careline.safety.rules.review import CompiledRules, rule_sets

PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"


@pytest.mark.parametrize("pack", ["hospital_line", "clinical_assistant"])
def test_every_rule_set_is_compiled_as_it_stands_which_careline_pack_compile_does(pack: str) -> None:
    assert [file.name for file in rule_sets(PACKS / pack) if CompiledRules().of(file) is None] == []
