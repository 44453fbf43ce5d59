"""What an utterance is by its words alone, whatever of the screens still works."""

from __future__ import annotations

from careline.errors import kind_and_place
from careline.log.event_log import EventLog
from careline.safety.terminal import Terminal, TerminalScreen, TerminalVerdict
from careline.safety.utterance import Utterance

log = EventLog(__name__)


def words_alone(text: str, language: str | None, screen: TerminalScreen) -> TerminalVerdict:
    """The class of the words without their embedding; by the rules alone where the classifiers fail, and none where
    these do too. It raises nothing: who asks for it has nothing else left."""
    try:
        return screen.classify(text, language)
    except Exception as error:
        log.write("utterance_not_screened", **kind_and_place(error))
    try:
        return screen.by_patterns(Utterance(text), language)
    except Exception as error:
        log.write("utterance_not_screened", **kind_and_place(error))
    return TerminalVerdict(Terminal.FALLTHROUGH)
