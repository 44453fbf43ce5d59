"""How well kidneys work: the GFR categories of KDIGO, their stages in a question, and the eGFR of a creatinine.

Categories: KDIGO 2024 Clinical Practice Guideline for CKD, table 2 (G1 to G5, mL/min/1.73 m²). eGFR: CKD-EPI creatinine
equation of 2021 without race (Inker et al., N Engl J Med 2021;385:1737-1749), for adults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import yaml

from careline.text.asked_words import AskedWord, words_of
from careline.text.label_words import vocabulary

UNIT = "mL/min/1.73 m²"
ADULT_FROM = 18
"""Years from which the equation holds."""
UMOL_PER_MG_DL = 88.4
"""Micromoles of creatinine a litre in a milligram a decilitre."""
_LEAST = (("G1", 90.0), ("G2", 60.0), ("G3a", 45.0), ("G3b", 30.0), ("G4", 15.0), ("G5", 0.0))
RANGES: Mapping[str, str] = MappingProxyType(
    {"1": ">= 90", "2": "60-89", "3": "30-59", "3a": "45-59", "3b": "30-44", "4": "15-29", "5": "< 15"}
)
"""By stage, the eGFR as a question says it."""
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iiia": "3a", "iiib": "3b", "iv": "4", "v": "5"}
_MOST = 200.0
"""An eGFR above which a number is none."""


@dataclass(frozen=True, slots=True)
class SaidStage:
    """A stage of kidney disease as a reply says it from `start` to `end` (exclusive): `name` as in `RANGES`."""

    name: str
    start: int
    end: int

    @property
    def number(self) -> str:
        """The stage without the letter that divides it."""
        return self.name[0]


def category_of(egfr: float) -> str:
    """The GFR category of an eGFR in mL/min/1.73 m², as `G3b`. It is a stage of chronic disease only where it has
    lasted three months."""
    return next(name for name, least in _LEAST if egfr >= least or least == 0.0)


def egfr_of(creatinine_umol_l: float, age: int, sex: str) -> float | None:
    """The eGFR, in mL/min/1.73 m², of a creatinine in µmol/L; None for who is no adult, or of neither sex."""
    if age < ADULT_FROM or sex not in {"female", "male"}:
        return None
    kappa, alpha, of_sex = (0.7, -0.241, 1.012) if sex == "female" else (0.9, -0.302, 1.0)
    ratio = creatinine_umol_l / UMOL_PER_MG_DL / kappa
    return float(142 * min(ratio, 1.0) ** alpha * max(ratio, 1.0) ** -1.2 * 0.9938**age * of_sex)


def stages_as_egfr(text: str, egfr: float | None = None) -> str:
    """A text with each stage of chronic kidney disease as the eGFR that it is: "CKD stage 3" is "CKD eGFR 30-59", or
    `egfr` where that lies in it. The number of a stage is no value of anything else: 3 is not below 30."""
    words = words_of(text)
    if not any(word.plain in _words()["kidneys"] for word in words):
        return text
    for start, end, stage in reversed(list(_stages(words))):
        lies_in = egfr is not None and category_of(egfr).startswith(f"G{stage}")
        said = f"{egfr:.0f}" if lies_in else RANGES[stage]
        text = f"{text[:start]}eGFR {said}{text[end:]}"
    return text


def holds_stage(text: str, egfr: float) -> bool:
    """Whether a text names a stage of kidney disease in which an eGFR lies."""
    category = category_of(egfr)
    return any(category.startswith(f"G{stage}") for stage in stages_of(text))


def stages_of(text: str) -> list[str]:
    """The stages of kidney disease that a text names."""
    return [stage for _, _, stage in _stages(words_of(text))]


def said_stage(reply: str, language: str) -> SaidStage | None:
    """The one stage that a reply to "which stage?" says in more than a number: "3b", "G3b", "stage IIIb", "three b", or
    by an eGFR that lies in it. None where it says none, or several."""
    words = words_of(reply)
    by_egfr = _by_egfr(words, reply)
    found = [by_egfr] if by_egfr is not None else list(_divided(words, language))
    return found[0] if len(found) == 1 else None


def with_stage(text: str, stage: SaidStage) -> str:
    """A text that names a stage by its number, with the stage as it was said: "stage 3" is "stage 3b"."""
    for _, end, named in _stages(words_of(text)):
        if named == stage.number:
            return f"{text[: end - len(named)]}{stage.name}{text[end:]}"
    return text


def _by_egfr(words: Sequence[AskedWord], reply: str) -> SaidStage | None:
    """The stage of an eGFR; its words stand from the one that measures to the number."""
    measured = [word for word in words if word.plain in _words()["measured"]]
    numbers = [word for word in words if word.plain.isdecimal()]
    if not measured or not numbers or numbers[0].start < measured[0].end:
        return None
    egfr = float(numbers[0].plain)
    stage = category_of(egfr).removeprefix("G")
    return SaidStage(stage, measured[0].start, len(reply)) if egfr <= _MOST else None


def _divided(words: Sequence[AskedWord], language: str) -> Iterator[SaidStage]:
    numbers = vocabulary().numbers.get(language, {})
    for at, word in enumerate(words):
        plain = word.plain.removeprefix("g")
        worth = numbers.get(plain)
        stage = _ROMAN.get(plain, plain) if worth is None else f"{worth:.0f}"
        behind = words[at + 1] if at + 1 < len(words) else None
        if behind is not None and f"{stage}{behind.plain}" in RANGES:
            yield SaidStage(f"{stage}{behind.plain}", word.start, behind.end)
        elif stage in RANGES and (len(stage) > 1 or (stage != word.plain and len(word.plain) > 1 and worth is None)):
            yield SaidStage(stage, word.start, word.end)


def _stages(words: Sequence[AskedWord]) -> Iterator[tuple[int, int, str]]:
    """Where a stage stands, from its first word to its last, and which it is."""
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        plain = word.plain.removeprefix("g")
        stage = _ROMAN.get(plain, plain)
        if stage not in RANGES:
            continue
        if before is not None and before.plain in _words()["stage"]:
            yield before.start, word.end, stage
        elif plain != word.plain or (before is not None and before.plain in _words()["kidneys"]):
            yield word.start, word.end, stage


@cache
def _words() -> Mapping[str, frozenset[str]]:
    text = files("careline.understanding").joinpath("kidney_function.yaml").read_text("utf-8")
    content: Mapping[str, str] = yaml.load(text, Loader=yaml.CSafeLoader)
    return {name: frozenset(listed.split()) for name, listed in content.items()}
