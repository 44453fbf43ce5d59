"""A pack brings its own examples of intents as data; what is wrong with them is told with what to do about it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import careline_packs
from careline.errors import PackInvalid
from careline.packs.intent_examples import COMPILED, LEAST, digest, shipped_examples
from careline.packs.packs import intent_examples_of, load_pack, load_packs

LOST = [f"ik heb mijn {thing} laten liggen" for thing in "jas tas bril gsm sjaal muts hoed ring boek fiets".split()]
ADDED = {"lost_property": LOST}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The hospital line with a label of its own, whose examples stand apart from the shipped ones."""
    shutil.copytree(careline_packs.FOLDER, tmp_path / "packs", ignore=shutil.ignore_patterns("intents"))
    folder = tmp_path / "packs" / "hospital_line"
    (folder / "intents").mkdir()
    change(folder, intents=[*listed(folder), "lost_property"])
    with (folder / "prompts" / "intent.md").open("a", encoding="utf-8") as prompt:
        prompt.write("\nlost_property: things that were left behind\n")
    bring(folder, ADDED)
    return folder


def written(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((folder / "pack.yaml").read_text("utf-8"))
    return content


def listed(folder: Path) -> list[str]:
    labels: list[str] = written(folder)["intents"]
    return labels


def change(folder: Path, **said: Any) -> None:
    kept = {name: value for name, value in {**written(folder), **said}.items() if value is not None}
    (folder / "pack.yaml").write_text(yaml.safe_dump(kept, allow_unicode=True), encoding="utf-8")


def bring(folder: Path, examples: Any, language: str = "nl") -> None:
    text = examples if isinstance(examples, str) else yaml.safe_dump(examples, allow_unicode=True)
    (folder / "intents" / f"{language}.yaml").write_text(text, encoding="utf-8")


def compiled(folder: Path) -> None:
    """What compiling leaves beside the pack, made of its examples as they stand."""
    own, _ = intent_examples_of(folder)
    np.savez(folder / COMPILED, labels=[], weights=[], words=[], made_of=np.array(digest(own)))


def test_the_shipped_packs_bring_nothing_beside_what_their_classifiers_were_fitted_to() -> None:
    assert [pack.own_intents for pack in load_packs(careline_packs.FOLDER).values()] == [None, None]


def test_a_copy_of_a_shipped_pack_brings_nothing_of_its_own(tmp_path: Path) -> None:
    packs = shutil.copytree(careline_packs.FOLDER, tmp_path / "packs")
    assert load_pack(packs / "hospital_line").own_intents is None


def test_of_a_copied_file_that_was_added_to_what_was_added_is_the_packs_own(pack: Path) -> None:
    theirs = (careline_packs.FOLDER / "hospital_line" / "intents" / "nl.yaml").read_text("utf-8")
    bring(pack, theirs + yaml.safe_dump(ADDED))
    own, name = intent_examples_of(pack)
    assert ([one.text for one in own], name) == (LOST, "hospital_line")


def test_more_examples_of_a_shipped_label_are_the_packs_own_however_few(pack: Path) -> None:
    bring(pack, {**ADDED, "visiting_hours": ["mag ik straks binnenspringen"]})
    own, _ = intent_examples_of(pack)
    assert len(own) == len(LOST) + 1


def test_a_pack_whose_examples_were_compiled_loads_and_says_where_that_is(pack: Path) -> None:
    compiled(pack)
    assert load_pack(pack).own_intents == pack / COMPILED


def test_the_order_of_examples_changes_nothing(pack: Path) -> None:
    compiled(pack)
    bring(pack, {"lost_property": LOST[::-1]})
    assert load_pack(pack).own_intents == pack / COMPILED


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (None, "is missing"), (b"no such thing", "cannot be read"), (b"PK\x03\x04", "cannot be read"),
        (b"", "cannot be read"),
    ],
)  # fmt: skip
def test_a_pack_that_was_not_compiled_does_not_load(pack: Path, left: bytes | None, told: str) -> None:
    if left is not None:
        (pack / COMPILED).write_bytes(left)
    with pytest.raises(PackInvalid, match=rf"{told}.*careline pack compile"):
        load_pack(pack)


