"""Our index engine in front of a real OpenSearch node: as a cluster one runs oneself, and as a Serverless collection.

A collection is the same node behind a connection that lets through only what collections take: no ids of ours, no
updates, no scripts, no `_refresh`; what is written is seen when the test lets it be; the vector is not given back. The
node has Lucene's graph where a collection has Faiss's.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import numpy as np

import careline_artefacts
from careline.engines.aws.passage_index.index import OpenSearchIndex
from careline.engines.aws.passage_index.index_mapping import Service, index_body
from careline.ports import Vector
from careline.records.record_table import RecordTable

TAKEN = {("GET", "_search"), ("POST", "_search"), ("POST", "_bulk"), ("GET", "_msearch"), ("POST", "_msearch")}
"""Operations on an index that a vector collection has and that the role of a function allows."""
CLAUSES = {"bool", "term", "terms", "range", "multi_match", "knn"}


@cache
def ordinary_text() -> Vector:
    """The mean vector of everyday text, as an installation with the shipped embedding model has it."""
    file = careline_artefacts.FOLDER / "sentence_embedding" / "e5_ordinary.npy"
    return np.asarray(np.load(file, allow_pickle=False), np.float32)


@contextmanager
def cluster(
    address: str, table: RecordTable, dimensions: int, ordinary: Vector | None = None
) -> Iterator[OpenSearchIndex]:
    """The engine makes its own index, at the first write."""
    with _index(address, table, "es", partial(client, address), ordinary) as (index, _):
        yield index


@contextmanager
def serverless(
    address: str, table: RecordTable, dimensions: int, ordinary: Vector | None = None
) -> Iterator[OpenSearchIndex]:
    """The index is there, as the template makes it, and shows nothing before its refresh."""
    with _index(address, table, "aoss", partial(_collection, address), ordinary) as (index, name):
        body = index_body(dimensions, "aoss")
        body["mappings"]["properties"]["vector"]["method"]["engine"] = "lucene"
        body["settings"]["index"]["refresh_interval"] = "-1"
        client(address).indices.create(index=name, body=body)
        yield index


@contextmanager
def _index(
    address: str, table: RecordTable, service: Service, open_client: Callable[[], Any], ordinary: Vector | None
) -> Iterator[tuple[OpenSearchIndex, str]]:
    name = f"passages-{uuid.uuid4().hex}"
    behind = client(address)

    async def refresh(seconds: float) -> None:
        behind.indices.refresh(index=name)

    yield OpenSearchIndex(open_client, name, table, service, ordinary=ordinary, pause=refresh), name
    behind.indices.delete(index=name, ignore=404)


@cache
def client(address: str) -> Any:
    """Straight to the node, for what a test does behind the engine."""
    from opensearchpy import OpenSearch

    return OpenSearch(hosts=[address], timeout=60)


@cache
def _collection(address: str) -> Any:
    from opensearchpy import OpenSearch, Urllib3HttpConnection
    from opensearchpy.exceptions import NotFoundError, RequestError

    class Collection(Urllib3HttpConnection):
        """Refuses what a collection refuses, with its statuses."""

        def perform_request(self, method: str, url: str, *rest: Any, **more: Any) -> Any:
            body = more.get("body", rest[1] if len(rest) > 1 else None)
            _, _, operation = url.strip("/").partition("/")
            if (method, operation) not in TAKEN:
                raise NotFoundError(404, "not_supported", {"error": f"{method} {operation}"})
            lines = [json.loads(line) for line in (body or b"").splitlines() if line]
            for fault in _faults(operation, lines):
                raise RequestError(400, "illegal_argument_exception", {"error": fault})
            status, headers, answer = super().perform_request(method, url, *rest, **more)
            return status, headers, _without_vectors(answer)

    return OpenSearch(hosts=[address], connection_class=Collection, timeout=60)


def _faults(operation: str, lines: list[dict[str, Any]]) -> Iterator[str]:
    if operation == "_bulk":
        while lines:
            ((action, about),) = lines.pop(0).items()
            if action not in {"index", "delete"} or (action == "index" and "_id" in about):
                yield f"{action} with {sorted(about)}"
            if action != "delete":
                lines.pop(0)
        return
    for line in lines:
        if "script" in json.dumps(line):
            yield "scripts"
        yield from (f"clause {name}" for name in _clauses(line.get("query", {})) if name not in CLAUSES)


def _clauses(query: Mapping[str, Any]) -> Iterator[str]:
    """Names of the clauses of a query, also of those inside."""
    for name, body in query.items():
        yield name
        if name == "bool":
            for inner in body.values():
                for one in inner if isinstance(inner, list) else ():
                    yield from _clauses(one)
        if name == "knn":
            for near in body.values():
                yield from _clauses(near.get("filter", {}))


def _without_vectors(answer: str) -> str:
    read = json.loads(answer)
    for response in [read, *read.get("responses", [])] if isinstance(read, dict) else []:
        for hit in response.get("hits", {}).get("hits", []) if isinstance(response.get("hits"), dict) else []:
            hit.get("_source", {}).pop("vector", None)
    return json.dumps(read)
