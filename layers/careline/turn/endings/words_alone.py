"""What an utterance is by its words alone, whatever of the screens still works."""

from __future__ import annotations

from careline.errors import kind_and_place
from careline.log.event_log import EventLog
from careline.safety.classifiers.classifier import FirstLook
from careline.safety.terminal import Terminal, TerminalScreen, TerminalVerdict
from careline.safety.utterance import Utterance

log = EventLog(__name__)


def words_alone(text: str, language: str | None, screen: TerminalScreen) -> TerminalVerdict:
    """The class of the words without their embedding; by the rules alone where the classifiers fail, and none where
    these do too. It raises nothing: who asks for it has nothing else left."""
    return first_look_alone(text, language, screen).verdict()


def first_look_alone(text: str, language: str | None, screen: TerminalScreen) -> FirstLook[TerminalVerdict]:
    """The same, with the doubt that words leave; none where a part of the screens fails. It raises nothing."""
    try:
        look = screen.first_look(Utterance(text), language)
        look.verdict()
        return look
    except Exception as error:
        log.write("utterance_not_screened", **kind_and_place(error))
    return _certain(_by_rules(text, language, screen))


def _by_rules(text: str, language: str | None, screen: TerminalScreen) -> TerminalVerdict:
    try:
        return screen.by_patterns(Utterance(text), language)
    except Exception as error:
        log.write("utterance_not_screened", **kind_and_place(error))
    return TerminalVerdict(Terminal.FALLTHROUGH)


def _certain(verdict: TerminalVerdict) -> FirstLook[TerminalVerdict]:
    return FirstLook(in_doubt=False, judge=lambda _: verdict)
