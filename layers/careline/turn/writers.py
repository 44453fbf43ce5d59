"""Who may write an answer: language models in their own words, and behind them the quoter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from careline.ports import ChatModel, Engines
from careline.quoting.writer import NAME as QUOTER
from careline.turn.turn import Turn


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """A language model that may write this answer, and whether what it is told leaves the trust boundary."""

    model: ChatModel
    where: Literal["local", "cloud"]

    @property
    def name(self) -> str:
        """The model's name as it is recorded."""
        return self.model.name


@dataclass(frozen=True, slots=True)
class Quoter:
    """Says what stands in the sources and nothing else; it follows no instructions and needs no model."""

    where: Literal["local"] = "local"
    name: str = QUOTER


Writer: TypeAlias = ModelWriter | Quoter
"""Who may write an answer. Only what a model writes is its own words, and is held to what that asks for."""


def writers_of(turn: Turn, engines: Engines) -> list[Writer]:
    """The chosen model, the local one when nothing was chosen; behind it, who writes when it fails.

    The way leads inwards alone, from the cloud to the local model and to the documents themselves, so that nobody is
    told more than the policy lets the chosen one see. The documents can always be quoted.
    """
    if turn.supposed_advice:
        return [Quoter()]
    use = turn.route.use if turn.route is not None else "local"
    cloud = {"cloud": engines.cloud, "cloud_small": engines.cloud_small}.get(use)
    first = [] if cloud is None else [ModelWriter(cloud, "cloud")]
    local = [] if engines.model is None else [ModelWriter(engines.model, "local")]
    return [*first, *local, Quoter()]
