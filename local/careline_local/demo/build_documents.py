"""Builds the demonstration hospital's documents from their Markdown sources: the laptop needs real files to read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import yaml

from careline_local.demo.parse_markdown import DocumentError
from careline_local.demo.read_source import DocumentSource, load_yaml, read_source
from careline_local.demo.write_docx import write_docx
from careline_local.demo.write_html import write_html
from careline_local.demo.write_pdf import write_pdf
from careline_local.demo.write_text import write_markdown, write_plain

MANIFEST = "careline.yaml"
HERE = Path(__file__).parent
SOURCE_FOLDERS = ("documents", "clinical")

WRITERS: Mapping[str, Callable[[DocumentSource, str], bytes]] = MappingProxyType(
    {"pdf": write_pdf, "docx": write_docx, "html": write_html, "md": write_markdown, "txt": write_plain}
)


class SourcesRejected(Exception):
    """Some sources could not be built; everything else was, and `manifest` lists it.

    `lines` holds one line per rejected source: its path, then what is wrong with it.
    """

    def __init__(self, lines: Sequence[str], manifest: Path) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)
        self.manifest = manifest


def build(
    sources: Sequence[Path],
    target: Path,
    progress: Callable[[int, int], None] | None = None,
    *,
    hospital: Mapping[str, str],
) -> Path:
    """Build every source into `target/<language>/<name>.<format>` and return the path of the manifest beside them.

    `hospital` gives the hospital's name per language; `progress` is told how many sources are done, and of how many.
    The same sources give the same bytes. Raises SourcesRejected, after building all the others, when a source is
    not usable.
    """
    documents: dict[str, dict[str, object]] = {}
    origins: dict[str, Path] = {}
    rejected: list[str] = []
    for done, path in enumerate(sources, 1):
        try:
            source = read_source(path)
            name = f"{source.language}/{source.slug}.{source.format}"
            _claim(origins, (name, source.doc_key), path)
            content = WRITERS[source.format](source, _hospital_name(hospital, source.language))
        except DocumentError as error:
            rejected.append(f"{path}: {error}")
        else:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(content)
            documents[name] = {"doc_key": source.doc_key, **source.facts}
        if progress is not None:
            progress(done, len(sources))
    manifest = _write_manifest(target, documents)
    if rejected:
        raise SourcesRejected(rejected, manifest)
    return manifest


def find_sources(folder: Path = HERE) -> list[Path]:
    """Return the sources under `folder`, in an order that does not depend on the file system."""
    return sorted(path for kind in SOURCE_FOLDERS for path in (folder / kind).glob("*/*.md"))


def read_hospital_names(directory: Path = HERE / "directory.yaml") -> dict[str, str]:
    """Return the hospital's name per language from the directory that the whole demonstration shares."""
    names: dict[str, str] = load_yaml(directory.read_text(encoding="utf-8"))["tenant"]["names"]
    return names


def main(arguments: Sequence[str]) -> int:
    """Build all sources into the folder given as the only argument; return 1 when one was rejected, 2 for misuse."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m careline_local.demo.build_documents TARGET\n")
        return 2
    sources = find_sources()
    try:
        manifest = build(sources, Path(arguments[0]), hospital=read_hospital_names())
    except SourcesRejected as rejection:
        sys.stderr.write("".join(f"{line}\n" for line in rejection.lines))
        return 1
    sys.stdout.write(f"{len(sources)} documents, listed in {manifest}\n")
    return 0


def _claim(origins: dict[str, Path], names: Sequence[str], path: Path) -> None:
    """Take a file name and a document key for one source; two sources sharing either would overwrite each other."""
    for name in names:
        if name in origins:
            raise DocumentError(f"{name} is already made from {origins[name]}")
    origins.update(dict.fromkeys(names, path))


def _hospital_name(hospital: Mapping[str, str], language: str) -> str:
    if language not in hospital:
        raise DocumentError(f"the hospital has no name in the language {language!r}")
    return hospital[language]


def _write_manifest(target: Path, documents: Mapping[str, Mapping[str, object]]) -> Path:
    listed = {name: dict(facts) for name, facts in sorted(documents.items())}
    target.mkdir(parents=True, exist_ok=True)
    manifest = target / MANIFEST
    manifest.write_text(
        yaml.safe_dump({"documents": listed}, sort_keys=False, allow_unicode=True, width=120), encoding="utf-8"
    )
    return manifest


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
