"""A pack has the sentences of what it can do, in each of its languages, and no others."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from careline.errors import BadRequest, PackInvalid
from careline.installation import Installation
from careline.packs.packs import load_pack
from careline.packs.replies import CAPABILITIES, EVERY, NAMES, VOICE, needed
from careline.turn.line import line
from careline_local.cli.main import main
from careline_local.cli.pack import never_said, rules_alone
from tests.turn.turns import a_hospital, answer, ask, packs

ROOT = Path(__file__).parents[2]
PACKS = ROOT / "layers" / "careline_packs"
SHIPPED = ["hospital_line", "clinical_assistant"]
OF_A_DESK = ("emergency", "no_patient_information")
"""Sentences of the class that the desk inherits, and of a pack for the public with rules on news of patients."""
SAID_BY = ("finish", "reviewed", "template", "say", "_refusal")
"""What takes the key of a sentence."""


def a_desk(place: Path, **more: object) -> Path:
    """A pack in one language beside a copy of the hospital line, with the sentences that every pack needs and one."""
    shutil.copytree(PACKS / "hospital_line", place / "hospital_line")
    desk = place / "desk"
    for folder in ("prompts", "replies"):
        (desk / folder).mkdir(parents=True)
    written = {
        "name": "desk", "title": {"nl": "Balie"}, "audience": "public", "audiences_searched": ["public"],
        "languages": ["nl"], "default_language": "nl", "advice_filter": False, "disclaimer": "never",
        "evidence": {"min_relative_similarity": 0.0, "min_coverage": 0.6, "passages_per_answer": 4},
        "inherits": {"from": "hospital_line", "classes": ["EMERGENCY"]}, **more,
    }  # fmt: skip
    files = {
        "pack.yaml": written,
        "routing.yaml": {"rules": [{"name": "stays", "use": "local"}]},
        "intents.yaml": {"follow_up": {"nl": {"opens": ["en"], "ends": ["daar"]}}},
        "replies/nl.yaml": dict.fromkeys([*CAPABILITIES[EVERY].replies, *OF_A_DESK], "Dat weet ik niet."),
    }
    for name, content in files.items():
        (desk / name).write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    for name in ("system", "screen", "rewrite"):
        (desk / "prompts" / f"{name}.md").write_text("Answer from the sources.", encoding="utf-8")
    return desk


def with_reply(desk: Path, key: str, sentence: str) -> None:
    file = desk / "replies" / "nl.yaml"
    held = yaml.safe_load(file.read_text(encoding="utf-8")) | {key: sentence}
    file.write_text(yaml.safe_dump(held, allow_unicode=True), encoding="utf-8")


async def asked(desk: Path, text: str) -> str:
    """What the desk answers to a question of a hospital with its documents."""
    return answer(await ask(await installed(desk), text, pack="desk")).text


async def installed(desk: Path) -> Installation:
    return replace(
        await a_hospital(["Bezoek is welkom van 14 tot 20 uur [1]."]),
        packs={"hospital_line": packs()["hospital_line"], "desk": load_pack(desk)},
    )


async def test_a_third_pack_of_few_sentences_loads_and_answers(tmp_path: Path) -> None:
    desk = a_desk(tmp_path)
    assert len(load_pack(desk).replies["nl"]) == 19
    assert "van 14 tot 20 uur" in await asked(desk, "wanneer is er bezoek")


async def test_a_pack_of_one_language_says_so_without_a_sentence_for_several(tmp_path: Path) -> None:
    desk = a_desk(tmp_path)
    with_reply(desk, "language_spoken", "Ja, dat kan.")
    assert await asked(desk, "can you speak Dutch?") == "Ja, dat kan."


async def test_a_pack_that_is_not_made_for_the_phone_is_no_line(tmp_path: Path) -> None:
    installation = await installed(a_desk(tmp_path))
    with pytest.raises(BadRequest, match="not made for the phone"):
        await line("desk", installation)
    assert (await line("hospital_line", installation)).openings["nl"]


@pytest.mark.parametrize(
    ("more", "key", "capability"),
    [
        ({"voice": True}, "call_opening", "voice"),
        ({"disclaimer": "per_answer"}, "disclaimer", "disclaimer"),
        ({"inherits": {"from": "hospital_line", "classes": ["GREETING"]}}, "greeting", "GREETING"),
        ({"screens": "hospital_line"}, "safety_refusal", "SAFETY_REFUSAL"),
    ],
)
def test_a_missing_sentence_is_named_with_pack_language_and_capability(
    tmp_path: Path, more: dict[str, object], key: str, capability: str
) -> None:
    with pytest.raises(PackInvalid) as refused:
        load_pack(a_desk(tmp_path, **more))
    assert refused.value.message.startswith(f"desk/replies/nl.yaml: {key}: is missing")
    assert f"`{capability}`" in refused.value.message


def test_a_rule_that_refuses_personal_data_asks_for_its_sentence(tmp_path: Path) -> None:
    desk = a_desk(tmp_path)
    rules = [{"name": "no", "when": {"phi": ["found"]}, "use": "refuse"}, {"name": "stays", "use": "local"}]
    (desk / "routing.yaml").write_text(yaml.safe_dump({"rules": rules}), encoding="utf-8")
    with pytest.raises(PackInvalid, match="phi_refused: is missing"):
        load_pack(desk)


@pytest.mark.parametrize("name", SHIPPED)
def test_our_packs_have_every_sentence_they_need_and_none_they_never_say(name: str) -> None:
    assert packs()[name].never_said == ()
    assert set(needed(packs()[name].capabilities, packs()[name].languages)) <= set(packs()[name].replies["en"])


def test_a_clinicians_desk_has_no_sentence_of_the_phone() -> None:
    assert not packs()["clinical_assistant"].voice
    assert "silence" not in packs()["clinical_assistant"].replies["nl"]
    assert VOICE in packs()["hospital_line"].capabilities


def test_a_sentence_that_is_never_said_is_named_by_the_check(tmp_path: Path) -> None:
    desk = a_desk(tmp_path)
    with_reply(desk, "geeting", "Dag.")
    (problem,) = never_said(load_pack(desk))
    assert (problem.file, problem.what) == ("desk/replies", "geeting: the pack never says this")


def test_what_a_pack_goes_by_rules_alone_for_is_said_by_the_check(tmp_path: Path) -> None:
    desk = load_pack(a_desk(tmp_path, screens={"injections": "hospital_line"}))
    assert rules_alone(desk) == "desk: rules alone, without classifiers, for utterances, answers."
    assert rules_alone(packs()["hospital_line"]) == ""


def keys_said() -> Iterator[str]:
    """Every key of a sentence that the code writes where one is taken."""
    for file in (ROOT / "layers" / "careline" / "turn").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            name = (
                called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
            )
            if isinstance(node, ast.Call) and name in SAID_BY:
                values = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
                yield from (one for one in values if isinstance(one, str) and one.isascii() and one.islower())


def test_every_sentence_that_code_says_belongs_to_a_capability() -> None:
    known = {key for one in CAPABILITIES.values() for key in one.replies}
    said = {key for key in keys_said() if key.replace("_", "").isalpha() and key not in {"phone", "screen"}}
    assert {"language_lock", "safety_refusal", "model_down"} <= said
    assert {key for key in said if key not in known and key != NAMES} == set()


def test_the_page_on_packs_has_the_list_of_sentences() -> None:
    shown = CliRunner().invoke(main, ["pack", "replies", "--markdown"]).output
    assert shown in (ROOT / "docs" / "packs.md").read_text(encoding="utf-8"), "careline pack replies --markdown"
