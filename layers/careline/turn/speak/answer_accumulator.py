"""Gathers what was said in a turn and how it came about, for its record and its answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from careline.model import Disposition, Usage
from careline.schemas import wire
from careline.screened import ScreenedText
from careline.turn.outcome import Outcome
from careline.turn.turn import EgressRecord


@dataclass(slots=True)
class AnswerAccumulator:
    """What was said in this turn and how it came about; filled while the stream runs."""

    disposition: Disposition = Disposition.ANSWERED
    reason: str | None = None
    rules: tuple[str, ...] = ()
    parts: list[ScreenedText] = field(default_factory=list)
    citations: list[wire.Citation] = field(default_factory=list)
    warnings: list[wire.Notice] = field(default_factory=list)
    choices: list[wire.Choice] = field(default_factory=list)
    """What may be meant, where the answer asks back."""
    outcome: Outcome | None = None
    """How it was answered, where that came out while it was said; None where as the turn says."""
    withheld: tuple[str, ...] = ()
    """Rules for which sentences were left out."""
    by_words_alone: int = 0
    """Sentences that the screens doubted and whose embedding came too late."""
    sent: tuple[EgressRecord, ...] = ()
    first_token_seconds: float | None = None
    """From the request to the first words; None while nothing was said."""
    screening_seconds: float = 0.0
    """Time that the output screens took, part of the time of `speak`."""
    model: str | None = None
    failure: str | None = None
    """Why the model that was asked last did not finish, if it did not."""
    is_cut_short: bool = False
    """Whether it was stopped by a limit of its own, such as the length of an answer."""
    ended: str | None = None
    """Why its answer goes no further than where it stopped being one, if it did (`ScreenedSentence.ended`)."""
    usage: Usage = field(default_factory=Usage)
    disclaimed: bool = False
    language: str = ""
    ahead: int = 0
    """How many parts were said ahead of the answer: what is not done here."""
    gap: str = ""
    """White space that will stand before the next part, if there is one."""

    def note_first(self, event: wire.Event, seconds: float) -> None:
        """Keep when the first words are sent, seconds after the request."""
        if self.first_token_seconds is None and isinstance(event, wire.Token):
            self.first_token_seconds = seconds

    @property
    def has_answer(self) -> bool:
        """Whether more was said than what stands ahead of an answer."""
        return len(self.parts) > self.ahead

    def text(self) -> ScreenedText:
        """Everything said, in one piece. Called when something was."""
        joined = "".join(self.parts)
        return self.parts[0].reshaped(lambda _: joined)
