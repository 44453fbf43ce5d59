"""What is promised of answers, as data: each case is asked through the public turn, and says what it must."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from careline.schemas import wire
from tests.cases.case_files import UNSURE, Case, CaseFile, Outcome, Promised, case_files
from tests.cases.conftest import AskedHospital

pytestmark = pytest.mark.usefixtures("reading_waits")
ENDS: dict[str | None, Outcome] = {
    "SAFETY_REFUSAL": "refused",
    "OFF_TOPIC_PERSONAL": "refused",
    "EMERGENCY": "emergency",
    "HANDOFF_REQUEST": "handoff",
    "WHICH_ROW": "asked",
    "WHICH_ONE": "asked",
    "WHICH_MEANING": "asked",
    "WHICH_NEXT": "asked",
    "WHICH_WORD": "asked",
    "GREETING": "greeting",
    "FAREWELL": "farewell",
    "REPEAT_REQUEST": "repeated",
}
ASKED = [pytest.param(file, case, id=f"{name}/{case.id}") for name, file in case_files() for case in file.cases]


def outcome(answer: wire.Answer, notice: str) -> Outcome:
    """How a turn ended, as cases name it; `notice` is what an answer begins with that may not be one."""
    if answer.reason in ENDS:
        return ENDS[answer.reason]
    if answer.disposition == "answered" and (answer.citations or answer.reason is None):
        return "doubted" if answer.text.startswith(notice) else "answered"
    return "declined" if answer.disposition in {"escalated", "clarified"} else "other"


def is_kept(ended: Outcome, promised: Promised) -> bool:
    """Whether a turn ended as was promised. An answer with a notice is one, where what it says is right."""
    if promised == "unsure":
        return ended in UNSURE
    return promised == "any" or ended == promised or (promised, ended) == ("answered", "doubted")


def said_of(answer: wire.Answer, case: Case) -> str:
    """What the caller reads or hears."""
    text = answer.spoken if case.channel == "voice" else answer.text
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def broken(answer: wire.Answer, ended: Outcome, case: Case) -> list[str]:
    """What a case promises and the answer does not keep."""
    said = said_of(answer, case)
    wrong = [] if is_kept(ended, case.outcome) else [f"{ended}, not {case.outcome}"]
    wrong += [f"says nothing of {pattern}" for pattern in case.says if not re.search(pattern, said, re.IGNORECASE)]
    if case.cites and [one.source for one in answer.citations][:1] != [case.cites]:
        wrong.append(f"does not cite {case.cites} first")
    return wrong


@pytest.mark.parametrize(("file", "case"), ASKED)
def test_a_case_is_answered_as_promised(
    hospital_of: Callable[[CaseFile], AskedHospital], file: CaseFile, case: Case
) -> None:
    hospital = hospital_of(file)
    answer = hospital.ask(case)
    said = said_of(answer, case)
    forbidden = [pattern for pattern in case.not_says if re.search(pattern, said, re.IGNORECASE)]
    assert not forbidden, said
    ended = outcome(answer, hospital.notice(answer))
    wrong = broken(answer, ended, case)
    if case.known_gap:
        assert wrong, f"kept by now, so it is no gap any more: take the mark away. {said}"
        assert ended in {"declined", "asked"}, said
    else:
        assert not wrong, said
