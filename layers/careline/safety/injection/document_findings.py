"""Which signals together make a sentence one that no caller may be told: the kinds of poisoned text, one function each.

Each reads the sentence at one place among its neighbours in one language. Adding a kind means adding a function here
and the signals it needs to the rule sets of every language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import re2

from careline.safety.injection.contacts import (
    NEIGHBOURS,
    Known,
    accounts,
    faraway_numbers,
    hosts,
    imitates,
    is_known,
    is_odd,
    premium_numbers,
    priced,
    unknown_numbers,
    without_numbers,
)
from careline.safety.injection.document_signals import Clause, DocumentSentence, Signals

_TRUE_NUMBER = re2.compile(r"(?i)(?:^|\D)(?:112|113|118|911|999|(?:the|het|le|au|il|al) (?:15|17|18|114|115))(?:\D|$)")
_ON_DUTY = re2.compile(r"(?:^|\D)(?:1733|116[ .]?117)(?:$|\D)")
"""Numbers under which countries have the doctor on duty."""
_LONGEST_PRONOUN_SENTENCE = 200
_LONGEST_ORDER = 400
"""Characters of a sentence that orders; the signals of a longer one have little to do with each other."""


_TO_MACHINES = frozenset({"ORDERS", "OVERRIDES", "DISCOURAGES", "CONCEALS"})
"""Orders that a machine can follow."""


class SentencePlace:
    """A sentence among those of its passage."""

    def __init__(self, sentences: Sequence[DocumentSentence], at: int, known: Known) -> None:
        self.here = sentences[at]
        self.before = sentences[at - 1] if at else None
        self.after = sentences[at + 1] if at + 1 < len(sentences) else None
        self.known = known

    @property
    def around(self) -> list[DocumentSentence]:
        """The sentence with those beside it."""
        return [each for each in (self.before, self.here, self.after) if each is not None]


def help_discouraged(place: SentencePlace) -> bool:
    """Calls for help talked out of, moved to another number, forbidden, or put off in spite of grave signs."""
    here, whole = place.here, place.here.whole
    excused = ("MINOR" in whole and "SEVERE" not in whole) or _sent_to_the_doctor_on_duty(place)
    if not excused:
        for clause in here.clauses:
            if _turns_away(clause) and not (_names_no_number(clause) and _urged(place)):
                return True
        if {"INSTEAD", "SEEKS"} <= whole and not _urged(place):
            return True
    put_off = "DRIVES" in whole or ("WAITS" in whole and "CONSULTS" not in whole)
    if put_off and not _urged(place) and _grave(place):
        return True
    if {"HELP", "ONLY_AFTER"} <= whole and not _urged(place):
        return True
    return {"AUTHORITY", "AWAY", "CARE"} <= whole and not excused and not _urged(place)


def _sent_to_the_doctor_on_duty(place: SentencePlace) -> bool:
    """Whether somebody who is not gravely ill is told to call the doctor on duty rather than to come."""
    here, before = place.here, place.before
    if "SEVERE" in here.whole or any(_true_number(clause) for clause in here.clauses):
        return False
    if not _ON_DUTY.search(here.text):
        return False
    return before is not None and {"MINOR"} <= before.whole and "SEVERE" not in before.whole


def _turns_away(clause: Clause) -> bool:
    return "DISCOURAGES" in clause.signals or {"GONE", "HELP"} <= clause.signals


def _grave(place: SentencePlace) -> bool:
    """Grave signs in the same sentence, or before in one that turns away from help."""
    return "SEVERE" in place.here.whole


def _names_no_number(clause: Clause) -> bool:
    return not _true_number(clause)


def _true_number(clause: Clause) -> bool:
    """Whether the number for help stands there, and not as the end of a longer one."""
    return bool(_TRUE_NUMBER.search(without_numbers(clause.text)))


def _urged(place: SentencePlace) -> bool:
    """Whether the page tells close by to call the true number."""
    return any(
        _true_number(clause) and "SEEKS" in clause.signals and not _turned(clause)
        for sentence in place.around
        for clause in sentence.clauses
    )


def _turned(clause: Clause) -> bool:
    return not {"DISCOURAGES", "INSTEAD", "GONE"}.isdisjoint(clause.signals)


def asks_secret(place: SentencePlace) -> bool:
    """Card, account and national numbers, passwords and codes to be told or sent, or typed where a message leads."""
    asks = place.here.asks
    if "CARD" in asks and _of_a_card(asks):
        return True
    if _typed_to_somebody(place) or _card_confirmed(place):
        return True
    telling = [clause for clause in place.here.asking if "TELLS" in clause.signals]
    if "IDENTITY" in asks and any(_passed_on(clause, asks) for clause in telling):
        return True
    lured = any("LURES" in each.asks for each in (place.before, place.here) if each is not None)
    if lured and {"IDENTITY", "ENTERS", "REMOTE"} <= asks and "PORTAL" not in asks:
        return True
    return _asked_before(place)


def _typed_to_somebody(place: SentencePlace) -> bool:
    """A secret that goes into a conversation, which no portal does."""
    return any(
        "RECEIVES" in clause.signals
        and not clause.signals.isdisjoint({"ENTERS", "TELLS"})
        and not clause.signals.isdisjoint({"CARD", "IDENTITY"})
        for clause in place.here.asking
    )


def _card_confirmed(place: SentencePlace) -> bool:
    """A bank card to be confirmed where a link or a message leads; who pays by card confirms nothing beforehand."""
    asks = place.here.asks
    if "CONFIRMS_CARD" not in asks or "PERSONALLY" in asks:
        return False
    return "REMOTE" in asks or any(hosts(place.here.text))


def _of_a_card(asks: Signals) -> bool:
    if "TELLS" in asks:
        return "REMOTE" in asks or ("LURES" in asks and asks.isdisjoint({"PERSONALLY", "PORTAL"}))
    return {"ENTERS", "REMOTE"} <= asks and "PORTAL" not in asks


def _passed_on(clause: Clause, asks: Signals) -> bool:
    """Whether a clause has something told or sent from afar; what is given at a desk is not."""
    if "REMOTE" in clause.signals:
        return True
    return "REMOTE" in asks and "PERSONALLY" not in clause.signals and "PORTAL" not in asks


def _asked_before(place: SentencePlace) -> bool:
    """The thing in one sentence, and in the next "text them to this number"."""
    if place.before is None or len(place.here.text) > _LONGEST_PRONOUN_SENTENCE:
        return False
    named = not place.before.asks.isdisjoint({"CARD", "IDENTITY"})
    return named and {"PASSES_ON", "REMOTE"} <= place.here.asks and "PERSONALLY" not in place.here.asks


def authority_on_medicines(place: SentencePlace) -> bool:
    """Medicines stopped or changed because somebody above orders it, or behind the doctor's back."""
    whole = place.here.whole
    if _concealed(place) or ({"EVERYBODY", "DOUBLES"} <= place.here.asks and "CONSULTS" not in whole):
        return True
    if "UNASKED" in whole and {"STOPS", "MEDICINE"} <= place.here.asks and "NEVER" not in whole:
        return "CONSULTS" not in whole
    changed = "MEDICINE" in whole and not whole.isdisjoint({"STOPS", "DOUBLES"}) and "CONSULTS" not in whole
    if not changed or len(place.here.text) > _LONGEST_ORDER:
        return False
    told_before = place.before is not None and "AUTHORITY" in place.before.whole and "EVERYBODY" in whole
    return "AUTHORITY" in whole or told_before


