"""Finds what a text names of a hospital's directory: as it is written there, in any of four languages, misspelt, by
last or first name, by a synonym or a lay word, and as speech recognition writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import yaml
from rapidfuzz import fuzz, process

from careline.directory.directory import Directory
from careline.model import LANGUAGES
from careline.text.asked_words import AskedWord, words_of
from careline.text.frequent_words import frequent_words

By = Literal["name", "full_name", "last_name", "first_name", "synonym", "specialty", "lay_word", "spelt", "title"]
LONGEST_GRAM = 5
"""Words of a text that may be one name, written apart or together."""
SHORTEST_SPELT = 5
"""Letters from which a name may be misspelt."""
ALIKE, ALIKE_BEHIND_TITLE = 86.0, 74.0
"""How alike, of 100, a misspelt name is (rapidfuzz `ratio`): two letters of ten; more behind a doctor's title, where a
name is sure to stand."""
LONGEST_PARTICLE = 3
"""Letters of a small word that a last name begins with."""
HEARD = 96.0
"""The most that a name counts which sounds as a word does and is written otherwise."""
SURELY = 92.0
"""How alike what begins with a word of the language must be."""
MOST_LIKE = 8
APART = 6.0
"""How much less alike the next one must be, else neither is meant."""


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


@dataclass(frozen=True, slots=True)
class NameForm:
    """One way to call an entry, as words without capitals and accents. `capitals`: only if it is written in these."""

    words: tuple[str, ...]
    kind: str
    id: str
    by: By
    capitals: bool = False

    @property
    def joined(self) -> str:
        """As one word, which is how it may be written too."""
        return "".join(self.words)


@dataclass(frozen=True, slots=True)
class SpecialtyNames:
    """What people call a medical specialty and those who practise it, in every language."""

    key: str
    names: tuple[str, ...]
    doctors: tuple[str, ...]


@cache
def _naming() -> Mapping[str, Mapping[str, frozenset[str]]]:
    content = yaml.load(
        files("careline.understanding.entities").joinpath("naming.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return {
        table: {code: frozenset(word.plain for text in listed[code] for word in words_of(text)) for code in LANGUAGES}
        for table, listed in content.items()
    }


@cache
def _naming_of_sexes() -> Mapping[str, frozenset[str]]:
    return {sex: frozenset().union(*_naming()[f"{sex}_titles"].values()) for sex in ("female", "male")}


@cache
def generic_words() -> frozenset[str]:
    """Words beside names that name nothing by themselves, of all languages."""
    return frozenset().union(*_naming()["generic"].values())


@cache
def title_words() -> frozenset[str]:
    """What doctors are addressed with, of all languages."""
    return frozenset().union(*_naming()["titles"].values())


@cache
def _sounds() -> tuple[tuple[tuple[str, str], ...], frozenset[str]]:
    text = files("careline.understanding.entities").joinpath("sounds.yaml").read_text("utf-8")
    content = yaml.load(text, Loader=yaml.CSafeLoader)
    return tuple((old, new) for old, new in content["groups"]), frozenset(content["silent_first"])


def sound_of(word: str) -> str:
    """A word without capitals and accents as it sounds, so that "klaaskens" is "claeskens"."""
    groups, silent = _sounds()
    sound = word[1:] if word[:1] in silent and len(word) > SHORTEST_SPELT else word
    for old, new in groups:
        sound = sound.replace(old, new)
    return "".join(letter for n, letter in enumerate(sound) if n == 0 or letter != sound[n - 1])


def plain(text: str) -> tuple[str, ...]:
    """The words of a name without capitals and accents."""
    return tuple(word.plain for word in words_of(text))


def core(text: str) -> tuple[str, ...]:
    """The words of a name that tell it from others: "campus Oost" is "oost"; all where none would be left."""
    words = plain(text)
    left = tuple(word for word in words if word not in generic_words())
    return left or words


class NameIndex:
    """The names of one edition of a directory, ready to be found. Safe to use from several threads at once."""

    def __init__(self, directory: Directory, specialties: Sequence[SpecialtyNames] = ()) -> None:
        forms = dict.fromkeys(_forms(directory, specialties))
        self._sexes = {doctor.id: doctor.sex for doctor in directory.doctors}
        self._by_first: dict[str, list[NameForm]] = {}
        for form in sorted(forms, key=lambda one: -len(one.words)):
            self._by_first.setdefault(form.words[0], []).append(form)
        self._whole: dict[str, list[NameForm]] = {}
        for form in forms:
            self._whole.setdefault(form.joined, []).append(form)
        self._spelt = [
            form
            for form in forms
            if len(form.joined) >= SHORTEST_SPELT and not form.capitals and form.by != "first_name"
        ]
        self._joined = [form.joined for form in self._spelt]
        self._sounding = [sound_of(joined) for joined in self._joined]
        self._by_sound: dict[str, list[NameForm]] = {}
        for form, sound in zip(self._spelt, self._sounding, strict=True):
            self._by_sound.setdefault(sound, []).append(form)
        doctors = [form for form in forms if form.by == "last_name" and len(form.words) > 1]
        self._particles = frozenset(form.words[0] for form in doctors)
        self._people = [n for n, form in enumerate(self._spelt) if form.kind == "doctor"]

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
        taken = forms[0][1]
        return taken, _mentions([form for form, _, _ in forms], words[at : at + taken], text, forms[0][2])

    def _exact(self, words: Sequence[AskedWord], at: int, language: str) -> list[tuple[NameForm, int, float]]:
        """The longest forms that stand there letter by letter."""
        best: list[tuple[NameForm, int, float]] = []
        for form in self._by_first.get(words[at].plain, ()):
            part = words[at : at + len(form.words)]
            if best and len(form.words) < best[0][1]:
                break
            if tuple(word.plain for word in part) == form.words and _may_stand(form, part, at, language):
                best.append((form, len(part), 1.0))
        return best or self._compound(words[at])

    def _compound(self, word: AskedWord) -> list[tuple[NameForm, int, float]]:
        """A name that is one word with what kind of thing it is: "spoedafdeling", "slaaplabo"."""
        for cut in range(4, len(word.plain) - 3):
            if word.plain[cut:] in generic_words() and (forms := self._whole.get(word.plain[:cut])):
                return [(form, 1, 1.0) for form in forms if not form.capitals and form.kind != "doctor"]
        return []

    def _spelt_at(self, words: Sequence[AskedWord], at: int, language: str) -> list[tuple[NameForm, int, float]]:
        """The forms that are meant by a misspelt one, which begins with a word of the language or not."""
        usual = frequent_words(language)
        is_usual = words[at].plain in usual and words[at].plain not in self._particles
        best: tuple[float, int, str] | None = None
        reach = next((n for n in range(1, len(words) - at) if self._exact(words, at + n, language)), LONGEST_GRAM)
        for size in range(min(LONGEST_GRAM, len(words) - at, reach), 0, -1):
            gram = words[at : at + size]
            joined = "".join(word.plain for word in gram)
            if len(joined) < SHORTEST_SPELT or all(word.plain in usual or word.plain.isdigit() for word in gram):
                continue
            if joined in self._whole and all(form.kind != "doctor" or size > 1 for form in self._whole[joined]):
                return [(form, size, 1.0) for form in self._whole[joined] if not form.capitals]
            seen = self._likest(joined, range(len(self._joined)), SURELY if is_usual else ALIKE)
            if seen is not None and (best is None or seen[0] > best[0]):
                best = (seen[0], size, seen[1])
        if best is None:
            return []
        return [(form, best[1], best[0] / 100) for form in self._alike(best[2])]

    def _likest(self, joined: str, among: Iterable[int], least: float) -> tuple[float, str] | None:
        """The name most like a word, and how alike; None where none is, or two are about equally."""
        near = [n for n in among if abs(len(self._joined[n]) - len(joined)) <= 3]
        sound, scores = sound_of(joined), dict[str, float]()
        by_letters = process.extract(
            joined, {n: self._joined[n] for n in near}, scorer=fuzz.ratio, score_cutoff=least - APART, limit=MOST_LIKE
        )
        by_sound = process.extract(
            sound, {n: self._sounding[n] for n in near}, scorer=fuzz.ratio, score_cutoff=least - APART, limit=MOST_LIKE
        )
        for _, score, n in (*by_letters, *by_sound):
            # A name that only sounds alike is a little less alike than one that is written so.
            worth = score if self._joined[n] == joined else min(score, HEARD)
            scores[self._joined[n]] = max(worth, scores.get(self._joined[n], 0.0))
        ranked = sorted(scores.items(), key=lambda pair: -pair[1])
        if not ranked or ranked[0][1] < least:
            return None
        first, best = ranked[0]
        others = [score for name, score in ranked[1:] if not self._is_same(first, name)]
        return None if others and best - others[0] < APART else (best, first)

    def _is_same(self, one: str, other: str) -> bool:
        """Whether two names sound the same or are of one entry."""
        ids = {form.id for form in self._whole[one]}
        return sound_of(one) == sound_of(other) or not ids.isdisjoint(form.id for form in self._whole[other])

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
        for sex, listed in _naming_of_sexes().items():
            if any(title in listed for title in titles):
                return [form for form in forms if self._sexes.get(form.id) in (None, sex)] or forms
        return forms

    def _doctor_at(
        self, words: Sequence[AskedWord], at: int, language: str
    ) -> tuple[list[NameForm], int, float] | None:
        exact = [
            (form, len(form.words))
            for form in self._by_first.get(words[at].plain, ())
            if form.kind == "doctor" and tuple(word.plain for word in words[at : at + len(form.words)]) == form.words
        ]
        if exact:
            longest = max(taken for _, taken in exact)
            forms = [form for form, taken in exact if taken == longest]
            by_last = [form for form in forms if form.by != "first_name"]
            if len(by_last) == len(forms) and all(form.by == "last_name" for form in forms):
                heard = self._alike("".join(words[at + n].plain for n in range(longest)))
                return [form for form in heard if form.kind == "doctor"] or forms, longest, 1.0
            return by_last or forms, longest, 1.0
        best: tuple[float, int, str] | None = None
        for size in range(min(LONGEST_GRAM, len(words) - at), 0, -1):
            gram = words[at : at + size]
            if size > 1 and all(word.plain in frequent_words(language) for word in gram[1:]):
                continue
            seen = self._likest("".join(word.plain for word in gram), self._people, ALIKE_BEHIND_TITLE)
            if seen is not None and (best is None or seen[0] > best[0]):
                best = (seen[0], size, seen[1])
        if best is None:
            return None
        return [form for form in self._alike(best[2]) if form.kind == "doctor"], best[1], best[0] / 100

    def _alike(self, joined: str) -> list[NameForm]:
        """The forms of a name, and of doctors whose names sound the same."""
        forms = [form for form in self._whole[joined] if not form.capitals]
        heard = [form for form in self._by_sound.get(sound_of(joined), ()) if form.kind == "doctor"]
        is_doctor = any(form.kind == "doctor" for form in forms)
        return list(dict.fromkeys([*forms, *(heard if is_doctor else [])]))


def _may_stand(form: NameForm, part: Sequence[AskedWord], at: int, language: str) -> bool:
    """Whether words that are a name are one here: an abbreviation is written in capitals, a last name that is a word of
    the language with a capital, and not as the first word."""
    if form.by == "first_name":
        return False
    if form.capitals:
        return all(word.text.isupper() for word in part)
    if form.kind == "doctor" and len(part) == 1 and part[0].plain in frequent_words(language):
        return part[0].is_name and at > 0
    return True


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


def _forms(directory: Directory, specialties: Sequence[SpecialtyNames]) -> Iterator[NameForm]:
    for campus in directory.campuses:
        called = [*campus.names.values(), *([campus.name] if campus.name else [])]
        synonyms = [word for listed in campus.synonyms.values() for word in listed]
        yield from _called("campus", campus.id, called, synonyms)
    for department in directory.departments:
        synonyms = [word for listed in department.synonyms.values() for word in listed]
        yield from _called("department", department.id, department.names.values(), synonyms)
        for specialty in specialties:
            if _is_of(department.specialty, department.id, department.names.values(), specialty):
                names = (*specialty.names, *specialty.doctors)
                yield from _written("department", department.id, names, "specialty")
    yield from _doctors(directory)
    for words in directory.lay_words:
        terms = [term for listed in words.terms.values() for term in listed]
        yield from _written("lay_word", words.department, (*terms, *words.clinical.values()), "lay_word")
    for tariff in directory.tariffs:
        synonyms = [word for listed in tariff.synonyms.values() for word in listed]
        yield from _called("tariff", tariff.id, tariff.subject.values(), synonyms)
    for contact in directory.contacts:
        synonyms = [word for listed in contact.synonyms.values() for word in listed]
        yield from _called("contact", contact.id, contact.names.values(), synonyms)


def _is_of(key: str | None, entry_id: str, names: Iterable[str], specialty: SpecialtyNames) -> bool:
    """Whether a department is the one of a specialty: it says so, or has its name and no other word."""
    if key is not None:
        return key == specialty.key
    known = {core(name) for name in specialty.names}
    return entry_id.replace("-", "_") == specialty.key or any(core(name) in known for name in names)


def _called(kind: str, entry_id: str, names: Iterable[str], synonyms: Iterable[str]) -> Iterator[NameForm]:
    yield from _written(kind, entry_id, names, "name")
    yield from _written(kind, entry_id, synonyms, "synonym")


def _written(kind: str, entry_id: str, names: Iterable[str], by: By) -> Iterator[NameForm]:
    """The forms of names: whole, and without the words that only say what kind of thing it is."""
    for name in names:
        whole, short = plain(name), core(name)
        for words in dict.fromkeys((whole, short)):
            if len("".join(words)) > 1 and not all(word in generic_words() for word in words):
                capitals = all(len(word) <= 2 for word in words)
                yield NameForm(words, kind, entry_id, by, capitals)


def _without_particles(last: tuple[str, ...]) -> tuple[str, ...]:
    """A last name without the small words it begins with: "van den abbeele" is "abbeele"."""
    at = next((n for n, word in enumerate(last) if len(word) > LONGEST_PARTICLE), 0)
    return last[at:]


def _doctors(directory: Directory) -> Iterator[NameForm]:
    for doctor in directory.doctors:
        last, first = plain(doctor.last_name), plain(doctor.first_name or "")
        if not last:
            continue
        yield NameForm(last, "doctor", doctor.id, "last_name")
        bare = _without_particles(last)
        if bare != last and len(bare[0]) >= SHORTEST_SPELT:
            yield NameForm(bare, "doctor", doctor.id, "last_name")
        if first:
            yield NameForm(first, "doctor", doctor.id, "first_name")
            yield NameForm((*first, *last), "doctor", doctor.id, "full_name")
            yield NameForm((*last, *first), "doctor", doctor.id, "full_name")
        for synonym in doctor.synonyms:
            if words := plain(synonym):
                yield NameForm(words, "doctor", doctor.id, "synonym")
