"""A clinician who is told a dose also sees what the sources rule out, in a warning that is cited."""

from __future__ import annotations

from careline.installation import Installation
from careline.schemas import wire
from tests.builders import a_passage
from tests.turn.turns import TENANT, an_installation, answer, ask, with_passages

DOSE = "Volwassenen krijgen 1 g paracetamol om de 6 uur."
RULED_OUT = "Paracetamol is tegenaangewezen bij ernstig leverfalen."


async def _clinic(*said: str) -> Installation:
    return await with_passages(
        an_installation(list(said)),
        a_passage(DOSE, tenant=TENANT, doc_key="dosis", facts={"title": "Dosis"}),
        a_passage(RULED_OUT, tenant=TENANT, doc_key="fiche", facts={"title": "Fiche"}),
    )


async def _answered(*said: str, question: str = "hoeveel paracetamol", pack: str = "clinical_assistant") -> wire.Answer:
    return answer(await ask(await _clinic(*said), question, pack=pack))


async def test_a_dose_comes_with_the_contraindications_of_sources_that_it_does_not_quote() -> None:
    given = await _answered("Geef 1 g paracetamol om de 6 uur [1].")
    (shown,) = given.warnings
    assert (shown.code, shown.message) == ("CONTRAINDICATION", f"Contraindications in Fiche [2]: {RULED_OUT}")
    assert [(cited.number, cited.doc_key) for cited in given.citations] == [(1, "dosis"), (2, "fiche")]


async def test_the_warning_is_an_event_of_its_own_after_its_citation() -> None:
    events = await ask(
        await _clinic("Geef 1 g paracetamol om de 6 uur [1]."), "hoeveel paracetamol", pack="clinical_assistant"
    )
    kinds = [type(event) for event in events]
    assert kinds.index(wire.Warned) > max(place for place, kind in enumerate(kinds) if kind is wire.Cited)


async def test_an_answer_about_no_medicine_comes_without() -> None:
    assert (await _answered("Bel het secretariaat [1].", question="wie bel ik")).warnings == []


async def test_the_public_is_shown_no_contraindications() -> None:
    given = await _answered("Vraag het aan uw apotheker.", question="verkopen jullie paracetamol", pack="hospital_line")
    assert "CONTRAINDICATION" not in [warning.code for warning in given.warnings]
