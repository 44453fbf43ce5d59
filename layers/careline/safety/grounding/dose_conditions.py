"""Holds a dose to what was asked: the medicine, the patient, the way it is given and how the kidneys work.

A dose is right for one medicine and one kind of patient; the next row of the table is another one's. What is read here
is only what question and document say: where both name a condition and not the same, the dose is another one's. Two
conditions are stricter, because silence is no answer: a medicine that no list knows has to be named by the document,
and a question that names the kidneys is not answered with a dose that does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.safety.grounding.medicines import medicines, one_spelling
from careline.text.figures import readable
from careline.text.frequent_words import frequent_words
from careline.text.label_words import question_words
from careline.text.spelling.misspelt import common_beginning, is_one_slip
from careline.text.values import LENGTH, Value, fits, meets, values

DOSE = "dose"
"""The concept of words that speak of one."""
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_KIDNEY_UNIT = re.compile(r"\bm[lL]/min(?:/1[.,]73 ?m[²2])?")
_SHORTEST_NAME = 6
"""Letters of a word that may be the name of a medicine."""
_SAME_BEGINNING = 6
"""Letters that a name and what a document has for it in another language begin with."""
_MONTH, _YEAR = 43_830.0, 525_960.0
"""Minutes of a month and of a year, as `text.values` counts them."""
_ADULT_FROM, _CHILD_UNTIL = 16 * _YEAR, 18 * _YEAR
"""Between these a patient may be treated as either; guidelines differ."""


@dataclass(frozen=True, slots=True)
class AskedDose:
    """What a question says of a dose. `is_dose` where it speaks of one or of a medicine at all. `names` are words of no
    language where it names no known medicine; `patients` and `routes` are empty where it names none."""

    is_dose: bool
    medicines: frozenset[str]
    names: frozenset[str]
    patients: frozenset[str]
    routes: frozenset[str]
    kidneys: bool
    values: tuple[Value, ...]
    age: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ToldDose:
    """What is told, and what it stands under: `headings` from the innermost outwards, the title of the document last.

    `labels` are those of the row, "" for prose, and `ages` the cells of it that say how old a patient is.
    """

    text: str
    headings: tuple[str, ...]
    labels: str = ""
    ages: tuple[str, ...] = ()


def asked_dose(question: str, language: str) -> AskedDose:
    """What a question in plain words says of a dose."""
    plain, known = readable(question), _conditions()
    words = _WORD.findall(plain)
    named = medicines(plain)
    given = values(without_kidney_unit(question), tuple(dict.fromkeys((language, *LANGUAGES))))
    patients = _groups(words, known.patients)
    age = tuple(_ages(given, words, patients))
    return AskedDose(
        bool(named) or any(DOSE in word.concepts for word in question_words(question, language)),
        named,
        frozenset() if named else frozenset(_names(words)),
        patients or frozenset(group for one in age for group in _group_of(one)),
        _groups(words, known.routes),
        not known.kidneys.isdisjoint(words),
        given,
        age,
    )


def is_another_dose(asked: AskedDose, told: ToldDose, language: str) -> bool:
    """Whether what is told in a language is of another medicine, patient, route or state of the kidneys than asked."""
    levels = [readable(text) for text in (told.text, *told.headings)]
    words = [_WORD.findall(level) for level in levels]
    known = _conditions()
    return (
        _is_another_medicine(asked, levels)
        or _is_another_name(asked.names, words)
        or _differs(asked.patients, words, known.patients)
        or _differs(asked.routes, words, known.routes)
        or (asked.kidneys and all(known.kidneys.isdisjoint(each) for each in words))
        or _is_outside(asked, told, language)
    )


def names_medicine(told: ToldDose) -> bool:
    """Whether a medicine is named by what is told or what it stands under."""
    return any(medicines(readable(text)) for text in (told.text, *told.headings))


def is_under_condition(asked: AskedDose, labels: str, language: str) -> bool:
    """Whether the labels of a row are a range of the age or of how the kidneys work that holds the one asked with."""
    is_kidneys = asked.kidneys and names_kidneys(labels)
    given = asked.values if is_kidneys else asked.age
    ranges = _ranges(labels, language)
    return bool(given) and (fits(given, ranges) is True or (is_kidneys and meets(given, ranges) is True))


def names_kidneys(text: str) -> bool:
    """Whether a text says how well kidneys work."""
    return not _conditions().kidneys.isdisjoint(_WORD.findall(readable(text)))


def without_kidney_unit(text: str) -> str:
    """A text without the unit in which kidney function is measured: people seldom say it, and a table has it above."""
    return _KIDNEY_UNIT.sub(" ", text)


def names_pregnancy(text: str) -> bool:
    """Whether a text speaks of who is pregnant."""
    return not _conditions().pregnancy.isdisjoint(_WORD.findall(readable(text)))


def _is_another_medicine(asked: AskedDose, levels: Sequence[str]) -> bool:
    """Whether medicines are named and none of those asked about. Where none is, the passage was looked at before."""
    named = frozenset().union(*map(medicines, levels))
    return bool(asked.medicines and named) and asked.medicines.isdisjoint(named)


def _is_another_name(names: frozenset[str], words: Sequence[Sequence[str]]) -> bool:
    there = {one for each in words for word in each for one in (word, *word.split("-"))}
    return bool(names) and not any(_is_named(name, there) for name in names)


def _is_named(name: str, there: Iterable[str]) -> bool:
    spelled = one_spelling(name)
    for word in there:
        other = one_spelling(word)
        short, long = sorted((spelled, other), key=len)
        if short == long or common_beginning(short, long) >= _SAME_BEGINNING:
            return True
        if len(short) >= _SHORTEST_NAME and is_one_slip(short, long):
            return True
    return False


def _differs(asked: frozenset[str], words: Sequence[Sequence[str]], known: dict[str, str]) -> bool:
    """Whether the innermost text that says for whom or how names others than those asked about."""
    said = next((found for each in words if (found := _groups(each, known))), frozenset())
    return bool(asked and said) and asked.isdisjoint(said)


def _is_outside(asked: AskedDose, told: ToldDose, language: str) -> bool:
    """Whether a range of the row's labels or ages leaves out the value that was asked with: 8 kg of "over 50 kg"."""
    held = ((asked.values, told.labels), *((asked.age, age) for age in told.ages))
    if asked.kidneys and names_kidneys(told.labels) and meets(asked.values, _ranges(told.labels, language)) is False:
        return True
    return any(fits(given, _ranges(text, language)) is False for given, text in held)


