"""Finds what a text names of a hospital's directory: as it is written there, in any of four languages, misspelt, by
last or first name, by a synonym or a lay word, and as speech recognition writes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from careline.directory.directory import Directory
from careline.model import LANGUAGES
from careline.text.asked_words import AskedWord, words_of
from careline.text.frequent_words import frequent_words
from careline.understanding.entities.name_forms import (
    SHORTEST_SPELT,
    By,
    NameForm,
    campus_words,
    forms_of,
    kind_words,
    plain,
    small_words,
    title_words,
    titles_of_sexes,
)
from careline.understanding.entities.near_names import is_alike, sound_of
from careline.understanding.entities.spelt_forms import SpeltForms

LONGEST_GRAM = 5
"""Words of a text that may be one name, written apart or together."""
LONGEST_NAME = 4
"""Words of a doctor's last name, as "van de ven peeters"."""
ALIKE, ALIKE_BEHIND_TITLE = 86.0, 74.0
"""How alike, of 100, a misspelt name is (rapidfuzz `ratio`): two letters of ten; more behind a doctor's title, where a
name is sure to stand."""
SURELY = 92.0
"""How alike what begins with a word of the language must be."""
HEARD_CAMPUS = 0.8
"""What a mention of a campus counts that is known by its consonants."""
SHORTEST_PART = 4
"""Letters of each part of a compound."""
BESIDE = 3
"""Words around a name among which one for a site may stand."""

@dataclass(frozen=True, slots=True)
class Mention:
    """Something that a text names, where it stands, and of which entries it may be the name: several where they share
    it, none where it is the name of somebody who is not there."""

    kind: str
    ids: tuple[str, ...]
    text: str
    start: int
    end: int
    by: By = "name"
    score: float = 1.0

    @property
    def id(self) -> str | None:
        """The one entry that is named; None where it may be several, or none."""
        return self.ids[0] if len(self.ids) == 1 else None


