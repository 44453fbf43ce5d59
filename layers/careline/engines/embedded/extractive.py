"""Answers without a language model: chooses the sentences of the sources that answer, and quotes them.

It invents nothing. Sentences are scored half by the question's informative words they hold, weighted by how few of the
candidates hold them, and half by closeness in meaning; the best one is said with its list or its neighbours. Of a table
the cells are told that the question asks for, with their labels, or nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

import numpy as np

from careline.engines.embedded.evidence_quotes import evidence_quotes
from careline.engines.embedded.table_quotes import table_quotes
from careline.model import Usage
from careline.ports import CompletionChunk, Embedder, PromptInput, Source, Vector
from careline.search.answer_kind import answer_kinds, holds, is_about_itself
from careline.search.caller_forms import beside
from careline.search.distinctions import accounted, telling, unmet
from careline.search.label_words import LabelWord
from careline.search.quotable import Quotable, quotables
from careline.search.repeated import repeated
from careline.search.words import terms

READ = 5
"""Sources that are read for an answer, best first."""
COMPARED = {True: 7, False: 16}
"""Quotables whose meaning is compared, by whether the question's own words help to choose them; each costs two to four
milliseconds the first time."""
KEPT = 5_000
"""Quotables whose vectors are kept in memory."""
NEARLY = 0.78
"""Share of the best score from which a second or third sentence is said too."""
MOST = {False: 3, True: 2}
"""Quotables in an answer, by whether it is spoken."""
MOST_CHARACTERS = {False: 700, True: 420}
BEHIND = 0.03
"""What a source loses for each place it stands behind the best one."""
OTHER_DOCUMENT = 0.15
"""What a source loses besides when it is of another document than the best one."""
RIGHT_KIND = 0.3
"""What a quotable gains when it holds what is asked for: an amount, a time, a duration, a telephone number."""
ABOUT_ITSELF = 0.4
"""What a quotable loses when it speaks of its own document."""
OF_TABLE = {True: 0.5, False: 0.3}
"""What cells of a table gain, by whether the question names their row or column itself."""
LONGEST_COMPARED = 150
"""Characters of a quotable that are compared in meaning; what it is about stands at its start."""

_OWN_MARKERS = re.compile(r"(?<![ \t])[ \t]*\[\d{1,2}(?:\s?[,;]\s?\d{1,2}){0,8}\]")
"""References of the quoted document to its own literature, which would read as markers of this answer."""


@dataclass(frozen=True, slots=True)
class _Scored:
    source: Source
    place: int
    quotable: Quotable
    score: float
    is_of_table: bool = False


class ExtractiveModel:
    """The language model port without a language model."""

    name = "extractive"
    follows_instructions = False

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, Vector] = {}

    async def write(self, prompt_input: PromptInput) -> AsyncGenerator[CompletionChunk, None]:
        """See `ports.LanguageModel.write`."""
        chosen, sure = await self._quoted(prompt_input)
        if not chosen:
            yield CompletionChunk(usage=Usage())
            return
        before = "" if sure else prompt_input.unsure_notice
        if before:
            yield CompletionChunk(before)
        language = prompt_input.language
        for source, quotable, is_cells in chosen:
            notice = prompt_input.foreign_notices.get(source.language) if source.language != language else None
            if notice:
                yield CompletionChunk(_gap(before, notice) + notice.replace("{title}", source.title), (source.number,))
                before = notice
            language = source.language
            text = _OWN_MARKERS.sub("", quotable.text(prompt_input.voice))
            quoted = _foreign(text, source, prompt_input) if language != prompt_input.language else text
            said = _gap(before, text) + _marked(quoted, source.number)
            yield CompletionChunk(said, (source.number,), is_cells=is_cells)
            before = text
        yield CompletionChunk(usage=Usage())

    async def _quoted(self, prompt_input: PromptInput) -> tuple[list[tuple[Source, Quotable, bool]], bool]:
        """What is said, each with its source and whether it is cells of a table, and whether it surely answers: what
        the reader found, or without one what words and meaning choose, of which nobody tells how sure it is."""
        sure = True
        if any(source.read for source in prompt_input.sources):
            quotes = evidence_quotes(prompt_input, MOST[prompt_input.voice], MOST_CHARACTERS[prompt_input.voice])
            sure = any(one.is_chosen or one.relevance >= prompt_input.sure_from for one in quotes)
            said = [(quote.source, one, quote.whole is not None) for quote in quotes for one in quote.quotables]
        else:
            scored = _chosen(await self._scored(prompt_input), prompt_input)
            said = [(one.source, one.quotable, one.is_of_table) for one in scored]
        if not said:
            return [], sure
        gone = repeated([one.text(prompt_input.voice) for _, one, _ in said], said[0][0].language)
        return [one for n, one in enumerate(said) if n not in gone], sure

    async def _scored(self, prompt_input: PromptInput) -> list[_Scored]:
        told = table_quotes(prompt_input)
        quotes, declined = told.quotes, max((told.asked.declined, *(one.found.matched for one in told.asked.empty)))
        found = [(quote.source, quote.place, quote.quotable) for quote in quotes]
        kinds = answer_kinds(prompt_input.question)
        found += _of_prose(prompt_input, declined)
        bonus = [
            RIGHT_KIND * holds(one.text(prompt_input.voice), kinds)
            - ABOUT_ITSELF * is_about_itself(one.lead)
            - _distance(source, place, prompt_input)
            + (OF_TABLE[quotes[n].found.is_chosen] if n < len(quotes) else 0.0)
            for n, (source, place, one) in enumerate(found)
        ]
        words = _word_scores(prompt_input.search_text, found)
        own = any(source.language == prompt_input.language for source in prompt_input.sources[:READ])
        order = sorted(range(len(found)), key=lambda n: -(words[n] + bonus[n]))[: COMPARED[own]]
        near = await self._closeness(prompt_input, [found[n] for n in order])
        return [
            _Scored(found[n][0], n, found[n][2], 0.5 * words[n] + 0.5 * near[at] + bonus[n], n < len(quotes))
            for at, n in enumerate(order)
        ]

    async def _closeness(self, prompt_input: PromptInput, found: Sequence[tuple[Source, int, Quotable]]) -> list[float]:
        """Closeness in meaning, stretched to 0..1 between the least and the most close candidate."""
        if prompt_input.vector is None or len(found) < 2:
            return [1.0] * len(found)
        texts = [one.compared()[:LONGEST_COMPARED] for _, _, one in found]
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if missing:
            if len(self._kept) + len(missing) > KEPT:
                self._kept.clear()
                missing = list(dict.fromkeys(texts))
            self._kept.update(zip(missing, await self._embedder.embed_passages(missing), strict=True))
        cosines = np.stack([self._kept[text] for text in texts]) @ prompt_input.vector
        low, high = float(np.min(cosines)), float(np.max(cosines))
        return [(float(cosine) - low) / max(high - low, 1e-6) for cosine in cosines]


def _of_prose(prompt_input: PromptInput, declined: int) -> list[tuple[Source, int, Quotable]]:
    wanted = telling(prompt_input.question, prompt_input.language, numbers=declined >= 2)
    found: list[tuple[Source, int, Quotable]] = []
    for place, source in enumerate(prompt_input.sources[:READ]):
        passage = source.hit.passage
        near = (passage.facts.title, *passage.chunk.heading_path)
        missing = unmet(wanted, (*near, passage.chunk.text), source.language)
        found += [
            (source, place, quotable)
            for quotable in quotables(passage.chunk, source.language)
            if not quotable.is_orphan
            if _may_answer(source, quotable, prompt_input, missing, declined)
        ]
    return found


def _may_answer(
    source: Source, quotable: Quotable, prompt_input: PromptInput, missing: Sequence[LabelWord], declined: int
) -> bool:
    """Whether a sentence may be quoted. One with a figure must be of the case that is asked about: its passage has the
    name or day that tells cases apart; `missing` are those that it has not. Where a table does not hold what is asked
    for, and has `declined` words of the question, a sentence must have more of them, and its numbers."""
    text = quotable.text(prompt_input.voice)
    if not any(map(str.isdigit, text)) and declined < 2:
        return True
    if unmet(missing, (quotable.heading, text), source.language):
        return False
    passage = source.hit.passage
    near = (passage.facts.title, *passage.chunk.heading_path, quotable.heading, text)
    return declined < 2 or accounted(prompt_input.question, prompt_input.language, near, source.language) > declined


def _distance(source: Source, place: int, prompt_input: PromptInput) -> float:
    other = source.hit.passage.doc_key != prompt_input.sources[0].hit.passage.doc_key
    return BEHIND * place + OTHER_DOCUMENT * other


def _word_scores(question: str, found: Sequence[tuple[Source, int, Quotable]]) -> list[float]:
    """The share of the question's informative words each candidate holds; words most candidates hold count little."""
    asked = {code: set(terms(question, code)) for code in {source.language for source, _, _ in found}}
    held = [set(terms(one.compared(), source.language)) & asked[source.language] for source, _, one in found]
    having: dict[str, int] = {}
    for words in held:
        for word in words:
            having[word] = having.get(word, 0) + 1
    weight = {word: math.log(1 + len(found) / count) for word, count in having.items()}
    best = max((sum(weight[word] for word in words) for words in held), default=0.0)
    return [sum(weight[word] for word in words) / best if best else 0.0 for words in held]


