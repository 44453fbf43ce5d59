"""Gists of many texts at once, for commands that screen line after line."""

from __future__ import annotations

import numpy as np

from careline.ports import UtteranceEmbedder, Vector


class Meanings:
    """Remembers the gists of the texts that were seen last; knows none where the installation makes none."""

    def __init__(self, embedder: UtteranceEmbedder | None) -> None:
        self._embedder = embedder
        self._seen: dict[str, Vector] = {}
        self._before: dict[str, Vector] = {}

    async def see(self, texts: list[str]) -> None:
        """Make the gists of these texts. Raises: EmbedderUnavailable."""
        if self._embedder is not None and texts:
            distinct = list(dict.fromkeys(texts))
            rows = await self._embedder.gists(distinct)
            self._before, self._seen = (
                self._seen,
                {text: np.asarray(row, np.float32) for text, row in zip(distinct, rows, strict=True)},
            )

    def of(self, text: str) -> Vector | None:
        """The gist of a text that was seen in the last call or in the one before."""
        gist = self._seen.get(text)
        return self._before.get(text) if gist is None else gist