def test_a_pack_whose_examples_changed_since_does_not_load(pack: Path) -> None:
    compiled(pack)
    bring(pack, {"lost_property": [*LOST, "mijn sleutels zijn zoek"]})
    with pytest.raises(PackInvalid, match=r"changed since.*run `careline pack compile`"):
        load_pack(pack)


@pytest.mark.parametrize(
    ("examples", "told"),
    [
        ({**ADDED, "gift_shop": ["bloemen"]}, "nl.yaml: gift_shop: is not among `intents` of pack.yaml; add it"),
        ({"lost_property": []}, "lost_property: has no examples; list what people say"),
        ({"lost_property": "jas kwijt"}, "lost_property: has no examples"),
        ({"lost_property": [*LOST, " "]}, "lost_property: example 11 is empty or no text; write it in quotes"),
        ({"lost_property": [*LOST, 112]}, "example 11 is empty or no text"),
        ({"lost_property": [*LOST, LOST[0].upper()]}, "stands more than once below lost_property; keep it once"),
        ({**ADDED, "visiting_hours": LOST[:1]}, "stands below lost_property and visiting_hours; keep it once"),
        ({"lost_property": LOST[: LEAST - 1]}, f"has {LEAST - 1} examples, of {LEAST} at least; write more"),
        ({"visiting_hours": ["mag ik straks"]}, "pack.yaml: intents: lost_property: has no examples; list what people"),
        ("- a list", "must list examples below their labels, as"),
        ("lost_property: [a, b", "intents/nl.yaml is not YAML"),
        ("", "must list examples below their labels"),
    ],
)
def test_a_bad_file_is_refused_and_it_is_said_what_to_do(pack: Path, examples: Any, told: str) -> None:
    bring(pack, examples)
    with pytest.raises(PackInvalid, match=told):
        load_pack(pack)


def test_a_language_that_the_pack_does_not_speak_is_refused(pack: Path) -> None:
    bring(pack, ADDED, "de")
    with pytest.raises(PackInvalid, match=r"intents/de.yaml: the pack does not speak de; name the file .*\(nl, en, fr"):
        load_pack(pack)


def test_examples_without_a_shipped_classifier_to_add_to_are_refused(pack: Path) -> None:
    change(pack, intent_classifier=None)
    with pytest.raises(PackInvalid, match=r"is needed beside intents/.*clinical_assistant, hospital_line"):
        load_pack(pack)


def test_a_classifier_that_is_not_shipped_is_refused(pack: Path) -> None:
    change(pack, intent_classifier="nobody")
    with pytest.raises(PackInvalid, match="there is none called nobody; known: clinical_assistant, hospital_line"):
        load_pack(pack)


def test_a_label_that_the_prompt_of_the_model_does_not_explain_is_refused(pack: Path) -> None:
    compiled(pack)
    prompt = pack / "prompts" / "intent.md"
    prompt.write_text(prompt.read_text("utf-8").replace("lost_property:", "lost:"), encoding="utf-8")
    with pytest.raises(PackInvalid, match=r"prompts/intent.md: does not say what lost_property is; add a line"):
        load_pack(pack)


@pytest.mark.parametrize("asked", [{"below": 0.5}, {"below": 0, "seconds": 1}, {"below": 0.5, "seconds": 60}])
def test_how_a_model_is_asked_is_held_to_its_limits(pack: Path, asked: Any) -> None:
    change(pack, intent_model=asked)
    with pytest.raises(PackInvalid, match=r"pack.yaml: intent_model"):
        load_pack(pack)


def test_what_a_shipped_classifier_was_fitted_to_has_every_label_of_its_pack() -> None:
    for name in ("hospital_line", "clinical_assistant"):
        known = {one.label for one in shipped_examples(name)}
        assert set(listed(careline_packs.FOLDER / name)) <= known
