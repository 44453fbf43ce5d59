"""A rule set of patterns loads when it is sound, says what is wrong when it is not, and reads any text in linear
time."""

import platform
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.errors import PackInvalid
from careline.safety.rules import rule_sets
from careline.safety.rules.compiled_patterns import CompiledPatterns
from careline.safety.rules.plain_text import normalise
from careline.safety.rules.review import CompiledRules
from careline.safety.rules.rule_sets import KEPT_BYTES, RuleSet, compile_alone, read_rule_set
from tests.growth import grows_no_faster_than_its_length
from tests.kept_by_pattern import bytes_kept
from tests.safety.shipped_rule_sets import shipped

WriteRuleSet = Callable[..., Path]

RULE = {
    "name": "take",
    "pattern": "may i take {medicine}",
    "match": ["may i take aspirin", "may i take zinc"],
    "pass": ["no"],
}
PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"
RULE_SETS = sorted([*PACKS.glob("*/safety/*.yaml"), *PACKS.glob("*/answers/*.yaml")])


@pytest.fixture
def write_rule_set(tmp_path: Path) -> WriteRuleSet:
    def write(*rules: dict[str, object], slots: dict[str, str] | None = None, **group: object) -> Path:
        file = tmp_path / "a_pack" / "safety" / "en.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        content = {
            "language": "en",
            "slots": slots if slots is not None else {"medicine": "aspirin|zinc"},
            "classes": {"REFUSED": {"rules": list(rules), **group}},
        }
        file.write_text(yaml.safe_dump(content), encoding="utf-8")
        return file

    return write


def found(rule_set: RuleSet, text: str) -> tuple[str, ...]:
    return rule_set.find(normalise(text)).get("REFUSED", ())


def a_rule(
    pattern: object, match: list[str], passes: str = "nothing of the kind", name: str = "take"
) -> dict[str, object]:
    return {"name": name, "pattern": pattern, "match": match, "pass": [passes]}


def test_a_slot_stands_for_its_words_and_the_rule_names_itself(write_rule_set: WriteRuleSet) -> None:
    rule_set = read_rule_set(write_rule_set(RULE))
    assert found(rule_set, "May I take aspirin?") == ("en/REFUSED/take",)
    assert found(rule_set, "may i take the bus") == ()


def test_patterns_match_whole_words_only(write_rule_set: WriteRuleSet) -> None:
    rule_set = read_rule_set(write_rule_set(a_rule("cat", ["a cat", "the cat sat"])))
    assert found(rule_set, "concatenate") == ()


def test_long_word_lists_and_entries_of_several_words_work_alike(write_rule_set: WriteRuleSet) -> None:
    names = "aspirin|zinc|iron|codeine|xanax|insulin|valium|warfarin|blood thinners?|\\w+mycin"
    rule_set = read_rule_set(write_rule_set(RULE, slots={"medicine": names}))
    for medicine in ("warfarin", "blood thinners", "erythromycin"):
        assert found(rule_set, f"may i take {medicine} now") == ("en/REFUSED/take",)


def test_a_slot_may_use_slots_and_be_left_out(write_rule_set: WriteRuleSet) -> None:
    slots = {"brand": "aspirin|zinc", "any": "{brand}|pills", "now": "now|today"}
    rule_set = read_rule_set(
        write_rule_set(a_rule("take {now?} {any}", ["take aspirin", "take today pills"]), slots=slots)
    )
    assert found(rule_set, "take now zinc")
    assert not found(rule_set, "take tomorrow zinc")


def test_a_gap_of_four_dots_is_at_most_forty_characters(write_rule_set: WriteRuleSet) -> None:
    rule_set = read_rule_set(
        write_rule_set(a_rule("hoeveel .... nemen", ["hoeveel moet ik daarvan nemen", "hoeveel nemen"]))
    )
    assert found(rule_set, f"hoeveel {'x' * 39} nemen")
    assert not found(rule_set, f"hoeveel {'x' * 41} nemen")


def test_no_gap_reaches_past_the_end_of_a_sentence(write_rule_set: WriteRuleSet) -> None:
    rule_set = read_rule_set(write_rule_set(a_rule("how much ... take", ["how much may i take", "how much take"])))
    assert not found(rule_set, "how much is it? i will take a taxi")


def test_an_aside_may_be_bound_to_where_the_text_starts(write_rule_set: WriteRuleSet) -> None:
    aside = a_rule("^ what is {medicine}$", ["what is zinc", "what is aspirin"], name="asked-about")
    rule_set = read_rule_set(write_rule_set(a_rule("{medicine}", ["aspirin", "zinc"]), asides=[aside]))
    assert not found(rule_set, "what is aspirin?")
    assert found(rule_set, "and what is aspirin?")


def test_an_aside_is_not_looked_at_but_what_stands_beside_it_is(write_rule_set: WriteRuleSet) -> None:
    aside = a_rule("bring [^.]*", ["bring it", "bring aspirin"], name="admission")
    rule_set = read_rule_set(write_rule_set(a_rule("{medicine}", ["aspirin", "zinc"]), asides=[aside]))
    assert not found(rule_set, "what do i bring, aspirin?")
    assert found(rule_set, "what do i bring? and may i take aspirin")


