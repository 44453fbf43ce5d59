"""Puts examples of intents behind another question, as a turn reads a short one that goes on from what was said."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from careline.understanding.intents.classifier import OTHER
from careline.understanding.joined import SHORT, joined

SAYS_ITSELF, SAYS_LITTLE = 0.6, 0.45
"""Shares of its own label, from which on an example says itself what is wanted, and below which what was asked before
says it."""
WORDS = 3
"""Least words of a question that stands before another."""
STAYS = 0.3
"""Share of follow-ups that ask the same of something else; the others may come after any question."""


@dataclass(frozen=True, slots=True)
class Example:
    """An utterance and its label."""

    pack: str
    language: str
    label: str
    text: str


def behind_others(pack: str, of: Sequence[Example], told: npt.NDArray[np.float32]) -> list[tuple[str, str]]:
    """Short examples behind a question of the same pack and language, each with its label.

    `told` is the share of its own label of each example, as a classifier that had not learned it gave it. One that says
    little by itself is put behind a question of the same label, which it goes on from.
    """
    chance = random.Random(5)  # noqa: S311  # a fixed seed, so that training can be repeated
    before: dict[str, dict[str, list[str]]] = {}
    for one, share in zip(of, told, strict=True):
        if one.pack == pack and share > SAYS_ITSELF and len(one.text.split()) >= WORDS:
            before.setdefault(one.language, {}).setdefault(one.label, []).append(one.text)
    found = []
    for one, share in zip(of, told, strict=True):
        by_label = before.get(one.language, {})
        if len(one.text.split()) > SHORT or not by_label:
            continue
        leans = one.label != OTHER and share < SAYS_LITTLE
        stays = one.label in by_label and (leans or chance.random() < STAYS)
        asked = chance.choice(by_label[one.label if stays else chance.choice(sorted(by_label))])
        if asked != one.text:
            found.append((joined(asked, one.text), one.label))
    return found
