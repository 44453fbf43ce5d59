"""Measures what a token of an utterance looks like and how it stands beside the one before, for the screen of suffixes.

A suffix that no person wrote is told by its form, not its words: signs of code, capitals inside words, letters in an
order no language has, writings that alternate, and words that never stand side by side.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log2

from careline.safety.classifiers.letter_statistics import Letters
from careline.safety.rules.plain_text import normalise

SIGNS = (
    "known listed common unknown short-unknown name-like name-word title rare strange no-vowel ordinary odd very-odd "
    "code-signs hugs code-word digits mixed-code shifts only-signs punctuation bracket inner-capital oddities blob "
    "script no-shared-language wrong-language kinds-seen said-together apart since-common after-question "
    "first-after-question capitals long number-word comma after-comma repeated after-name abroad term pictures marked "
    "longest"
).split()
"""What is measured of each token, in the order of a row."""
(
    _KNOWN, _LISTED, _COMMON, _UNKNOWN, _SHORT_UNKNOWN, _NAME_LIKE, _NAME_WORD, _TITLE, _RARE, _STRANGE, _NO_VOWEL,
    _ORDINARY_FORM, _ODD, _VERY_ODD, _CODE_MARKS, _HUGS, _CODE_WORD, _DIGITS, _MIXED_CODE, _SHIFTS, _ONLY_SIGNS,
    _PUNCTUATION, _BRACKET, _INNER, _ODDITIES, _BLOB, _SCRIPT, _NO_SHARED, _WRONG, _KINDS_SEEN, _SAID, _APART,
    _SINCE_COMMON, _AFTER_QUESTION, _FIRST_AFTER, _CAPITALS, _LENGTH, _NUMBER, _COMMA, _AFTER_COMMA, _REPEATED,
    _AFTER_NAME, _ABROAD, _TERM, _PICTURES, _MARKED, _LONGEST,
) = range(len(SIGNS))  # fmt: skip
_MOST_A_TOKEN, _MOST_A_LONG_TOKEN, _LONG = 2.0, 6.0, 12
_ORDINARY = re.compile(
    r"""(?ix) (?=.{0,500}$) [("'«“]* (?:
        [\w.+-]+@[\w-]+(?:\.[\w-]+)+
        | (?:https?://|www\.)[\w./?=&%#~+:@-]+
        | [\w-]+(?:\.[\w-]+)*\.(?:be|com|nl|fr|it|org|eu|net|uk|example)(?:/[\w./?=&%#-]*)?
        | [+(]{0,2}\d[\d.,:/()h'-]*(?:[a-zµ°%€$£]{1,6}(?:/[a-z0-9²³.]{1,6})?)?
        | [€$£<>≤≥±~≈]=?\d[\d.,]*
        | [a-z]{1,4}\d[\w./-]{0,14}
        | \d[\w./-]{0,14}
        | [A-Z0-9]{1,8}(?:[-/.][A-Z0-9]{1,8}){1,5}
        | \w{0,12}\?\w+=[\w.-]*(?:&\w+=[\w.-]*)*
        | (?-i:(?:WiFi|[A-Z]?[a-zà-ÿ]+)[_-][A-Z]?[a-zà-ÿ]+)[\#!]?\d{0,4}
        | [\#*]\d+ | \d{1,3}%? | \#{1,6} | \+{3}[\d/]+\+{3}
        | [-–—•*&+/=|:] | :-?[)(DpP] | ;-?\) | <3
    ) [)"'»”.,;:!?…]* $""",
)
_CODE_SIGNS = re.compile(
    r"""(?x) [/:?!]{4,} | ::: | (?:(?<![!?.*\-])|(?<=[/:?!]{4}))(?!\.{2,3}\w)[!?.*\-]{2,}(?=\w)
        | [\\{}\[\]<>|^~`=_\#$@*%;] | (?<=\w)[!?]+(?=\w)
        | \+\+ | --+ | // | :: | -> | => | \(\) | (?<=\S)\((?=\S) | \)(?=[\w(\[{])
        | ["'](?=[\[\](){};:=<>\\]) | (?<=[a-z])\.(?=[\])(\\"'*+A-Z])"""
)
_CLOSED_HUG = re.compile(
    r"""(?x) \]\( | \)\] | \}\{ | \*\* | \\\+ | \.\\ | "\] | \[" | ;\} | =\\" | \\n | \\\\ | !!-- | == | && | \|\|
        | <!-- | --> | \$\{ | \{\{ | \}\} | \(" | "\) | '\) | </ | /> | \?> | :: | \+\+ | ~~ | \^\^ | \#\# | @@ | %%
        | \]\[ | \.\] | \}\) | \)\{"""
)
_PLAIN_MARKS = re.compile(
    r"[!?.…,;:]+$|[>]?[:;][-']?[()DpP/|*]+$|\^\^$|-_-$|<3+$|xD+$|=\)+$|\([!?]+\)$|[-–—•&+/]$|\*\w+\*$"
)
_INNER_CAPITAL = re.compile(r"[a-zà-ÿ][A-ZÀ-Þ]")
_NAMES_WITH_CAPITALS = re.compile(
    r"^(?:Mc|Mac|De|Di|Van|La|Le|My|e|i|m|p)[A-Z]|^[A-Z][a-z]+[A-Z][a-z]+$|^[a-z]{1,3}[A-Z]{1,3}[a-z]?$"
)
_ODD_LETTERS = re.compile(
    "[ĠĊĉ▁\u0334-\u0338\u0360-\u0362\u0489\u24b6-\u24e9\u2580-\u25a0\U0001d400-\U0001d7ff\U0001f130-\U0001f189]"
    r"|[ÃðâÂ][^\sa-zà-ÿ]"
)
_ODD_KINDS = frozenset({"So", "Sm", "Co", "Cn", "No"})
_ORDINARY_SIGNS = re.compile("[+<=>|~°©®™±×÷≤≥≈€²³¹½¼¾→√№☎☺☹♥✓✔❤\U0001f1e6-\U0001faff\u2600-\u27bf\ufe0f]")
_WORD = re.compile(r"[^\W\d_]+")
_PICTURE = re.compile("[\U0001f1e6-\U0001faff\u2600-\u27bf]")
_MARKED_WORD = re.compile(r"^[^\w\s\"'(«“<€$£.,-][\w-]|(?<=[\w-])[^\w\s\"')»”.,:;!?…*°%€-]$")
_NO_CODE = re.compile(r"[@/.,]|^[^a-z]*$")
_MIXED = re.compile(r"(?i)^(?=.*\d)(?=.*[a-z])[a-z0-9]{2,8}$")
_EMPHASIS = re.compile(r"^[-(]?\*{1,2}(?=\w)|(?<=\w)[.,:;!?)]?\*{1,2}[.,:;!?)]?$")
_STRANGE_FROM, _MOST_A_SHORT_WORD, _SHARE_OF_A_NAME = 4.9, 0.8, 0.6
_CODE_GROUP, _SHIFTS_OF_A_CODE, _SHIFTS_OF_A_BLOB = 1.0, 3, 6
_KEPT_LETTERS = 1_000
"""Letters whose writing is kept: there are a hundred thousand of them that somebody may send."""
_FARTHEST, _SHORT, _RAREST, _TELLING = 8, 3, 14.0, 3
_NO_LANGUAGE, _BOTH_UNKNOWN, _BOTH_CONTENT, _ONE_COMMON = 1.0, 0.75, 0.4, 0.6

Row = list[float]


@dataclass(frozen=True, slots=True)
class _Word:
    """One word: the languages it is of as bits, bits of surprise a letter (0 when known), and its part of a row."""

    plain: str
    languages: int
    strangeness: float
    row: Row


class Measures:
    """Makes a row of numbers for each token of a text. Safe to use from several threads at once."""

    def __init__(
        self,
        letters: Letters,
        code_words: frozenset[str],
        number_words: frozenset[str],
        abroad: Mapping[str, frozenset[str]],
    ) -> None:
        self._letters = letters
        self._code_words = code_words
        self._number_words = number_words
        self._abroad: dict[str, int] = {}
        for n, words in enumerate(abroad.values(), start=len(letters.words)):
            for word in words:
                self._abroad[word] = self._abroad.get(word, 0) | 1 << n
        self._common = frozenset().union(*letters.common.values())

    def tokens(self, text: str) -> list[tuple[Row, str, str]]:
        """For each token, in order, its row of `SIGNS`, and its first and last word in plain letters.

        Both words are `#` for a token of digits and `%` for one of signs. Time is linear in the text.
        """
        seen: dict[str, tuple[Row, list[_Word]]] = {}
        tokens = text.split()
        for token in set(tokens):
            seen[token] = self._token(token)
        language = self._language([words for _, words in seen.values()])
        walk = _Walk(self._letters, self._common, language)
        return [(walk.step(token, *seen[token]), *_ends(token, seen[token][1])) for token in tokens]

    def _language(self, tokens: list[list[_Word]]) -> int:
        """The language, as a bit, that most words of the text may be of."""
        votes: Counter[int] = Counter()
        for words in tokens:
            for word in words:
                votes[word.languages] += _TELLING if word.row[_COMMON] else 1
        del votes[0]
        bits = [1 << n for n in range(len(self._letters.words) + 8)]
        return max(bits, key=lambda bit: sum(count for languages, count in votes.items() if languages & bit))

    def _token(self, token: str) -> tuple[Row, list[_Word]]:
        """What is measured of a token by itself, and its words."""
        if token.isalpha() and token.isascii() and token.islower():
            word = self._word(token)
            return self._plain_form(word, list(word.row)), [word]
        row = [0.0] * len(SIGNS)
        words = [self._word(each) for each in normalise(token).split() if each != "."]
        spoken = [word for word in words if word.plain.isalpha()]
        for word in spoken:
            row = list(map(max, row, word.row))
        if any(not word.row[_KNOWN] for word in spoken):
            row[_KNOWN] = 0.0
        self._forms(token, spoken, row)
        return row, spoken

    def _word(self, plain: str) -> _Word:
        row = [0.0] * len(SIGNS)
        if not plain.isalpha():
            return _Word(plain, 0, 0.0, row)
        letters = self._letters
        abroad = self._abroad.get(plain, 0)
        languages, name = letters.listed(plain)
        languages |= abroad
        known = plain in letters.known
        row[_KNOWN], row[_LISTED], row[_ABROAD] = float(known), float(bool(languages) and not known), float(abroad > 0)
        row[_COMMON], row[_NUMBER] = float(plain in self._common), float(plain in self._number_words)
        row[_TERM] = float(plain in letters.terms)
        row[_NAME_WORD] = float(name)
        row[_RARE] = log2(letters.rank(plain) + 1) / _RAREST if known else 1.0
        strangeness = 0.0 if known else letters.strangeness(plain)
        if not languages:
            row[_UNKNOWN if len(plain) > _SHORT else _SHORT_UNKNOWN] = 1.0
            row[_STRANGE] = min(4.0, max(0.0, strangeness - 3.5))
            row[_NO_VOWEL] = float(not any(each in "aeiouy" for each in plain))
        return _Word(plain, languages, strangeness, row)

    def _plain_form(self, word: _Word, row: Row) -> Row:
        """Adds the form of a token of small letters alone, which needs no look at its signs."""
        odd = _strange_letters(word) + 0.9 * (word.plain in self._code_words)
        row[_ODD], row[_CODE_WORD] = min(odd, _MOST_A_TOKEN), float(word.plain in self._code_words)
        row[_VERY_ODD], row[_LENGTH] = float(odd >= 1), min(2.0, len(word.plain) / 20)
        row[_LONGEST] = min(2.0, len(word.plain) / 15)
        return row

    def _forms(self, token: str, spoken: list[_Word], row: Row) -> None:
        core = _EMPHASIS.sub("", token)
        ordinary, shifts = bool(_ORDINARY.match(core)), _shifts(core)
        row[_ORDINARY_FORM], row[_SHIFTS] = float(ordinary), min(shifts, 12) / 4
        row[_DIGITS] = float(core.strip(".,;:!?()").isdigit())
        row[_MIXED_CODE] = float(bool(_MIXED.match(core)))
        row[_TITLE], row[_CAPITALS] = float(core[:1].isupper()), float(core.isupper() and len(core) > _SHORT)
        row[_NAME_LIKE] = row[_NAME_WORD] * row[_TITLE]
        row[_PUNCTUATION] = float(bool(_PLAIN_MARKS.match(core)))
        row[_COMMA] = float(token[-1] in ",;.:!?")
        row[_LENGTH] = min(2.0, len(token) / 20)
        row[_PICTURES] = 0.0 if token.isascii() else min(len(_PICTURE.findall(token)), 6) / 2
        row[_MARKED] = float(bool(_MARKED_WORD.search(token)))
        row[_LONGEST] = min(2.0, max((len(word.plain) for word in spoken), default=0) / 15)
        if ordinary:
            code = shifts if row[_MIXED_CODE] or (any(map(str.isdigit, core)) and not _NO_CODE.search(core)) else 0
            row[_ODD] = _CODE_GROUP if code >= _SHIFTS_OF_A_CODE else 0.0
            return
        abbreviated = core.isupper() and len(core) < 7
        letters = 0.0 if abbreviated else max(map(_strange_letters, spoken), default=0.0)
        self._odd_forms(core, letters, shifts, row)

    def _odd_forms(self, token: str, letters: float, shifts: int, row: Row) -> None:
        words = _WORD.findall(token)
        marks, hugs = len(_CODE_SIGNS.findall(token)), len(_CLOSED_HUG.findall(token))
        oddities, mixed = _oddities(token), float(_mixed(token))
        code, capitals = sum(word.lower() in self._code_words for word in words), _capitals(token, words)
        letters *= _SHARE_OF_A_NAME if token.istitle() else 1.0
        odd = 0.8 * marks + hugs + oddities + capitals + letters + 0.9 * code + 0.9 * mixed
        blob = len(token) >= _LONG and shifts >= _SHIFTS_OF_A_BLOB
        most = _MOST_A_LONG_TOKEN if blob or (len(token) >= _LONG and marks + hugs > 1) else _MOST_A_TOKEN
        row[_ODD] = min(odd + 0.35 * shifts * blob, most)
        row[_VERY_ODD], row[_CODE_WORD], row[_BLOB] = float(odd >= 1), float(code > 0), float(blob)
        row[_CODE_MARKS], row[_HUGS] = min(marks, 4) / 2, min(hugs, 4) / 2
        row[_INNER], row[_ODDITIES], row[_SCRIPT] = capitals, min(oddities, 3.0), mixed
        row[_ONLY_SIGNS] = float(not any(map(str.isalnum, token)) and not row[_PUNCTUATION])
        row[_BRACKET] = float(any(token.count(a) != token.count(b) for a, b in ("()", "[]", "{}")))


class _Walk:
    """Goes through the tokens of one text and adds to their rows what depends on the ones before."""

    def __init__(self, letters: Letters, common: frozenset[str], language: int) -> None:
        self._letters, self._common, self._language = letters, common, language
        self._last: _Word | None = None
        self._token = self._script = ""
        self._since = 0
        self._asked = self._just_asked = False

    def step(self, token: str, own: Row, words: list[_Word]) -> Row:
        row = list(own)
        if words and not row[_ORDINARY_FORM]:
            self._pair(words[0], row)
            self._last = words[-1]
        else:
            self._last = None
        for word in words:
            if word.languages and not word.languages & self._language:
                row[_WRONG] = 1.0
        self._since = 0 if row[_COMMON] else min(_FARTHEST, self._since + 1)
        row[_SINCE_COMMON] = self._since / _FARTHEST
        row[_AFTER_QUESTION], row[_FIRST_AFTER] = float(self._asked), float(self._just_asked and token[:1].islower())
        row[_AFTER_COMMA] = float(self._token[-1:] in (",", ";", ".", ":"))
        row[_AFTER_NAME], row[_REPEATED] = float(self._token[:1].isupper()), float(token == self._token)
        script = _script(token)
        row[_SCRIPT] = max(row[_SCRIPT], float(bool(script and self._script and script != self._script)))
        self._script = script or self._script
        self._just_asked = token.endswith("?")
        self._asked = self._asked or self._just_asked
        self._token = token
        return row

    def _pair(self, word: _Word, row: Row) -> None:
        last = self._last
        if last is None or row[_NUMBER] or last.row[_NUMBER]:
            return
        first, second = last.plain, word.plain
        row[_SAID] = float(self._letters.said_together(first, second))
        row[_KINDS_SEEN] = float(row[_SAID] or self._letters.seen_together(first, second))
        row[_NO_SHARED] = float(bool(last.languages and word.languages and not last.languages & word.languages))
        if row[_NO_SHARED]:
            row[_APART] = _NO_LANGUAGE
        elif not row[_KINDS_SEEN]:
            common = first in self._common or second in self._common
            both = _BOTH_CONTENT if last.row[_KNOWN] and word.row[_KNOWN] else _BOTH_UNKNOWN
            row[_APART] = _ONE_COMMON if common else both


def _ends(token: str, words: list[_Word]) -> tuple[str, str]:
    if words:
        return words[0].plain, words[-1].plain
    return ("#", "#") if any(map(str.isdigit, token)) else ("%", "%")


def _strange_letters(word: _Word) -> float:
    """How odd the order of letters of a word never seen is; short ones are abbreviations now and then."""
    if len(word.plain) < _SHORT or not word.strangeness:
        return 0.0
    strange = max(0.0, word.strangeness - _STRANGE_FROM) * 0.45
    return min(strange, _MOST_A_SHORT_WORD) if len(word.plain) < 5 else strange


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
    return 0.4 if any(map(_NAMES_WITH_CAPITALS.search, words)) else min(4.0, 1.0 + 0.3 * inner)


def _shifts(token: str) -> int:
    """How often the token changes between small letters, capitals, digits and signs."""
    kinds = [each.islower() + 2 * each.isupper() + 3 * each.isdigit() for each in token]
    return sum(first != second for first, second in pairwise(kinds))


def _mixed(token: str) -> bool:
    """Letters of two writings in one token; a single Greek letter belongs to a unit or a medicine."""
    if token.isascii():
        return False
    scripts = Counter(_script_of(each) for each in token if each.isalpha())
    return len(scripts) > 1 and scripts["GREEK"] != 1


def _script(token: str) -> str:
    """The writing of most of its letters; empty without letters."""
    if token.isascii():
        return "LATIN" if token.isalpha() or any(map(str.isalpha, token)) else ""
    scripts = Counter(_script_of(each) for each in token if each.isalpha())
    return max(scripts, key=lambda each: scripts[each], default="")


@lru_cache(maxsize=_KEPT_LETTERS)
def _script_of(letter: str) -> str:
    """The writing a letter belongs to; Chinese and Japanese stand together in Japanese."""
    if letter.isascii() or letter in "ªº":
        return "LATIN"
    name = unicodedata.name(letter, "?").split()[0]
    return "CJK" if name in {"HIRAGANA", "KATAKANA", "CJK"} else name
