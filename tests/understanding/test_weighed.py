"""How likely a label is goes by what a question names: most of all where the label can do nothing without it."""

from __future__ import annotations

import pytest

from careline.understanding.entities.recognise import Recognised
from careline.understanding.intents.classifier import Label
from careline.understanding.intents.weighed import weighed
from careline.understanding.question import Entity

SYMPTOM = Label("ambiguous_symptom_description", "", 0.4)
COMPLAINT = Label("complaint_contact", "", 0.3)
BILLING = Label("billing_contact", "", 0.2)
GENERAL = Label("general", "", 0.1)
NAUSEA = Recognised((Entity("lay_word", "misselijk", ("gastroenterology",)),))


def shares(recognised: Recognised) -> dict[str, float]:
    return {one.intent: one.share for one in weighed([SYMPTOM, COMPLAINT, BILLING, GENERAL], recognised)}


def test_what_names_nothing_stays_as_likely_as_it_is() -> None:
    before = {one.intent: one.share for one in (SYMPTOM, COMPLAINT, BILLING, GENERAL)}
    assert shares(Recognised()) == pytest.approx(before)


def test_a_label_that_needs_what_is_named_gains_most_then_one_that_takes_it() -> None:
    before, now = shares(Recognised()), shares(NAUSEA)
    gain = {name: now[name] / before[name] for name in now}
    assert gain[SYMPTOM.intent] > gain[COMPLAINT.intent] > gain[BILLING.intent]


def test_shares_sum_to_one_again_and_the_likeliest_is_first() -> None:
    found = weighed([GENERAL, BILLING, COMPLAINT, SYMPTOM], NAUSEA)
    assert sum(one.share for one in found) == pytest.approx(1)
    assert found[0].intent == SYMPTOM.intent
    assert [one.share for one in found] == sorted((one.share for one in found), reverse=True)