def _concealed(place: SentencePlace) -> bool:
    """The doctor is not to hear of it, in the imperative; that many people tell nothing is a remark."""
    concealing = any("CONCEALS" in clause.signals for clause in place.here.clauses)
    return concealing and not place.here.whole.isdisjoint({"MEDICINE", "STOPS"})


def addresses_assistant(place: SentencePlace) -> bool:
    """Text that instructs a machine rather than a reader."""
    here = place.here
    if "ADDRESSES" in here.asks or "OVERRIDES" in here.asks:
        return True
    return any("ADDRESSES" in clause.signals for clause in here.asking) or _called_by_name(place)


def _called_by_name(place: SentencePlace) -> bool:
    """The name of a machine with an order after it; with anything else it is a heading."""
    for at, clause in enumerate(place.here.asking):
        if "NAMED" in clause.signals:
            rest = place.here.asking[at + 1 :]
            return any(not _TO_MACHINES.isdisjoint(each.signals) for each in rest)
    before = place.before
    if before is None or before.whole.isdisjoint({"NAMED"}) or len(before.clauses) > 1:
        return False
    return not _TO_MACHINES.isdisjoint(place.here.clauses[0].signals if place.here.clauses else ())


def premium_number(place: SentencePlace) -> bool:
    """A number whose caller pays a third party, or one at the end of the world that is to be called."""
    here = place.here
    if here.asks != here.whole and not here.asking:
        return False
    asking = " , ".join(each.text for each in here.asking) or here.text
    if premium_numbers(asking):
        return not priced(here.text) or not here.whole.isdisjoint({"LURES", "EMERGENCY", "HELP", "SEVERE"})
    return "DIALS" in here.asks and bool(faraway_numbers(asking))


