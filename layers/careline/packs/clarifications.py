"""What a pack asks back about: terms that mean several things, words alone, and what the directory holds of something.

`clarifications/<lang>.yaml`, one in each language of the pack or none at all:

    ambiguous:                      # a term that needs a qualifier, by a name of its own
      diabetes:
        terms: [diabetes]           # keys of the medical vocabulary (careline.understanding.terms)
        words: [sugar trouble]      # other wordings, as whole words
        clear: [type 1, insipidus]  # what says which one is meant, here or in what was said before
        ask: which_one              # the reply that asks
        choices:
          - told: type 1 diabetes   # how people are told it
            put: type 1 diabetes    # what stands in the question in place of the term; `told` where it is missing
          - told: type 2 diabetes
            then: {ask: which_stage, choices: [...]}   # what is asked next, where that one is meant
    words:                          # a word alone that says too little where nothing answers it
      appointment:
        words: [appointment]
        about: an appointment       # what `which_part` says that the question is about
        choices: [{told: making an appointment, question: How do I make an appointment?}]
    parts:                          # what people ask of something that is named and nothing more
      department:                   # or campus
        - {label: department_contact/phone, told: the telephone number, question: "What is the number of {name}?"}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from careline.text.asked_words import words_of

LEAST = 2
"""Choices of a question back; of one there is nothing to ask."""
WHICH_ONE, WHICH_PART = "which_one", "which_part"
"""Replies that ask which of several things is meant, and what of a thing is wanted."""
PartOf = Literal["department", "campus"]
_Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Phrase = tuple[str, ...]
"""Words in lower case without accents."""


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Next(_Strict):
    ask: _Text = WHICH_ONE
    choices: list[_MeaningWritten] = Field(min_length=LEAST)


class _MeaningWritten(_Strict):
    told: _Text
    put: _Text | None = None
    then: _Next | None = None


class _AmbiguousWritten(_Next):
    terms: list[_Text] = Field(default_factory=list)
    words: list[_Text] = Field(default_factory=list)
    clear: list[_Text] = Field(default_factory=list)


class _QuestionWritten(_Strict):
    told: _Text
    question: _Text


class _WordWritten(_Strict):
    words: list[_Text] = Field(min_length=1)
    about: _Text
    choices: list[_QuestionWritten] = Field(min_length=LEAST)


class _PartWritten(_Strict):
    label: Annotated[str, StringConstraints(pattern=r"^[a-z_]+(?:/[a-z_]+)?$")]
    told: _Text
    question: Annotated[str, StringConstraints(pattern=r"^[^{}]*\{name\}[^{}]*$")]


class ClarificationsWritten(_Strict):
    """A file of a language, as it is written."""

    ambiguous: dict[_Text, _AmbiguousWritten] = Field(default_factory=dict)
    words: dict[_Text, _WordWritten] = Field(default_factory=dict)
    parts: dict[PartOf, list[_PartWritten]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Meaning:
    """Something that a term may mean: as people are told it, and as it stands in a question in place of the term.
    `then` is what of it may be meant, of which is asked by the reply `ask`."""

    told: str
    put: str
    then: tuple[Meaning, ...] = ()
    ask: str = ""


@dataclass(frozen=True, slots=True)
class AmbiguousTerm:
    """A term that means several things unless a question says which: `terms` are keys of the medical vocabulary,
    `words` other wordings, `clear` what says which one is meant."""

    name: str
    terms: frozenset[str]
    words: tuple[Phrase, ...]
    clear: tuple[Phrase, ...]
    ask: str
    meanings: tuple[Meaning, ...]


@dataclass(frozen=True, slots=True)
class WordAlone:
    """A word that says too little by itself: what it is `about`, and the questions that it may stand for, by how people
    are told them."""

    name: str
    words: tuple[Phrase, ...]
    about: str
    questions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Part:
    """What people may want of something that the directory holds: the label of an intent, how it is told, and the
    question with `{name}`."""

    label: str
    told: str
    question: str


@dataclass(frozen=True, slots=True)
class Clarifications:
    """What is asked back about in one language."""

    ambiguous: tuple[AmbiguousTerm, ...] = ()
    words: tuple[WordAlone, ...] = ()
    parts: Mapping[PartOf, tuple[Part, ...]] = field(default_factory=dict)

    @property
    def asks(self) -> Iterator[str]:
        """The keys of the replies that ask."""
        for term in self.ambiguous:
            yield term.ask
            yield from (one.ask for one in term.meanings if one.then)
        if self.words or self.parts:
            yield WHICH_PART


NOTHING = Clarifications()


def clarifications(written: ClarificationsWritten) -> Clarifications:
    """A file of a language, ready to be asked."""
    return Clarifications(
        tuple(
            AmbiguousTerm(
                name, frozenset(one.terms), _phrases(one.words), _phrases(one.clear), one.ask, _meanings(one.choices)
            )
            for name, one in written.ambiguous.items()
        ),
        tuple(
            WordAlone(name, _phrases(one.words), one.about, {each.told: each.question for each in one.choices})
            for name, one in written.words.items()
        ),
        {of: tuple(Part(one.label, one.told, one.question) for one in parts) for of, parts in written.parts.items()},
    )


def _meanings(written: list[_MeaningWritten]) -> tuple[Meaning, ...]:
    return tuple(
        Meaning(
            one.told,
            one.put or one.told,
            _meanings(one.then.choices) if one.then is not None else (),
            one.then.ask if one.then is not None else "",
        )
        for one in written
    )


def _phrases(written: list[str]) -> tuple[Phrase, ...]:
    return tuple(tuple(word.plain for word in words_of(one)) for one in written)
