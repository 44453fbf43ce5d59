"""Tells which language a text is in, by what its sender states or by its words: those decide short questions, a
statistical model the rest.

Speech comes without accents and in three words; there a model of characters guesses (py3langid calls "parking tarief"
English), while words such as "het", "combien" or "orari" do not leave a doubt. Where no such word stands, the lists of
each language's words tell: "dose reduction" is English, and "per" of three languages.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import yaml

from careline.errors import BadRequest
from careline.model import LANGUAGES
from careline.text import frequent_words as lexicon

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier as Statistical

SHORT = 160
"""Characters up to which frequent words are asked first."""

_CLEARLY, _SURER, _UNSURE = 0.6, 0.2, 0.5
"""Confidence of a text that the words of one language tell, and how much surer each word more makes; the most that is
left of it where the statistical model alone tells."""
_APART = 0.5
"""By how much the words of one language must outweigh those of every other: half a word that no other has."""
_CERTAIN = 3
"""Frequent words of one language, and none of another, from which a sentence is certainly of it."""
_WORD = re.compile(r"[a-z]+")


class FrequentWordsThenStatistics:
    """The language identifier port."""

    def identify(self, text: str, *, of_any: bool = False) -> tuple[str, float]:
        """See `ports.LanguageIdentifier.identify`. Text of up to 160 characters is one of the four languages."""
        if len(text) > SHORT or of_any:
            return self._ask(text, None)
        found = by_words(text)
        if found is not None:
            return found
        code, confidence = self._ask(text, LANGUAGES)
        return code, confidence * _UNSURE

    def _ask(self, text: str, among: tuple[str, ...] | None) -> tuple[str, float]:
        ranked = _statistical().rank(text)
        allowed = [(str(code), float(share)) for code, share in ranked if among is None or code in among]
        total = sum(share for _, share in allowed) or 1.0
        best, share = max(allowed, key=lambda pair: pair[1])
        return best, share / total


@cache
def _statistical() -> Statistical:
    """The statistical model (0.5 s, 100 MB), loaded when it is first needed, once for a process: it never changes."""
    from py3langid.langid import MODEL_FILE
    from py3langid.langid import LanguageIdentifier as Statistical

    return Statistical.from_model_file(MODEL_FILE, norm_probs=True)


@cache
def frequent_words() -> dict[str, frozenset[str]]:
    """The frequent words of each language, from `words.yaml`."""
    return {code: frozenset(words.split()) for code, words in word_lists()["frequent"].items()}


@cache
def word_lists() -> dict[str, dict[str, str]]:
    """The tables of `words.yaml`."""
    content = files("careline.text").joinpath("words.yaml").read_text("utf-8")
    tables: dict[str, dict[str, str]] = yaml.load(content, Loader=yaml.CSafeLoader)
    return tables


def by_frequent_words(text: str) -> tuple[str, float] | None:
    """The language whose frequent words a text has most of, or None when two languages have as many."""
    words = _plain_words(text)
    found = ((sum(word in known for word in words), code) for code, known in frequent_words().items())
    counts = sorted(found, reverse=True)
    (most, code), (next_most, _) = counts[0], counts[1]
    if most == 0 or most == next_most:
        return None
    return code, min(1.0, 0.6 + 0.2 * (most - next_most))


def by_words(text: str) -> tuple[str, float] | None:
    """The language whose words a short text has most of, each counted once, and the confidence; None where two have
    nearly as many. A frequent word counts for its languages, any other for those that list it."""
    weights = dict.fromkeys(LANGUAGES, 0.0)
    for word in dict.fromkeys(_plain_words(text)):
        small = [code for code, known in frequent_words().items() if word in known]
        having = small or [code for code in LANGUAGES if word in lexicon.frequent_words(code)]
        if len(having) < len(LANGUAGES):
            # A word of two languages tells the less of either.
            weights.update((code, weights[code] + 1 / len(having) ** 2) for code in having)
    (most, code), (next_most, _) = sorted(((weight, code) for code, weight in weights.items()), reverse=True)[:2]
    apart = most - next_most
    return (code, min(1.0, _CLEARLY + _SURER * apart)) if apart >= _APART else None


def _plain_words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.lower().replace("\u2019", "").replace("'", " "))
    return _WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))


@cache
def _telling() -> dict[str, frozenset[str]]:
    """The frequent words of each language that no other has among its own."""
    return {
        code: words - frozenset().union(*(others for name, others in frequent_words().items() if name != code))
        for code, words in frequent_words().items()
    }


def telling_words(sentence: str) -> dict[str, int]:
    """By language, how many words of a sentence are frequent ones of it and of no other."""
    words = _plain_words(sentence)
    return {code: sum(word in known for word in words) for code, known in _telling().items()}


def told_apart(sentence: str) -> str | None:
    """The language of a sentence that is certainly of one; None for few words, or words of several."""
    counts = telling_words(sentence)
    of_any = [code for code, count in counts.items() if count]
    return of_any[0] if len(of_any) == 1 and counts[of_any[0]] >= _CERTAIN else None


CODES = frozenset(
    (
        "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de "
        "dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id "
        "ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu "
        "lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu "
        "rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr "
        "ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
    ).split()
)
"""The two-letter codes of ISO 639-1."""


def stated_language(value: object) -> str:
    """The code of a language, without a country ("nl-BE" is "nl"); "" where none is stated. Raises: BadRequest."""
    code = str(value).strip().replace("_", "-").partition("-")[0].lower()
    if code and code not in CODES:
        raise BadRequest("language: no such code; two letters of ISO 639-1, as nl, en, fr, it or de, or leave it out")
    return code
