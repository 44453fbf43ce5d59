"""Cuts a text into words and says of each what it can be, so that the recogniser of names decides on facts alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from careline.privacy.names.lists.files import Names, fold, names, spelling
from careline.privacy.names.lists.lexicon import NameLexicon
from careline.privacy.names.lists.word_kinds import Kind
from careline.text.frequent_words import frequent_words

_WORD = re.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*|['’][stnk](?![^\W_])")
_ELIDED = re.compile(
    r"(?i)(?:[ldjqnscmt]|qu|jusqu|lorsqu|puisqu|nell|dell|all|dall|sull|un|quest|quell|[a-z]{2,5}[ae]nt)['’ʼ]"
)
_POSSESSIVE = re.compile(r"(?i)['’ʼ]s$")
_SAINT = re.compile(r"(?:sint|saint|sainte|st|ste|san|santa|notre|onze)-")
_NUMBER_BEFORE = re.compile(r"\d[\s./-]*$")
_NUMBER_AFTER = re.compile(r"[\s./-]{0,3}\d")
_OWNS = re.compile(r"['’ʼ]s? $")
_OF_A_LIST = ("%", "•", " - ", " – ", "* ")
"""What stands before an item of a list, which begins with a capital as a sentence does."""
_NAME = 5
"""Letters that a surname with an apostrophe has at least when it is listed without one ("n'diaye")."""

_SHORTENED = 4
"""Letters that a word has at most whose full stop is rather that of an abbreviation."""

_TITLE = 4
"""Letters of a title at most that stands before a name without a colon."""

_ENDED = 5
"""Letters that a word has more of when its ending says what it is."""

_DOUBLE = 2
"""Surnames of a double one."""
_COMPOUND = 4
"""Letters that a part of a compound has at least."""


@dataclass(frozen=True, slots=True)
class NameToken:
    """A word: code points `start` to `end`, its folded form, and what it can be. `joined`: a space stands before."""

    start: int
    end: int
    word: str
    kind: int
    joined: bool


def cut(text: str) -> list[tuple[int, int]]:
    """Where the words are, without elided articles ("l'", "dell'") and English possessives."""
    found = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        if "'" not in match[0] and "’" not in match[0] and "ʼ" not in match[0]:
            found.append((start, end))
            continue
        whole = fold(match[0])
        known = names()
        joined = whole.replace("'", "")
        is_possessive = whole.endswith("'s")
        is_name = whole in known.last or whole in known.first
        if not (is_name or (not is_possessive and len(joined) >= _NAME and joined in known.last)):
            elided = _ELIDED.match(text, start, end)
            if elided and elided.end() < end:
                found.append((start, elided.end()))
                start = elided.end()
            possessive = _POSSESSIVE.search(text, start, end)
            if possessive and possessive.start() > start:
                end = possessive.start()
        found.append((start, end))
    return found


def is_cased(text: str, places: list[tuple[int, int]]) -> bool:
    """Whether the writer uses capitals as they are meant; then a word without one is less of a name."""
    capitals = sum(1 for start, _ in places if text[start].isupper())
    return 0 < capitals < max(2, len(places)) * 0.7 and any(text[start].islower() for start, _ in places)


def tokenise(text: str, lexicon: NameLexicon) -> list[NameToken]:
    """The words of a text with what each can be in the language of `cues`."""
    places = cut(text)
    known = names()
    ordinary = frequent_words(lexicon.language)
    cased = is_cased(text, places)
    tokens: list[NameToken] = []
    before = 0
    labelled = False
    for start, end in places:
        gap = text[before:start]
        word = fold(text[start:end])
        kind = _kind(word, known, ordinary, lexicon)
        if text[start:end].lower() in lexicon.grammar.accented:
            kind = Kind.STOP | Kind.ACCENTED
        if word in lexicon.other_senses.months and (_NUMBER_BEFORE.search(gap) or _NUMBER_AFTER.match(text, end)):
            kind = Kind.STOP
        after_initial = bool(tokens and tokens[-1].kind & Kind.INITIAL)
        opening = before == 0 or (not after_initial and any(mark in gap for mark in ".!?\n"))
        listed_below = any(mark in gap for mark in _OF_A_LIST)
        if cased and text[start].isupper() and not opening and not listed_below:
            kind |= Kind.CAPITAL
        labelled = not cased and text[start:end].istitle() and _is_labelled(tokens, gap, labelled, lexicon)
        if labelled:
            kind |= Kind.CAPITAL
        if text[end : end + 1].isdigit():
            # "BRCA1"
            kind = Kind.STOP | Kind.SHORT
        kind |= _written(text[start:end], gap, opening, cased)
        if after_initial and text[start].isupper():
            kind |= Kind.CAPITAL
        if end - start == 1 and text[start].isupper() and text[end : end + 1] == ".":
            kind |= Kind.INITIAL
        joined = before > 0 and (gap.isspace() or gap == "" or gap == "-" or _is_abbreviated(tokens, gap, lexicon))
        tokens.append(NameToken(start, end, word, kind, joined))
        before = end
    return tokens


def _is_labelled(tokens: list[NameToken], gap: str, labelled: bool, lexicon: NameLexicon) -> bool:
    """Whether a word is of what a form says of a person ("Patient: Wren Tallis"), where every word has a capital."""
    if not tokens:
        return False
    if tokens[-1].word in lexicon.phrases and (":" in gap or (gap in (" ", ". ") and len(tokens[-1].word) <= _TITLE)):
        return True
    return labelled and gap in (" ", "-")


def _is_abbreviated(tokens: list[NameToken], gap: str, lexicon: NameLexicon) -> bool:
    """Whether a full stop ends no sentence; and the apostrophe of a particle, as in "de' rossi", parts no words."""
    if gap in ("' ", "\u2019 "):
        return tokens[-1].word in lexicon.grammar.particles
    return gap == ". " and (len(tokens[-1].word) <= _SHORTENED or tokens[-1].word in lexicon.phrases)


def _written(shown: str, gap: str, opening: bool, cased: bool) -> int:
    """What the writing of a word and what stands before it say."""
    kind = (Kind.OPENS if opening else 0) | (Kind.OWNED if _OWNS.match(gap) else 0)
    kind |= Kind.UPPER if shown[0].isupper() else 0
    return kind | (Kind.SHORT if cased and len(shown) > 1 and shown.isupper() else 0)


def _kind(word: str, known: Names, ordinary: frozenset[str], lexicon: NameLexicon) -> int:
    if len(word) == 1:
        return Kind.LETTER | (Kind.STOP if word in lexicon.grammar.stop else 0)
    if word.endswith("'"):
        return Kind.STOP | (Kind.PARTICLE if word in lexicon.grammar.particles else 0)
    kind = 0
    if word in lexicon.grammar.particles:
        kind |= Kind.PARTICLE
    if (
        word in lexicon.grammar.stop
        or word in lexicon.other_senses.not_names
        or word in lexicon.persons.kin
        or _SAINT.match(word)
    ):
        return kind | Kind.STOP
    if word in lexicon.other_senses.eponyms:
        kind |= Kind.EPONYM
    return kind | _listed(word, known, ordinary, lexicon)


def _listed(word: str, known: Names, ordinary: frozenset[str], lexicon: NameLexicon) -> int:
    is_word = word in ordinary
    first, last = word in known.first, word in known.last or ("'" in word and word.replace("'", "") in known.last)
    if "-" in word and not (first or last):
        parts = word.split("-")
        first = parts[0] in known.first and all(part in known.first or part in known.last for part in parts)
        last = not first and all(part in known.last or part in lexicon.grammar.particles for part in parts)
        last = last or (not first and _is_double_surname(parts, known, ordinary))
        words_in = [part in ordinary and part not in known.common for part in parts]
        is_word = (all(words_in) if last else any(words_in)) or is_word
    if "'" in word and not (first or last) and word.rpartition("'")[2] in lexicon.grammar.stop:
        return Kind.STOP
    kind = 0
    if word in known.places:
        kind |= Kind.PLACE
    if first or last:
        kind |= Kind.LISTED
    if first:
        kind |= 0 if is_word else Kind.FIRST
        kind |= Kind.COMMON_FIRST if word in known.common_first or "-" in word else 0
    if last:
        kind |= 0 if is_word else Kind.LAST
        kind |= Kind.COMMON_LAST if word in known.common else 0
    if is_word:
        kind |= Kind.WORD
    elif not (first or last or kind & Kind.PLACE):
        kind |= Kind.UNKNOWN | Kind.BUILT if _is_built(word, ordinary, lexicon) else _spelled(word, lexicon)
    return kind


def _is_double_surname(parts: list[str], known: Names, ordinary: frozenset[str]) -> bool:
    """Whether one of two parts is a surname and the other one unheard of ("wils-aerts")."""
    if len(parts) != _DOUBLE or min(map(len, parts)) < _COMPOUND:
        return False
    others = [part for part in parts if part not in known.last]
    if len(others) != 1 or any(part in ordinary or part in known.places for part in parts):
        return False
    return others[0] not in known.first


def _spelled(word: str, lexicon: NameLexicon) -> int:
    letters = spelling(lexicon.language)
    score = letters.score(word.replace("-", ""))
    if score >= letters.surely:
        return Kind.UNKNOWN | Kind.LIKELY | Kind.SURELY
    return Kind.UNKNOWN | (Kind.LIKELY if score >= letters.likely else 0)


def _is_built(word: str, ordinary: frozenset[str], lexicon: NameLexicon) -> bool:
    """Whether an unlisted word is built of ordinary ones ("bloedafname") or ends as only ordinary words do."""
    if lexicon.medical.is_word(word) or (len(word) > _ENDED and word.endswith(lexicon.suffixes)):
        return True
    for middle in () if lexicon.language != "nl" else range(_COMPOUND, min(len(word), 30) - _COMPOUND + 1):
        if word[middle:] in ordinary and (word[:middle] in ordinary or word[: middle - 1] in ordinary):
            return True
    return False
