"""Reads whether a sentence that a language model wrote, and that no source says word for word, stands in its sources.

Figures, medicines and denials are compared by `Grounds`. What is left is a claim without any ("the garden is open to
visitors"), for which there are two observations. Words: how many of the sentence's informative words a window of the
sources has. And the reader, which was trained on questions: it tells how well a window would answer the sentence if it
were asked, and so whether a window is about the same matter at all, in any language. It does not tell whether the
window agrees. A claim about a matter that the sources do not speak of is found; a claim that turns round what they say
in their own words ("at the main entrance" for "at the back") is not, unless a figure, a medicine or a denial gives it
away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from careline.errors import ReaderUnavailable
from careline.log.event_log import EventLog
from careline.passages.windows import in_context
from careline.ports import Reader, ReaderText, Source
from careline.search.select_windows import cut
from careline.text.analysers import terms

WORDS_SUFFICE = 0.75
"""Share of a sentence's informative words from which a window supports it without being read."""
WORDS_ALONE = 0.3
"""The same where nothing reads: half of what is told in other words would be lost with more."""
WORTH = 8.0
"""What all of a sentence's words in a window are worth beside the window's relevance, a logit; both together must not
be less than 0."""
FEWEST_WORDS = 2
"""Informative words of a sentence that says of what it speaks."""
READ = 6
"""Windows that are read for one sentence, those with most of its words first."""
log = EventLog(__name__)
_MARKERS = re.compile(r"\[[\d,; –-]{1,40}\]|\[[A-Z_]{1,40}\d{1,6}\]")


@dataclass(frozen=True, slots=True)
class SupportingWindow:
    """A window of the source with a number, in that source's language, and the share of a sentence's words in it."""

    number: int
    language: str
    text: ReaderText
    share: float
    is_foreign: bool


class ClaimSupport:
    """The windows of the sources of one answer, in the language of the turn. Without a reader words alone decide."""

    __slots__ = ("_language", "_reader", "_sources")

    def __init__(self, sources: Sequence[Source], language: str, reader: Reader | None) -> None:
        self._sources = tuple(sources)
        self._language = language
        self._reader = reader

    async def supports(self, sentence: str, numbers: Sequence[int], given: str = "") -> bool:
        """Whether a window of the sources with these numbers, of any source where there are none, supports a sentence.

        `given` are words that need no source. A question claims nothing, nor does a sentence without an informative
        word. Of sources in another language words cannot be compared: there the reader decides alone, and without it
        they are believed.
        """
        text = _MARKERS.sub(" ", sentence).strip()
        words = self._words(text) - self._words(given)
        if not words or text.endswith("?"):
            return True
        held = [source for source in self._sources if source.number in numbers] or list(self._sources)
        found = sorted(self._candidates(words, held), key=lambda one: -one.share)
        return await self._best(text, found, believed=True) is not None

    def claims(self, sentence: str, given: str = "") -> bool:
        """Whether a sentence says something that a source has to support."""
        text = _MARKERS.sub(" ", sentence).strip()
        return bool(self._words(text) - self._words(given)) and not text.endswith("?")

    async def supporting(
        self, sentence: str, numbers: Sequence[int], given: str = "", asked: str = ""
    ) -> SupportingWindow | None:
        """The window of the sources with these numbers that supports a sentence most; None where none does.

        A sentence without an informative word ("€ 3.20") is read as the answer to the question `asked`; without that it
        says nothing that a source could support, nor does a question.
        """
        text = _MARKERS.sub(" ", sentence).strip()
        words = self._words(text) - self._words(given)
        if len(words) < FEWEST_WORDS and asked:
            words, text = words | self._words(asked), f"{asked} {text}"
        held = [source for source in self._sources if source.number in numbers]
        if not words or not held or text.endswith("?"):
            return None
        return await self._best(text, sorted(self._candidates(words, held), key=lambda one: -one.share))

    async def _best(
        self, text: str, found: Sequence[SupportingWindow], *, believed: bool = False
    ) -> SupportingWindow | None:
        """Of windows, those with most of the words first, the one that supports a text most; None where none does.

        Where nothing reads, those in another language are `believed` or not.
        """
        own = next((one for one in found if not one.is_foreign), None)
        if own is not None and own.share >= WORDS_SUFFICE:
            return own
        read = await self._read(text, found[:READ])
        if read is None:
            foreign = next((one for one in found if one.is_foreign), None) if believed else None
            return own if own is not None and own.share >= WORDS_ALONE else foreign
        weighed = [
            (relevance + WORTH * (0.0 if one.is_foreign else one.share), one)
            for one, relevance in zip(found, read, strict=False)
        ]
        worth, best = max(weighed, key=lambda one: one[0], default=(-1.0, None))
        return best if worth >= 0 else None

    def _words(self, text: str) -> frozenset[str]:
        """The informative words of a text; its figures are compared elsewhere."""
        return frozenset(word for word in terms(text, self._language) if not word.isdigit())

    def _candidates(self, words: frozenset[str], sources: Sequence[Source]) -> Iterator[SupportingWindow]:
        for source in sources:
            passage = source.hit.passage
            is_foreign = source.language != self._language
            windows = cut(passage.chunk, source.language)
            texts = [ReaderText(in_context(source.title, window.heading), window.text) for window in windows]
            # What has no sentence to quote has no windows.
            for text in texts or [ReaderText(source.title, passage.chunk.text)]:
                held = words & self._words(f"{text.context} {text.text}")
                yield SupportingWindow(source.number, source.language, text, len(held) / len(words), is_foreign)

    async def _read(self, sentence: str, found: Sequence[SupportingWindow]) -> Sequence[float] | None:
        """How relevant each of these windows is; None where nothing reads."""
        if self._reader is None:
            return None
        try:
            return await self._reader.relevance(sentence, [one.text for one in found])
        except ReaderUnavailable as error:
            log.write("claim_reader_failed", error=error.code, reason=error.message)
            return None
