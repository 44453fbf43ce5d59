"""What a stage promises over four weeks: a share of turns that is good. CloudWatch counts both from our own metrics."""

from __future__ import annotations

from dataclasses import dataclass

DAYS = 28
FAST_MINUTES, SLOW_MINUTES = 60, 360
"""Look-back windows of the two burn rates (Google SRE workbook, chapter 5, alerting on SLOs)."""
FAST, SLOW = 14.4, 6.0
"""Times the allowed rate: 2 % of four weeks' allowance in an hour, 5 % in six hours (rounded in that chapter to 30
days)."""


@dataclass(frozen=True, slots=True)
class Objective:
    """`attained` per cent of what is counted is not `bad`. Both are metrics of the catalogue under these `dimensions`
    besides the stage; `counted` is a figure that each has, and how many there are is counted."""

    name: str
    says: str
    counted: str
    bad: str
    dimensions: tuple[tuple[str, str], ...]
    attained: float
    needs_voice: bool = False

    def burn(self, times: float) -> float:
        """A burn rate that this objective can reach: at 95 % everything being bad is only 20 times the allowed."""
        most = 100 / (100 - self.attained)
        return round(min(times, most * (2 / 3 if times == FAST else 1 / 3)), 1)


OBJECTIVES = (
    Objective(
        "chat-answers", "Of 1,000 questions in chat 995 are answered without a fault of ours.",
        "turns", "answers_unavailable", (("channel", "chat"),), 99.5,
    ),
    Objective(
        "voice-answers", "Of 1,000 questions by telephone 995 are answered without a fault of ours.",
        "turns", "answers_unavailable", (("channel", "voice"),), 99.5,
    ),
    Objective(
        "chat-first-token", "Of 100 answers in chat 95 begin within 3 seconds.",
        "first_token_ms", "first_token_late", (("channel", "chat"),), 95.0,
    ),
    Objective(
        "first-audio", "Of 100 answers by telephone 95 begin within 2.5 seconds after the caller has spoken.",
        "first_audio_ms", "first_audio_late", (), 95.0, needs_voice=True,
    ),
)  # fmt: skip
"""Sources: first token < 3 s p95 (seed O); 2.5 s to the first audio, half of what the pilot's median was."""
