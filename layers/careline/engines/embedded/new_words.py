"""Holds the row that is told to what a short follow-up names anew."""

from __future__ import annotations

from collections.abc import Sequence

from careline.ports import PromptInput
from careline.search.asked_cells import WholeTable
from careline.search.asked_words import listed, words_of
from careline.search.follow_up import without_join
from careline.search.label_words import LabelWord, label_words, same
from careline.search.named_labels import content_words
from careline.search.question_kinds import parts

_MOST = 4
"""Words of a follow-up behind its "and", which names something and says nothing else."""


def lacks_what_is_new(prompt_input: PromptInput, whole: WholeTable, rows: Sequence[int]) -> bool:
    """Whether a short follow-up names something that neither some rows of a table nor what stands around them do: "and
    on the burns unit?" is not told the hours of surgery that were asked for before."""
    new = _named_anew(prompt_input, whole.language)
    if not new:
        return False
    texts = (whole.table.caption, *whole.headings, *whole.stands.titles, *whole.table.stub)
    cells = (text for row in rows for text in (*whole.table.rows[row].labels, *whole.table.rows[row].values))
    columns = (label for path in whole.table.columns for label in path)
    held = [word for text in (*texts, *cells, *columns) for word in label_words(text, whole.language)]
    return not any(same(word, label, typed_wrong=True) for word in new for label in held)


def _named_anew(prompt_input: PromptInput, written_in: str) -> Sequence[LabelWord]:
    """What a follow-up names of which no meaning is known: a day, a place or whom it is for is known to be another, and
    in another language than the question's nothing else can be looked for."""
    question, language = prompt_input.question, prompt_input.language
    bare = without_join(question, language)
    words = words_of(bare)
    if bare == question or len(words) > _MOST or written_in != language or parts(question, language):
        return ()
    if any(word.plain in listed("others", language) for word in words):
        return ()
    new = content_words(bare, language)
    return () if any(word.concepts for word in new) else new
