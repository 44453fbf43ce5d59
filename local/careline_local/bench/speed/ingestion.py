"""How fast documents are read, by format, and how fast passages are embedded; the demo's own documents."""

from __future__ import annotations

import time
from pathlib import Path

from careline.engines.embedded.embedder import E5Embedder
from careline.knowledge.chunk.chunk import chunk
from careline.knowledge.clean.clean import clean
from careline.knowledge.embed import text_of
from careline.knowledge.extract import read
from careline.model import DocumentFacts
from careline_local.bench.measures import Measure, figure
from careline_local.demo.build_documents import HERE, build, find_sources, read_hospital_names

WORDS_OF_A_PAGE = 400
"""DOCX and HTML have no pages; a page is counted as 400 words there."""
EMBEDDED = 200
"""Passages that are embedded for the measurement."""


def run(folder: Path) -> list[Measure]:
    """Read, clean and chunk every demo document on one core, then embed some of the passages on all of them."""
    build(find_sources(HERE), folder, hospital=read_hospital_names())
    embedder = E5Embedder()
    embedder.count_tokens("warm")
    figures, texts = [], []
    for ending in ("pdf", "docx", "html"):
        speeds = []
        for path in sorted(folder.rglob(f"*.{ending}")):
            began = time.process_time()
            text = clean(read(path.name, path.read_bytes()))
            chunks = chunk(text, path.parent.name, embedder.count_tokens)
            spent = time.process_time() - began
            words = sum(len(page.text.split()) for page in text.pages)
            pages = len(text.pages) if text.paged else max(1.0, words / WORDS_OF_A_PAGE)
            speeds.append(pages / spent)
            texts += [text_of(one, DocumentFacts(path.stem, "bench", path.parent.name)) for one in chunks]
        figures.append(figure(f"read, clean and chunk {ending.upper()}, by document", "pages/s/core", speeds))
    chosen = texts[:: max(1, len(texts) // EMBEDDED)][:EMBEDDED]
    began = time.perf_counter()
    embedder.embed("passage: ", chosen)
    rate = len(chosen) / (time.perf_counter() - began)
    tokens = sum(map(embedder.count_tokens, chosen)) / len(chosen)
    return [*figures, figure(f"embed passages of {tokens:.0f} tokens on average", "passages/s", [rate])]
