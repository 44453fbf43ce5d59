"""The OpenSearch index of passages: its settings and mapping, as the template of the cloud and a laptop node create it.

Only what `AWS::OpenSearchServerless::Index` can say is used: one of four types (text, keyword, integer, knn_vector), an
analyser, a vector method, and whether a field is indexed; no sub-fields and no filters of our own. It knows no dates:
a day is the integer YYYYMMDD, which sorts as days do. Vectors have unit length, so the inner product, which every
engine and generation has, is the cosine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from careline.errors import SettingsInvalid
from careline.text.analysers import CODES

Service = Literal["aoss", "es"]
"""OpenSearch Serverless, or a cluster one runs oneself."""

ANALYSER = "whitespace"
"""Of the fields `title_*` and `text_*`, one for each language and `xx` for every other: they hold the informative words
as `careline.text.analysers` writes them, so that a word is the same word in every index."""
ANALYSED = tuple(f"{part}_{code}" for code in CODES for part in ("title", "text"))

KEYWORDS = (
    "tenant", "edition", "chunk_id", "doc_key", "document_id", "file_name", "kind", "title", "source_type", "language",
    "audience", "specialty", "authors", "publisher", "organisation", "doi", "pmid", "url", "recommendation_class",
    "evidence_level", "drug_name", "drug_class", "indication", "book_edition", "chapter", "owner", "embedding_model",
    "indexed_at", "category",
)  # fmt: skip
INTEGERS = ("version", "generation", "announced", "ordinal", "first_page", "last_page", "tokens", "year")
DAYS = ("valid_from", "valid_until", "review_date", "last_updated")
RETURNED = ("text", "heading_path", "table", "hidden", "titles", "curated", "packed", "windows")
"""Only given back, never searched: text that is not indexed may be of any length, a keyword at most 32,766 bytes."""
SEARCHED = (*ANALYSED, "vector")
"""Only searched, never given back."""

HNSW_M = 16
HNSW_CONSTRUCTION = 128
HNSW_SEARCH = 128
"""Links and list lengths of the graph: OpenSearch's defaults for m, and its tuning guide's for recall over 0.95."""


def index_body(dimensions: int, service: Service) -> dict[str, Any]:
    """What `PUT /<index>` takes. `vector` finds, `packed` (two bytes a number, base64) gives a hit's exact cosine,
    because Serverless compresses `vector` and leaves it out of what it returns."""
    properties: dict[str, Any] = {name: {"type": "keyword"} for name in KEYWORDS}
    properties |= {name: {"type": "integer"} for name in (*INTEGERS, *DAYS)}
    properties |= {name: {"type": "text", "index": False} for name in RETURNED}
    properties |= {name: {"type": "text", "analyzer": ANALYSER} for name in ANALYSED}
    properties["vector"] = {"type": "knn_vector", "dimension": dimensions, "method": _method(service)}
    settings = {"index": {"knn": True, "knn.algo_param.ef_search": HNSW_SEARCH}}
    return {"settings": settings, "mappings": {"properties": properties}}


def _method(service: Service) -> dict[str, Any]:
    return {
        "name": "hnsw",
        "engine": "faiss" if service == "aoss" else "lucene",
        "space_type": "innerproduct",
        "parameters": {"m": HNSW_M, "ef_construction": HNSW_CONSTRUCTION},
    }


def lacks(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The wanted fields that an index does not have yet.

    Raises: SettingsInvalid for a field that it holds in another way, which no index can be made to change.
    """
    for name in wanted.keys() & there.keys():
        for said, usual in (("type", "object"), ("analyzer", "standard"), ("dimension", None), ("index", True)):
            held, ours = there[name].get(said, usual), wanted[name].get(said, usual)
            if held != ours:
                raise SettingsInvalid(
                    f"CARELINE_SEARCH_INDEX: the index holds {name} with {said} {held}, and {ours} is needed; name "
                    "another index, or delete this one, and run `careline reindex`"
                )
    return {name: field for name, field in wanted.items() if name not in there}
