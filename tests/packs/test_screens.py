"""Which classifiers stand behind a pack's rules is what the pack says, whatever its folder is called."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import careline_artefacts
from careline.errors import PackInvalid
from careline.packs.packs import Pack, load_pack
from careline.safety.classifiers.shipped import shipped_screens
from careline_local.doctor import classifiers

PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"
SETS = careline_artefacts.FOLDER / "screens"


def renamed(place: Path, screens: str) -> Path:
    """The hospital line under another name, with other classifiers."""
    made = Path(shutil.copytree(PACKS / "hospital_line", place / "our_line"))
    file = made / "pack.yaml"
    text = file.read_text(encoding="utf-8").replace("name: hospital_line", "name: our_line")
    assert "screens: hospital_line\n" in text
    file.write_text(text.replace("screens: hospital_line\n", screens), encoding="utf-8")
    return made


def has(pack: Pack) -> tuple[bool, bool, bool]:
    """Whether classifiers stand behind what is asked, attempts to change instructions, and answers."""
    assert pack.advice is not None
    return pack.terminal.learned is not None, pack.injection.learned is not None, pack.advice.learned is not None


@pytest.mark.parametrize(
    ("screens", "there"),
    [
        ("screens: hospital_line\n", (True, True, True)),
        ("screens: {injections: hospital_line}\n", (False, True, False)),
        ("", (False, False, False)),
    ],
)
def test_a_pack_of_any_name_has_the_classifiers_that_it_names(
    tmp_path: Path, screens: str, there: tuple[bool, bool, bool]
) -> None:
    assert has(load_pack(renamed(tmp_path, screens))) == there


def test_a_set_that_is_not_shipped_is_refused_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(PackInvalid, match=r"our_line/pack\.yaml: screens: no set other for .*; known: hospital_line"):
        load_pack(renamed(tmp_path, "screens: other\n"))


def test_a_set_for_documents_stands_behind_no_screen_of_a_pack(tmp_path: Path) -> None:
    with pytest.raises(PackInvalid, match="no set documents"):
        load_pack(renamed(tmp_path, "screens: documents\n"))


def test_a_pack_may_bring_its_own(tmp_path: Path) -> None:
    made = renamed(tmp_path, "screens: {utterances: learned, answers: hospital_line}\n")
    with pytest.raises(PackInvalid, match=r"screens: learned/utterances\.npz is missing"):
        load_pack(made)
    (made / "learned").mkdir()
    shutil.copy(SETS / "hospital_line" / "utterances.npz", made / "learned")
    assert has(load_pack(made)) == (True, False, True)


def test_the_manifest_lists_what_each_set_is_for() -> None:
    assert shipped_screens()["hospital_line"] == {"utterances", "injections", "answers"}
    assert set(shipped_screens()) == {one.name for one in SETS.iterdir()}


def test_the_doctor_warns_of_a_pack_for_the_public_that_goes_by_rules_alone(tmp_path: Path) -> None:
    shipped = [load_pack(PACKS / name) for name in ("hospital_line", "clinical_assistant")]
    found = classifiers(shipped)
    assert (found.state, "clinical_assistant: injections by hospital_line" in found.found) == ("ok", True)
    warned = classifiers([*shipped, load_pack(renamed(tmp_path, ""))])
    assert (warned.state, "our_line" in warned.advice, "our_line: rules alone" in warned.found) == ("warn", True, True)
