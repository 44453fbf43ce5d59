"""Finds procedures that no hospital has and that harm whoever follows them: money and belongings handed to somebody who
comes by, patients whom nobody identifies or sees leave or who say nothing of an implant, and numbers of strangers in
the place of one that is void."""

from __future__ import annotations

from careline.safety.injection.contacts import hosts, is_known, is_named_in, unknown_numbers
from careline.safety.injection.sentence_place import SentencePlace

_LONGEST = 400
"""Characters of a sentence whose signals still belong together."""


def unsafe_procedure(place: SentencePlace) -> bool:
    """Money, papers or belongings for somebody who comes by and gives no receipt; care without a look at who it is for;
    a ward that is left without a word; a question on what endangers in an examination left without its answer."""
    asks = place.here.asks
    if len(place.here.text) > _LONGEST:
        return False
    if not asks.isdisjoint({"UNCHECKED", "LEAVES_UNSEEN"}) or {"HIDES", "SAFETY"} <= place.here.whole:
        return True
    # "A receipt is not needed" reads like a warning, so that it stands in no clause that asks.
    after = place.after.whole if place.after is not None else frozenset[str]()
    return {"PARTS_WITH", "COLLECTOR"} <= asks and "UNRECEIPTED" in place.here.whole | after


def replaced_contact(place: SentencePlace) -> bool:
    """A number or web address of nobody the hospital knows, beside the word that the one in its letters is void.

    The first document is believed: nothing is known yet that it could be compared with.
    """
    if not any("OLD_CONTACT" in each.asks for each in (place.before, place.here) if each is not None):
        return False
    if place.known.numbers and unknown_numbers(place.here.text, place.known.numbers):
        return True
    strange = [each for each in hosts(place.here.text) if not is_known(each, place.known.hosts)]
    return bool(place.known.hosts) and any(not is_named_in(each, place.page) for each in strange)
