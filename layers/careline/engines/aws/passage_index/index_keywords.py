"""The keyword side of a search in OpenSearch: what is asked for each language, and how much of it a passage holds.

A passage is written into the fields of its own language; a question is analysed in every language of the corpus, as in
the embedded index. OpenSearch finds the candidates and counts who holds which word; the scores are our own
(`careline.search.keyword_score`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from careline.engines.aws.passage_index.index_documents import title_terms
from careline.search.keyword_score import TITLE_WEIGHT, FieldCounts, asked_terms, bm25, rarity
from careline.text.analysers import code_of, terms

PARTS = ("title", "text")
Asked = Mapping[str, list[str]]
"""Code of a language → the question's informative words in it."""


def asked_words(text: str, languages: Iterable[str]) -> Asked:
    """What a question asks of passages in these languages; those in which no word informs are left out."""
    found = {code: asked_terms(text, code) for code in sorted({code_of(language) for language in languages})}
    return {code: words for code, words in found.items() if words}


def asking(asked: Asked) -> list[dict[str, Any]]:
    """A clause for each language; a passage has to meet one of them."""
    return [
        {
            "multi_match": {
                "query": " ".join(words),
                "type": "most_fields",
                "fields": [f"title_{code}^{TITLE_WEIGHT:g}", f"text_{code}"],
            }
        }
        for code, words in asked.items()
    ]


def counting(asked: Asked) -> dict[str, Any]:
    """The aggregation that counts the passages with each word in each field, named `field word`."""
    filters = {
        f"{part}_{code} {word}": {"term": {f"{part}_{code}": word}}
        for code, words in asked.items()
        for word in words
        for part in PARTS
    }
    return {"holding": {"filters": {"filters": filters}}}


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores passages, as OpenSearch gives them back, for one question.

    `holding` is what `counting` counted, `words` the words of each field of the corpus altogether, `passages` their
    number in all languages.
    """

    asked: Asked
    holding: Mapping[str, int]
    words: Mapping[str, int]
    passages: int

    def bm25(self, source: Mapping[str, Any]) -> float:
        """The keyword score of a passage."""
        code, language = code_of(source["language"]), source["language"]
        asked = self.asked.get(code, [])
        title, text = (self._counts(part, code, asked) for part in PARTS)
        above = bm25(asked, _title(source), title, self.passages)
        return TITLE_WEIGHT * above + bm25(asked, terms(source.get("text", ""), language), text, self.passages)

    def coverage(self, source: Mapping[str, Any]) -> float:
        """The share, 0 to 1, of the question's informative words that a passage holds, weighted by their rarity."""
        code, language = code_of(source["language"]), source["language"]
        weights = {word: rarity(self.passages, self._most(code, word)) for word in self.asked.get(code, [])}
        if not weights:
            return 0.0
        held = {*_title(source), *terms(source.get("text", ""), language)}
        return sum(weight for word, weight in weights.items() if word in held) / sum(weights.values())

    def _counts(self, part: str, code: str, asked: Iterable[str]) -> FieldCounts:
        name = f"{part}_{code}"
        return FieldCounts(self.words.get(name, 0), {word: self.holding.get(f"{name} {word}", 0) for word in asked})

    def _most(self, code: str, word: str) -> int:
        return max(self.holding.get(f"{part}_{code} {word}", 0) for part in PARTS)


def _title(source: Mapping[str, Any]) -> list[str]:
    return title_terms(source["title"], source.get("heading_path", ()), source["language"])
