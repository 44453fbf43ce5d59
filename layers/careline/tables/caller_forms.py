"""Writes the times and amounts of a quotation from a page in another language as the caller writes them, beside it.

The quotation itself stays as it stands in its source. What may be something else (2h may be two o'clock or two hours)
is not written again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from careline.text.label_words import folded

_WHOLE = r"[0-9]{1,3}(?:[., ’'\u00a0\u202f][0-9]{3}){1,2}|[0-9]{1,7}"
_SIGN = r"(?:€|EUR\b|euros?\b)"
_FIGURE = re.compile(
    rf"(?<![\w.,:/])(?:{_SIGN}[ \u00a0]?(?P<first>{_WHOLE})(?:[.,](?P<first_cents>[0-9]{{2}}))?(?![0-9]|[.,][0-9])"
    rf"|(?P<last>{_WHOLE})(?:[.,](?P<last_cents>[0-9]{{2}}))?[ \u00a0\u202f]?{_SIGN}"
    r"|(?P<hour>[01]?[0-9]|2[0-3])(?:(?P<mark>:|\.|[ ]?[hu][ ]?)(?P<minute>[0-5][0-9]))?"
    r"(?P<unit>[ ]?(?:uur|heures|u|h))?(?![0-9a-z]|[.,:/][0-9])(?:[ ]?(?P<half>[ap])\.?m\b)?)",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r"€|euros?|eur")
_WORD_BEHIND = re.compile(r"(?<=:[0-9]{2})(?:uur|heures|u|h)$")
_TO_AN_HOUR = re.compile(r"[ ](?:tot|en|à|et|to|until|and|alle|e)[ ][0-9]{1,2}[ ]?(?:uur|u|h|heures)(?![a-z])")
_EARLIEST = 6
"""The first hour that is believed to be a time of day where its sign may mean how long something lasts."""
_NOON = 12


@dataclass(frozen=True, slots=True)
class CallerForms:
    """How one language writes figures; `caller_forms.yaml` says what each part is."""

    time: str
    full: str
    money: str
    thousands: str
    decimal: str
    clock: frozenset[str]

    def written_time(self, hour: int, minute: str) -> str:
        """A time of day."""
        template = self.time if minute != "00" else self.full
        return template.format(hour=f"{hour:02}", hours=str(hour), minute=minute)

    def written_money(self, whole: str, cents: str | None) -> str:
        """An amount in euros."""
        grouped = f"{int(whole):,}".replace(",", self.thousands)
        return self.money.format(amount=f"{grouped}{self.decimal}{cents}" if cents else grouped)


def in_forms(text: str, written_in: str, language: str) -> tuple[str, ...]:
    """The times of day and amounts of a text that the caller's language writes otherwise, each once, in order; none
    where the text is in that language or one of the two is unknown."""
    own, theirs = caller_forms(language), caller_forms(written_in)
    if own is None or theirs is None or written_in == language:
        return ()
    found = ((match[0].strip(), _form(match, text, theirs, own)) for match in _FIGURE.finditer(text))
    return tuple(dict.fromkeys(form for written, form in found if form and _bare(form) != _bare(written)))


def beside(text: str, written_in: str, language: str, *, quoted: bool) -> str:
    """A text in quotation marks, or an item of a list without, and behind it the caller's forms of its figures."""
    forms = in_forms(text, written_in, language)
    body, stop = (text[:-1], text[-1:]) if forms and text[-1:] in (".", ";", ",") else (text, "")
    told = f"“{body}”" if quoted else body
    return f"{told} ({'; '.join(forms)}){stop}" if forms else told


def without_forms(sentence: str, written_in: str, language: str) -> str:
    """What `beside` made a sentence of; the sentence itself where it was not made so."""
    quoted = sentence.startswith("“") and "”" in sentence
    end = sentence.rfind("”") if quoted else sentence.rfind(" (")
    if end < 0:
        return sentence
    body = sentence[1:end] if quoted else sentence[:end]
    made = (body, *(f"{body}{stop}" for stop in ".;,"))
    return next((one for one in made if beside(one, written_in, language, quoted=quoted) == sentence), sentence)


def _form(match: re.Match[str], text: str, theirs: CallerForms, own: CallerForms) -> str | None:
    for whole, cents in (("first", "first_cents"), ("last", "last_cents")):
        if match[whole] is not None:
            return own.written_money("".join(filter(str.isdigit, match[whole])), match[cents])
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if not _is_time(match, text, theirs) or (half and not 1 <= hour <= _NOON):
        return None
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    return own.written_time(hour, match["minute"] or "00")


def _is_time(match: re.Match[str], text: str, theirs: CallerForms) -> bool:
    """Whether a figure is a time of day beyond doubt."""
    if match["half"] or (match["mark"] == ":" and not match["unit"]):
        return True
    before = text[: match.start()].replace("’", "'").split()
    led = bool(before) and folded(before[-1]) in theirs.clock
    hour = int(match["hour"])
    if match["minute"] is None:
        is_hour = match["unit"] is not None or _TO_AN_HOUR.match(text, match.end()) is not None
        return led and is_hour and hour > _NOON
    if match["mark"] == ".":
        return hour >= _EARLIEST and (led or match["unit"] is not None)
    return hour >= _EARLIEST


def _bare(text: str) -> str:
    """A figure without spaces, its currency, the zero of an hour and the word behind 12:30, which alone make no other
    form."""
    return _WORD_BEHIND.sub("", _CURRENCY.sub("", "".join(text.split()).lower()).lstrip("0"))


@cache
def caller_forms(language: str) -> CallerForms | None:
    """The forms of a language; None for one that we have none of."""
    held = _written().get(language)
    if held is None:
        return None
    clock = frozenset(folded(word) for word in held["clock"].split())
    return CallerForms(held["time"], held["full"], held["money"], held["thousands"], held["decimal"], clock)


@cache
def _written() -> dict[str, dict[str, str]]:
    content: dict[str, dict[str, str]] = yaml.load(
        files("careline.tables").joinpath("caller_forms.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return content