def test_a_whole_class_is_met_by_nothing_but_its_pattern_and_the_words_around(write_rule_set: WriteRuleSet) -> None:
    rule = a_rule("hello", ["hello", "hello madam"], "hello how much is the car park")
    rule_set = read_rule_set(write_rule_set(rule, whole=True, around="madam|good"))
    assert found(rule_set, "Good. Hello, madam!")
    assert not found(rule_set, "hello where is radiology")


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        (a_rule("may i {drug}", ["may i a", "may i b"]), "there is no slot drug"),
        (a_rule("  ", ["may i a", "may i b"]), "empty pattern"),
        (a_rule("may (i", ["may i a", "may i b"]), "not an RE2 pattern"),
        (a_rule("may(?=i)", ["may i a", "may i b"]), "not an RE2 pattern"),
        (a_rule("may i..take", ["may i a", "may i b"]), "a gap must stand between two spaces"),
        (a_rule("may i", ["may i", "can you"]), "en/REFUSED/take: does not match the example 'can you'"),
        (
            a_rule("may i", ["may i", "may i go"], "may i not"),
            "en/REFUSED/take: must not match the example 'may i not'",
        ),
        (a_rule("may i", ["may i"]), "classes.REFUSED.rules.0.match"),
        ({"name": "take", "pattern": "may i", "match": ["may i", "may i go"]}, "classes.REFUSED.rules.0.pass"),
        (a_rule("may i", ["may i", "may i go"], name="No Name"), "classes.REFUSED.rules.0.name"),
    ],
)
def test_an_unsound_rule_is_refused_by_file_rule_and_example(
    write_rule_set: WriteRuleSet, rule: dict[str, object], complaint: str
) -> None:
    with pytest.raises(PackInvalid) as refused:
        read_rule_set(write_rule_set(rule))
    assert refused.value.message.startswith("a_pack/safety/en.yaml: ")
    assert complaint in refused.value.message


def test_two_rules_of_one_name_are_refused(write_rule_set: WriteRuleSet) -> None:
    with pytest.raises(PackInvalid, match="another rule of this name"):
        read_rule_set(write_rule_set(RULE, RULE))


@pytest.mark.parametrize("slots", [{"medicine": "{medicine}|a"}, {"medicine": "{b}", "b": "x|{medicine}"}])
def test_a_slot_that_uses_itself_is_refused(write_rule_set: WriteRuleSet, slots: dict[str, str]) -> None:
    with pytest.raises(PackInvalid, match="uses itself"):
        read_rule_set(write_rule_set(RULE, slots=slots))


def test_a_slot_with_an_empty_entry_is_refused(write_rule_set: WriteRuleSet) -> None:
    with pytest.raises(PackInvalid, match="slot medicine has an empty entry"):
        read_rule_set(write_rule_set(RULE, slots={"medicine": "aspirin||zinc"}))


def test_a_missing_file_and_broken_yaml_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PackInvalid, match="is missing"):
        read_rule_set(tmp_path / "a_pack" / "safety" / "en.yaml")
    broken = tmp_path / "en.yaml"
    broken.write_text("slots: [", encoding="utf-8")
    with pytest.raises(PackInvalid, match="is not YAML"):
        read_rule_set(broken)


@pytest.fixture(scope="module", params=RULE_SETS, ids=lambda file: "/".join(file.parts[-3:]))
def rule_set(request: pytest.FixtureRequest) -> RuleSet:
    return shipped(request.param)


@given(text=st.text())
@settings(max_examples=40, deadline=None)
def test_any_text_can_be_read_with_any_rule_set(rule_set: RuleSet, text: str) -> None:
    assert isinstance(rule_set.find(normalise(text)), dict)


def test_a_text_ten_times_as_long_takes_about_ten_times_as_many_steps(rule_set: RuleSet) -> None:
    piece = "hoeveel mag ik quanto posso combien puis je how much can i take dafalgan nemen de pijn op "
    grows_no_faster_than_its_length(lambda count: rule_set.find(normalise(piece * count)), 200, times=10)


@pytest.fixture
def busy_threads() -> Iterator[None]:
    """Threads that give way to one another all the time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("busy_threads")
@pytest.mark.parametrize("file", RULE_SETS, ids=lambda file: "/".join(file.parts[-3:]))
def test_a_rule_set_that_several_threads_use_at_once_compiles_what_each_needs(file: Path) -> None:
    alone, shared = shipped(file), RuleSet(file, CompiledRules().of(file))
    texts = [normalise(text) for rule in alone.rules for text in rule.must_match]
    wanted = [alone.find(text) for text in texts]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(shared.find, texts)) == wanted


def test_a_rule_set_that_was_not_proven_keeps_all_its_patterns_as_each_text_needs_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rule_sets, "_COMPILED", CompiledPatterns(most=1))
    rule_set = RuleSet(RULE_SETS[0])
    rule_set.compile()
    compiled: list[object] = []
    monkeypatch.setattr(rule_sets, "compile_alone", lambda patterns, **_: compiled.append(patterns))
    rule_set.find(normalise("this text has nothing in it"))
    assert compiled == []


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc tells what is in use")
def test_what_a_pattern_keeps_of_the_texts_it_has_read_is_bounded() -> None:
    kept = bytes_kept(
        "from careline.safety.rules.rule_sets import compile_alone", 'compile_alone(["a[ab]{14}c"], of_bytes=True)'
    )
    assert kept < 2 * KEPT_BYTES


def test_a_short_pattern_that_stands_for_much_is_compiled() -> None:
    assert compile_alone([r"x\pL{60}"]).search("x" + "é" * 60)