def _chosen(scored: Sequence[_Scored], prompt_input: PromptInput) -> list[_Scored]:
    """The best quotable and those nearly as good from the same document, in the document's order."""
    ranked = sorted(scored, key=lambda one: (-one.score, one.place))
    if not ranked:
        return []
    best = ranked[0]
    if best.is_of_table:
        return [best]
    ranked = [one for one in ranked if not one.is_of_table]
    chosen, length = [best], len(best.quotable.text(prompt_input.voice))
    for one in ranked[1:]:
        if len(chosen) >= MOST[prompt_input.voice] or one.score < NEARLY * best.score:
            break
        same = one.source.hit.passage.doc_key == best.source.hit.passage.doc_key
        size = len(one.quotable.text(prompt_input.voice))
        if same and length + size <= MOST_CHARACTERS[prompt_input.voice]:
            chosen.append(one)
            length += size
    return sorted(chosen, key=lambda one: one.place) if len(chosen) > 1 else chosen


def _marked(text: str, number: int) -> str:
    """The text with its marker where a reader expects it: after a list's lead-in, else at the end."""
    lead, line_break, rest = text.partition("\n")
    if line_break:
        return f"{lead} [{number}]\n{rest.rstrip()}"
    return f"{text.rstrip()} [{number}]"


def _foreign(text: str, source: Source, prompt_input: PromptInput) -> str:
    """A quotation in another language than the question's, the caller's forms of its figures beside it; on the phone
    figures are spoken in the caller's language anyway."""
    if prompt_input.voice:
        return text if "\n" in text else f"“{text}”"
    lines = text.split("\n")
    written_in, language = source.language, prompt_input.language
    return "\n".join(beside(line, written_in, language, quoted=len(lines) == 1) for line in lines)


def _gap(before: str, text: str) -> str:
    """What stands between two quotations: nothing before the first, an empty line around a list."""
    if not before:
        return ""
    return "\n\n" if "\n" in before or "\n" in text else " "
