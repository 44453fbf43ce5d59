"""Parts that fail on purpose (`CARELINE_FAULTS`), so that staff can rehearse what callers hear when they do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from careline.model import Span
from careline.packs.packs import Pack
from careline.safety.harm import HarmScreen
from careline.safety.in_context import InContext
from careline.safety.terminal import TerminalScreen
from careline.safety.utterance import Utterance


class InjectedFault(RuntimeError):
    """What a part made to fail raises: none of Careline's own errors, as a real fault would not be."""


class FailingDetector:
    """A detector of personal data that never answers."""

    def find(self, text: str, language: str | None, staff: Sequence[str] = ()) -> Sequence[Span]:
        """Raises: InjectedFault."""
        raise InjectedFault("the detector of personal data is made to fail")


@dataclass(frozen=True, slots=True)
class _FailingTerminal(TerminalScreen):
    def first_look(self, utterance: Utterance, language: str | None) -> NoReturn:
        raise InjectedFault("the input screen is made to fail")


@dataclass(frozen=True, slots=True)
class _FailingHarm(HarmScreen):
    def judge(self, said: InContext, language: str) -> NoReturn:
        raise InjectedFault("the output screen is made to fail")


def with_faults(pack: Pack, parts: Collection[str]) -> Pack:
    """The pack with the named screens failing."""
    if "input_screen" in parts:
        pack = replace(pack, terminal=_FailingTerminal(pack.terminal.rule_layers))
    if "output_screen" in parts:
        pack = replace(pack, harm=_FailingHarm(pack.harm.rule_sets))
    return pack
