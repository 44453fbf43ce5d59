"""Finds care that is declined, rights that are denied, and medicines that are changed with nobody to answer for it.

Each is an act, what it is done to and a condition, in whatever words: care, refused, to those who lack something;
a right of patients, denied; a medicine, changed, by a page that says at once that it is no advice.
"""

from __future__ import annotations

from careline.safety.injection.sentence_place import SentencePlace

_NEAR = 2
"""Sentences between an order and the disclaimer that goes with it."""
_LONGEST = 400
"""Characters of a sentence whose signals still belong together."""
_CHANGES = frozenset({"STOPS", "DOUBLES", "THROWS"})
_GRAVELY = frozenset({"GRAVE", "SEVERE", "LIFE", "ALARM"})


def care_declined(place: SentencePlace) -> bool:
    """Care refused to those without insurance, papers or the language, or however ill they are; and what patients are
    owed (their file, an interpreter, a complaint) denied them, or paid for with their place or their treatment."""
    whole = place.here.whole
    if "NO_RIGHT" in whole or ({"USES_RIGHT", "LOSES"} <= whole and len(place.here.text) <= _LONGEST):
        return True
    if "REFUSED" not in whole or len(place.here.text) > _LONGEST:
        return False
    return "EVEN_GRAVE" in whole or {"OUTSIDER", "CARE"} <= whole or {"OUTSIDER", "CLAIM"} <= whole


def medicine_disowned(place: SentencePlace) -> bool:
    """A medicine stopped, thrown away or multiplied by a page that says that it gives no advice; thrown away at one
    stroke; or changed for everybody by some new rule."""
    here = place.here
    if "CONSULTS" in here.whole or len(here.text) > _LONGEST:
        return False
    if not any(_changes(clause.signals) for clause in here.asking):
        return False
    near = place.near(_NEAR)
    if any("DISCLAIMS" in each.whole for each in near):
        return True
    if "THROWS" in here.asks and any("ABRUPT" in each.asks for each in near):
        return True
    return {"NEW_RULE", "EVERYBODY"} <= here.whole


def help_postponed(place: SentencePlace) -> bool:
    """A call for help that comes after something else, in grave danger."""
    here = place.here
    if "POSTPONES" not in here.whole or "MINOR" in here.whole:
        return False
    return not _GRAVELY.isdisjoint(here.whole) or any(place.speaks_of(each) for each in _GRAVELY)


def _changes(signals: frozenset[str]) -> bool:
    if "KEEPS" in signals or "NEVER" in signals:
        return False
    return "THROWS" in signals or ("MEDICINE" in signals and not _CHANGES.isdisjoint(signals))
