"""Packs load whole or not at all, and say their sentences in the caller's language."""

import shutil
from pathlib import Path

import pytest

from careline.errors import PackInvalid
from careline.packs.packs import Pack, load_pack, load_packs
from careline.safety.in_context import InContext

PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"


@pytest.fixture(scope="module")
def hospital_line() -> Pack:
    return load_pack(PACKS / "hospital_line")


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    """A copy of our packs; what is compiled of a file counts for the copy until the file is changed."""
    return Path(shutil.copytree(PACKS, tmp_path / "packs"))


def rewrite(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_both_packs_load_and_know_their_audience() -> None:
    packs = load_packs(PACKS)
    assert packs["hospital_line"].audiences_searched == ("public",)
    assert packs["hospital_line"].advice is not None
    assert packs["clinical_assistant"].audience == "clinician"
    assert packs["clinical_assistant"].advice is None


def test_a_sentence_is_filled_with_the_hospital_s_values(hospital_line: Pack) -> None:
    assert "bel nu meteen 112" in hospital_line.say("emergency", "nl", emergency_number="112").lower()
    assert "011 90 10 00" in hospital_line.say("handoff", "it", phone="011 90 10 00")


@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
def test_every_sentence_can_be_said_without_any_value(hospital_line: Pack, language: str) -> None:
    for key in hospital_line.replies[language]:
        assert "{" not in hospital_line.say(key, language)


@pytest.mark.parametrize("value", [None, ""])
def test_an_empty_value_drops_back_to_the_plain_sentence(hospital_line: Pack, value: str | None) -> None:
    assert hospital_line.say("unknown", "fr", phone=value) == hospital_line.template("unknown_plain", "fr")


def test_an_unknown_language_is_answered_in_the_default_one(hospital_line: Pack) -> None:
    assert hospital_line.say("greeting", "de") == hospital_line.say("greeting", "nl")


def test_braces_in_a_value_are_said_as_they_are(hospital_line: Pack) -> None:
    said = hospital_line.say("foreign_notice", "en", title="{phone} {0}", language_name="Dutch")
    assert "{phone} {0}" in said


@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
def test_a_call_opens_by_saying_that_it_is_a_machine(hospital_line: Pack, language: str) -> None:
    opening = hospital_line.say("call_opening", language, hospital="X").lower()
    assert any(
        word in opening
        for word in (
            "artificiële intelligentie",
            "artificial intelligence",
            "intelligence artificielle",
            "intelligenza artificiale",
        )
    )


def test_our_own_replies_are_not_taken_for_advice(hospital_line: Pack) -> None:
    assert hospital_line.advice is not None
    for language, replies in hospital_line.replies.items():
        for key in replies:
            assert (
                hospital_line.advice.judge(InContext(hospital_line.say(key, language)), language).action == "allow"
            ), key


@pytest.mark.parametrize(
    ("disclaimer", "channel", "medical", "disclaimed", "owed"),
    [
        ("per_answer", "chat", True, True, True),
        ("per_answer", "voice", True, False, True),
        ("per_answer", "voice", True, True, False),
        ("per_answer", "chat", False, False, False),
        ("per_call", "chat", True, True, False),
        ("every_turn", "voice", False, True, True),
        ("never", "chat", True, False, False),
    ],
)
def test_the_disclaimer_is_given_as_often_as_the_pack_says(
    packs: Path, disclaimer: str, channel: str, medical: bool, disclaimed: bool, owed: bool
) -> None:
    rewrite(packs / "hospital_line" / "pack.yaml", "disclaimer: per_answer", f"disclaimer: {disclaimer}")
    pack = load_pack(packs / "hospital_line")
    assert pack.disclaims("chat" if channel == "chat" else "voice", medical=medical, disclaimed=disclaimed) is owed


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("pack.yaml", "audience: public", "audience: staff", "hospital_line/pack.yaml: audience"),
        ("pack.yaml", "name: hospital_line", "name: other", "hospital_line/pack.yaml: name"),
        ("pack.yaml", "default_language: nl", "default_language: nl\ncolour: red", "hospital_line/pack.yaml: colour"),
        (
            "pack.yaml",
            "min_relative_similarity: 0.054",
            "min_relative_similarity: 2.0",
            "hospital_line/pack.yaml: evidence.min_relative_similarity",
        ),
        (
            "pack.yaml",
            "min_relative_similarity: 0.054",
            'min_relative_similarity: "0.054"',
            "evidence.min_relative_similarity",
        ),
        (
            "replies/fr.yaml",
            "greeting:",
            "salute:",
            "hospital_line/replies/fr.yaml: greeting: is missing",
        ),
        (
            "replies/en.yaml",
            "{phone}",
            "{fax}",
            "hospital_line/replies/en.yaml: handoff: there is no placeholder 'fax'",
        ),
        ("replies/en.yaml", "{phone}", "{phone", "a brace is not closed"),
        ("replies/it.yaml", "unknown_plain:", "unknown_simple:", "unknown: needs a unknown_plain"),
        ("safety/nl.yaml", "language: nl", "language: fr", "hospital_line/safety/nl.yaml: language: must be nl"),
        ("safety/it.yaml", "ho un dolore al petto", "ho un bel giardino", "it/EMERGENCY/chest-pain"),
        ("answers/en.yaml", "you probably have the flu", "you have a lovely garden", "en/DIAGNOSIS"),
    ],
)
def test_a_pack_that_is_wrong_does_not_load_and_says_where(
    packs: Path, file: str, old: str, new: str, complaint: str
) -> None:
    rewrite(packs / "hospital_line" / file, old, new)
    with pytest.raises(PackInvalid) as refused:
        load_packs(packs)
    assert complaint in refused.value.message


@pytest.mark.parametrize(
    "file", ["pack.yaml", "prompts/system.md", "prompts/rewrite.md", "replies/nl.yaml", "safety/fr.yaml"]
)
def test_a_pack_that_lacks_a_file_says_which(packs: Path, file: str) -> None:
    (packs / "hospital_line" / file).unlink()
    with pytest.raises(PackInvalid, match=f"hospital_line/{file} is missing"):
        load_pack(packs / "hospital_line")


@pytest.mark.parametrize("folder", ["injection", "harm"])
def test_a_pack_that_lacks_the_rules_of_a_screen_says_whose(packs: Path, folder: str) -> None:
    shutil.rmtree(packs / "hospital_line" / folder)
    with pytest.raises(PackInvalid, match=f"^hospital_line/{folder}/<lang>.yaml is missing"):
        load_pack(packs / "hospital_line")


def test_cautions_that_cannot_be_read_are_told_with_their_pack(packs: Path) -> None:
    (packs / "clinical_assistant" / "cautions" / "nl.yaml").write_text("[", encoding="utf-8")
    with pytest.raises(PackInvalid, match=r"^clinical_assistant/cautions/nl\.yaml is not YAML"):
        load_packs(packs)


def test_only_classes_that_exist_can_be_borrowed(packs: Path) -> None:
    rewrite(packs / "clinical_assistant" / "pack.yaml", "FAREWELL", "GOODBYE")
    with pytest.raises(PackInvalid, match="there is no class GOODBYE"):
        load_packs(packs)


def test_a_folder_without_packs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackInvalid, match="holds no pack"):
        load_packs(tmp_path)


def test_packs_name_no_hospital_and_no_number_but_112() -> None:
    for file in PACKS.glob("*/replies/*.yaml"):
        digits = "".join(each if each.isdigit() else " " for each in file.read_text(encoding="utf-8")).split()
        numbered = {"1", "2", "3"}
        assert set(digits) <= {"112"} | numbered, file