def _ranges(text: str, language: str) -> list[Value]:
    """What may be left out of: "Paracetamol 500 mg" is no weight of a patient."""
    return [one for one in values(without_kidney_unit(text), (language,)) if not one.is_single]


def _groups(words: Iterable[str], known: dict[str, str]) -> frozenset[str]:
    return frozenset(known[word] for word in words if word in known)


def _ages(given: Iterable[Value], words: Sequence[str], patients: frozenset[str]) -> Iterator[Value]:
    """The ages among lengths of time: years are, months of a child, and any that something is "old"."""
    is_old = not _conditions().old.isdisjoint(words)
    least = 0.0 if is_old else _MONTH if patients & {"child", "neonate"} else _YEAR
    yield from (one for one in given if one.kind == LENGTH and one.is_single and one.low >= least)


def _group_of(age: Value) -> tuple[str, ...]:
    if age.low < _MONTH:
        return ("neonate",)
    groups = (("child", age.low < _CHILD_UNTIL), ("adult", age.low >= _ADULT_FROM))
    return tuple(group for group, is_one in groups if is_one)


def _names(words: Iterable[str]) -> Iterator[str]:
    """Words that no language has."""
    known = _conditions()
    for part in (part for word in words for part in word.split("-")):
        is_known = part in known.patients or part in known.routes or part in known.kidneys
        if len(part) >= _SHORTEST_NAME and not is_known and not _is_ordinary(part):
            yield part


def _is_ordinary(word: str) -> bool:
    return any(word in frequent_words(language) for language in LANGUAGES)


@dataclass(frozen=True, slots=True)
class _Conditions:
    """`dose_conditions.yaml`, each word with what it names."""

    patients: dict[str, str]
    routes: dict[str, str]
    kidneys: frozenset[str]
    pregnancy: frozenset[str]
    old: frozenset[str]


@cache
def _conditions() -> _Conditions:
    content = yaml.safe_load(files("careline.safety").joinpath("data", "dose_conditions.yaml").read_text("utf-8"))
    patients, routes = (
        {word: name for name, listed in content[kind].items() for word in listed.split()}
        for kind in ("patients", "routes")
    )
    listed = (frozenset(content[name].split()) for name in ("kidneys", "pregnancy", "old"))
    return _Conditions(patients, routes, *listed)
