"""Finds the tail that no person wrote: strings made by a search for what upsets a language model.

Such a tail is told by its form, not its words: signs of code, capitals inside words, letters in an order no language
has, scripts that alternate, and words that never stand side by side. One odd token is a code, a name or an address;
a run of them is not.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import yaml

from careline.safety.letters import Letters, read_letters
from careline.safety.plain_text import normalise

FILE = Path(__file__).parent / "data" / "tails.yaml"
ENOUGH_FORM = 2.9
ENOUGH_SALAD = 4.5
"""Sums over a run of tokens from which the run is a tail."""
_MOST_A_TOKEN, _MOST_A_LONG_TOKEN, _LONG = 2.0, 6.0, 12
_TOKEN = re.compile(r"\S+")
_ORDINARY = re.compile(
    r"""(?ix) [("'«“]* (?:
        [\w.+-]+@[\w-]+(?:\.[\w-]+)+
        | (?:https?://|www\.)[\w./?=&%#~+:@-]+
        | [\w-]+(?:\.[\w-]+)*\.(?:be|com|nl|fr|it|org|eu|net|uk|example)(?:/[\w./?=&%#-]*)?
        | [+(]{0,2}\d[\d.,:/()h'-]*(?:[a-zµ°%€$£]{1,6}(?:/[a-z0-9²³.]{1,6})?)?
        | [€$£<>≤≥±~≈]=?\d[\d.,]*
        | [a-z]{1,4}\d[\w./-]{0,14}
        | \d[\w./-]{0,14}
        | [A-Z0-9]{1,8}(?:[-/.][A-Z0-9]{1,8}){1,5}
        | [\#*]\d+ | \d{1,3}%? | \#{1,6} | \+{3}[\d/]+\+{3}
        | [-–—•*&+/=|:] | :-?[)(DpP] | ;-?\) | <3
    ) [)"'»”.,;:!?…]* $""",
)
_CODE_SIGNS = re.compile(
    r"""(?x) [/:?!]{4,} | ::: | (?!\.{2,3}\w)[!?.*\-]{2,}(?=\w) | [\\{}\[\]<>|^~`=_\#$@*%;] | (?<=\w)[!?]+(?=\w)
        | \+\+ | --+ | // | :: | -> | => | \(\) | (?<=\S)\((?=\S) | \)(?=[\w(\[{])
        | ["'](?=[\[\](){};:=<>\\]) | (?<=[a-z])\.(?=[\])(\\"'*+A-Z])"""
)
_CLOSED_HUG = re.compile(
    r"""(?x) \]\( | \)\] | \}\{ | \*\* | \\\+ | \.\\ | "\] | \[" | ;\} | =\\" | \\n | \\\\ | !!-- | == | && | \|\|
        | <!-- | --> | \$\{ | \{\{ | \}\} | \(" | "\) | '\) | </ | /> | \?> | :: | \+\+ | ~~ | \^\^ | \#\# | @@ | %%
        | \]\[ | \.\] | \}\) | \)\{"""
)
_INNER_CAPITAL = re.compile(r"[a-zà-ÿ][A-ZÀ-Þ]")
_NAMES_WITH_CAPITALS = re.compile(
    r"^(?:Mc|Mac|De|Di|Van|La|Le|My|e|i|m|p)[A-Z]|^[A-Z][a-z]+[A-Z][a-z]+$|^[a-z]{1,3}[A-Z]{1,3}[a-z]?$"
)
_ODD_LETTERS = re.compile(r"[ĠĊĉ▁]|[ÃðâÂ][^\sa-zà-ÿ]")
_ODD_KINDS = frozenset({"So", "Sm", "Co", "Cn", "No"})
_ORDINARY_SIGNS = re.compile("[+<=>|~°©®™±×÷≤≥≈€²³¹½¼¾→√№☎☺☹♥✓✔❤\U0001f1e6-\U0001faff\u2600-\u27bf\ufe0f]")
_WORD = re.compile(r"[^\W\d_]+")
_NO_CODE = re.compile(r"[@/.,]|^[^a-z]*$")
_EMPHASIS = re.compile(r"^[-(]?\*{1,2}(?=\w)|(?<=\w)[.,:;!?)]?\*{1,2}[.,:;!?)]?$")
_CHANGE_OF_SCRIPT, _KNOWN, _UNKNOWN = 1.1, -0.3, -0.2
_STRANGE_FROM, _MOST_A_SHORT_WORD, _SHARE_OF_A_NAME = 4.9, 0.8, 0.6
_CODE_GROUP, _SHIFTS_OF_A_CODE, _SHIFTS_OF_A_BLOB = 1.0, 3, 6
_SEEN, _SEEN_CONTENT, _ONE_COMMON, _NO_LANGUAGE = -1.0, -0.6, 0.6, 1.0
_NAME, _SHORT_UNKNOWN, _BOTH_UNKNOWN, _BOTH_CONTENT = 0.3, 0.2, 0.75, 0.4


@dataclass(frozen=True, slots=True)
class SuffixVerdict:
    """`signs` are `form` and `salad`, with the sum that each reached; none when the text has no such tail."""

    suffix: bool
    signs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SuffixScreen:
    """The statistics that a text is measured by, words of programs, and words of numbers, which stand in any order."""

    letters: Letters
    code_words: frozenset[str]
    number_words: frozenset[str]

    def judge(self, text: str) -> SuffixVerdict:
        """Judges an utterance of any length. Never raises; time is linear in the text."""
        signs = tuple(
            name
            for name, reached, enough in (
                ("form", _best_run(self._forms(text)), ENOUGH_FORM),
                ("salad", _best_run(self._salad(text)), ENOUGH_SALAD),
            )
            if reached >= enough
        )
        return SuffixVerdict(bool(signs), signs)

    def _forms(self, text: str) -> Iterator[float]:
        script = ""
        for found in _TOKEN.finditer(text):
            token = found.group()
            new = _script(token)
            changed = bool(new and script and new != script)
            script = new or script
            yield self._form(token) + _CHANGE_OF_SCRIPT * changed

    def _form(self, token: str) -> float:
        """How little one token looks like something a person says or types."""
        token = _EMPHASIS.sub("", token)
        if _ORDINARY.match(token):
            shifts = _shifts(token) if any(map(str.isdigit, token)) and not _NO_CODE.search(token) else 0
            return _CODE_GROUP if shifts >= _SHIFTS_OF_A_CODE else -0.35 if shifts < _SHIFTS_OF_A_CODE - 1 else 0.3
        words = _WORD.findall(token)
        signs = 0.8 * len(_CODE_SIGNS.findall(token)) + 1.0 * len(_CLOSED_HUG.findall(token)) + _oddities(token)
        letters = self._letters(words) * (_SHARE_OF_A_NAME if token.istitle() else 1.0)
        code = 0.9 * sum(word.lower() in self.code_words for word in words)
        odd = signs + _capitals(token, words) + letters + code + 0.9 * _mixed(token)
        blob = len(token) >= _LONG and _shifts(token) >= _SHIFTS_OF_A_BLOB
        if blob:
            odd += 0.35 * _shifts(token)
        if odd:
            return min(odd, _MOST_A_LONG_TOKEN if blob or (len(token) >= _LONG and signs >= 2) else _MOST_A_TOKEN)
        plain = normalise(token).strip(" .")
        return 0.0 if not plain else _KNOWN if plain in self.letters.known else _UNKNOWN

    def _letters(self, words: Iterable[str]) -> float:
        most = 0.0
        for word in words:
            plain = normalise(word).strip()
            if len(plain) > 2 and plain not in self.letters.known and not (word.isupper() and len(word) < 7):
                strange = (self.letters.strangeness(plain) - _STRANGE_FROM) * 0.45
                most = max(most, min(strange, _MOST_A_SHORT_WORD) if len(plain) < 5 else strange)
        return most

    def _salad(self, text: str) -> Iterator[float]:
        """For each pair of neighbours, how little they belong together."""
        last, last_is_name = "", False
        for token in text.split():
            is_name = token[:1].isupper()
            words = [] if _ORDINARY.match(token) else normalise(token).split()
            if not words:
                last = ""
                yield -0.2
            for word in words:
                if len(word) < 2 or not word.isalpha() or word in self.number_words:
                    yield -0.1
                    continue
                if last:
                    yield _NAME if is_name and last_is_name else self._apart(last, word)
                last, last_is_name = word, is_name

    def _apart(self, first: str, second: str) -> float:
        """How little two words belong together: minus one when words of their kinds were seen so, else up to one."""
        letters = self.letters
        seen = letters.seen_together(first, second)
        known = (first in letters.known) + (second in letters.known)
        if not letters.share_a_language(first, second):
            return _NO_LANGUAGE
        if any(first in common or second in common for common in letters.common.values()):
            return _SEEN if seen else _ONE_COMMON
        if known == 2:
            return _SEEN_CONTENT if seen else _BOTH_CONTENT
        return _BOTH_UNKNOWN if min(len(first), len(second)) > 3 else _SHORT_UNKNOWN


def _oddities(token: str) -> float:
    """Signs that no keyboard has and no message needs: a tokenizer's own letters, broken encodings, rare symbols."""
    if token.isascii():
        return 0.0
    odd = sum(unicodedata.category(each) in _ODD_KINDS and not _ORDINARY_SIGNS.match(each) for each in token)
    return 0.7 * odd + 0.9 * len(_ODD_LETTERS.findall(token))


def _capitals(token: str, words: list[str]) -> float:
    inner = len(_INNER_CAPITAL.findall(token))
    if not inner:
        return 0.0
    return 0.4 if any(map(_NAMES_WITH_CAPITALS.search, words)) else 1.0 + 0.3 * inner


def _shifts(token: str) -> int:
    """How often the token changes between small letters, capitals, digits and signs."""
    kinds = [each.islower() + 2 * each.isupper() + 3 * each.isdigit() for each in token]
    return sum(first != second for first, second in pairwise(kinds))


def _best_run(scores: Iterable[float]) -> float:
    """The largest sum of scores side by side."""
    best = here = 0.0
    for score in scores:
        here = max(0.0, here + score)
        best = max(best, here)
    return best


def _mixed(token: str) -> bool:
    """Letters of two writings in one token; a single Greek letter belongs to a unit or a medicine."""
    if token.isascii():
        return False
    scripts = Counter(_script_of(each) for each in token if each.isalpha())
    return len(scripts) > 1 and scripts["GREEK"] != 1


def _script(token: str) -> str:
    """The writing of most of its letters; empty without letters."""
    if token.isascii():
        return "LATIN" if any(map(str.isalpha, token)) else ""
    scripts = Counter(_script_of(each) for each in token if each.isalpha())
    return max(scripts, key=lambda each: scripts[each], default="")


@cache
def _script_of(letter: str) -> str:
    """The writing a letter belongs to; Chinese and Japanese stand together in Japanese."""
    if letter.isascii() or letter in "ªº":
        return "LATIN"
    name = unicodedata.name(letter, "?").split()[0]
    return "CJK" if name in {"HIRAGANA", "KATAKANA", "CJK"} else name


@cache
def read_suffix_screen(file: Path = FILE) -> SuffixScreen:
    """The screen with our own statistics, read when first asked for."""
    held = yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
    return SuffixScreen(
        letters=read_letters(),
        code_words=frozenset(held["code_words"].split()),
        number_words=frozenset(held["number_words"].split()),
    )
