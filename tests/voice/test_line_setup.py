"""Where callers are put through to: what the worker is set up with, else what its hospital's record says."""

from __future__ import annotations

import pytest

from careline.settings import PhoneSettings
from careline.speech.line import PhoneLine
from careline_voice.line_setup import LineSetup

DESK, OTHER_DESK = "sip:desk@anna.example", "sip:other@anna.example"


def a_line(**facts: str) -> PhoneLine:
    return PhoneLine(
        tenant="anna", pack="hospital_line", languages=["nl"], default_language="nl", openings={}, prompts={},
        emergency_number="112", keyterms=[], **facts,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("setting", "line", "person"),
    [
        (None, a_line(transfer_to=DESK, helpdesk_phone="011 90 10 00"), DESK),
        (OTHER_DESK, a_line(transfer_to=DESK), OTHER_DESK),
        (None, a_line(helpdesk_phone="011 90 10 00"), "011 90 10 00"),
        (None, None, None),
    ],
)
def test_a_person_is_where_the_setting_or_else_the_hospital_says(
    setting: str | None, line: PhoneLine | None, person: str | None
) -> None:
    setup = LineSetup.of(PhoneSettings().with_changes(hospital={"transfer_to": setting}))
    setup.line = line
    assert setup.person == person
