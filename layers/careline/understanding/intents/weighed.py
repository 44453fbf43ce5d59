"""Weighs the labels of a question by what it names: who names a doctor seldom asks for a car park."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.understanding.entities.recognise import Recognised
from careline.understanding.intents.classifier import Label
from careline.understanding.intents.slots import is_answered, slots_of

TIME = "time"


@cache
def _weights() -> Mapping[str, Any]:
    text = files("careline.understanding.intents").joinpath("weights.yaml").read_text("utf-8")
    content: Mapping[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


def weighed(labels: Sequence[Label], recognised: Recognised) -> list[Label]:
    """The labels with their shares weighed, the likeliest first; the shares sum to 1 again."""
    kinds = {one.kind for one in recognised.entities} & _weights().keys()
    shares = [label.share * _weight(label.name, kinds, recognised) for label in labels]
    whole = sum(shares) or 1.0
    found = [Label(one.intent, one.sub_intent, share / whole) for one, share in zip(labels, shares, strict=True)]
    return sorted(found, key=lambda one: -one.share)


def _weight(label: str, kinds: set[str], recognised: Recognised) -> float:
    if not is_answered(label):
        return 1.0
    slots, weight = slots_of(label), 1.0
    for kind in kinds:
        weights = _weights()[kind]
        how = "needs" if kind in slots.needs else "takes" if kind in slots.takes else "others"
        weight *= weights.get(how, weights["takes"])
    if not recognised.time.is_any:
        of_time = _weights()[TIME]
        weight *= of_time["likelier"].get(label, of_time["less"].get(label, 1.0))
    return weight
