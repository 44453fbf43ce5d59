"""The bytes of one search: keywords and vector in one `_msearch`, and what comes back.

Each word of the question is asked of the fields of those languages in which it informs, and an aggregation counts the
passages that hold it, so that rare words weigh more when the coverage of a hit is told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from careline.engines.aws.index_documents import FACT_DATES, day
from careline.errors import IndexUnavailable
from careline.model import Passage
from careline.ports import PassageQuery, Vector
from careline.search.filters import checked
from careline.search.words import CODES, terms

CANDIDATES = 50
"""Hits taken from each side before they are fused, as in the embedded index."""
NEAREST = 100
"""Neighbours looked at; twice the candidates makes up for compressed vectors."""
MOST_WORDS = 40
TITLE_WEIGHT = 2


@dataclass(frozen=True, slots=True)
class Candidates:
    """Both sides of a search by chunk id: documents, BM25 scores, and how many passages hold each word."""

    sources: Mapping[str, Mapping[str, Any]]
    bm25: Mapping[str, float]
    holding: Mapping[str, int]


def informative_words(text: str) -> dict[str, tuple[str, ...]]:
    """The words of a question, in order, with the languages in which each says what the question is about."""
    found = dict.fromkeys(re.findall(r"\w+", text.lower()))
    informing = {word: tuple(code for code in CODES if terms(word, code)) for word in found}
    return dict([(word, codes) for word, codes in informing.items() if codes][:MOST_WORDS])


def filters(query: PassageQuery, editions: Sequence[str]) -> dict[str, Any]:
    """The clauses every candidate has to meet. Raises: BadRequest for a field or value that cannot be filtered on."""
    wanted: list[dict[str, Any]] = [{"term": {"tenant": query.tenant}}, {"terms": {"edition": list(editions)}}]
    wanted += [{"terms": {name: _indexed(name, values)}} for name, values in checked(query.where).items()]
    return {"filter": wanted, "must_not": _outside(query.today)} if query.today else {"filter": wanted}


def _indexed(name: str, values: Sequence[str | int]) -> list[str | int]:
    """Values as the index holds them."""
    return [day(date.fromisoformat(str(value))) for value in values] if name in FACT_DATES else list(values)


def _outside(today: date) -> list[dict[str, Any]]:
    return [{"range": {"valid_from": {"gt": day(today)}}}, {"range": {"valid_until": {"lt": day(today)}}}]


def searches(
    words: Mapping[str, tuple[str, ...]], vector: Vector | None, where: Mapping[str, Any], limit: int
) -> list[dict[str, Any]]:
    """The body of the `_msearch`: a header and a search for each side that has something to ask."""
    size = max(CANDIDATES, limit)
    shared = {"size": size, "_source": {"excludes": ["vector"]}, "track_total_hits": False}
    body: list[dict[str, Any]] = []
    if words:
        asked = {"bool": {"should": _clauses(words), "minimum_should_match": 1, **where}}
        holding = {word: _clause(word, codes) for word, codes in words.items()}
        body += [{}, {**shared, "query": asked, "aggs": {"holding": {"filters": {"filters": holding}}}}]
    if vector is not None:
        near = {"vector": _numbers(vector), "k": max(NEAREST, size), "filter": {"bool": dict(where)}}
        body += [{}, {**shared, "query": {"knn": {"vector": near}}}]
    return body


def _numbers(vector: Vector) -> list[float]:
    return [round(float(value), 6) for value in vector]


def _clauses(words: Mapping[str, tuple[str, ...]]) -> list[dict[str, Any]]:
    """One clause for all words that inform in the same languages."""
    together: dict[tuple[str, ...], list[str]] = {}
    for word, codes in words.items():
        together.setdefault(codes, []).append(word)
    return [_clause(" ".join(some), codes) for codes, some in together.items()]


def _clause(text: str, codes: Sequence[str]) -> dict[str, Any]:
    fields = [field for code in codes for field in (f"title_{code}^{TITLE_WEIGHT}", f"text_{code}")]
    return {"multi_match": {"query": text, "type": "most_fields", "fields": fields}}


def read(answer: Mapping[str, Any], words: Mapping[str, object]) -> Candidates:
    """Both sides of the answer. A passage that was stored twice counts once. Raises: IndexUnavailable."""
    sources: dict[str, Mapping[str, Any]] = {}
    bm25: dict[str, float] = {}
    holding: dict[str, int] = {}
    for position, response in enumerate(answer["responses"]):
        _check(response)
        by_word = bool(words) and position == 0
        for hit in response["hits"]["hits"]:
            chunk_id = hit["_source"]["chunk_id"]
            sources.setdefault(chunk_id, hit["_source"])
            if by_word:
                bm25.setdefault(chunk_id, float(hit["_score"]))
        if by_word:
            buckets = response["aggregations"]["holding"]["buckets"]
            holding = {word: int(bucket["doc_count"]) for word, bucket in buckets.items()}
    return Candidates(sources, bm25, holding)


def _check(response: Mapping[str, Any]) -> None:
    if "error" in response:
        raise IndexUnavailable(f"the index refused a search: {response['error'].get('type', 'unknown')}")
    if response.get("timed_out") or response.get("_shards", {}).get("failed"):
        raise IndexUnavailable("the index did not finish a search", retry_after=5)


def coverage(words: Mapping[str, object], passage: Passage, holding: Mapping[str, int], passages: int) -> float:
    """The share of the question's words that a passage or its title holds, each weighing log(1 + (N + 1) / (1 + n)) as
    in the embedded index: N live passages, n of them with the word."""
    language = passage.facts.language
    weights = {
        term: math.log(1 + (passages + 1) / (1 + holding.get(word, 0)))
        for word in words
        for term in terms(word, language)
    }
    held = set(terms(" ".join((passage.facts.title, *passage.chunk.heading_path, passage.chunk.text)), language))
    return sum(weight for term, weight in weights.items() if term in held) / sum(weights.values()) if weights else 0.0
