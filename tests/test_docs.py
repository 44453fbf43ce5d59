"""The documentation is short where it must be, and names nothing that does not exist."""

from __future__ import annotations

import io
import re
import shlex
import tokenize
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from careline.knowledge import pipeline as ingestion
from careline.settings import PREFIX, Settings
from careline.turn import pipeline
from careline_local.cli.main import main

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
READ_IN_A_MINUTE = 238
"""Words that somebody reads silently (Brysbaert 2019, the mean of 190 studies)."""
FOLDERS = "docs layers functions local infra tests events training voice_worker".split()
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
GLOSSARY, CHANGELOG = ROOT / "docs" / "glossary.md", ROOT / "CHANGELOG.md"
PRESENT = [page for page in PAGES if page != CHANGELOG]
"""Pages that tell of what is there now."""
HOLD_FORMER_NAMES = {GLOSSARY, CHANGELOG, Path(__file__)}
FORMER = (
    "UtteranceEmbedder leaves_house DrillError CARELINE_DRILL min_lift gist_of tell_language Doorkeeper TaskStarter "
    "StateMachineStarter TailModel SuffixScreen second_look CARELINE_MEANING IngestionStarter obeys"
).split()
"""Identifiers that mean nothing else, wherever they stand."""
FORMER_WORDS = frozenset(
    "Book Shelf Seals Brief Draft Said Sent Gists gist gists Shield Ticket Patience take_in".split()
)
"""Identifiers that are English words as well: only names in Python code are looked at."""
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PATH = re.compile(r"\.?[\w<>*-]+(?:/[\w.<>*-]+)+/?")
_MODULE = re.compile(r"(?:careline|careline_functions|careline_local)(?:\.(?!yaml$)\w+)+")


def called(page: Path) -> str:
    """How the test of a page is called."""
    return str(page.relative_to(ROOT))


def inline(page: Path) -> list[str]:
    """What stands in backticks within a line."""
    return _INLINE.findall(_FENCE.sub("", page.read_text(encoding="utf-8")))


def sources(*endings: str) -> Iterator[Path]:
    """Files of the repository with these endings."""
    for folder in FOLDERS:
        yield from (file for file in (ROOT / folder).rglob("*") if file.suffix in endings and file.is_file())


def anchors(page: Path) -> set[str]:
    """Names of a page's headings, as a link writes them."""
    headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_readme_is_read_in_five_minutes() -> None:
    assert len(README.read_text(encoding="utf-8").split()) <= 5 * READ_IN_A_MINUTE


@pytest.mark.parametrize("page", PAGES, ids=called)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_linked_from_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in _LINK.findall(index.read_text("utf-8"))}
    assert [page.name for page in index.parent.glob("*.md") if page != index and page.resolve() not in linked] == []


def exists(path: str) -> bool:
    """Whether there is such a file, as seen from the repository, a package or a pack; `<lang>` stands for any name."""
    pattern = re.sub(r"<\w+>", "*", path.rstrip("/"))
    tops = (ROOT, ROOT / "layers", ROOT / "layers" / "careline", *(ROOT / "layers" / "careline_packs").iterdir())
    return any(next(iter(top.glob(pattern)), None) is not None for top in tops)


def looks_like_a_path(text: str) -> bool:
    """Whether it begins with a folder of the repository or of the package; what ends in a number is a record's key."""
    first = text.partition("/")[0]
    inside = (ROOT, ROOT / "layers", ROOT / "layers" / "careline")
    is_key = text.rpartition("/")[2].isdigit()
    return _PATH.fullmatch(text) is not None and not is_key and any((top / first).is_dir() for top in inside)


@pytest.mark.parametrize("page", PRESENT, ids=called)
def test_every_path_in_backticks_exists(page: Path) -> None:
    assert [path for path in inline(page) if looks_like_a_path(path) and not exists(path)] == []


def is_module(dotted: str) -> bool:
    """Whether it names a package or module, or something that stands in one."""
    parts = dotted.split(".")
    for top in ("layers", "functions", "local"):
        for kept in range(len(parts), 1, -1):
            folder = ROOT / top / Path(*parts[:kept])
            file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
            if file.is_file():
                rest = parts[kept:]
                return not rest or re.search(rf"\b{rest[0]}\b", file.read_text(encoding="utf-8")) is not None
    return False


@pytest.mark.parametrize("page", PRESENT, ids=called)
def test_every_module_in_backticks_exists(page: Path) -> None:
    assert [name for name in inline(page) if _MODULE.fullmatch(name) and not is_module(name)] == []


