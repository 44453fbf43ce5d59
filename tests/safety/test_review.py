"""A reviewer learns what is dead or hidden in a rule set, and a compiled pack starts without proving itself again."""

import gzip
import shutil
from functools import partial
from pathlib import Path

import pytest
import yaml

from careline.errors import PackInvalid
from careline.safety.rules.review import COMPILED, CompiledRules, check, compile_rules
from careline.safety.rules.rule_sets import RuleSet
from tests.safety.shipped_rule_sets import shipped

PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"
RULE_SETS = sorted([*PACKS.glob("*/safety/*.yaml"), *PACKS.glob("*/answers/*.yaml")])


@pytest.mark.parametrize("file", RULE_SETS, ids=lambda file: "/".join(file.parts[-3:]))
def test_the_rule_sets_we_ship_have_nothing_to_mend(file: Path) -> None:
    assert check(shipped(file)) == []


def test_unused_slots_patterns_without_an_example_and_hidden_rules_are_named(tmp_path: Path) -> None:
    rules = [
        {"name": "first", "pattern": ["hello", "unheard"], "match": ["hello", "hello you"], "pass": ["no"]},
        {"name": "second", "pattern": "goodbye", "match": ["goodbye", "hello there"], "pass": ["no"]},
    ]
    file = tmp_path / "a_pack" / "safety" / "en.yaml"
    file.parent.mkdir(parents=True)
    content = {"language": "en", "slots": {"idle": "a|b"}, "classes": {"SOCIAL": {"rules": rules}}}
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    found = {problem.what for problem in check(RuleSet(file))}
    assert found == {
        "en/SOCIAL/second: does not match the example 'hello there'",
        "en/SOCIAL/second: the example 'hello there' is matched by en/SOCIAL/first only",
        "en/SOCIAL/first: pattern 2 is matched by none of its examples",
        "en/slots/idle: no pattern uses it",
    }


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    copied = tmp_path / "of_ones_own"
    shutil.copytree(PACKS / "clinical_assistant", copied)
    return copied


def test_compiled_rules_hold_until_a_byte_changes(pack: Path) -> None:
    rule_set = pack / "safety" / "nl.yaml"
    assert CompiledRules().of(rule_set) is None
    compile_rules(pack, pack / COMPILED)
    assert CompiledRules().of(rule_set)
    rule_set.write_bytes(rule_set.read_bytes() + b"\n")
    assert CompiledRules().of(rule_set) is None
    assert CompiledRules().of(pack / "safety" / "en.yaml")


def test_a_pack_whose_examples_fail_is_not_compiled(pack: Path) -> None:
    rule_set = pack / "safety" / "nl.yaml"
    rule_set.write_text(
        rule_set.read_text(encoding="utf-8").replace("hartstilstand op kamer 12", "iets anders"), encoding="utf-8"
    )
    with pytest.raises(PackInvalid, match="iets anders"):
        compile_rules(pack, pack / COMPILED)


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", *map(partial(gzip.compress, mtime=0), [b"", b"[]", b"{}", b'{"engine": "x", "rule_sets": 1}'])],
)
def test_damaged_compiled_rules_are_not_used(pack: Path, content: bytes) -> None:
    (pack / COMPILED).write_bytes(content)
    assert CompiledRules().of(pack / "safety" / "nl.yaml") is None


def test_a_copy_of_a_pack_of_ours_uses_what_is_shipped_for_each_rule_set_that_is_unchanged(pack: Path) -> None:
    copied = pack.rename(pack.with_name("clinical_assistant"))
    rule_set = copied / "safety" / "nl.yaml"
    assert CompiledRules().of(rule_set)
    rule_set.write_bytes(rule_set.read_bytes() + b"\n")
    assert CompiledRules().of(rule_set) is None
    assert CompiledRules().of(copied / "safety" / "en.yaml")
