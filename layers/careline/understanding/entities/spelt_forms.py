"""The forms of names that may be misspelt, and the one that a misspelt word means."""

from __future__ import annotations

from collections.abc import Iterable

from careline.understanding.entities.name_forms import SHORTEST_SPELT, NameForm
from careline.understanding.entities.near_names import NearNames, consonants_of, sound_of

HEARD = 96.0
"""The most that a name counts which sounds as a word does and is written otherwise."""
APART = 6.0
"""How much less alike the next one must be, else neither is meant."""
FEWEST_CONSONANTS = 4
"""Consonants by which a name is known whose vowels were heard wrong."""


class SpeltForms:
    """Forms by how they are written as one word and by how they sound. Safe to use from several threads at once."""

    __slots__ = ("_by_consonants", "_by_letters", "_by_sound", "_forms", "_names", "_sounds")

    def __init__(self, forms: Iterable[NameForm]) -> None:
        self._forms: dict[str, list[NameForm]] = {}
        for form in forms:
            if len(form.joined) >= SHORTEST_SPELT and not form.capitals:
                self._forms.setdefault(form.joined, []).append(form)
        self._names = list(self._forms)
        self._sounds = [sound_of(name) for name in self._names]
        self._by_letters, self._by_sound = NearNames(self._names), NearNames(self._sounds)
        self._by_consonants: dict[str, set[str]] = {}
        for name, sound in zip(self._names, self._sounds, strict=True):
            self._by_consonants.setdefault(consonants_of(sound), set()).add(name)

    def likest(self, word: str, least: float) -> tuple[float, str] | None:
        """The name most like a word, and how alike; None where none is, or two are about equally."""
        if not self._scores(word, least):
            return None
        ranked = sorted(self._scores(word, least - APART).items(), key=lambda pair: -pair[1])
        first, best = ranked[0]
        others = [score for name, score in ranked[1:] if not self._is_same(first, name)]
        return None if others and best - others[0] < APART else (best, first)

    def _scores(self, word: str, least: float) -> dict[str, float]:
        """The names that are at least so much like a word, in letters or sound, and how alike."""
        scores: dict[str, float] = {}
        letters, sounds = self._by_letters.like(word, least), self._by_sound.like(sound_of(word), least)
        for n, score in (*letters, *sounds):
            name = self._names[n]
            # A name that only sounds alike is a little less alike than one that is written so.
            worth = score if name == word else min(score, HEARD)
            scores[name] = max(worth, scores.get(name, 0.0))
        return scores

    def of_consonants(self, word: str) -> list[NameForm]:
        """The forms of the one name that has the consonants of a word, in whatever vowels; none where several have."""
        told = consonants_of(sound_of(word))
        names = self._by_consonants.get(told, set()) if len(told) >= FEWEST_CONSONANTS else set()
        return self._forms[next(iter(names))] if len(names) == 1 else []

    def _is_same(self, one: str, other: str) -> bool:
        """Whether two names sound the same or are of one entry."""
        ids = {form.id for form in self._forms[one]}
        return sound_of(one) == sound_of(other) or not ids.isdisjoint(form.id for form in self._forms[other])
