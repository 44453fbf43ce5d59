"""What is said in plain words where an emergency was answered without its record."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import yaml

from careline.schemas import wire

CODE = "NOT_RECORDED"
_TEXT = files("careline.turn.emergencies").joinpath("not_recorded.yaml").read_text("utf-8")
# Read here: when it is said, no file may be there to be read any more.
_SAID: Mapping[str, Mapping[str, str]] = yaml.load(_TEXT, Loader=yaml.CSafeLoader)


def not_recorded(language: str, *, may_follow: bool = False) -> wire.Notice:
    """The notice in a language. `may_follow`: the record was not there in time, and may still be written."""
    return wire.Notice(code=CODE, message=_SAID["none_yet" if may_follow else "none"][language])
