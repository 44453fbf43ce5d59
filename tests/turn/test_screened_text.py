"""Text that was not screened cannot be shown: held by the type, and by who may make it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

import careline
from careline import screened
from careline.schemas import wire
from careline.screened import ScreenedText

PACKAGE = Path(careline.__file__).parent
MAKER = "turn/speak/screen_output.py"


def code() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the package but the one that defines the type."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name != "screened.py":
            yield name, ast.parse(path.read_text("utf-8"))


def reaches_for_the_seal(tree: ast.Module) -> bool:
    """Whether a module names `_seal` or `_KEY` in any way: imported, as an attribute, or as a text for `getattr`."""
    secret = {"_seal", "_KEY"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name in secret | {"*"} for alias in node.names):
            if (node.module or "").endswith("screened"):
                return True
        elif isinstance(node, ast.Attribute) and node.attr in secret:
            return True
        elif isinstance(node, ast.Constant) and node.value in secret:
            return True
    return False


def test_only_the_output_screen_reaches_for_the_seal() -> None:
    assert [name for name, tree in code() if reaches_for_the_seal(tree)] == [MAKER]


@pytest.mark.parametrize(
    "source",
    ["from careline.screened import _seal", "from .screened import _seal as s", "from careline.screened import *",
     "import careline.screened\ncareline.screened._seal('x')", "getattr(screened, '_seal')", "screened._KEY"],
)  # fmt: skip
def test_every_way_to_reach_for_the_seal_is_noticed(source: str) -> None:
    assert reaches_for_the_seal(ast.parse(source))


def test_nobody_calls_the_type_itself() -> None:
    calls = [
        name
        for name, tree in code()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id == "ScreenedText")
            or (isinstance(node.func, ast.Attribute) and node.func.attr in {"ScreenedText", "model_construct"})
        )
    ]
    assert calls == []


@pytest.mark.parametrize("key", [None, object(), "key"])
def test_everybody_else_is_refused(key: object) -> None:
    with pytest.raises(TypeError, match="screen_output"):
        ScreenedText("text", key)


def sealed(text: str) -> ScreenedText:
    return screened._seal(text)


def test_a_shaper_keeps_the_type_and_ordinary_changes_lose_it() -> None:
    text = sealed("Hallo wereld")
    assert type(text.reshaped(str.upper)) is ScreenedText
    for changed in (text + "!", text.upper(), f"{text}", text[:3], text.replace("H", "h"), "".join([text])):
        assert type(changed) is not ScreenedText or changed == text


class Shown(BaseModel):
    """Something with a screened text in it."""

    text: ScreenedText


def test_a_plain_text_is_refused_in_code_and_read_from_json() -> None:
    with pytest.raises(ValidationError):
        Shown(text="plain")  # type: ignore[arg-type]
    with pytest.raises(ValidationError):
        Shown.model_validate({"text": "plain"})
    read = Shown.model_validate_json('{"text": "received"}')
    assert type(read.text) is ScreenedText
    assert Shown(text=sealed("screened")).text == "screened"


def test_it_is_written_as_a_text() -> None:
    shown = Shown(text=sealed("één"))
    assert json.loads(shown.model_dump_json()) == {"text": "één"}
    assert Shown.model_json_schema()["properties"]["text"]["type"] == "string"


@pytest.mark.parametrize("text", ["gewoon", "met\nregels\n\n", "event: done\ndata: {}", "\u2028", "é🚑"])
def test_a_token_comes_over_the_wire_as_it_was_sent(text: str) -> None:
    with pytest.raises(ValidationError):
        wire.Token(text=text)  # type: ignore[arg-type]
    sent = wire.Token(text=sealed(text))
    (read,) = wire.read_events(sent.to_sse().decode().split("\n"))
    assert read == sent
    assert type(read.text) is ScreenedText  # type: ignore[attr-defined]
