"""An OpenAI-compatible endpoint on loopback that copies the sentence of its sources which fits the question best.

It stands in for a language model where none may be reached: what it writes is true and to the point as far as the
sources are, so that what the turn makes of a model's answer can be measured beside what it quotes itself.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from careline.engines.embedded.embedder import E5Embedder
from careline.model import LANGUAGES
from careline.ports import Vector
from careline.text.analysers import code_of, terms
from careline.text.sentences import split

NAME = "copying-model"
WORDS, MEANING = 0.5, 0.5
"""Shares of the question's words in a sentence, and of closeness in meaning between the least and the most close."""
PIECE = 12
"""Characters that are streamed at a time."""
_SOURCE = re.compile(r"^\[(\d{1,3})\] (.*) \((\w\w)\)$")


@contextmanager
def serving() -> Iterator[str]:
    """The address of an endpoint that listens until the block is left."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, Copier()))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, name=NAME)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Copier:
    """Chooses the sentence that is copied. Sentences it has seen are not embedded again."""

    def __init__(self) -> None:
        self._embedder = E5Embedder()
        self._kept: dict[str, Vector] = {}
        self._one_at_a_time = threading.Lock()

    def copied(self, messages: list[dict[str, Any]]) -> str:
        """The sentence with the marker of its source; nothing when there is no source."""
        question = str(messages[-1]["content"])
        found = list(_sentences(str(messages[0]["content"])))
        if not found:
            return ""
        asked = {code: set(terms(question, code)) for code in LANGUAGES}
        held = [len(set(terms(text, code_of(language))) & asked[code_of(language)]) for _, language, text in found]
        near = self._closeness(question, [text for _, _, text in found])
        most = max(max(held), 1)
        best = max(range(len(found)), key=lambda n: WORDS * held[n] / most + MEANING * near[n])
        number, _, text = found[best]
        return f"{text} [{number}]"

    def _closeness(self, question: str, texts: list[str]) -> list[float]:
        with self._one_at_a_time:
            missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
            if missing:
                self._kept.update(zip(missing, self._embedder.embed("passage: ", missing), strict=True))
            asked = self._embedder.embed("query: ", [question])[0]
        cosines = [float(self._kept[text] @ asked) for text in texts]
        low, high = min(cosines), max(cosines)
        return [(cosine - low) / max(high - low, 1e-6) for cosine in cosines]


def _sentences(system: str) -> Iterator[tuple[int, str, str]]:
    """Number and language of the source, and the sentence, of everything between the tags of the sources."""
    number, language = 0, ""
    for line in system.partition("<sources>")[2].rpartition("</sources>")[0].splitlines():
        if source := _SOURCE.match(line):
            number, language = int(source[1]), source[3]
        elif number:
            yield from ((number, language, sentence) for sentence in split(line, language))


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, copier: Copier, *arguments: Any) -> None:
        self._copier = copier
        super().__init__(*arguments)

    def do_POST(self) -> None:
        """Stream a completion as server-sent events."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = self._copier.copied(asked["messages"])
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for start in range(0, len(text), PIECE):
            self._chunk({"content": text[start : start + PIECE]})
        self._chunk({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _chunk(self, delta: dict[str, str], finish_reason: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        whole = {"id": NAME, "object": "chat.completion.chunk", "created": 0, "model": NAME, "choices": [choice]}
        self.wfile.write(b"data: " + json.dumps(whole).encode() + b"\n\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing of a question belongs on the terminal."""
