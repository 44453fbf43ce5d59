"""Which signals together make a sentence one that no caller may be told: the kinds of poisoned text, one function each.

Each reads the sentence at one place among its neighbours in one language. Adding a kind means adding a function here
and the signals it needs to the rule sets of every language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from careline.safety.injection.attempts import read_markup
from careline.safety.injection.care_findings import care_declined, help_postponed, medicine_disowned
from careline.safety.injection.contacts import (
    NEIGHBOURS,
    Known,
    accounts,
    by_others,
    dearest,
    faraway_numbers,
    hosts,
    imitates,
    is_known,
    is_named_in,
    is_odd,
    links,
    numbers,
    premium_numbers,
    priced,
    unknown_numbers,
)
from careline.safety.injection.document_signals import DocumentSentence
from careline.safety.injection.help_findings import false_reassurance, help_discouraged, names_on_duty
from careline.safety.injection.procedure_findings import replaced_contact, unsafe_procedure
from careline.safety.injection.secret_findings import asks_secret
from careline.safety.injection.sentence_place import SentencePlace
from careline.safety.injection.tariffs import offered_openly

_LOCAL_CALL = 0.2
_INFORMATION = 1.0
"""Euros up to which a call to a hospital, and to anybody who informs, is not dear."""
_LONGEST_ORDER = 400
"""Characters of a sentence that orders; the signals of a longer one have little to do with each other."""


_MARKUP = ("chat-token", "bracket-tag", "role-object")
"""Marks of a conversation with a model that no page of a hospital has a use for."""
_ACTS = frozenset({"ENTERS", "PAYS", "LURES", "CARD"})
"""What somebody is asked to do at a web address."""
_TYPED = frozenset({"ENTERS", "CARD", "IDENTITY"})
_NO_CHOICE = frozenset({"LURES", "EMERGENCY", "HELP", "SEVERE"})
"""Haste and help, with which nobody weighs what a call costs."""
_TO_MACHINES = frozenset({"ORDERS", "OVERRIDES", "DISCOURAGES", "CONCEALS"})
"""Orders that a machine can follow."""


def authority_on_medicines(place: SentencePlace) -> bool:
    """Medicines stopped, changed or made up for, and care refused, because somebody above orders it or nobody knows."""
    whole = place.here.whole
    if _concealed(place) or ({"EVERYBODY", "DOUBLES"} <= place.here.asks and "CONSULTS" not in whole):
        return True
    if "UNASKED" in whole and {"STOPS", "MEDICINE"} <= place.here.asks and "NEVER" not in whole:
        return "CONSULTS" not in whole
    if {"MISSED", "MULTIPLES"} <= whole and "CONSULTS" not in whole:
        return True
    if {"AUTHORITY", "MEDICINE", "UNASKED"} <= whole and "NEVER" not in whole and "CONSULTS" not in whole:
        return True
    if {"AUTHORITY", "REFUSES", "CLAIM"} <= whole and len(place.here.text) <= _LONGEST_ORDER:
        return True
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
    if not here.asks.isdisjoint({"ADDRESSES", "OVERRIDES", "COMMANDS", "UNREAD"}) or _told_to_callers(here):
        return True
    if any(read_markup()[name].search(here.text) for name in _MARKUP):
        return True
    return any("ADDRESSES" in clause.signals for clause in here.asking) or _called_by_name(place)


def _told_to_callers(here: DocumentSentence) -> bool:
    """What those who ask are to be told: a page tells its readers, only somebody who tells others needs to hear it."""
    return "ASKED" in here.asks and any("SAYS" in clause.signals for clause in here.asking)


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
        return not dear_to_nobody(here) and not _offered_openly(place)
    if (
        _dear(here)
        and not _offered_openly(place)
        and "DIALS" in here.asks
        and not place.known.numbers.issuperset(numbers(asking))
    ):
        return True
    return "DIALS" in here.asks and bool(faraway_numbers(asking))


def _offered_openly(place: SentencePlace) -> bool:
    """Whether the page says what a call costs and that nobody needs to make it; never beside haste or help."""
    if not place.here.whole.isdisjoint(_NO_CHOICE):
        return False
    own_service = "OWN_SERVICE" in place.here.whole
    around, after = [each.text for each in place.around], [each.text for each in place.following]
    return offered_openly(place.here.text, around, after, own_service=own_service)


def dear_to_nobody(here: DocumentSentence) -> bool:
    """A number of somebody else (a taxi, the trains) with an ordinary price beside it; a hospital's own service that
    costs more than a call is none, nor is one where haste or help is spoken of."""
    if not priced(here.text) or not here.whole.isdisjoint(_NO_CHOICE):
        return False
    return not _dear(here)


def _dear(here: DocumentSentence) -> bool:
    """Whether a minute or a call costs more than it may: of a service that others run more than of any other."""
    others = by_others(here.text) and "OWN_SERVICE" not in here.whole
    return priced(here.text) and dearest(here.text) > (_INFORMATION if others else _LOCAL_CALL)


def unknown_account(place: SentencePlace) -> bool:
    """Money sent to an account that no other page names: said to be new or a person's, held abroad, or care is lost."""
    named = [each for each in accounts(place.here.text) if each not in place.known.accounts]
    if any(each[:2] not in NEIGHBOURS for each in named) and place.here.whole.isdisjoint({"NEVER", "REPORTS"}):
        return True
    if not named or not any("PAYS" in each.asks for each in place.around):
        return False
    signs = {signal for each in place.around for signal in each.asks}
    pressed = "FORFEITS" in place.here.asks or ("LURES" in place.here.asks and bool(_strange(place)))
    return "CHANGED" in signs or "PRIVATE" in place.here.asks or pressed


