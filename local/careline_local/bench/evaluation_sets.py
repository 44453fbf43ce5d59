"""Where the sets are that the benches judge by: in the repository, and never in what is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from careline.errors import SettingsInvalid

Part = Literal["held_out", "open"]
_REPOSITORY = Path(__file__).parents[3]
FOLDERS: dict[str, Path] = {
    "held_out": _REPOSITORY / "tests" / "evaluation",
    "open": _REPOSITORY / "training" / "development",
}
"""The held-out half, which nothing learned from, and the half that is open to whoever works on the screens."""

_APART = (
    "the sets of this bench are in the repository, not in the package: run it in a checkout. Your own documents and "
    "questions need none: careline bench answers --on FOLDER"
)


def lines_of(part: str, language: str, name: str) -> Path:
    """The file of the lines of one set: `utterances`, `answers`, `injections` or `phi`. Raises: SettingsInvalid."""
    return _found(FOLDERS[part] / language / (f"{name}.held_out.jsonl" if part == "held_out" else f"{name}.jsonl"))


def questions_of(part: str, language: str) -> Path:
    """The file of the questions of one language. Raises: SettingsInvalid."""
    folder = FOLDERS[part]
    return _found(
        folder / "answers" / f"{language}.yaml" if part == "held_out" else folder / language / "questions.yaml"
    )


def hospitals_of(part: Part) -> list[Path]:
    """The folders of the hospitals of one part, each with documents and questions, by name. Raises: SettingsInvalid."""
    folder = FOLDERS[part] / "hospitals"
    if not folder.is_dir():
        raise SettingsInvalid(_APART)
    return sorted(one for one in folder.iterdir() if one.is_dir())


def _found(file: Path) -> Path:
    if not file.is_file():
        raise SettingsInvalid(_APART)
    return file
