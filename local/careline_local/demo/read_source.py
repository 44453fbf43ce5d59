"""Reads one Markdown source and checks its front matter, so that a mistake is reported where it was written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from careline_local.demo.parse_markdown import Block, DocumentError, Heading, InlineSpan, parse_markdown

FORMATS = ("pdf", "docx", "html", "md", "txt")
LANGUAGES = ("nl", "fr", "it", "en")
REQUIRED = ("title", "format", "source_type", "identifier", "language")
FACTS = (
    "title", "source_type", "language", "audience", "specialty", "organisation", "publisher", "authors", "year",
    "doi", "pmid", "recommendation_class", "evidence_level", "drug_name", "valid_from", "valid_until", "owner",
    "review_date", "url",
)  # fmt: skip
DATES = ("valid_from", "valid_until", "review_date")
PRESENTATION = ("format", "identifier", "campus", "running_header")

_FENCED = re.compile(r"\A---[ \t]*\r?\n(?P<front>.*?)^---[ \t]*\r?\n(?P<body>.*)\Z", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """One document before it has a file format; `blocks` always opens with the title as a first-level heading."""

    slug: str
    format: str
    identifier: str
    facts: Mapping[str, object]
    campus: str
    running_header: str
    body: str
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        return str(self.facts["title"])

    @property
    def language(self) -> str:
        return str(self.facts["language"])

    @property
    def doc_key(self) -> str:
        """`{source_type}-{identifier}`, with the language so that translations are separate documents."""
        return f"{self.facts['source_type']}-{self.identifier}-{self.language}"

    @property
    def authors(self) -> str:
        """The people, or failing them the organisation, that the document names; empty when it names nobody."""
        authors = self.facts.get("authors") or self.facts.get("organisation") or ""
        return ", ".join(map(str, authors)) if isinstance(authors, list) else str(authors)


def read_source(path: Path) -> DocumentSource:
    """Return the document that `path` describes.

    Raises DocumentError when the file is not UTF-8, has no front matter, misses a required key, carries a key or a
    value nobody would read, or holds Markdown outside the supported set.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError("the file is not UTF-8 text") from error
    parts = _FENCED.match(text)
    if parts is None:
        raise DocumentError("the file does not start with front matter between two lines of ---")
    front = _front_matter(parts["front"])
    body = parts["body"].replace("\r\n", "\n").strip() + "\n"
    return DocumentSource(
        slug=path.stem,
        format=str(front["format"]),
        identifier=str(front["identifier"]),
        facts={key: _fact(key, front[key]) for key in FACTS if key in front},
        campus=str(front.get("campus", "")),
        running_header=str(front.get("running_header", "")),
        body=body,
        blocks=_titled(parse_markdown(body), str(front["title"])),
    )


def load_yaml(text: str) -> Any:
    """Return the plain values in `text`, read by the C parser where PyYAML has it: it is ten times faster."""
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  both are safe loaders


def _front_matter(text: str) -> Mapping[str, object]:
    try:
        front = load_yaml(text)
    except yaml.YAMLError as error:
        raise DocumentError(f"the front matter is not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(front, dict):
        raise DocumentError("the front matter is not a list of keys and values")
    given = {str(key): value for key, value in front.items() if value not in (None, "", [])}
    if missing := [key for key in REQUIRED if key not in given]:
        raise DocumentError(f"the front matter has no {', '.join(missing)}")
    if unknown := sorted(given.keys() - {*FACTS, *PRESENTATION}):
        raise DocumentError(f"the front matter has an unknown key: {', '.join(unknown)}")
    _one_of("format", given["format"], FORMATS)
    _one_of("language", given["language"], LANGUAGES)
    for key in ("source_type", "identifier"):
        if not _NAME.fullmatch(str(given[key])):
            raise DocumentError(f"{key} {given[key]!r} is not lower-case letters and digits joined by - or _")
    return given


def _one_of(key: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise DocumentError(f"{key} {value!r} is not one of {', '.join(allowed)}")


def _fact(key: str, value: object) -> object:
    """Return dates as dates and a list of authors as text; everything else is kept as written."""
    if key == "authors" and isinstance(value, list):
        return [str(author) for author in value]
    if key not in DATES or type(value) is date:
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError as error:
        raise DocumentError(f"{key} {value!r} is not a date like 2026-01-31") from error


def _titled(blocks: tuple[Block, ...], title: str) -> tuple[Block, ...]:
    match blocks:
        case (Heading(level=1), *_):
            return blocks
        case _:
            return (Heading(1, (InlineSpan(title),)), *blocks)
