"""Puts the word of a follow-up in the place of its like in the question before: "and a shared one?", "and with?"."""

from __future__ import annotations

from careline.search.asked_words import listed, named, words_of
from careline.search.question_kinds import Part, parts
from careline.search.with_or_without import is_with, is_without

_QUALITIES = frozenset(("room", "colour"))
"""Kinds of which one word takes the place of another."""


def with_other_quality(earlier: str, new: str, language: str) -> str:
    """The earlier question with the kind of room or colour that a follow-up names and nothing besides, where it
    names one of that kind too; empty else."""
    own = [part for part in parts(new, language) if part.kind in _QUALITIES]
    old = [part for part in parts(earlier, language) if own and part.kind == own[0].kind]
    if len(own) != 1 or len(old) != 1 or own[0].plain == old[0].plain or _says_more(new, own[0], language):
        return ""
    said, told = words_of(earlier), words_of(new)
    word = new[told[own[0].start].start : told[own[0].end - 1].end]
    return _question(f"{earlier[: said[old[0].start].start]}{word}{earlier[said[old[0].end - 1].end :]}")


def _says_more(new: str, part: Part, language: str) -> bool:
    words, nouns = words_of(new), listed("stands_for_noun", language)
    rest = [word for n, word in enumerate(words) if not part.start <= n < part.end and word.plain not in nouns]
    return bool(named(" ".join(word.text for word in rest), language))


def with_opposite(earlier: str, new: str, language: str) -> str:
    """The earlier question "with" what it asked without, or the other way round, where a follow-up says that one word;
    empty else, or where the question says both or neither."""
    told, said = words_of(new), words_of(earlier)
    if len(told) != 1:
        return ""
    is_with_it = is_with(told[0].plain)
    if not is_with_it and not is_without(told[0].plain):
        return ""
    opposite = [word for word in said if (is_without if is_with_it else is_with)(word.plain)]
    if len(opposite) != 1 or any((is_with if is_with_it else is_without)(word.plain) for word in said):
        return ""
    return _question(f"{earlier[: opposite[0].start]}{told[0].plain}{earlier[opposite[0].end :]}")


def _question(text: str) -> str:
    return f"{text.rstrip(' ?.!…,;')}?"
