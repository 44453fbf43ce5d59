"""What a process keeps between turns has a bound, and a turn leaves nothing else behind."""

from __future__ import annotations

import gc
import importlib
import inspect
import pkgutil
import random
from collections import Counter
from functools import cache
from typing import Any

import careline
from careline.installation import Installation
from careline.privacy.detect import Detector
from careline.records.outbox_message import OutboxEntry
from tests.turn.turns import a_hospital, ask

MOST_KEPT = 20_000
"""What any cache may hold."""
FEW = frozenset("language code codes section table name names group key path file program".split())
"""Parameters with few values, all of them ours: what is kept by these alone needs no bound."""
LETTERS = "abcdefghijklmnopqrstuvwxyzéàüßñçø漢字仮名ひらдомשלוםبيت"
ROUND = 12
OF_THE_OUTBOX = f"{OutboxEntry.__module__}.{OutboxEntry.__qualname__}"
"""The outbox of the tests keeps what it was given."""


@cache
def kept_functions() -> dict[str, Any]:
    """Every function of the package whose results are kept, by its name."""
    found = {}
    for module in pkgutil.walk_packages(careline.__path__, "careline."):
        loaded = importlib.import_module(module.name)
        for name, each in vars(loaded).items():
            if hasattr(each, "cache_parameters") and each.__module__ == loaded.__name__:
                found[f"{loaded.__name__}.{name}"] = each
    return found


def test_what_is_kept_by_a_text_has_a_small_bound() -> None:
    assert len(kept_functions()) > 100
    bounds = {name: each.cache_parameters()["maxsize"] for name, each in kept_functions().items()}
    by_text = {name: sorted(set(inspect.signature(kept_functions()[name]).parameters) - FEW) for name in bounds}
    assert {name: by for name, by in by_text.items() if by and bounds[name] is None} == {}
    assert {name: bound for name, bound in bounds.items() if bound is not None and bound > MOST_KEPT} == {}


async def round_of_turns(installation: Installation, chance: random.Random) -> None:
    """Turns that have no word in common with those of another round."""
    for language in ("nl", "en", "fr", "it"):
        for _ in range(ROUND // 4):
            words = ["".join(chance.choices(LETTERS, k=chance.randint(3, 9))) for _ in range(6)]
            await ask(installation, f"wanneer is er bezoek {' '.join(words)}?", language=language)


def our_objects() -> Counter[str]:
    """How many there are of each class of the package, when bounded caches are empty; records are the table's."""
    for each in kept_functions().values():
        if each.cache_parameters()["maxsize"] is not None:
            each.cache_clear()
    gc.collect()
    names = (f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())
    return Counter(name for name in names if name.startswith("careline.") and name != OF_THE_OUTBOX)


def unbounded_sizes() -> dict[str, int]:
    return {
        name: each.cache_info().currsize
        for name, each in kept_functions().items()
        if each.cache_parameters()["maxsize"] is None
    }


async def test_a_turn_leaves_no_object_behind() -> None:
    chance = random.Random(7)
    written = ["Bezoek is welkom van 14 tot 20 uur [1]."]
    installation = await a_hospital(*[written] * 4 * ROUND, detector=Detector())
    await round_of_turns(installation, chance)
    before, sizes = our_objects(), unbounded_sizes()
    await round_of_turns(installation, chance)
    await round_of_turns(installation, chance)
    assert our_objects() - before == Counter()
    assert unbounded_sizes() == sizes
