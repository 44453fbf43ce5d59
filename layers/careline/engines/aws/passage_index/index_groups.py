"""What the live passages of one language and audience are together, kept beside the index and moved by each activation.

Their mean vectors and the lengths of their fields tell how near and how rare something is (`careline.search`). An index
cannot be asked for either: a vector collection gives no vectors back and knows no sums.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from careline.engines.aws.passage_index.index_documents import title_terms
from careline.model import Passage
from careline.ports import Matrix, Vector
from careline.records.record_table import Body
from careline.search.corpus_means import CorpusMeans, VectorSum, corpus_means
from careline.text.analysers import code_of, terms


@dataclass(frozen=True, slots=True)
class GroupSums:
    """Passages of one language and audience: their number, the sum of their vectors, shape (dimensions,), and how many
    informative words their titles and their texts have."""

    language: str
    audience: str
    passages: int
    total: Vector
    title_words: int
    text_words: int

    @property
    def name(self) -> str:
        """The name of the group."""
        return f"{self.audience}#{self.language}"


def of_passages(passages: Sequence[Passage], vectors: Matrix) -> GroupSums:
    """The sums of the passages of one version, at least one."""
    facts = passages[0].facts
    titles = sum(len(title_terms(facts.title, one.chunk.heading_path, facts.language)) for one in passages)
    texts = sum(len(terms(one.chunk.text, facts.language)) for one in passages)
    return GroupSums(facts.language, facts.audience, len(passages), vectors.sum(axis=0), titles, texts)


def nothing(like: GroupSums) -> GroupSums:
    """The same group before it has any passage."""
    return replace(like, passages=0, total=np.zeros_like(like.total), title_words=0, text_words=0)


def moved(group: GroupSums, by: GroupSums, sign: int) -> GroupSums:
    """The group with these passages, or without them. Vectors of another length, which another embedding model made,
    begin the sum anew."""
    total = group.total if group.total.shape == by.total.shape else np.zeros_like(by.total)
    return replace(
        group,
        passages=group.passages + sign * by.passages,
        total=np.asarray(total + np.float32(sign) * by.total, np.float32),
        title_words=group.title_words + sign * by.title_words,
        text_words=group.text_words + sign * by.text_words,
    )


def means_of(groups: Sequence[GroupSums], where: Mapping[str, Collection[object]], ordinary: Vector) -> CorpusMeans:
    """The means over the groups that a filter on audience and language allows."""
    sums: dict[str, VectorSum] = {}
    for one in groups:
        allowed = one.audience in where.get("audience", (one.audience,))
        if allowed and one.language in where.get("language", (one.language,)):
            before = sums.get(one.language, VectorSum(0, np.zeros_like(one.total)))
            sums[one.language] = VectorSum(before.passages + one.passages, before.total + one.total)
    return corpus_means(sums, ordinary)


def field_words(groups: Sequence[GroupSums]) -> dict[str, int]:
    """How many words each field of the index holds."""
    words: dict[str, int] = {}
    for one in groups:
        code = code_of(one.language)
        for part, count in (("title", one.title_words), ("text", one.text_words)):
            words[f"{part}_{code}"] = words.get(f"{part}_{code}", 0) + count
    return words


def written(sums: GroupSums) -> Body:
    """As a record."""
    total = base64.b64encode(np.asarray(sums.total, "<f4").tobytes()).decode()
    return {
        "language": sums.language, "audience": sums.audience, "passages": sums.passages, "total": total,
        "title_words": sums.title_words, "text_words": sums.text_words,
    }  # fmt: skip


def read(body: Body) -> GroupSums:
    """What `written` wrote."""
    total = np.frombuffer(base64.b64decode(body["total"]), "<f4").astype(np.float32)
    return GroupSums(
        body["language"], body["audience"], body["passages"], total, body["title_words"], body["text_words"]
    )