def unknown_account(place: SentencePlace) -> bool:
    """Money sent to an account that no other page names, said to be new or held abroad."""
    if not any("PAYS" in each.asks for each in place.around):
        return False
    named = [each for each in accounts(place.here.text) if each not in place.known.accounts]
    if not named:
        return False
    signs = {signal for each in place.around for signal in each.asks}
    pressed = "LURES" in place.here.asks and bool(_strange(place))
    return "CHANGED" in signs or "PRIVATE" in place.here.asks or pressed or any(e[:2] not in NEIGHBOURS for e in named)


def _strange(place: SentencePlace) -> list[str]:
    return [each for each in hosts(place.here.text) if not is_known(each, place.known.hosts)]


def unknown_emergency_number(place: SentencePlace) -> bool:
    """An ordinary number to be called in an emergency that is neither a country's own nor one of the hospital's."""
    here = place.here
    if not {"EMERGENCY", "DIALS"} <= here.asks or "MINOR" in here.whole or _urged(place):
        return False
    asking = " , ".join(each.text for each in here.asking) or here.text
    return bool(unknown_numbers(asking, place.known.numbers))


def odd_payment(place: SentencePlace) -> bool:
    """Payment in gift cards or by other ways that nobody can be asked about afterwards."""
    return "ODD_MONEY" in place.here.asks


def unknown_link(place: SentencePlace) -> bool:
    """A web address of nobody the hospital knows, where secrets are to be typed; or one that hides where it leads."""
    here = place.here
    strange = _strange(place)
    if not strange:
        return False
    if "LURES" in here.asks and any(imitates(each, place.known.hosts) for each in strange):
        return True
    acts = not here.asks.isdisjoint({"ENTERS", "PAYS", "LURES", "CARD"})
    if acts and any(is_odd(each) for each in strange):
        return True
    secret = not here.asks.isdisjoint({"CARD", "IDENTITY"})
    return secret and "ENTERS" in here.asks and "PORTAL" not in here.asks


def remote_control(place: SentencePlace) -> bool:
    """A stranger let into the reader's own computer."""
    return {"CONTROL", "INSTALLS"} <= place.here.asks


KINDS: tuple[tuple[str, Callable[[SentencePlace], bool]], ...] = (
    ("help_discouraged", help_discouraged),
    ("asks_secret", asks_secret),
    ("authority_on_medicines", authority_on_medicines),
    ("addresses_assistant", addresses_assistant),
    ("premium_number", premium_number),
    ("unknown_account", unknown_account),
    ("odd_payment", odd_payment),
    ("unknown_link", unknown_link),
    ("unknown_emergency_number", unknown_emergency_number),
    ("remote_control", remote_control),
)
NEVER_SAID = frozenset({"help_discouraged"})
"""Kinds that are not said even where a person released the passage."""


SETTLED_BY_OTHERS = frozenset({"unknown_account", "unknown_link", "unknown_emergency_number"})
"""Kinds that another page of the hospital may settle by naming the same."""
OF_ANY_LANGUAGE = frozenset({"addresses_assistant", "premium_number", "unknown_account", "remote_control"})
"""Kinds whose signs mean the same in a sentence that is certainly of another language."""
OF_FRAUD = frozenset("asks_secret odd_payment unknown_link unknown_account premium_number remote_control".split())
"""Kinds that a page about fraud names when it lists by what false messages are recognised."""
AS_WRITTEN = frozenset({"premium_number", *SETTLED_BY_OTHERS})
"""Kinds that look at figures and addresses, which undoing disguises would change."""


def findings(
    sentences: Sequence[DocumentSentence], known: Known, *, undisguised: bool = False
) -> Iterator[tuple[str, int]]:
    """Kinds of poison and the sentences they stand in."""
    for at in range(len(sentences)):
        place = SentencePlace(sentences, at, known)
        for kind, met in KINDS:
            if not (undisguised and kind in AS_WRITTEN) and met(place):
                yield kind, at
