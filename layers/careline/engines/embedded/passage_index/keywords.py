"""The keyword side of the embedded index: tantivy (BM25) with one analyser per language.

A passage is written into the fields of its own language; a question is analysed in every language and asks all fields,
the title counting twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from careline.engines.embedded.passage_index.damage import applied, holds, manifest
from careline.engines.embedded.passage_index.rows import Stored, Version
from careline.search.keyword_score import TITLE_WEIGHT, asked_terms, rarity
from careline.text.analysers import CODES, analyser, code_of

if TYPE_CHECKING:
    import tantivy

WRITER_BYTES = 30_000_000


class Keywords:
    """One tantivy index in a folder."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        folder.mkdir(parents=True, exist_ok=True)
        self._tantivy = tantivy
        self._folder = folder
        self._applied_file = folder / "applied.json"
        self._schema = _schema()
        self._index = tantivy.Index(self._schema, path=str(folder), reuse=True)
        for code in CODES:
            self._index.register_tokenizer(code, analyser(code))
        self._seen_applied = -1

    def applied(self) -> int:
        """The log entry up to which this index is written."""
        return self._mark()[0]

    def _mark(self) -> tuple[int, Mapping[str, int]]:
        try:
            return applied(self._applied_file.read_text())
        except (FileNotFoundError, ValueError):
            return 0, {}

    def is_sound(self) -> bool:
        """Whether the files are those that were written; while another process writes, that cannot be told."""
        mark = self._mark()
        if holds(self._folder, mark[1]):
            return True
        try:
            writer = self._index.writer(WRITER_BYTES, 1)
        except ValueError:
            return True
        # Nobody else is writing now: a mark that is still the same and does not fit tells of damage, or of a kill.
        sound = self._mark() != mark or holds(self._folder, mark[1])
        del writer
        return sound

    def apply(self, gone: Iterable[int], live: Iterable[tuple[Version, Stored]], upto: int) -> bool:
        """Write changes and remember the log entry; False when another process is writing. May be repeated."""
        try:
            writer = self._index.writer(WRITER_BYTES, 1)
        except ValueError:
            return False
        if self.applied() == 0:
            writer.delete_all_documents()
        cleared: set[int] = set()
        for version_id in gone:
            writer.delete_documents_by_term("version", str(version_id))
        for version, one in live:
            if version.version_id not in cleared:
                writer.delete_documents_by_term("version", str(version.version_id))
                cleared.add(version.version_id)
            writer.add_document(self._document(version, one))
        writer.commit()
        writer.wait_merging_threads()
        beside = self._applied_file.with_suffix(".part")
        files = manifest(self._folder, frozenset({self._applied_file.name}))
        beside.write_text(json.dumps({"log": upto, "files": files}))
        beside.replace(self._applied_file)
        return True

    def refresh(self) -> None:
        """See what this or another process has written."""
        applied = self.applied()
        if applied != self._seen_applied:
            self._index.reload()
            self._seen_applied = applied

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """Passages and BM25 scores, best first."""
        query = self._query(text)
        if query is None:
            return []
        searcher = self._index.searcher()
        hits = searcher.search(query, limit, count=False).hits
        ids = searcher.fast_field_values("passage", [address for _, address in hits])
        return [(int(number or 0), float(score)) for number, (score, _) in zip(ids, hits, strict=True)]

    def rarity(self, term: str, code: str) -> float:
        """How rare an analysed word is among the passages (`careline.search.keyword_score`)."""
        code = code_of(code)
        searcher = self._index.searcher()
        having = max(searcher.doc_freq(f"{part}_{code}", term) for part in ("title", "text"))
        return rarity(searcher.num_docs, having)

    def _query(self, text: str) -> tantivy.Query | None:
        query, should = self._tantivy.Query, self._tantivy.Occur.Should
        parts = []
        for code in CODES:
            for term in asked_terms(text, code):
                parts.append((should, query.term_query(self._schema, f"text_{code}", term, "freq")))
                title = query.term_query(self._schema, f"title_{code}", term, "freq")
                parts.append((should, query.boost_query(title, TITLE_WEIGHT)))
        return query.boolean_query(parts) if parts else None

    def _document(self, version: Version, one: Stored) -> tantivy.Document:
        code = code_of(version.facts.language)
        document = self._tantivy.Document()
        document.add_text("version", str(version.version_id))
        document.add_unsigned("passage", one.passage_id)
        document.add_text(f"title_{code}", " ".join((version.facts.title, *one.chunk.heading_path)))
        document.add_text(f"text_{code}", one.chunk.text)
        return document


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("version", stored=False, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("passage", stored=False, indexed=False, fast=True)
    for code in CODES:
        builder.add_text_field(f"title_{code}", stored=False, tokenizer_name=code, index_option="freq")
        builder.add_text_field(f"text_{code}", stored=False, tokenizer_name=code, index_option="freq")
    return builder.build()
