"""An OpenSearch Serverless vector collection on loopback, for tests of what goes over the wire.

It keeps documents, answers filters exactly and shows writes only after a refresh that the test triggers. What a vector
collection refuses is refused here too (custom ids, updates, `_refresh`, `_delete_by_query`). Relevance is not modelled:
a keyword hit scores the number of words it holds.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
ANALYSED = ("title_", "text_")
"""How the names of fields begin that hold words with spaces between them."""


@dataclass
class Collection:
    """The state of the collection and everything it was asked."""

    index: Json | None = None
    visible: dict[str, Json] = field(default_factory=dict)
    pending: dict[str, Json | None] = field(default_factory=dict)
    requests: list[tuple[str, str, bytes]] = field(default_factory=list)
    refuse_items: list[int] = field(default_factory=list)
    """Statuses for the next items of a bulk request, instead of storing them; 0 stores."""
    refuse_requests: list[int] = field(default_factory=list)
    """Statuses for the next requests."""
    refresh_at_once: bool = True
    endpoint: str = ""
    made: int = 0

    def refresh(self) -> None:
        """Show what was written."""
        for number, document in self.pending.items():
            if document is None:
                self.visible.pop(number, None)
            else:
                self.visible[number] = document
        self.pending.clear()

    def sent(self, path: str) -> list[list[Json]]:
        """The JSON lines of every request whose path ends so."""
        bodies = [body for _, asked, body in self.requests if asked.partition("?")[0].endswith(path)]
        return [[json.loads(line) for line in body.splitlines() if line] for body in bodies]

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Json]:
        self.requests.append((method, path, body))
        if self.refuse_requests:
            return self.refuse_requests.pop(0), {"error": {"type": "refused", "reason": body.decode()}}
        if path.startswith("/_cluster/health/"):
            return 200, {"status": "green"}
        operation = path.partition("?")[0].strip("/").partition("/")[2]
        lines = [json.loads(line) for line in body.splitlines() if line]
        if operation == "_bulk":
            return 200, self._bulk(lines)
        if operation == "_msearch":
            return 200, {"took": 1, "responses": [self._search(search) for search in lines[1::2]]}
        if operation == "_search":
            return 200, self._search(lines[0])
        if operation == "" and method == "HEAD":
            return (404 if self.index is None else 200), {}
        if operation == "" and method == "PUT":
            self.index = lines[0]
            return 200, {"acknowledged": True}
        if operation == "_mapping" and self.index is not None:
            if method == "PUT":
                self.index["mappings"]["properties"] |= lines[0]["properties"]
            return 200, {"passages": {"mappings": self.index["mappings"]}}
        return 404, {"error": {"type": "not_supported", "reason": path}}

    def _bulk(self, lines: list[Json]) -> Json:
        items = []
        while lines:
            ((action, about),) = lines.pop(0).items()
            document = lines.pop(0) if action != "delete" else None
            status = self._store(action, about, document)
            error = {"error": {"type": f"status_{status}", "reason": "see the status"}} if status >= 400 else {}
            items.append({action: {"_index": "passages", "status": status, **error}})
        if self.refresh_at_once:
            self.refresh()
        return {"took": 1, "errors": any("error" in next(iter(item.values())) for item in items), "items": items}

    def _store(self, action: str, about: Json, document: Json | None) -> int:
        refused = self.refuse_items.pop(0) if self.refuse_items else 0
        if refused:
            return refused
        if action == "delete":
            known = about["_id"] in self.visible
            self.pending[about["_id"]] = None
            return 200 if known else 404
        if action != "index" or "_id" in about:
            return 400
        self.made += 1
        self.pending[f"made-by-server-{self.made}"] = document
        return 201

    def _search(self, search: Json) -> Json:
        scored = [(number, document, _score(search["query"], document)) for number, document in self.visible.items()]
        found = [one for one in scored if one[2] is not None]
        if isinstance(search.get("sort", [""])[0], dict):
            ((name, _),) = search["sort"][0].items()
            found.sort(key=lambda one: -one[1][name])
        elif sort := search.get("sort"):
            found.sort(key=lambda one: [one[1][name] for name in sort])
            found = [one for one in found if [one[1][name] for name in sort] > search.get("search_after", [])]
        else:
            found.sort(key=lambda one: -(one[2] or 0))
        hits = [_hit(search, *one) for one in found[: search["size"]]]
        answer: Json = {"took": 1, "timed_out": False, "hits": {"hits": hits}}
        if asked := search.get("aggs"):
            counted = asked["holding"]["filters"]["filters"]
            documents = [document for _, document, _ in found]
            buckets = {
                word: {"doc_count": sum(_score(clause, document) is not None for document in documents)}
                for word, clause in counted.items()
            }
            answer["aggregations"] = {"holding": {"buckets": buckets}}
        return answer


def _hit(search: Json, number: str, document: Json, score: float | None) -> Json:
    wanted = search.get("_source", {})
    if isinstance(wanted, list):
        source = {name: document[name] for name in wanted if name in document}
    else:
        source = {name: value for name, value in document.items() if name not in wanted.get("excludes", [])}
    names = [one if isinstance(one, str) else next(iter(one)) for one in search.get("sort", [])]
    sort = {"sort": [document[name] for name in names]} if names else {}
    return {"_id": number, "_score": score, "_source": source, **sort}


def _score(query: Json, document: Json) -> float | None:
    """The score of a document, None when it does not meet the query."""
    ((kind, body),) = query.items()
    return _CLAUSES[kind](body, document)


def _term(body: Json, document: Json) -> float | None:
    ((name, wanted),) = ((name, value) for name, value in body.items() if name != "boost")
    held = document.get(name)
    values = held.split() if name.startswith(ANALYSED) and held else held if isinstance(held, list) else [held]
    return (
        float(body.get("boost", 1.0))
        if any(value in (wanted if isinstance(wanted, list) else [wanted]) for value in values)
        else None
    )


def _range(body: Json, document: Json) -> float | None:
    ((name, bounds),) = body.items()
    held = document.get(name)
    if held is None:
        return None
    refused = {"gt": held <= bounds.get("gt", held), "lt": held >= bounds.get("lt", held)}
    refused |= {"gte": held < bounds.get("gte", held), "lte": held > bounds.get("lte", held)}
    return None if any(refused[name] for name in bounds) else 1.0


def _words(body: Json, document: Json) -> float | None:
    fields = [name.partition("^")[0] for name in body["fields"]]
    held = [document[name].split() for name in fields if name in document]
    return float(sum(word in words for word in body["query"].split() for words in held)) or None


def _near(body: Json, document: Json) -> float | None:
    ((name, near),) = body.items()
    if _score(near["filter"], document) is None:
        return None
    return 1.0 + sum(a * b for a, b in zip(near["vector"], document[name], strict=True))


def _all(body: Json, document: Json) -> float | None:
    needed = [_score(clause, document) for clause in (*body.get("filter", []), *body.get("must", []))]
    refused = [_score(clause, document) for clause in body.get("must_not", [])]
    wished = [score for clause in body.get("should", []) if (score := _score(clause, document)) is not None]
    if (
        None in needed
        or any(score is not None for score in refused)
        or len(wished) < body.get("minimum_should_match", 0)
    ):
        return None
    scoring = [score for clause in body.get("must", []) if (score := _score(clause, document)) is not None]
    return sum(scoring) + sum(wished)


_CLAUSES = {
    "term": _term,
    "terms": _term,
    "range": _range,
    "multi_match": _words,
    "knn": _near,
    "bool": _all,
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that has lost its timeout hangs up; that is what such a test is about."""


@contextmanager
def serving() -> Iterator[Collection]:
    """A collection that listens on a free port of loopback until the block ends."""
    collection = Collection()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _reply(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            status, answer = collection.answer(self.command, self.path, body)
            payload = b"" if self.command == "HEAD" else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = _reply

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the requests are in `Collection.requests`."""

    server = _Server(("127.0.0.1", 0), Handler)
    collection.endpoint = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield collection
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
