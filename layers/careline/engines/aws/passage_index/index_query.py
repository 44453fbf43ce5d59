"""The bytes of one search: keywords and vector in one `_msearch`, and what comes back.

The nearest passages are looked for in each language by itself, and each language's own nearness is taken away again, as
in the embedded index; else a question's own language would fill the candidates with pages that do not answer it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from careline.engines.aws.passage_index.hidden_editions import Hidden
from careline.engines.aws.passage_index.index_documents import FACT_DATES, day
from careline.engines.aws.passage_index.index_keywords import Asked, asking, counting
from careline.engines.aws.passage_index.index_mapping import SEARCHED
from careline.errors import IndexUnavailable
from careline.ports import PassageQuery, Vector
from careline.search.corpus_means import QuestionMeans
from careline.search.filters import CheckedValues, Range, checked

CANDIDATES = 50
"""Hits taken from each side before they are fused, as in the embedded index."""
NEAREST = 100
"""Neighbours looked at; twice the candidates makes up for compressed vectors."""
BY_WORD = 100
"""Keyword hits that are scored again, of which the best candidates stay: OpenSearch weighs words within a language,
where the score weighs them within the corpus."""
PER_CLAUSE = 60_000
"""Editions in one clause, of which OpenSearch takes 65,536 (index.max_terms_count)."""
DECIMALS = 6
"""Of a boost on the wire."""

Side = Literal["words", "counts", "near"]
Source = Mapping[str, Any]
Clauses = Mapping[str, list[dict[str, Any]]]
"""`filter` and `must_not` of a query."""


@dataclass(frozen=True, slots=True)
class Searches:
    """The searches of one `_msearch`, each by its side."""

    sides: Mapping[Side, Mapping[str, Any]]

    @property
    def body(self) -> list[Mapping[str, Any]]:
        """A header and a search for each; empty when there is nothing to ask."""
        return [line for search in self.sides.values() for line in ({}, search)]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Both sides of a search by chunk id, and how many passages hold each word in each field."""

    by_word: Mapping[str, Source]
    near: Mapping[str, Source]
    holding: Mapping[str, int]


def filters(query: PassageQuery, live: Clauses) -> Clauses:
    """The clauses every candidate has to meet, those of what is live among them.

    Raises: BadRequest for a field or value that cannot be filtered on.
    """
    wanted = [_allowed(name, values) for name, values in checked(query.where).items()]
    outside = _outside(query.today) if query.today else []
    return {"filter": [*live["filter"], *wanted], "must_not": [*live["must_not"], *outside]}


def live_clauses(tenant: str, hidden: Hidden) -> Clauses:
    """Everything of a generation but what is hidden and what was announced since."""
    names = sorted(hidden.editions)
    return {
        "filter": [
            {"term": {"tenant": tenant}},
            {"term": {"generation": hidden.generation}},
            {"range": {"announced": {"lte": hidden.change}}},
        ],
        "must_not": [
            {"terms": {"edition": names[start : start + PER_CLAUSE]}} for start in range(0, len(names), PER_CLAUSE)
        ],
    }


def _allowed(name: str, values: CheckedValues) -> dict[str, Any]:
    """A clause that a passage meets whose field has one of the values, or lies in one of the ranges."""
    single: dict[str, Any] = {"terms": {name: [_indexed(name, one) for one in values if not isinstance(one, Range)]}}
    ranges = [_range(name, one) for one in values if isinstance(one, Range)]
    return {"bool": {"should": [single, *ranges], "minimum_should_match": 1}} if ranges else single


def _range(name: str, wanted: Range) -> dict[str, Any]:
    ends = {"gte": wanted.first, "lte": wanted.last}
    return {"range": {name: {end: _indexed(name, value) for end, value in ends.items() if value is not None}}}


def _indexed(name: str, value: str | int) -> str | int:
    """A value as the index holds it."""
    return day(date.fromisoformat(str(value))) if name in FACT_DATES else value


def _outside(today: date) -> list[dict[str, Any]]:
    return [{"range": {"valid_from": {"gt": day(today)}}}, {"range": {"valid_until": {"lt": day(today)}}}]


def searches(
    query: PassageQuery, asked: Asked, means: QuestionMeans, where: Clauses, live: Clauses
) -> Searches:
    """The searches for each side that has something to ask. `live` is what may be found at all, `where` what `filters`
    makes of it and of the query, `means` those of the languages that are searched."""
    size = max(CANDIDATES, query.limit)
    shared = {"size": size, "_source": {"excludes": list(SEARCHED)}, "track_total_hits": False}
    sides: dict[Side, Mapping[str, Any]] = {}
    if asked:
        wanted = {"bool": {"should": asking(asked), "minimum_should_match": 1, **where}}
        sides["words"] = {**shared, "size": max(BY_WORD, size), "query": wanted}
        sides["counts"] = {"size": 0, "track_total_hits": False, "query": {"bool": live}, "aggs": counting(asked)}
    if query.vector is not None and means.languages:
        sides["near"] = {**shared, "query": _nearest(query.vector, means, where, max(NEAREST, size))}
    return Searches(sides)


def _nearest(vector: Vector, means: QuestionMeans, where: Mapping[str, Any], k: int) -> dict[str, Any]:
    """The nearest of each language, ordered by what is left without the language's own nearness: a cosine's score is
    the cosine and one, and the languages that lie furthest away gain what the nearest one gains by itself."""
    away = {language: means.away(language) for language in sorted(means.languages)}
    most = max(away.values())
    of_languages = [
        {"bool": {"must": [_near(vector, language, where, k), _worth(language, most - taken)]}}
        for language, taken in away.items()
    ]
    return {"bool": {"should": of_languages, "minimum_should_match": 1}}


def _near(vector: Vector, language: str, where: Mapping[str, Any], k: int) -> dict[str, Any]:
    there = {**where, "filter": [*where["filter"], {"term": {"language": language}}]}
    numbers = [round(float(value), DECIMALS) for value in vector]
    return {"knn": {"vector": {"vector": numbers, "k": k, "filter": {"bool": there}}}}


def _worth(language: str, boost: float) -> dict[str, Any]:
    """A clause that every passage of a language meets and that is worth its boost, as `terms` scores nothing else."""
    return {"terms": {"language": [language], "boost": round(boost, DECIMALS)}}


def read(answer: Mapping[str, Any], sides: Iterable[Side]) -> Candidates:
    """Every side of the answer. A passage that was stored twice counts once. Raises: IndexUnavailable."""
    responses: dict[Side, Mapping[str, Any]] = dict(zip(sides, answer["responses"], strict=True))
    for response in responses.values():
        _check(response)
    holding: dict[str, int] = {}
    if "counts" in responses:
        buckets = responses["counts"]["aggregations"]["holding"]["buckets"]
        holding = {name: int(bucket["doc_count"]) for name, bucket in buckets.items()}
    return Candidates(_sources(responses.get("words")), _sources(responses.get("near")), holding)


def _sources(response: Mapping[str, Any] | None) -> dict[str, Source]:
    found: dict[str, Source] = {}
    for hit in response["hits"]["hits"] if response else ():
        found.setdefault(hit["_source"]["chunk_id"], hit["_source"])
    return found


def _check(response: Mapping[str, Any]) -> None:
    if "error" in response:
        raise IndexUnavailable(f"the index refused a search: {response['error'].get('type', 'unknown')}")
    if response.get("timed_out") or response.get("_shards", {}).get("failed"):
        raise IndexUnavailable("the index did not finish a search", retry_after=5)
