"""The kinds of planted text as they are written: proven by their lines, told to people as the console does, and refused
with file, kind and field where they are wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from careline.errors import PackInvalid
from careline.model import LANGUAGES
from careline.safety.injection import conditions, document_signals
from careline.safety.injection.conditions import AT, OF, Passage
from careline.safety.injection.contacts import Known
from careline.safety.injection.document_screen import read_document_screen
from careline.safety.injection.document_signals import Clause, DocumentSentence
from careline.safety.injection.kinds import FILE, SETTLED, SETTLED_IN_A_LIST, WHEN_TO_CALL, Kinds, read_kinds
from careline.safety.injection.signs import SIGNS, SIGNS_OF_SENTENCES
from tests.safety import findings_of_pages

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "infra" / "web" / "words"
SIGNALS = frozenset({"ASKS", "SECRET", "NEVER"})
NEEDED = """
conditions:
  when_to_call: {all: [ASKS]}
  settled: {all: [ASKS]}
  settled_in_a_list: {all: [ASKS]}
"""


def kinds_of(folder: Path, written: str) -> Kinds:
    """Kinds with these conditions beside those that are needed, and one kind."""
    file = folder / "kinds.yaml"
    told = "{en: a, fr: b, it: c, nl: d}"
    file.write_text(f"{NEEDED}{written}\nkinds:\n  planted: {{told: {told}, found: [{{all: [ASKS]}}]}}\n")
    return read_kinds(SIGNALS, file)


def sentence(*clauses: str, warned: int = 0) -> DocumentSentence:
    """A sentence whose clauses have these signals, the first `warned` of which are set apart."""
    parts = tuple(Clause(f"clause {n}", frozenset(each.split())) for n, each in enumerate(clauses))
    whole, asks = (frozenset().union(*(each.signals for each in some)) for some in (parts, parts[warned:]))
    return DocumentSentence(" , ".join(each.text for each in parts), whole, parts, asks, parts[warned:])


def test_every_example_line_of_a_kind_is_judged_as_it_says() -> None:
    assert list(read_document_screen().failing_lines()) == []


def test_every_kind_has_lines_in_every_language_but_the_one_that_needs_other_pages() -> None:
    for reason, kind in read_document_screen().kinds.kinds.items():
        wanted = set() if reason == "replaced_contact" else set(LANGUAGES)
        assert (set(kind.written.holds), set(kind.written.passes)) == (wanted, wanted), reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_console_tells_a_person_what_the_kinds_say(language: str) -> None:
    words = (WORDS / f"{language}.js").read_text(encoding="utf-8")
    told = dict(re.findall(r'^  held_(\w+): "(.*)",$', words, re.MULTILINE))
    for reason, kind in read_document_screen().kinds.kinds.items():
        assert (language, told[reason]) in kind.written.told.items()


def test_every_name_of_the_file_every_sign_and_every_signal_is_used() -> None:
    held = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    read_by_code = {
        signal
        for module in (conditions, document_signals)
        for signal in re.findall(r'"([A-Z_]+)"', Path(str(module.__file__)).read_text(encoding="utf-8"))
    }
    used = {*_named(held), *read_by_code, WHEN_TO_CALL, SETTLED, SETTLED_IN_A_LIST}
    written = [*held["patterns"], *held["numbers"], *held["prices"], *held["conditions"], *SIGNS, *SIGNS_OF_SENTENCES]
    signals = frozenset[str]().union(*(each.groups for each in read_document_screen().rule_sets.values()))
    assert {*written, *signals} - used == {"MACHINE", "STILL_GRAVE"}  # they still make a sentence one with a signal


def _named(held: object) -> Iterator[str]:
    """The names in the lists of conditions, and of patterns that prices leave out."""
    if isinstance(held, dict):
        for field, each in held.items():
            if field == "without":
                yield each
            elif field in ("all", "any", "none"):
                yield from (name for name in each if isinstance(name, str))
            yield from _named(each)
    elif isinstance(held, list):
        for each in held:
            yield from _named(each)


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("  one: {all: [NOBODY]}", "kinds.yaml: conditions/one/all/0: nothing above is called NOBODY"),
        ("  one: {any: [two]}\n  two: {all: [ASKS]}", "conditions/one/any/0: nothing above is called two"),
        ("  one: {none: [{at: somewhere, all: [ASKS]}]}", "conditions/one/none/0/at: somewhere is none of here"),
        ("  one: {of: letter, all: [ASKS]}", "conditions/one/of: letter is none of whole"),
        ("  one: {every: [ASKS]}", "kinds.yaml: conditions/one/every: Extra inputs"),
        ("  one: {all: ASKS}", "conditions/one/all: "),
        ("  one: {longest: 0, all: [ASKS]}", "conditions/one/longest: "),
        ("  ASKS: {all: [NEVER]}", "conditions/ASKS: there is another sign of this name"),
        ("  web_address: {all: [NEVER]}", "conditions/web_address: there is another sign"),
        ("patterns: {one: '('}", "patterns/one: not an RE2 pattern"),
        ("prices: {one: {above: 1, without: two}}", "prices/one/without: no pattern is called two"),
        ("kinds: [", "kinds.yaml is not YAML"),
    ],
)
def test_what_is_wrong_is_named_by_file_kind_or_condition_and_field(tmp_path: Path, written: str, named: str) -> None:
    with pytest.raises(PackInvalid, match=re.escape(named)):
        kinds_of(tmp_path, written)


def test_a_file_that_is_missing_or_lacks_what_is_asked_for_by_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackInvalid, match="is missing"):
        read_kinds(SIGNALS, tmp_path / "kinds.yaml")
    file = tmp_path / "kinds.yaml"
    file.write_text("kinds: {planted: {told: {en: a, fr: b, it: c, nl: d}, found: [{all: [ASKS]}]}}")
    with pytest.raises(PackInvalid, match="conditions: when_to_call is missing"):
        read_kinds(SIGNALS, file)
    file.write_text("kinds: {planted: {told: {en: a}, found: [{all: [ASKS]}]}}")
    with pytest.raises(PackInvalid, match=r"kinds\.yaml: kinds/planted/told: "):
        read_kinds(SIGNALS, file)


CASES = [
    ("{all: [ASKS, SECRET]}", [["ASKS SECRET"]], True),
    ("{all: [ASKS, SECRET]}", [["ASKS"]], False),
    ("{any: [ASKS, SECRET], none: [NEVER]}", [["SECRET"]], True),
    ("{any: [ASKS, SECRET], none: [NEVER]}", [["SECRET NEVER"]], False),
    ("{any: [ASKS], longest: 5}", [["ASKS"]], False),
    ("{of: clause, all: [ASKS, SECRET]}", [["ASKS", "SECRET"]], False),
    ("{of: clause, all: [ASKS, {of: next_clause, all: [SECRET]}]}", [["ASKS", "SECRET"]], True),
    ("{of: clause, all: [ASKS, {of: next_clause, all: [SECRET]}]}", [["ASKS", "NEVER", "SECRET"]], False),
    ("{of: clause, all: [ASKS, {of: later_clause, all: [SECRET]}]}", [["ASKS", "NEVER", "SECRET"]], True),
    ("{of: clause, all: [ASKS, {of: earlier_clause, all: [SECRET]}]}", [["SECRET", "ASKS"]], True),
    ("{of: first_clause, all: [SECRET]}", [["ASKS", "SECRET"]], False),
    ("{at: before, all: [SECRET]}", [["ASKS"], ["SECRET"]], False),
    ("{at: near, all: [SECRET]}", [["ASKS"], ["ASKS"], ["SECRET"]], True),
    ("{at: around, all: [SECRET]}", [["ASKS"], ["ASKS"], ["SECRET"]], False),
    ("{at: here_or_after, all: [{at: before, all: [ASKS]}]}", [["ASKS"], ["SECRET"]], True),
    ("{at: passage, all: [NEVER]}", [["ASKS"], ["ASKS"], ["ASKS"], ["NEVER"]], True),
    ("{at: around, of: clause, none: [ASKS]}", [["ASKS", "SECRET"]], True),
]


@pytest.mark.parametrize(("written", "passage", "holds"), CASES)
def test_a_condition_looks_where_it_says(written: str, passage: list[list[str]], holds: bool, tmp_path: Path) -> None:
    kinds = kinds_of(tmp_path, f"  looked_at: {written}")
    places = Passage([sentence(*each) for each in passage], Known()).places
    assert kinds.holds("looked_at", places[0]) is holds


def test_what_is_asked_leaves_out_what_is_set_apart(tmp_path: Path) -> None:
    kinds = kinds_of(tmp_path, "  asked: {of: asked, all: [SECRET]}\n  order: {of: order, all: [SECRET]}")
    warned = Passage([sentence("SECRET NEVER", "ASKS", warned=1)], Known()).places[0]
    told = Passage([sentence("ASKS", "SECRET", warned=1)], Known()).places[0]
    assert [kinds.holds(name, each) for name in ("asked", "order") for each in (warned, told)] == [False, True] * 2


@given(st.lists(st.lists(st.sampled_from(["", "ASKS", "SECRET", "ASKS NEVER"]), max_size=4), min_size=1, max_size=5))
def test_every_place_and_every_part_can_be_looked_at_in_any_passage(passage: list[list[str]]) -> None:
    for place in Passage([sentence(*each, warned=1) for each in passage], Known()).places:
        parts = [part for name in AT for there in AT[name](place) for of in OF for part in OF[of](there.whole[0])]
        assert all(part.place in place.passage.places for part in parts)


DEMO = [
    file
    for each in LANGUAGES
    for file in findings_of_pages.files(findings_of_pages.DOCUMENTS[0])
    if file.parent.name == each
][::12]
LISTS = findings_of_pages.files("tests/safety/injections/*.yaml")


@pytest.mark.parametrize("file", [*LISTS, *DEMO], ids=lambda file: f"{file.parent.name}-{file.name}")
def test_the_same_is_found_in_a_page_as_before(file: Path) -> None:
    """Where a change is meant: `python -m tests.safety.findings_of_pages`, and with `--write` once it is looked at."""
    path = file.relative_to(ROOT).as_posix()
    assert findings_of_pages.findings(file) == findings_of_pages.written()[path]