def commands(page: Path) -> Iterator[list[str]]:
    """The words after `careline` wherever a page shows a command: on a line of its own or in backticks."""
    text = page.read_text(encoding="utf-8")
    lines = [line.strip().split(" # ")[0].removeprefix("$ ").split("| ")[-1] for line in text.splitlines()]
    for shown in [*lines, *inline(page)]:
        if re.match(r"careline( --?[a-z]| [a-z-]+( |$|`))", shown) and not shown.endswith((".", ",")):
            yield shlex.split(shown.replace("'", " "))[1:]


def test_every_command_that_is_shown_exists_with_its_options() -> None:
    shown = [(page, words) for page in PAGES for words in commands(page) if words]
    assert len(shown) > 50
    for page, words in shown:
        check(words, f"{page.name}: careline {' '.join(words)}")


def check(words: list[str], shown: str) -> None:
    """Fail for a command, subcommand or option that does not exist."""
    command: click.Command = main
    while words:
        context = click.Context(command)
        options = {name: one for one in command.get_params(context) for name in (*one.opts, *one.secondary_opts)}
        word, *words = words
        if word.startswith("--"):
            assert word in options, shown
            option = options[word]
            words = words[1:] if isinstance(option, click.Option) and not option.is_flag else words
        elif isinstance(command, click.Group):
            found = command.get_command(context, word)
            if found is None and command.invoke_without_command:
                return
            assert found is not None, shown
            command = found


def test_every_setting_is_named_and_no_other() -> None:
    known = set(Settings.variables())
    listed = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert {name for name in known if f"`{name}`" not in listed} == set()
    for page in set(PRESENT) - HOLD_FORMER_NAMES:
        assert set(re.findall(rf"(?<!_){PREFIX}[A-Z_]+", page.read_text(encoding="utf-8"))) <= known, page.name


def test_the_picture_names_every_stage() -> None:
    picture = README.read_text(encoding="utf-8").split("```")[1]
    stages = [*(stage.__name__ for stage in pipeline.STAGES), *(name for name, _ in ingestion.STAGES)]
    assert [name for name in stages if name not in picture.split()] == []


def test_the_page_about_stages_lists_those_of_both_pipelines_in_order() -> None:
    page = (ROOT / "docs" / "stages.md").read_text(encoding="utf-8")
    of_turn, _, of_ingestion = page.partition("## Of the ingestion")
    of_turn_named = re.findall(r"^\| `(\w+)`", of_turn, re.MULTILINE)
    assert of_turn_named == ["admit", *(stage.__name__ for stage in pipeline.STAGES)]
    of_ingestion_named = re.findall(r"`(\w+)`", of_ingestion.partition(".")[0])
    assert of_ingestion_named == ["register", *(name for name, _ in ingestion.STAGES)]


def test_the_api_page_has_the_table_of_routes() -> None:
    shown = CliRunner().invoke(main, ["routes", "--markdown"]).output
    assert shown in (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), "careline routes --markdown prints it"


def test_every_direct_dependency_has_its_reason_and_licence() -> None:
    wanted = set()
    for file in (ROOT / "requirements").glob("*.in"):
        lines = [line.partition("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines()]
        wanted |= {re.split(r"[\[<>=; ]", line)[0].lower() for line in lines if line and not line.startswith("-")}
    told: set[str] = set()
    for line in (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[0] not in {"package", "---"}:
            assert all(cells), line
            told |= {name.lower() for name in cells[0].split(", ")}
    assert told == wanted


def files_with(word: str) -> list[str]:
    pattern = re.compile(rf"\b{word}\b")
    files = [*ROOT.glob("*.md"), *sources(".py", ".md", ".yaml")]
    found = [file for file in files if pattern.search(file.read_text(encoding="utf-8"))]
    return [str(file.relative_to(ROOT)) for file in found if file not in HOLD_FORMER_NAMES]


@pytest.mark.parametrize("word", FORMER)
def test_a_former_identifier_stands_in_the_glossary_alone(word: str) -> None:
    assert files_with(word) == []


def test_former_names_that_are_english_words_are_no_names_in_code() -> None:
    pattern = re.compile(rf"\b({'|'.join(FORMER_WORDS)})\b")
    for file in set(sources(".py")) - HOLD_FORMER_NAMES:
        text = file.read_text(encoding="utf-8")
        if pattern.search(text):
            tokens = tokenize.generate_tokens(io.StringIO(text).readline)
            assert FORMER_WORDS.isdisjoint({one.string for one in tokens if one.type == tokenize.NAME}), file
