"""The patient whom a clinician's conversation is about: what of the case a question is searched with, and what a
language model is told of it."""

from __future__ import annotations

from dataclasses import replace

from careline.safety.cautions import PatientSeen
from careline.safety.grounding.dose_conditions import asked_dose
from careline.schemas import wire
from careline.text.values import NUMBER
from careline.turn.turn import NO_CASE, Turn
from careline.understanding.kidney_function import stages_as_egfr, stages_of
from careline.understanding.patient_case import egfr_in, told_to_model
from careline.understanding.patient_case import with_case as said_with_case
from careline.understanding.question import StandaloneQuestion


def with_case(turn: Turn, asked: StandaloneQuestion) -> tuple[Turn, StandaloneQuestion]:
    """A clinician's question with what it leaves unsaid of the patient, that on a dose with stages of kidney disease as
    values; the turn says which fields of the case this is."""
    if turn.pack.audience != "clinician":
        return turn, asked
    case = _as_asked(_screened(turn), turn)
    is_dose = asked_dose(asked.text, turn.language).is_dose
    text = stages_as_egfr(asked.text, egfr_in(case)) if is_dose else asked.text
    text, fields = said_with_case(text, case, turn.intent.label, turn.language)
    return replace(turn, of_case=fields), replace(asked, text=text)


def patient_of(turn: Turn) -> PatientSeen:
    """What is known of the patient that some warnings are not for."""
    case = _as_asked(turn.case, turn)
    return PatientSeen(egfr_in(case), False if case.sex == "male" else case.pregnant)


def _as_asked(case: wire.ClinicalContext, turn: Turn) -> wire.ClinicalContext:
    """The case, without how the kidneys work where the question brings a number of its own: "and if it drops to 28?"
    is no question about the eGFR of the case."""
    given = asked_dose(turn.question, turn.language).values
    is_stage = bool(stages_of(turn.question))
    if is_stage or not any(one.kind == NUMBER and one.is_single for one in given):
        return case
    return case.model_copy(update={"egfr": None, "creatinine_umol_l": None})


def case_told(turn: Turn) -> str:
    """What a language model is told of the patient; redacted as the question is."""
    leaves = turn.route is not None and turn.route.leaves
    is_redacted = turn.route is not None and turn.route.redacted
    return told_to_model(_screened(turn, is_redacted=is_redacted), leaves=leaves)


def _screened(turn: Turn, *, is_redacted: bool = True) -> wire.ClinicalContext:
    """The case without texts that try to change what the assistant does; without any where nobody could look for
    personal data."""
    phi = turn.phi
    if phi is None or phi.state == "assumed":
        case = NO_CASE if is_redacted else turn.case
    else:
        case = phi.case if is_redacted else turn.case
    lists = {name: [one for one in getattr(case, name) if _is_plain(one, turn)] for name in _LISTS}
    complaint = case.chief_complaint if case.chief_complaint and _is_plain(case.chief_complaint, turn) else None
    return case.model_copy(update={**lists, "chief_complaint": complaint})


_LISTS = ("history", "medications", "allergies")


def _is_plain(text: str, turn: Turn) -> bool:
    return not turn.pack.injection.judge(text, turn.language).injection