class NameIndex:
    """The names of one edition of a directory, ready to be found. Safe to use from several threads at once."""

    def __init__(self, directory: Directory) -> None:
        forms = list(dict.fromkeys(forms_of(directory)))
        self._sexes = {doctor.id: doctor.sex for doctor in directory.doctors}
        self._by_words: dict[tuple[str, ...], list[NameForm]] = {}
        sizes: dict[str, set[int]] = {}
        for form in forms:
            self._by_words.setdefault(form.words, []).append(form)
            sizes.setdefault(form.words[0], set()).add(len(form.words))
        self._sizes = {word: sorted(found, reverse=True) for word, found in sizes.items()}
        self._whole: dict[str, list[NameForm]] = {}
        for form in forms:
            self._whole.setdefault(form.joined, []).append(form)
        self._kinds = tuple(kind_words())
        self._last_words = frozenset(form.words[-1] for form in forms)
        self._first_names = {one.id: plain(one.first_name) for one in directory.doctors if one.first_name}
        # A first name is looked for beside a last one: that keeps what is compared short.
        spelt = [form for form in forms if form.by not in ("first_name", "full_name") and not form.beside]
        self._spelt = SpeltForms(spelt)
        self._people = SpeltForms(form for form in spelt if form.kind == "doctor")
        self._campuses = SpeltForms(form for form in spelt if form.kind == "campus")
        self._by_sound: dict[str, list[NameForm]] = {}
        for form in spelt:
            if form.kind == "doctor" and len(form.joined) >= SHORTEST_SPELT and not form.capitals:
                self._by_sound.setdefault(sound_of(form.joined), []).append(form)
        self._doctors: dict[str, set[str]] = {}
        for form in forms:
            if form.kind == "doctor":
                self._doctors.setdefault(form.id, set()).add(form.joined)
        doctors = [form for form in forms if form.by == "last_name" and len(form.words) > 1]
        self._particles = frozenset(form.words[0] for form in doctors)

    def find(self, text: str, language: str) -> tuple[Mention, ...]:
        """What a text names, in order; of names that overlap the longest."""
        words = words_of(text)
        found: list[Mention] = []
        at = 0
        while at < len(words):
            taken, mentions = self._at(words, at, text, language)
            found += mentions
            at += max(1, taken)
        return tuple(_without_weak(found))

    def is_called(self, entry_id: str, text: str) -> bool:
        """Whether a doctor is called what a text says, letter by letter or as it sounds: a name that is merely like
        theirs may be that of somebody else."""
        words = [word.plain for word in words_of(text) if word.plain not in title_words()]
        grams = {"".join(words[at:end]) for at in range(len(words)) for end in range(at + 1, len(words) + 1)}
        heard = {sound_of(gram) for gram in grams}
        names = self._doctors.get(entry_id, ())
        return any(name in grams or sound_of(name) in heard for name in names)

    def _at(
        self, words: Sequence[AskedWord], at: int, text: str, language: str
    ) -> tuple[int, list[Mention]]:
        """What is named from a word on, and how many words that takes."""
        if words[at].plain in title_words() and (behind := self._behind_title(words, at, text, language)):
            return behind
        forms = self._exact(words, at, language)
        if not forms:
            forms = self._spelt_at(words, at, language)
        if not forms:
            return 0, []
        taken, score = forms[0][1], forms[0][2]
        named = [form for form, _, _ in forms]
        named, start, end = self._with_first_name(named, words, at, at + taken)
        return end - at, _mentions(named, words[start:end], text, score)

    def _with_first_name(
        self, forms: list[NameForm], words: Sequence[AskedWord], start: int, end: int
    ) -> tuple[list[NameForm], int, int]:
        """Doctors of a last name, those alone whose first name stands before or behind it; and where it begins and
        ends with that."""
        if any(form.by != "last_name" for form in forms):
            return forms, start, end
        for since, to, first in ((start - 1, end, start - 1), (start, end + 1, end)):
            if 0 <= first < len(words) and (called := self._called(words[first].plain, forms)):
                return called, since, to
        return forms, start, end

    def _called(self, first: str, forms: Sequence[NameForm]) -> list[NameForm]:
        """The forms of doctors whose first name a word is, well written or not."""
        return [form for form in forms if any(is_alike(first, one) for one in self._first_names.get(form.id, ()))]

    def _exact(self, words: Sequence[AskedWord], at: int, language: str) -> list[tuple[NameForm, int, float]]:
        """The longest forms that stand there letter by letter."""
        for size in self._sizes.get(words[at].plain, ()):
            standing = [form for form in self._written(words, at, size) if _may_stand(form, words, at, language)]
            if standing:
                return [(form, size, 1.0) for form in standing]
        return self._compound(words[at])

    def _written(self, words: Sequence[AskedWord], at: int, size: int) -> Sequence[NameForm]:
        """The forms of so many words that are those from a place on."""
        return self._by_words.get(tuple(word.plain for word in words[at : at + size]), ())

    def _compound(self, word: AskedWord) -> list[tuple[NameForm, int, float]]:
        """A name that is one word with what kind of thing it is: "spoedafdeling", "ziekenhuisapotheek"."""
        if not word.plain.endswith(self._kinds) and not word.plain.startswith(self._kinds):
            return []
        for cut in range(SHORTEST_PART, len(word.plain) - SHORTEST_PART + 1):
            begin, end = word.plain[:cut], word.plain[cut:]
            name = begin if end in kind_words() else end if begin in kind_words() else ""
            if name and (forms := self._whole.get(name)):
                return [(form, 1, 1.0) for form in forms if not form.capitals and form.kind != "doctor"]
        return []

    def _spelt_at(self, words: Sequence[AskedWord], at: int, language: str) -> list[tuple[NameForm, int, float]]:
        """The forms that are meant by a misspelt one, which begins with a word of the language or not."""
        usual = frequent_words(language)
        is_usual = words[at].plain in usual and words[at].plain not in self._particles
        least = SURELY if is_usual else ALIKE
        best: tuple[float, int, str] | None = None
        for size in range(self._reach(words, at, language), 0, -1):
            gram = words[at : at + size]
            joined = "".join(word.plain for word in gram)
            if len(joined) < SHORTEST_SPELT or all(word.plain in usual or word.plain.isdigit() for word in gram):
                continue
            if joined in self._whole and all(form.kind != "doctor" or size > 1 for form in self._whole[joined]):
                return [(form, size, 1.0) for form in self._whole[joined] if not form.capitals and not form.beside]
            if not self._may_be_name(gram, usual):
                continue
            seen = self._spelt.likest(joined, least)
            if seen is not None and (best is None or seen[0] > best[0]):
                best = (seen[0], size, seen[1])
        if best is None:
            return [] if is_usual else self._heard_campus(words, at)
        return [(form, best[1], best[0] / 100) for form in self._alike(best[2])]

    def _reach(self, words: Sequence[AskedWord], at: int, language: str) -> int:
        """How many words from a place on may be one name: those before the next name, and before a doctor's title."""
        longest = min(LONGEST_GRAM, len(words) - at)
        for n in range(1, longest):
            if words[at + n].plain in title_words() or self._exact(words, at + n, language):
                return n
        return longest

    def _may_be_name(self, gram: Sequence[AskedWord], usual: frozenset[str]) -> bool:
        """Whether words may be a misspelt name: the first and the last are no words of the language, or of a name."""
        first, last = gram[0].plain, gram[-1].plain
        return (first not in usual or first in self._sizes) and (last not in usual or last in self._last_words)

    def _heard_campus(self, words: Sequence[AskedWord], at: int) -> list[tuple[NameForm, int, float]]:
        """The campus whose name has the consonants of a word: vowels are what an ear gets wrong of a place it does not
        know. Beside a word for a site it may be less like its name in letters too."""
        word = words[at].plain
        if any(word in frequent_words(code) for code in LANGUAGES):
            return []
        forms = self._campuses.of_consonants(word)
        if not forms and any(one.plain in campus_words() for one in words[max(0, at - BESIDE) : at + BESIDE]):
            seen = self._campuses.likest(word, ALIKE_BEHIND_TITLE)
            forms = self._alike(seen[1]) if seen is not None else []
        return [(form, 1, HEARD_CAMPUS) for form in forms if form.kind == "campus"]

    def _behind_title(
        self, words: Sequence[AskedWord], at: int, text: str, language: str
    ) -> tuple[int, list[Mention]] | None:
        """The doctor whose name stands behind a title; somebody unknown where a name stands that none has."""
        start = at
        while start < len(words) and words[start].plain in title_words():
            start += 1
        if start == len(words):
            return None
        named = self._doctor_at(words, start, language)
        if named is not None:
            forms, taken, score = named
            forms = self._of_sex(forms, [word.plain for word in words[at:start]])
            return start + taken - at, _mentions(forms, words[at : start + taken], text, score)
        first = words[start]
        is_name = first.plain not in frequent_words(language) or (first.is_name and not first.is_token)
        if not is_name or self._exact(words, start, language):
            return None
        since, until = words[at].start, first.end
        return start + 1 - at, [Mention("doctor", (), text[since:until], since, until, "title")]

    def _of_sex(self, forms: list[NameForm], titles: Sequence[str]) -> list[NameForm]:
        """Of doctors who share a name those whom the title may mean: a "dottoressa" is a woman."""
        for sex, listed in titles_of_sexes().items():
            if any(title in listed for title in titles):
                return [form for form in forms if self._sexes.get(form.id) in (None, sex)] or forms
        return forms

    def _doctor_at(
        self, words: Sequence[AskedWord], at: int, language: str
    ) -> tuple[list[NameForm], int, float] | None:
        """The doctors whose name begins at a place behind a title, the words it takes and how surely it is that."""
        for size in self._sizes.get(words[at].plain, ()):
            forms = [form for form in self._written(words, at, size) if form.kind == "doctor"]
            if forms and all(form.by == "first_name" for form in forms):
                return self._of_first_name(forms, words, at, language)
            if forms:
                return self._of_last_name(forms, words, at, size)
        return self._misspelt_doctor(words, at, language)

    def _of_last_name(
        self, forms: list[NameForm], words: Sequence[AskedWord], at: int, size: int
    ) -> tuple[list[NameForm], int, float]:
        """The doctors of a last name, and of one that sounds the same."""
        if any(form.by != "last_name" for form in forms):
            return [form for form in forms if form.by != "first_name"], size, 1.0
        heard = self._alike("".join(word.plain for word in words[at : at + size]))
        forms = [form for form in heard if form.kind == "doctor"] or forms
        called, _, end = self._with_first_name(forms, words, at, at + size) if at + size < len(words) else (forms, 0, 0)
        return called, max(size, end - at), 1.0

    def _of_first_name(
        self, forms: list[NameForm], words: Sequence[AskedWord], at: int, language: str
    ) -> tuple[list[NameForm], int, float] | None:
        """The doctors of a first name: with the last name behind it, if one stands there; nobody where they have
        another."""
        if at + 1 == len(words):
            return forms, 1, 1.0
        ids = {form.id for form in forms}
        behind = self._misspelt_doctor(words, at + 1, language)
        if behind is not None:
            both = [form for form in behind[0] if form.id in ids]
            return (both, behind[1] + 1, behind[2]) if both else None
        follows = words[at + 1]
        is_other = follows.is_name and not follows.is_token and follows.plain not in frequent_words(language)
        return None if is_other else (forms, 1, 1.0)

    def _misspelt_doctor(
        self, words: Sequence[AskedWord], at: int, language: str
    ) -> tuple[list[NameForm], int, float] | None:
        """The doctors whose last name is most like the words from a place on, those with the first name before it if
        that is what the first word is."""
        best: tuple[float, int, str] | None = None
        for size in range(min(LONGEST_NAME, len(words) - at), 0, -1):
            gram = words[at : at + size]
            if size > 1 and all(word.plain in frequent_words(language) for word in gram[1:]):
                continue
            seen = self._people.likest("".join(word.plain for word in gram), ALIKE_BEHIND_TITLE)
            if seen is not None and (best is None or seen[0] > best[0]):
                best = (seen[0], size, seen[1])
        if best is not None:
            forms = [form for form in self._alike(best[2]) if form.kind == "doctor"]
            called, _, end = self._with_first_name(forms, words, at, at + best[1])
            return called, max(best[1], end - at), best[0] / 100
        if at + 1 == len(words) or (behind := self._last_name_at(words, at + 1)) is None:
            return None
        both = self._called(words[at].plain, behind[0])
        return (both, behind[1] + 1, behind[2]) if both else None

    def _last_name_at(self, words: Sequence[AskedWord], at: int) -> tuple[list[NameForm], int, float] | None:
        """The doctors of the last name that begins at a place, and how many words it takes."""
        for size in range(min(LONGEST_NAME, len(words) - at), 0, -1):
            seen = self._people.likest("".join(word.plain for word in words[at : at + size]), ALIKE_BEHIND_TITLE)
            if seen is not None:
                return [form for form in self._alike(seen[1]) if form.kind == "doctor"], size, seen[0] / 100
        return None

    def _alike(self, joined: str) -> list[NameForm]:
        """The forms of a name, and of doctors whose names sound the same."""
        forms = [form for form in self._whole[joined] if not form.capitals]
        heard = self._by_sound.get(sound_of(joined), ())
        is_doctor = any(form.kind == "doctor" for form in forms)
        return list(dict.fromkeys([*forms, *(heard if is_doctor else [])]))


