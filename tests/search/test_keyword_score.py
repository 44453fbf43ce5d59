"""Our own BM25 gives what tantivy gives, whose scores are the embedded index's."""

from __future__ import annotations

import random

import pytest
import tantivy

from careline.search.keyword_score import MOST_TERMS, FieldCounts, asked_terms, bm25, rarity

WORDS = [f"w{n}" for n in range(60)]


def some_texts(lengths: list[int], seed: int) -> list[list[str]]:
    chosen = random.Random(seed)
    return [[WORDS[int(chosen.random() ** 2 * len(WORDS))] for _ in range(length)] for length in lengths]


def by_tantivy(texts: list[list[str]], asked: list[str], others: int) -> dict[int, float]:
    """Scores of texts, by number, in an index that holds other passages without the field too."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("other", tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field("number", fast=True, stored=True)
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(15_000_000, 1)
    for number, text in enumerate([*texts, *[[] for _ in range(others)]]):
        document = tantivy.Document()
        document.add_text("text" if text else "other", " ".join(text) or "elsewhere")
        document.add_unsigned("number", number)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    parts = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", term, "freq")) for term in asked]
    searcher = index.searcher()
    hits = searcher.search(tantivy.Query.boolean_query(parts), len(texts)).hits
    return {searcher.doc(address)["number"][0]: score for score, address in hits}


@pytest.mark.parametrize("others", [0, 35])
@pytest.mark.parametrize("seed", range(4))
def test_a_text_scores_as_in_tantivy_whatever_its_length(seed: int, others: int) -> None:
    texts = some_texts([1, 2, 3, 23, 24, 25, 39, 40, 41, 43, 55, 57, 60, 127, 300, 1000], seed)
    asked = ["w0", "w3", "w20", "w59"]
    holding = {term: sum(term in text for text in texts) for term in asked}
    counts = FieldCounts(sum(map(len, texts)), holding)
    ours = {n: bm25(asked, text, counts, len(texts) + others) for n, text in enumerate(texts)}
    theirs = by_tantivy(texts, asked, others)
    assert {n: score for n, score in ours.items() if score} == pytest.approx(theirs, rel=1e-4)


def test_counts_that_lag_behind_the_passages_give_a_score_all_the_same() -> None:
    """A passage may be found a moment before the sums of its corpus are read again."""
    assert bm25(["w0"], ["w0", "w1"], FieldCounts(0, {"w0": 5}), 0) > 0


def test_a_question_asks_each_word_once_and_no_endless_list() -> None:
    assert asked_terms("parkeren en nog eens parkeren: parking", "nl").count("parker") == 1
    assert len(asked_terms(" ".join(f"woord{n}" for n in range(500)), "nl")) <= MOST_TERMS


def test_the_rarer_a_word_the_more_it_weighs() -> None:
    assert rarity(1000, 0) > rarity(1000, 5) > rarity(1000, 900) > 0
