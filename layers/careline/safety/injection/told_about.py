"""Which lines of a page tell about fraud and attacks, or deny what they name, rather than ask it of their reader.

Only a line itself, the list it stands in and the quotation marks around it count: a page that begins with a warning
against fraud may say anything further down.
"""

from __future__ import annotations

from collections.abc import Sequence

from careline.safety.injection.contacts import by_others, dearest, premium_numbers
from careline.safety.injection.document_findings import dear_to_nobody
from careline.safety.injection.document_signals import DocumentSentence, Reader
from careline.safety.injection.secret_findings import keeps_to_oneself, telling
from careline.safety.injection.tariffs import offered_openly

_ABOUT = frozenset({"ABOUT", "REPORTS"})
_ITEMS = ("- ", "* ", "• ")
_TELLS_ABOUT = frozenset({"DISOWNS", "NOT_OURS", "TELLS_OF", "REPORTS"})
_TALKS_OUT = frozenset(
    "HARMLESS NO_CARE DELAYS PASSES WAITS DISCOURAGES POSTPONES GONE INSTEAD UNASKED CONCEALS HIDES LOSES REFUSED"
    " AUTHORITY NEW_RULE ABRUPT ODD_MONEY ADDRESSES COMMANDS OVERRIDES UNREAD CONTROL COLLECTOR UNCHECKED"
    " CHARGED LEFT_ALONE".split()
)
"""What talks somebody out of care, or into harm, whatever else a sentence says."""
_HANDS_OVER = frozenset({"TELLS", "ENTERS", "PAYS", "GIVES", "CARD", "SECRET", "IDENTITY", "INSTALLS"})
_ACCOUNT = frozenset({"CARD", "SECRET", "IDENTITY", "PAYS"})
_DANGER = frozenset({"ALARM", "GRAVE", "SEVERE", "LIFE"})
_CHANGES = frozenset({"STOPS", "DOUBLES", "THROWS"})
_CHANGES_NOTHING = frozenset({"KEEPS", "NEVER", "CONSULTS"})
_TAKEN = frozenset({"GIVES", "RECEIVES", "INSTALLS", "LURES", "PARTS_WITH", "CHANGED", "ASKS_FOR"})
"""What takes a secret from whoever types it."""
_LONGEST = 300
"""Characters of a sentence whose signals still belong together."""


def quotes_told_about(lines: Sequence[str], reader: Reader) -> list[bool]:
    """Whether what a line quotes is told about: it, or the line before, is about fraud in any language; it stands in a
    list of what false messages say; or its own sentence denies it."""
    about = [not _ABOUT.isdisjoint(reader.anywhere(line)) for line in lines]
    denied = ["DISOWNS" in reader.anywhere(line) for line in lines]
    marks = marks_of_fraud(lines, reader)
    return [any(each) for each in zip(about, [False, *about], denied, marks, strict=False)]


def marks_of_fraud(lines: Sequence[str], reader: Reader) -> list[bool]:
    """Whether a line is in a list of what false messages look like, on a page about fraud, or of what nobody of the
    house ever asks."""
    marks: list[bool] = []
    warned = listed = False
    for line in lines:
        item = line.lstrip().startswith(_ITEMS)
        marks.append(item and listed)
        if item:
            continue
        signals = reader.anywhere(line)
        warned = warned or not _ABOUT.isdisjoint(signals)
        listed = "FORSWEARS" in signals or (warned and "RECOGNISES" in signals)
    return marks


def settled(lines: Sequence[str], language: str, reader: Reader) -> list[bool]:
    """Whether a line is of a kind that models take for planted and that a rule knows to be none.

    That is what tells about fraud, what a victim of it does, an order to answer honestly, a medicine that is not to be
    stopped without a doctor, what is slight and usual, a code that readers type unseen, and a number of somebody else
    with an ordinary price; none of them with anything else in it.
    """
    marks = marks_of_fraud(lines, reader)
    return [_settled(line, language, reader, mark=mark) for line, mark in zip(lines, marks, strict=True)]


def _settled(line: str, language: str, reader: Reader, *, mark: bool) -> bool:
    if language not in reader.languages or len(line) > _LONGEST:
        return False
    anywhere = reader.anywhere(line)
    if mark:
        return anywhere.isdisjoint(_DANGER | _CHANGES | {"MEDICINE", "HELP", "ADDRESSES", "COMMANDS"})
    here = reader.read(line, language)
    if any(not _TELLS_ABOUT.isdisjoint(clause.signals) for clause in here.clauses):
        return here.asks.isdisjoint(_TALKS_OUT | _HANDS_OVER | _CHANGES | _DANGER)
    return anywhere.isdisjoint(_TALKS_OUT - _allowed(here)) and _harmless(here)


def _allowed(here: DocumentSentence) -> frozenset[str]:
    """What is said of slight things, and of a medicine that stays as it is, without talking anybody out of care."""
    if "SLIGHT" in here.whole:
        return frozenset({"HARMLESS", "NO_CARE", "DISCOURAGES"})
    return frozenset({"UNASKED"}) if {"KEEPS", "CONSULTS"} <= here.whole else frozenset()


def _harmless(here: DocumentSentence) -> bool:
    whole = here.whole
    if "SLIGHT" in whole:
        return whole.isdisjoint(_DANGER | _CHANGES | _HANDS_OVER | {"MEDICINE"})
    if {"KEEPS", "CONSULTS"} <= whole:
        return all(
            clause.signals.isdisjoint(_CHANGES) or not clause.signals.isdisjoint(_CHANGES_NOTHING)
            for clause in here.clauses
        )
    if not whole.isdisjoint({"UNSEEN", "OWN_HAND"}):
        typed = not whole.isdisjoint({"LOG_IN", "PORTAL", "PERSONALLY"}) and keeps_to_oneself(here)
        return typed and not telling(here) and whole.isdisjoint(_CHANGES | _DANGER | _TAKEN | {"MEDICINE"})
    if "HONEST" in whole:
        return whole.isdisjoint(_CHANGES | _ACCOUNT)
    if premium_numbers(here.text):
        told = (by_others(here.text) and dearest(here.text) > 0 and dear_to_nobody(here)) or _open_offer(here)
        return told and whole.isdisjoint(_CHANGES | _DANGER | _ACCOUNT)
    return "AFTER_FRAUD" in whole and whole.isdisjoint({"ENTERS", "SECRET", "IDENTITY", "INSTALLS"})


def _open_offer(here: DocumentSentence) -> bool:
    """Whether a sentence by itself offers a dear number openly."""
    if not here.whole.isdisjoint({"LURES", "EMERGENCY", "HELP", "SEVERE"}):
        return False
    return offered_openly(here.text, [here.text], (), own_service="OWN_SERVICE" in here.whole)
