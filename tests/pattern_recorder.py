"""Run as a program: imports every module of the package, works with it, and prints every pattern that `re` compiled.

A process of its own, because a module that was imported before has compiled its patterns already.
"""

from __future__ import annotations

import ast
import base64
import importlib
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDERS = {
    "layers/careline": "layers",
    "functions/careline_functions": "functions",
    "local/careline_local": "local",
    "voice_worker/careline_voice": "voice_worker",
}
CALLS = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}
ANCHORED = {"match", "fullmatch"}

Found = dict[tuple[str, int], set[tuple[Any, int]]]


def files() -> Iterator[tuple[Path, str]]:
    """Each source file of the package and its module's name."""
    for folder, root in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / root).with_suffix("").parts
            yield path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def recorded() -> Found:
    """What is compiled from now on, by the file and line that asked for it."""
    found: Found = {}
    compile_it = re._compile  # type: ignore[attr-defined]

    def record(pattern: Any, flags: Any) -> Any:
        made = compile_it(pattern, flags)
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_globals.get("__name__") == "re":
            frame = frame.f_back
        found.setdefault((frame.f_code.co_filename, frame.f_lineno), set()).add((made.pattern, made.flags))
        return made

    re._compile = record  # type: ignore[attr-defined]
    return found


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Each call of a function of `re` that takes a pattern."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
                yield node


def uses(tree: ast.AST) -> dict[str, set[str]]:
    """Under which methods each name is used: `search` for whatever is not called at once."""
    found: dict[str, set[str]] = {}
    methods = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, set()).add(methods.get(id(node), "search"))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.attr, set()).add(methods.get(id(node), "search"))
    return found


def work() -> None:
    """What compiles its patterns when it is first used."""
    from click.testing import CliRunner

    from careline.knowledge.clean.clean import clean
    from careline.knowledge.extract import read
    from careline.speech.spoken.numbers import spoken_numbers
    from careline.text.figures import figures, readable
    from careline.text.values import values
    from careline_local.cli.main import main

    for language in ("nl", "en", "fr", "it"):
        spoken_numbers("Prof. dr. An, bezoek lun. 9.00-12.00, 8.00, tel. 1712, ½ tablet, op 25/12", language)
    values("van 10 tot 20 euro", ("nl",))
    figures(readable("Op de tweede verdieping, drie keer een uur."), ("nl",), articles=True)
    # What a child of the ingestion does, here.
    page = "# Pijn\n\nMail naar pijn [at] sint-anna [dot] example.\n\n## Bronnen\n\n- Formularium, hoofdstuk 2\n"
    clean(read("pijn.md", page.encode()))
    read("pijn.html", b"<p>Welkom op onze dienst.</p><footer>Bel bij nood 112.</footer>")
    with tempfile.TemporaryDirectory() as home:
        document = Path(home, "bezoek.md")
        visit = "# Bezoek\n\nU kan op bezoek van 14.00 tot 20.00 uur. Parkeren kost 2,50 euro per uur.\n"
        document.write_text(f"{visit}\nOnthaal: route 12\n")
        for said in (["ingest", str(document)], ["ask", "Hoe laat is het bezoekuur? Ik ben op 3 mei 1950 geboren."]):
            result = CliRunner().invoke(main, ["--home", home, *said], catch_exceptions=False)
            assert result.exit_code == 0, result.output


def run() -> list[dict[str, Any]]:
    found = recorded()
    modules: dict[Path, ModuleType] = {}
    for path, name in files():
        modules[path] = importlib.import_module(name)
    work()
    trees = {path: ast.parse(path.read_text("utf-8")) for path in modules}
    everywhere = [uses(tree) for tree in trees.values()]
    return [
        line
        for path, tree in trees.items()
        for call in calls(tree)
        for line in _lines(path, call, tree, modules[path], found, everywhere)
    ]


def _lines(
    path: Path, call: ast.Call, tree: ast.AST, module: ModuleType, found: Found, everywhere: list[Any]
) -> Iterator[dict[str, Any]]:
    how = _how(call, tree, uses(tree), everywhere)
    place = f"{path.relative_to(ROOT)}:{call.lineno}"
    patterns = {
        one for at in range(call.lineno, (call.end_lineno or call.lineno) + 1) for one in found.get((str(path), at), ())
    }
    if not patterns:
        try:
            made = eval(compile(ast.Expression(call.args[0]), place, "eval"), vars(module))
            flags = [
                eval(compile(ast.Expression(one), place, "eval"), vars(module))
                for one in [*call.args[1:], *(k.value for k in call.keywords if k.arg == "flags")]
                if "re." in ast.unparse(one)
            ]
            compiled = re.compile(made, flags[0] if flags else 0)
            patterns = {(compiled.pattern, compiled.flags)}
        except NameError:
            yield {"place": place, "unseen": True}
    for pattern, flags in sorted(patterns, key=repr):
        of_bytes = isinstance(pattern, bytes)
        text = base64.b64encode(pattern).decode() if of_bytes else pattern
        yield {"place": place, "pattern": text, "bytes": of_bytes, "flags": flags & ~re.DEBUG, "how": how}


def _how(call: ast.Call, tree: ast.AST, here: dict[str, set[str]], everywhere: list[dict[str, set[str]]]) -> str:
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr != "compile":
        return call.func.attr if call.func.attr in ANCHORED else "search"
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and node.value is call and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            known = [here] if name.startswith("_") else everywhere
            methods = set().union(*(one.get(name, set()) for one in known))
            if methods and methods <= ANCHORED:
                return "match" if "match" in methods else "fullmatch"
    return "search"


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), *(str(ROOT / root) for root in set(FOLDERS.values()))]
    sys.stdout.write(json.dumps(run()))
