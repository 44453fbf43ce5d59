"""Holds a price or telephone number that is quoted to the thing whose price or number is asked for."""

from __future__ import annotations

from careline.engines.embedded.prose_quotes import EvidenceQuote
from careline.ports import PromptInput
from careline.search.answer_kind import answer_kinds, tells_of_cost
from careline.search.distinctions import places_of
from careline.search.label_words import LabelWord, label_words, question_words, same
from careline.search.table_sight import places_in

_OF_A_THING = frozenset(("amount", "phone"))
"""Kinds of answers that are of one thing alone: the number of the porter is not that of the taxis."""
_LEAST_END = 8


def is_of_what_is_asked(quote: EvidenceQuote, prompt_input: PromptInput) -> bool:
    """Whether a quote shares with the question a word that names something besides a place, where nothing but a price
    or telephone number is asked for. Only a text in the question's language can be held to its words."""
    asked, language = prompt_input.asked, prompt_input.language
    kinds = answer_kinds(asked)
    if not kinds or not kinds <= _OF_A_THING or quote.is_chosen or quote.source.language != language:
        return True
    text = "\n".join((quote.source.title, *(f"{one.heading}\n{one.text(False)}" for one in quote.quotables)))
    places = places_of(text) | places_of(asked)
    said = question_words(asked, language)
    where = places_in(said)
    words = [word for n, word in enumerate(said) if n not in where and _names_a_thing(word) and word.text not in places]
    held = [label for line in text.splitlines() for label in label_words(line, language)]
    return not words or any(
        same(word, label, typed_wrong=True) or _ends_with(word, label) for word in words for label in held
    )


def _ends_with(word: LabelWord, label: LabelWord) -> bool:
    """Whether a compound of the question ends with what is said: "the coordinator" of "transplant coordinator", where
    that is one word. Short ends ("service") are of too many things."""
    return len(label.text) >= _LEAST_END and word.text.endswith(label.text)


def _names_a_thing(word: LabelWord) -> bool:
    """Whether a word may name what is asked about, and does not say that something is paid."""
    return not word.is_talk and word.number is None and not tells_of_cost(word.text)
