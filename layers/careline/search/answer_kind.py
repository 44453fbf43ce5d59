"""Tells what an answer must hold from how it is asked: an amount, a time of day, a duration, a telephone number, how to
reach somebody, who works somewhere, what to bring, where something is, or directions for who prepares."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from careline.languages import word_lists
from careline.phone_numbers import PHONE

_PERSON = re.compile(
    r"\b(?:[Dd]rs?|[Dd]r\.ssa|[Dd]re|[Pp]rof|[Dd]okter|[Dd]octors?|[Dd]octeure?s?|[Dd]ott|[Dd]ott\.ssa|[Dd]ottor(?:e|essa)?"
    r"|[Mm]evr|[Dd]hr|[Mm]r|[Mm]rs|[Mm]s|[Mm]me|[Mm]adame|[Mm]onsieur|[Ss]ig|[Ss]ig\.ra)\b\.? ?[A-Z]"
)
"""A title before a name."""
_NAME = re.compile(r"\b[A-Z][^\W\d_]{1,20} (?:[a-z]{2,3} ){0,2}[A-Z][^\W\d_]{1,20}")
"""Two words with capitals, as names are written; those of places are too."""
TEMPERATURE, BOOKING = "temperature", "booking"
"""The kinds of how warm or feverish, and of whether something is booked."""
HOLDS: dict[str, re.Pattern[str]] = {
    "amount": re.compile(
        r"[€£]|\b(?:euros?|eur|chf|fr|francs?|frank|franken|franchi|gratis|kosteloos|free)\b|\bgratuit|\d\.[–—]",
        re.IGNORECASE,
    ),
    "time": re.compile(
        r"\b\d{1,2}[:.hu]\d{2}\b|\b\d{1,2} ?(?:uur|h\b|heures|am\b|pm\b)"
        r"|\b(?:gesloten|closed|ferm[ée]e?s?|chius[oaie])\b",
        re.IGNORECASE,
    ),
    "duration": re.compile(
        r"\d ?(?:minu|uur|uren|hour|heure|or[ae]\b|dag|day|jour|giorn|we+k|semaine|settiman|maand|month|"
        r"mois|mes[ei]|jaar|year|an[sn]?\b|keer|times|fois|volt)",
        re.IGNORECASE,
    ),
    "early": re.compile(
        r"\d ?(?:min|uur|uren|hour|heure|or[ae]\b|dag|day|jour|giorn|we+k|werkdag|working|semaine|settiman)"
        r"[^\W\d_]{0,9}(?: \w{2,10})?,? (?:voor|vóór|vooraf|op voorhand|vroeger|eerder|before|in advance|ahead|earl|"
        r"avant|à l.avance|plus tôt|prima|in anticipo|d.anticipo)",
        re.IGNORECASE,
    ),
    TEMPERATURE: re.compile(r"\d ?(?:°|graden|degr[eé]|gradi)", re.IGNORECASE),
    "phone": PHONE,
    "people": _PERSON,
    "contact": re.compile(rf"{PHONE.pattern}|https?://|\bwww\.|\S@\S", re.IGNORECASE),
}
"""By kind, what text of that kind looks like in the four languages."""
EARLY = "early"
"""The kind of how long before something; said like a duration, of which the text tells before what."""
PEOPLE, BRING, WHERE = "people", "bring", "where"
"""The kinds of who works somewhere, what one brings, and where something is: asked of what a question is about."""
PREPARATION = "preparation"
"""The kind whose answer is all that somebody has to do, which no one sentence holds."""
SAYS = {PREPARATION: "preparation", BRING: "bring", WHERE: "places", BOOKING: "booking"}
"""By kind, the table of `words.yaml` with what text of that kind says."""
_OF_FORM = frozenset(("amount", "time", "duration", EARLY, PREPARATION))
_WORD = re.compile(r"[^\W_]+")
_FIRST_WORDS = 4
"""Words by which a question says that it asks for a yes or no."""


def answer_kinds(question: str) -> frozenset[str]:
    """The kinds of answer a question asks for; none when its words do not tell."""
    asked = _plain(question)
    for phrase in (*_listed("no_amounts")["all"], *_listed("no_preparation")["all"]):
        asked = asked.replace(phrase, " ")
    listed = _listed("answer_kinds").items()
    kinds = frozenset(kind for kind, phrases in listed if any(phrase in asked for phrase in phrases))
    return kinds - {"duration"} if EARLY in kinds else kinds


def asks_for_price(question: str) -> bool:
    """Whether a question is what something costs, and says so: "how much may I take" asks something else."""
    return answer_kinds(question) & _OF_FORM == {"amount"} and tells_of_cost(question)


def tells_of_cost(text: str) -> bool:
    """Whether a text says anything of what is paid: an amount, a share, or who pays."""
    said = _plain(text)
    return bool(HOLDS["amount"].search(text)) or "%" in text or any(phrase in said for phrase in _listed("cost")["all"])


def tells_of_people(text: str) -> bool:
    """Whether a text says anything of who works somewhere: a name behind a title, two words of a name, or a trade."""
    said = _plain(text)
    return bool(_PERSON.search(text) or _NAME.search(text)) or any(word in said for word in _listed("staff")["all"])


def is_open_question(question: str) -> bool:
    """Whether a question is none that yes or no answers."""
    begins = set(_plain(question).split()[:2])
    return any(phrase.strip() in begins for phrase in _listed("open_questions")["all"])


def asks_for_yes_or_no(question: str) -> bool:
    """Whether yes or no answers a question: "do I have to book?"."""
    begins = set(_plain(question).split()[:_FIRST_WORDS])
    asks = any(phrase.strip() in begins for phrase in _listed("yes_or_no_questions")["all"])
    return asks and not is_open_question(question)


def special_amounts(text: str) -> frozenset[str]:
    """What the amounts of a text are for where they are no plain price: a deposit, a night, a lost ticket."""
    said = _plain(text)
    return frozenset(name for name, words in _listed("special_amounts").items() if any(word in said for word in words))


def leans_back(sentence: str) -> bool:
    """Whether a sentence of a document says too little without the one before it: "in that case you pay nothing"."""
    said = _plain(sentence)
    listed = _listed("leans_back")
    return any(map(said.startswith, listed["begins"])) or any(phrase in said for phrase in listed["anywhere"])


def is_about_itself(text: str) -> bool:
    """Whether a sentence speaks of the document it stands in, as "this leaflet explains" does."""
    said = _plain(text)
    return any(phrase in said for phrase in _listed("about_itself")["all"])


def holds(text: str, kinds: frozenset[str]) -> bool:
    """Whether a text holds something of any of these kinds."""
    return any(_says(text, SAYS[kind]) if kind in SAYS else HOLDS[kind].search(text) for kind in kinds)


def _says(text: str, table: str) -> bool:
    """Whether a text holds a phrase of a table."""
    said = _plain(text)
    return any(phrase in said for phrase in _listed(table)["all"])


def _plain(text: str) -> str:
    """Words in lower case without accents, one space between and around them."""
    plain = text.lower()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return f" {' '.join(_WORD.findall(plain))} "


@cache
def _listed(table: str) -> dict[str, tuple[str, ...]]:
    """The phrases of a table of `words.yaml`, each with a space around it."""
    return {
        name: tuple(f" {phrase.strip()} " for phrase in listed.split(",") if phrase.strip())
        for name, listed in word_lists()[table].items()
    }