def _may_stand(form: NameForm, words: Sequence[AskedWord], at: int, language: str) -> bool:
    """Whether words that are a name are one here: an abbreviation is written in capitals, a last name that is a word of
    the language with a capital, and not as the first word; another ordinary word stands beside one for a department."""
    part = words[at : at + len(form.words)]
    if form.by == "first_name":
        return False
    if form.capitals:
        return all(word.text.isupper() for word in part)
    if form.kind == "doctor" and len(part) == 1 and part[0].plain in frequent_words(language):
        return part[0].is_name and at > 0
    return not form.beside or _is_beside_kind(words, at, at + len(part))


def _is_beside_kind(words: Sequence[AskedWord], start: int, end: int) -> bool:
    """Whether a word for a kind of thing stands behind a name, or before it with articles at most between."""
    if end < len(words) and words[end].plain in kind_words():
        return True
    before = next((word.plain for word in reversed(words[:start]) if word.plain not in small_words()), "")
    return before in kind_words()


def _mentions(forms: Sequence[NameForm], part: Sequence[AskedWord], text: str, score: float) -> list[Mention]:
    """A mention of each kind that a name may be of."""
    start, end = part[0].start, part[-1].end
    by_kind: dict[str, list[NameForm]] = {}
    for form in forms:
        by_kind.setdefault(form.kind, []).append(form)
    return [
        Mention(
            kind,
            tuple(dict.fromkeys(form.id for form in of_kind)),
            text[start:end],
            start,
            end,
            of_kind[0].by if score == 1.0 else "spelt",
            score,
        )
        for kind, of_kind in by_kind.items()
    ]


def _without_weak(found: Sequence[Mention]) -> Iterator[Mention]:
    """What is named, without the specialty of words that name a department themselves."""
    departments = {(one.start, one.end) for one in found if one.kind == "department"}
    for one in found:
        if one.kind == "lay_word" and (one.start, one.end) in departments:
            continue
        yield one


