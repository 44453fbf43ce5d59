"""The files that reviewed patterns are written in, and what of them is needed while serving.

A rule set is one YAML file for one language, written by people who know the language rather than by programmers:

    language: en
    slots:                                     # named alternatives; a slot may use slots
      medicine: aspirin|ibuprofen
    classes:
      SAFETY_REFUSAL:
        rules:
          - name: how-much-to-take
            pattern: how (much|many) {medicine} .... take
            match: [how much aspirin may i take, ...]          # at least two
            pass: [how much time does it take]                 # at least one
        asides: [...]                          # same form: stretches of text the class does not look at

Patterns are RE2 over plain text (`plain_text.normalise`) and match whole words; one pattern or a list. Beyond RE2:
`{slot}` is one of its alternatives, `{slot?}` the same or nothing; ` .. ` stands for at most two words, ` ... ` for at
most seven and ` .... ` for at most forty characters, none past the end of a sentence; `^ ` is where the text starts and
`$` where a sentence ends. In a class with `whole: true` the text must be nothing but the pattern, with any words of the
pattern `around` before and after. A rule set whose examples fail does not load.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from careline.errors import PackInvalid
from careline.safety.rules.prefilter import Needs


class _Written(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RuleWritten(_Written):
    """A rule or an aside with its examples."""

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    pattern: str | list[str]
    match: list[str] = Field(min_length=2)
    pass_: list[str] = Field(alias="pass", min_length=1)


class ClassWritten(_Written):
    """The rules of a class, and the stretches of text that it does not look at."""

    whole: bool = False
    around: str = ""
    rules: list[RuleWritten] = Field(min_length=1)
    asides: list[RuleWritten] = []


class RuleSetWritten(_Written):
    """A whole file."""

    language: str
    slots: dict[str, str] = {}
    classes: dict[str, ClassWritten]


@dataclass(frozen=True, slots=True)
class RuleSection:
    """The patterns of a class, by the names of its rules and asides, in the order of the file."""

    whole: bool
    around: str
    rules: Mapping[str, Sequence[str]]
    asides: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Content:
    """What a file says, without its examples."""

    slots: Mapping[str, str]
    classes: Mapping[str, RuleSection]


@dataclass(frozen=True, slots=True)
class Proven:
    """A file whose examples were checked: its content, and what each pattern of its rules and of its asides needs."""

    content: Content
    needs: Sequence[Needs]
    needs_of_asides: Sequence[Needs]


def content(written: RuleSetWritten) -> Content:
    """A file without its examples."""
    return Content(
        written.slots,
        {
            group: RuleSection(held.whole, held.around, _patterns(held.rules), _patterns(held.asides))
            for group, held in written.classes.items()
        },
    )


def _patterns(rules: Sequence[RuleWritten]) -> dict[str, list[str]]:
    return {rule.name: [rule.pattern] if isinstance(rule.pattern, str) else rule.pattern for rule in rules}


def name_of(path: Path) -> str:
    """How messages call a file: by its pack, its folder and itself."""
    return "/".join(path.parts[-3:])


def read(path: Path) -> RuleSetWritten:
    """One file. Raises: PackInvalid naming the file and what is wrong with it."""
    name = name_of(path)
    try:
        written = RuleSetWritten.model_validate(yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader))
    except FileNotFoundError:
        raise PackInvalid(f"{name} is missing") from None
    except yaml.YAMLError as error:
        raise PackInvalid(f"{name} is not YAML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise PackInvalid(f"{name}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if written.language != path.stem:
        raise PackInvalid(f"{name}: language: must be {path.stem}")
    for group, held in written.classes.items():
        for rules in (held.rules, held.asides):
            _refuse_twins(name, f"{written.language}/{group}", rules)
    return written


def _refuse_twins(file: str, place: str, rules: Sequence[RuleWritten]) -> None:
    names = [rule.name for rule in rules]
    if twin := next((one for n, one in enumerate(names) if one in names[:n]), None):
        raise PackInvalid(f"{file}: {place}/{twin}: there is another rule of this name")
