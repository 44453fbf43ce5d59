"""Finds secrets that a page has its readers tell: card, account and national numbers, passwords and codes.

What readers type themselves, where they log in or pay, stays with them and is asked for by nobody.
"""

from __future__ import annotations

from careline.bounded_re2 import compile_bounded
from careline.safety.injection.contacts import hosts
from careline.safety.injection.document_signals import Clause, DocumentSentence, Signals
from careline.safety.injection.sentence_place import SentencePlace

_LONGEST_PRONOUN_SENTENCE = 200
_LINK = compile_bounded(r"(?i)\b(?:link\w*|liens?|qr|koppeling\w*|collegament\w*|url)\b")
_SECRETS = frozenset({"CARD", "IDENTITY", "SECRET", "PASSES_ON"})
"""What is secret, or a word that stands for it."""


def asks_secret(place: SentencePlace) -> bool:
    """Card, account and national numbers, passwords and codes to be told or sent, or typed where a message leads."""
    asks = place.here.asks
    if "CARD" in asks and (_of_a_card(place.here) or ("TELLS" in asks and _spoken_before(place))):
        return True
    if _typed_to_somebody(place) or _card_confirmed(place) or _given_away(place) or _approved_in_a_call(place):
        return True
    told = telling(place.here)
    if "OWN_HAND" in place.here.whole and any({"PASSES_ON", "TELLS", "REMOTE"} <= each.signals for each in told):
        return True
    if {"IDENTITY", "TELLS"} <= asks and any(_passed_on(clause, asks) for clause in told):
        return True
    lured = any("LURES" in each.asks for each in (place.before, place.here) if each is not None)
    if lured and {"IDENTITY", "ENTERS", "REMOTE"} <= asks and "PORTAL" not in asks:
        return True
    return _asked_before(place) or _asked_by_staff(place)


def _approved_in_a_call(place: SentencePlace) -> bool:
    """What somebody on the telephone wants to be approved in an app, which signs for him."""
    asks = place.here.asks
    calls = any("IN_CALL" in each.asks for each in (place.before, place.here) if each is not None)
    return calls and "APPROVES" in asks


def _asked_by_staff(place: SentencePlace) -> bool:
    """What opens an account, asked for by somebody of the house, who has no use for it."""
    return {"ASKS_FOR", "CARD", "SECRET"} <= place.here.asks and "PORTAL" not in place.here.asks


def _spoken_before(place: SentencePlace) -> bool:
    """Whether the sentence before says by what way: "Telephone us. We will ask for your card number"."""
    before = place.before
    return before is not None and "REMOTE" in before.asks and place.here.asks.isdisjoint({"PERSONALLY", "PORTAL"})


def _typed_to_somebody(place: SentencePlace) -> bool:
    """A secret that goes into a conversation, which no portal does."""
    return any(
        "RECEIVES" in clause.signals
        and not clause.signals.isdisjoint({"ENTERS", "TELLS"})
        and not clause.signals.isdisjoint({"CARD", "IDENTITY"})
        for clause in place.here.asking
    )


def _given_away(place: SentencePlace) -> bool:
    """A secret that opens an account, told or handed to somebody; nobody is to have it, not even at a desk."""
    return any({"SECRET", "GIVES"} <= clause.signals and "PORTAL" not in clause.signals for clause in place.here.asking)


def _card_confirmed(place: SentencePlace) -> bool:
    """A bank card to be confirmed where a link or a message leads; who pays by card confirms nothing beforehand."""
    asks = place.here.asks
    if "CONFIRMS_CARD" not in asks or "PERSONALLY" in asks:
        return False
    return "REMOTE" in asks or any(hosts(place.here.text))


def telling(here: DocumentSentence) -> list[Clause]:
    """The clauses that have something told. Before "a code that you enter yourself", only those that name a secret."""
    own = next((at for at, clause in enumerate(here.clauses) if "OWN_HAND" in clause.signals), 0)
    before = {clause.text for clause in here.clauses[:own] if clause.signals.isdisjoint(_SECRETS)}
    return [clause for clause in here.asking if "TELLS" in clause.signals and clause.text not in before]


def keeps_to_oneself(here: DocumentSentence) -> bool:
    """Whether readers type it themselves where they log in or pay, or unseen; not where a link or a threat leads."""
    if "LURES" in here.whole or any(hosts(here.text)) or _LINK.search(here.text):
        return False
    return "UNSEEN" in here.whole or {"OWN_HAND", "LOG_IN"} <= here.whole


def _of_a_card(here: DocumentSentence) -> bool:
    """Told or sent from afar, or typed there; not what somebody types himself while staff look away."""
    asks = here.asks
    if "TELLS" in asks:
        return "REMOTE" in asks or ("LURES" in asks and asks.isdisjoint({"PERSONALLY", "PORTAL"}))
    return {"ENTERS", "REMOTE"} <= asks and "PORTAL" not in asks and not keeps_to_oneself(here)


def _passed_on(clause: Clause, asks: Signals) -> bool:
    """Whether a clause has something told or sent from afar; what is given at a desk is not."""
    if "REMOTE" in clause.signals:
        return True
    return "REMOTE" in asks and "PERSONALLY" not in clause.signals and "PORTAL" not in asks


def _asked_before(place: SentencePlace) -> bool:
    """The thing in one sentence, and in the next "text them to this number"."""
    if place.before is None or len(place.here.text) > _LONGEST_PRONOUN_SENTENCE or keeps_to_oneself(place.here):
        return False
    named = not place.before.asks.isdisjoint({"CARD", "IDENTITY"})
    return named and {"PASSES_ON", "REMOTE"} <= place.here.asks and "PERSONALLY" not in place.here.asks