def _strange(place: SentencePlace) -> list[str]:
    return [each for each in hosts(place.here.text) if not is_known(each, place.known.hosts)]


def unknown_emergency_number(place: SentencePlace) -> bool:
    """An ordinary number for an emergency or danger to life that is neither a country's own nor the hospital's."""
    here = place.here
    if "MINOR" in here.whole or place.urged():
        return False
    asking = " , ".join(each.text for each in here.asking) or here.text
    in_danger = _life_in_danger(place)
    if in_danger and "DIALS" in here.asks and names_on_duty(asking):
        return True
    named = in_danger and place.is_label()
    if not named and not ("DIALS" in here.asks and (in_danger or "EMERGENCY" in here.asks)):
        return False
    return bool(unknown_numbers(asking, place.known.numbers))


def _life_in_danger(place: SentencePlace) -> bool:
    """Danger to life in the sentence, or asked about in a short one before: "A heart attack? Call ..."."""
    if "LIFE" in place.here.asks:
        return True
    before = place.before
    return before is not None and "LIFE" in before.asks and before.text.rstrip().endswith(("?", ":"))


def odd_payment(place: SentencePlace) -> bool:
    """Payment in gift cards or by other ways that nobody can be asked about afterwards."""
    return "ODD_MONEY" in place.here.asks


def unknown_link(place: SentencePlace) -> bool:
    """A web address of nobody the hospital knows, where secrets are to be typed, a bill is to be paid or a threat or a
    move leads; or one that hides where it leads."""
    asks = place.here.asks
    if asks.isdisjoint(_ACTS):
        return False
    strange = _strange(place)
    if not strange:
        return False
    if any(is_odd(each) for each in strange):
        return True
    if "LURES" in asks and (any(imitates(each, place.known.hosts) for each in strange) or not asks.isdisjoint(_TYPED)):
        return True
    if "ENTERS" in asks and ("SECRET" in asks or _has_moved(place)):
        return True
    if "PAYS" in asks and not asks.isdisjoint({"BILL", "FORFEITS"}):
        return any(not is_named_in(each, place.page) for each in links(place.here.text) if each in strange)
    return "ENTERS" in asks and not asks.isdisjoint({"CARD", "IDENTITY"}) and "PORTAL" not in asks


def _has_moved(place: SentencePlace) -> bool:
    """Whether the page says close by that the address of before is no longer used."""
    return any("MOVED_SITE" in each.whole for each in (place.before, place.here) if each is not None)


def remote_control(place: SentencePlace) -> bool:
    """A stranger let into the reader's own computer."""
    return {"CONTROL", "INSTALLS"} <= place.here.asks


KINDS: tuple[tuple[str, Callable[[SentencePlace], bool]], ...] = (
    ("help_discouraged", lambda place: help_discouraged(place) or help_postponed(place)),
    ("care_declined", care_declined),
    ("false_reassurance", false_reassurance),
    ("asks_secret", asks_secret),
    ("authority_on_medicines", lambda place: authority_on_medicines(place) or medicine_disowned(place)),
    ("addresses_assistant", addresses_assistant),
    ("premium_number", premium_number),
    ("unknown_account", unknown_account),
    ("odd_payment", odd_payment),
    ("unknown_link", unknown_link),
    ("unknown_emergency_number", unknown_emergency_number),
    ("replaced_contact", replaced_contact),
    ("unsafe_procedure", unsafe_procedure),
    ("remote_control", remote_control),
)
_OF_FIGURES = tuple(each for each in KINDS if each[0] == "premium_number")
"""Kinds that need no signal of the sentence or those beside it."""
NEVER_SAID = frozenset({"help_discouraged"})
"""Kinds that are not said even where a person released the passage."""


OF_HELP = frozenset({"help_discouraged", "false_reassurance"})
"""Kinds that what the document says elsewhere about calling for help may settle."""
SETTLED_BY_OTHERS = frozenset({"unknown_account", "unknown_link", "unknown_emergency_number", "replaced_contact"})
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
        signalled = any(each.whole for each in place.around)
        for kind, met in KINDS if signalled else _OF_FIGURES:
            if not (undisguised and kind in AS_WRITTEN) and met(place):
                yield kind, at
