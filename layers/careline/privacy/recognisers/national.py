"""National numbers of Belgium, France, Italy, the United Kingdom and the United States.

A number counts when its checksum is right in any grouping, or when it is announced by name; then, because people
misread and mishear, a wrong checksum or a digit more or less is no reason to let it pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, permutations
from typing import Any

from careline.model import Span, SpanType
from careline.privacy.dictation.runs import Group, Run
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.recognisers import cues
from careline.privacy.vocabulary import either, folded, pattern, tables, words

_LENGTHS = range(9, 16)
_NISS, _NHS, _NIR, _NIR_WITHOUT_KEY, _SSN = 11, 10, 15, 13, 9
_ANNOUNCED = (
    ("niss", SpanType.NISS, (_NISS,), range(9, 14)),
    ("nir", SpanType.NIR, (_NIR, _NIR_WITHOUT_KEY), range(11, 18)),
    ("nhs", SpanType.NHS, (_NHS,), range(8, 13)),
    ("ssn", SpanType.SSN, (_SSN,), range(8, 11)),
)
"""List of cues, type, lengths that are right, lengths that are near."""
_CODICE_LENGTH, _CODICE_NEAR = 16, 11
_CODICE_NEARLY = range(_CODICE_NEAR, 20)
_CODICE_FEW = 3
"""Digits of a code that fails its check at least; words of a sentence fit its shape too."""
_CODICE = re.compile(r"[a-z]{6}[0-9lmnpqrstuv]{2}[abcdehlmprst][0-9lmnpqrstuv]{2}[a-z][0-9lmnpqrstuv]{3}[a-z]")
_CODICE_WITHIN = 160
"""Characters in which an Italian spells out sixteen letters and digits."""
_CODICE_TOKEN = re.compile(r"[a-z]+|\d+")
_CODICE_PART = re.compile(r"[a-z]{1,6}|\d{1,3}")
_NHS_GROUPS = (3, 3, 4)
_SSN_GROUPS = (3, 2, 4)
_NHS_FIRST = "4679"
"""First digits of numbers issued in England, Wales and the Isle of Man."""
_BELGIAN = re.compile(
    rb"(?<![\d.-])(?<!\d )\d\d[ .](?:[024][1-9]|[135][0-2])[ .](?:0[1-9]|[12]\d|3[01])[ .-]\d{3}[ .-]\d\d(?![\d/]| \d)"
)
"""As printed on the card: year, month and day of birth, then three and two digits."""
_AMERICAN = re.compile(rb"\b\d{3}-\d\d-\d{4}\b")


def find(reading: NormalisedText) -> Iterator[Span]:
    """National numbers of every country, whatever the language: patients live in one and come from another."""
    for run in reading.runs:
        yield from _checked(reading, run)
    for name, kind, right, near in _ANNOUNCED:
        yield from _announced(reading, name, kind, right, near)
    for match in _BELGIAN.finditer(reading.figures):
        if not reading.figures[: match.start()].endswith((b"+", b"/", b"-", b".")):
            yield reading.span(match.start(), match.end(), SpanType.NISS, "niss/shape")
    yield from _american(reading)
    for match in _corsican().finditer(reading.figures):
        if _valid_nir(re.sub(r"\W", "", match.group().decode("ascii"))):
            yield reading.span(match.start(), match.end(), SpanType.NIR, "nir/checksum")
    yield from _codice(reading)


def _checked(reading: NormalisedText, run: Run) -> Iterator[Span]:
    for first, group in enumerate(run.groups):
        for last, digits in run.spellings(first, _LENGTHS):
            alone = len(run.groups) == last + 1 and not first
            kind = _kind(digits, alone and (reading.language in (None, "en") or _grouped_as_nhs(run)))
            if kind is not None:
                yield reading.span(group.start, run.groups[last].end, kind, f"{kind.value.lower()}/checksum")


def _american(reading: NormalisedText) -> Iterator[Span]:
    """Numbers in the American groups, typed with hyphens or dictated with pauses."""
    for match in _AMERICAN.finditer(reading.figures):
        rule = "checksum" if _valid_ssn(match.group().decode("ascii")) else "shape"
        yield reading.span(match.start(), match.end(), SpanType.SSN, f"ssn/{rule}")
    if reading.language not in (None, "en"):
        return
    for run in reading.runs:
        if _grouped(reading, run) == _SSN_GROUPS:
            yield reading.span(run.groups[0].start, run.groups[-1].end, SpanType.SSN, "ssn/shape")


def _grouped(reading: NormalisedText, run: Run) -> tuple[int, ...]:
    """How many digits are said between pauses."""
    found = [0]
    for index, group in enumerate(run.groups):
        if index and len(reading.figures[run.groups[index - 1].end : group.start].strip()) > 1:
            found.append(0)
        found[-1] += len(group.digits)
    return tuple(found)


def _grouped_as_nhs(run: Run) -> bool:
    return tuple(len(group.digits) for group in run.groups) == _NHS_GROUPS


def _kind(digits: str, english: bool) -> SpanType | None:
    """What a number is by its length and checksum alone. `english`: it may be a British one."""
    if len(digits) == _NISS and _valid_niss(digits):
        return SpanType.NISS
    if len(digits) == _NIR and digits[0] in "123478" and _valid_nir(digits):
        return SpanType.NIR
    british = english and len(digits) == _NHS and digits[0] in _NHS_FIRST
    return SpanType.NHS if british and _valid_nhs(digits) else None


def _announced(
    reading: NormalisedText, name: str, kind: SpanType, right: tuple[int, ...], near: range
) -> Iterator[Span]:
    found = [
        *cues.runs_after(reading, "national", name),
        *((run, 0) for run in cues.runs_before(reading, "national", name)),
        *cues.runs_loosely_after(reading, "national", name),
        *(_british(reading) if kind is SpanType.NHS else ()),
    ]
    for run, first in found:
        spelled = {len(digits): (last, digits) for last, digits in run.spellings(first, near)}
        # Where nothing follows, all of a number that is misread is its; a right one ends with its check.
        proven = (length for length in right if length in spelled and _CHECKS[kind](spelled[length][1]))
        whole = (length for length, (last, _) in spelled.items() if last == len(run.groups) - 1)
        known = (length for length in right if length in spelled)
        length = next(chain(proven, whole, known), max(spelled, default=0))
        if length:
            last, digits = spelled[length]
            rule = "checksum" if _CHECKS[kind](digits) else "announced"
            yield reading.span(run.groups[first].start, run.groups[last].end, kind, f"{name}/{rule}")


def _british(reading: NormalisedText) -> Iterator[tuple[Run, int]]:
    """What is said to be the number of the health service in England, in whatever words."""
    for match in _service().finditer(reading.figures):
        found = reading.run_at.get(match.start(1))
        if found is not None:
            yield found


def _codice(reading: NormalisedText) -> Iterator[Span]:
    for match in _codice_written().finditer(reading.figures):
        # Nothing else is built like this, so that a letter misread is no reason to let it pass.
        rule = "checksum" if _valid_codice(re.sub(r"\W", "", match.group().decode("ascii"))) else "shape"
        if rule == "checksum" or sum(48 <= byte < 58 for byte in match.group()) >= _CODICE_FEW:
            yield reading.span(match.start(), match.end(), SpanType.CODICE_FISCALE, f"codice/{rule}")
    yield from _dictated_codice(reading)
    for start in cues.after(reading, "national", "codice"):
        found = reading.dictated_around(start)
        if found is not None:
            groups = _without_first_word(reading, *found)
            said, start, end = "".join(each.digits for each in groups), groups[0].start, groups[-1].end
            if len(said) in _CODICE_NEARLY and not said.isalpha() and not said.isdigit():
                yield reading.span(start, end, SpanType.CODICE_FISCALE, "codice/announced")
                continue
        value, end = _spelled(reading.figures[start : start + _CODICE_WITHIN].decode("ascii"))
        if len(value) >= _CODICE_NEAR and not value.isalpha():
            rule = "checksum" if _valid_codice(value) else "announced"
            yield reading.span(start, start + end, SpanType.CODICE_FISCALE, f"codice/{rule}")


def _dictated_codice(reading: NormalisedText) -> Iterator[Span]:
    """Codes in any run of letters and digits that have their form."""
    for run in reading.dictated:
        said, starts, ends = run.written()
        for match in _CODICE.finditer(said):
            if match.start() in starts and match.end() in ends:
                start, end = starts[match.start()], ends[match.end()]
                rule = "checksum" if _valid_codice(match.group()) else "shape"
                if rule == "checksum" or sum(each.isdigit() for each in match.group()) >= _CODICE_FEW:
                    yield reading.span(start, end, SpanType.CODICE_FISCALE, f"codice/{rule}")


def _without_first_word(reading: NormalisedText, run: Run, first: int) -> tuple[Group, ...]:
    """The groups of a code; its first letter may have passed for a word ("est l comme louis", but "è emme")."""
    before = run.groups[:first]
    if sum(len(each.digits) for each in run.groups) > _CODICE_LENGTH or any(each.digits in "ae" for each in before):
        return run.groups[first:]
    return run.groups


def _spelled(text: str) -> tuple[str, int]:
    """Letters, names of letters and digits from the start of a text, at most sixteen, and where they end."""
    value, end = "", 0
    names = _letters()
    for token in _CODICE_TOKEN.finditer(text):
        part = names.get(token.group(), token.group())
        if not _CODICE_PART.fullmatch(part) or len(value) + len(part) > _CODICE_LENGTH or token.start() - end > 2:
            break
        value, end = value + part, token.end()
    return value, end


def _valid_niss(digits: str) -> bool:
    # Months of people without a full registration are raised by 20 or 40; the test spares most numbers the rest.
    if int(digits[2:4]) % 20 > 12 or int(digits[2:4]) > 52:
        return False
    from stdnum.be import ssn

    return ssn.is_valid(digits)


def _valid_nir(digits: str) -> bool:
    from stdnum.fr import nir

    return nir.is_valid(digits)


def _valid_nhs(digits: str) -> bool:
    from stdnum.gb import nhs

    return nhs.is_valid(digits)


def _valid_ssn(digits: str) -> bool:
    from stdnum.us import ssn

    return ssn.is_valid(digits)


def _valid_codice(written: str) -> bool:
    from stdnum.it import codicefiscale

    return codicefiscale.is_valid(written)


_CHECKS = {SpanType.NISS: _valid_niss, SpanType.NIR: _valid_nir, SpanType.NHS: _valid_nhs, SpanType.SSN: _valid_ssn}


@cache
def _letters() -> dict[str, str]:
    return {folded(name): letter for name, letter in tables("it")["spelling"]["letters"].items()}


@cache
def _service() -> Any:
    """A number, the health service and its country in any order, then some words and the digits (group 1)."""
    parts = [either(words("national", name)) for name in ("numbered", "health", "british")]
    said = rf"(?:{'|'.join(parts)})"
    some = r"(?:[ '-]{1,2}[a-z~]{1,12}){0,3}?[ '-]{1,2}"
    orders = "|".join(some.join(order) for order in permutations(parts))
    return pattern(rf"\b(?:{orders})\b[ :,'-]{{1,3}}(?:(?:{said}|[a-z~']{{1,12}})[ :,-]{{1,3}}){{0,6}}?(\d)")


@cache
def _corsican() -> Any:
    return pattern(r"\b[12] ?\d\d ?\d\d ?2[ab] ?\d{3} ?\d{3} ?\d\d\b")


@cache
def _codice_written() -> Any:
    number, gap = r"[0-9lmnpqrstuv]", "[ .-]?"
    parts = (*["[a-z]"] * 6, number, number, "[abcdehlmprst]", number, number, "[a-z]", number, number, number)
    return pattern(rf"\b{gap.join(parts)}{gap}[a-z]\b")
