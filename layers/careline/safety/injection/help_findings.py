"""Finds what keeps somebody in danger from calling for help, or from thinking that help is needed.

Two kinds: help that is talked out of, moved elsewhere, put off or priced; and signs of danger that are said to mean
nothing. The second may be a page's own honest opinion, so that a person may release it; the first is never said.
"""

from __future__ import annotations

from careline.bounded_re2 import compile_bounded
from careline.safety.injection.document_signals import Clause
from careline.safety.injection.sentence_place import SentencePlace, true_number

_ON_DUTY = compile_bounded(r"(?:^|\D)(?:1733|116[ .]?117)(?:$|\D)")
"""Numbers under which countries have the doctor on duty."""
_WAITED_OUT = frozenset({"DELAYS", "PASSES"})
_ELSEWHERE = frozenset({*_WAITED_OUT, "FIRST", "WRITES"})
"""What takes the place of a call for help: waiting, somebody who is asked first, something to be written."""
_MEANS_NOTHING = frozenset({"HARMLESS", "NO_CARE", *_WAITED_OUT})
_DANGER = frozenset({"ALARM", "GRAVE", "LIFE", "SEVERE"})
_NO_CALL = frozenset({"NO_CARE", *_WAITED_OUT, "WAITS", "DISCOURAGES", "AWAY"})


def names_on_duty(text: str) -> bool:
    """Whether a text names the number of a doctor on duty."""
    return bool(_ON_DUTY.search(text))


def help_discouraged(place: SentencePlace) -> bool:
    """Calls for help talked out of, moved to another number, forbidden, priced, or put off in spite of grave signs."""
    here, whole = place.here, place.here.whole
    excused = _slight(place) or _sent_to_the_doctor_on_duty(place)
    if not excused:
        for clause in here.clauses:
            if _turns_away(clause) and not (not true_number(clause) and place.urged()):
                return True
        if not whole.isdisjoint({"CHARGED", "LEFT_ALONE"}) or ({"INSTEAD", "SEEKS"} <= whole and not place.urged()):
            return True
    if place.urged():
        return False
    put_off = "DRIVES" in whole or (not whole.isdisjoint({"WAITS", "PASSES"}) and "CONSULTS" not in whole)
    if put_off and "SEVERE" in whole:
        return True
    if {"HELP", "ONLY_AFTER"} <= whole or _moved(place):
        return True
    return {"AUTHORITY", "AWAY", "CARE"} <= whole and not excused


def _slight(place: SentencePlace) -> bool:
    """Whether help is not needed for what is slight: of a kind that is known to be, or mild in any other way."""
    whole = place.here.whole
    return ("MINOR" in whole and whole.isdisjoint({"SEVERE", "LABOUR"})) or _mild(place)


def _mild(place: SentencePlace) -> bool:
    """Whether 112 is not to be called for something mild, on a page that says elsewhere when it is."""
    whole = place.here.whole
    if not {"MILD", "DISCOURAGES"} <= whole or not whole.isdisjoint(_DANGER):
        return False
    return place.says_when_to_call()


def _moved(place: SentencePlace) -> bool:
    """Grave signs, and something else to be done than to call: to wait, to ask or write to somebody first, to keep the
    line free."""
    whole = place.here.whole
    instead = _ELSEWHERE & whole
    if instead and instead <= _WAITED_OUT and any(_sends_to_help(clause) for clause in place.here.clauses):
        # "It passes in two days; ring us if your face swells": what is waited out is not what is grave.
        instead = frozenset()
    if instead and place.speaks_of("GRAVE"):
        return True
    return "SPARES" in whole and any(not each.whole.isdisjoint({"GRAVE", "SEVERE"}) for each in place.around)


def _sent_to_the_doctor_on_duty(place: SentencePlace) -> bool:
    """Whether somebody who is not gravely ill is told to call the doctor on duty rather than to come."""
    here, before = place.here, place.before
    if before is None or "MINOR" not in before.whole or "SEVERE" in before.whole | here.whole:
        return False
    return names_on_duty(here.text) and not any(true_number(clause) for clause in here.clauses)


def _turns_away(clause: Clause) -> bool:
    return "DISCOURAGES" in clause.signals or {"GONE", "HELP"} <= clause.signals


def false_reassurance(place: SentencePlace) -> bool:
    """Signs of danger said to be harmless, to need nobody or to be waited out, with nobody to be called beside it; and
    any symptom of which two of these are said. That it passes by itself says no more than that it is harmless: what an
    illness ordinarily comes to is told on every page about one."""
    meaning = _MEANS_NOTHING & place.here.whole
    unheeded = meaning and place.speaks_of("ALARM")
    said = {"HARMLESS" if each == "PASSES" else each for each in meaning}
    if "WAITS" in place.here.whole:
        said.add("DELAYS")
    if not unheeded and not (len(said) > 1 and place.speaks_of("SYMPTOM")):
        return False
    if _mild(place):
        return False
    return not place.urged() and not any(_sends_to_help(clause) for clause in place.here.clauses)


def _sends_to_help(clause: Clause) -> bool:
    return "SENDS" in clause.signals and _NO_CALL.isdisjoint(clause.signals)
