"""Reads e-mail addresses that a page writes so that programs do not find them, as its readers do."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import re2
import yaml

from careline.text.phone_numbers import PHONE

_PROTECTED = re.compile(r"\[\s*e-?mail\W{0,3}protected\s*\]", re.I)
"""What stands in place of an address until a script of the page's host has put it there."""
_ADDRESS = re.compile(r"[^\s@<>()\[\],;:]{1,64}@[^\s@<>()\[\],;:]{1,190}\.[^\W\d_]{2,24}")

_GROUPED = re.compile(r"\d(?:[\d ./()\u00a0\u2010-\u2013-]*\d)?")
"""Digits, in groups or not."""
_LEAST_LOCAL = 5
"""Digits of a number that is called from nearby, without its country and zone."""


def decoded(code: str) -> str | None:
    """The address of a `data-cfemail` attribute: bytes in hexadecimal, the first of which all others are XORed with;
    None where no address comes out."""
    try:
        key, *rest = bytes.fromhex(code[:600])
        address = bytes(byte ^ key for byte in rest).decode()
    except ValueError:
        return None
    return address if _ADDRESS.fullmatch(address) else None


def is_protected(text: str) -> bool:
    """Whether the text is nothing but the note that stands in place of an address."""
    return _PROTECTED.fullmatch(text.strip()) is not None


def written_out(text: str) -> str:
    """The text with each address as it is used ("klacht [at] elzen [dot] example"), and no note in place of one."""
    if "[" not in text and "(" not in text and "{" not in text:
        return text
    text = _PROTECTED.sub("", text).replace("\u200b", "")
    spelled, dots = _spelled()
    return str(spelled.sub(lambda found: _joined(found.group(), dots), text)) if spelled.search(text) else text


def address_of(href: str) -> str:
    """The e-mail address or telephone number of a link's target; empty for any other target."""
    scheme, _, rest = href.strip().partition(":")
    target = rest.split("?")[0].strip()
    if scheme.lower() == "mailto":
        return target if _ADDRESS.fullmatch(target) else ""
    if scheme.lower() == "tel":
        return target if sum(map(str.isdecimal, target)) >= 3 else ""
    return ""


def target_not_shown(href: str, shown: str) -> str:
    """The e-mail address or telephone number of a link's target that its text does not show; empty where it does.

    What the text shows goes before what is behind it: its readers see nothing else.
    """
    target = address_of(href)
    if not target or (said := written_out(shown)).find("@") >= 0:
        return ""
    return target if "@" in target or not _shows_number(said, target.split(";")[0]) else ""


def _shows_number(shown: str, number: str) -> bool:
    """Whether a text has a telephone number that is written out, or the one that is asked for, if only its end."""
    if PHONE.search(" ".join(shown.split())):
        return True
    digits = _digits(number)
    runs = [_digits(run) for run in _GROUPED.findall(shown)]
    # The zero in front of a zone's number is not dialled behind that of the country.
    return any(run == digits or (len(run) >= _LEAST_LOCAL and digits.endswith(run.removeprefix("0"))) for run in runs)


def _digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))


def protected_target(href: str) -> str | None:
    """The address in a link of the host that protects it; None for every other link."""
    before, _, code = href.partition("/cdn-cgi/l/email-protection#")
    return decoded(code) if code and not before.count(" ") else None


def _joined(text: str, dots: re.Pattern[str]) -> str:
    at = re.search(r"[\[({]", text)
    end = re.search(r"[\])}]", text)
    if at is None or end is None:
        return text
    return f"{text[: at.start()].rstrip()}@{dots.sub('.', text[end.end() :].lstrip())}"


@cache
def _spelled() -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = yaml.safe_load(files(__package__).joinpath("addresses.yaml").read_text("utf-8"))
    at, dot = ("|".join(re.escape(word) for word in words[name]) for name in ("at", "dot"))
    opening, closing = r"\s{0,2}[\[({]\s{0,2}", r"\s{0,2}[\])}]\s{0,2}"
    dotted = rf"(?:\.|{opening}(?:{dot}){closing})"
    name = r"[A-Za-z0-9][A-Za-z0-9_+-]{0,62}"
    spelled = rf"(?i)\b{name}(?:{dotted}{name}){{0,5}}{opening}(?:{at}){closing}{name}(?:{dotted}{name}){{1,5}}"
    return re2.compile(spelled), re.compile(rf"{opening}(?:{dot}){closing}", re.I)
