"""What a clinician is warned of beside an answer: what the sources rule out, in their words, of the right medicine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import Chunk
from careline.packs.packs import load_pack
from careline.ports import Source
from careline.safety.cautions import Caution, CautionScreen, statements
from careline.safety.rules.rule_sets import failing_examples
from careline.settings import Settings
from tests.turn.turns import a_hit

MONOGRAPH = """Dose
Start with 500 mg once daily with meals.
Contraindications
- eGFR below 30.
- Acute metabolic acidosis.
Stable heart failure is not a contraindication.
Storage
Keep below 25 degrees."""
TABLE = """eGFR | Dose | Remark
60 or more | 3000 mg | Yearly check
Below 30 | Contraindicated |"""


@pytest.fixture(scope="module")
def screen() -> CautionScreen:
    made = load_pack(Settings().packs / "clinical_assistant").cautions
    assert made is not None
    return made


def source(text: str, number: int = 1, *, title: str = "Metformin", language: str = "en", **chunk: Any) -> Source:
    facts = {"title": title, "language": language, "source_type": "drug_reference"}
    return Source(number, title, language, a_hit(text=text, doc_key=f"monograph-{number}", facts=facts, **chunk))


def told(screen: CautionScreen, *sources: Source, about: str = "metformin dose") -> list[tuple[str, int, str]]:
    found = screen.cautions(sources, about)
    return [(caution.kind, caution.source, text) for caution in found for text in caution.statements]


def test_every_example_of_the_rule_sets_is_treated_as_written_beside_it(screen: CautionScreen) -> None:
    assert {language: list(failing_examples(rule_set)) for language, rule_set in screen.rule_sets.items()} == {
        language: [] for language in ("en", "fr", "it", "nl")
    }


def test_items_under_a_heading_warn_and_what_takes_itself_out_does_not(screen: CautionScreen) -> None:
    assert told(screen, source(MONOGRAPH)) == [
        ("CONTRAINDICATION", 1, "eGFR below 30."),
        ("CONTRAINDICATION", 1, "Acute metabolic acidosis."),
    ]


def test_the_heading_of_a_passage_stands_above_all_of_it(screen: CautionScreen) -> None:
    found = told(screen, source("- Active bleeding.", heading_path=("Metformin", "Contraindications")))
    assert found == [("CONTRAINDICATION", 1, "Active bleeding.")]


def test_a_line_that_leads_in_a_list_stands_above_its_items_alone(screen: CautionScreen) -> None:
    text = "Do not give metformin in any of these:\n- Sepsis.\n- Shock.\nMeals reduce nausea."
    assert [text for _, _, text in told(screen, source(text))] == ["Sepsis.", "Shock."]


def test_a_cell_of_a_table_is_told_with_the_names_of_its_row_and_column(screen: CautionScreen) -> None:
    found = told(screen, source(TABLE, kind="table"))
    assert found == [("CONTRAINDICATION", 1, "eGFR Below 30, Dose: Contraindicated")]


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("en", "Never combine metformin with excessive alcohol.", "CONTRAINDICATION"),
        ("en", "Child-Pugh B: use with caution.", "CAUTION"),
        ("nl", "Metformine mag niet gegeven worden bij een eGFR onder 30.", "CONTRAINDICATION"),
        ("nl", "Voorzichtigheid geboden bij ouderen.", "CAUTION"),
        ("fr", "La metformine ne doit pas être administrée en cas d'acidose.", "CONTRAINDICATION"),
        ("fr", "Prudence chez le sujet âgé.", "CAUTION"),
        ("it", "La metformina non deve essere somministrata in caso di acidosi.", "CONTRAINDICATION"),
        ("it", "Cautela negli anziani.", "CAUTION"),
    ],
)
def test_each_language_warns_in_its_own_words(screen: CautionScreen, language: str, text: str, kind: str) -> None:
    assert told(screen, source(text, language=language)) == [(kind, 1, text)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Enoxaparin 40 mg once daily unless contraindicated."),
        ("en", "Give it slowly over ten minutes."),
        ("nl", "Zwangerschap is geen contra-indicatie."),
        ("fr", "L'asthme n'est pas une contre-indication."),
        ("it", "L'asma non è una controindicazione."),
    ],
)
def test_what_rules_nothing_out_is_no_warning(screen: CautionScreen, language: str, text: str) -> None:
    assert told(screen, source(text, language=language)) == []


def test_a_warning_of_another_medicine_is_not_shown(screen: CautionScreen) -> None:
    guideline = source("Dabigatran is contraindicated below 30.", title="Atrial fibrillation")
    assert told(screen, guideline, about="apixaban 5 mg twice daily") == []
    assert told(screen, guideline, about="dabigatran 150 mg twice daily") != []


def test_an_answer_that_names_no_medicine_carries_no_warning(screen: CautionScreen) -> None:
    assert told(screen, source(MONOGRAPH), about="opening hours of the pharmacy") == []


def test_what_two_sources_state_alike_is_told_once_and_contraindications_come_first(screen: CautionScreen) -> None:
    careful, strict = "Use metformin with caution in the elderly.", "Metformin is contraindicated in shock."
    found = told(screen, source(f"{careful}\n{strict}"), source(f"{strict}\n{careful}", 2))
    assert found == [("CONTRAINDICATION", 1, strict), ("CAUTION", 1, careful)]


def test_a_language_without_a_rule_set_is_read_with_every_rule_set(screen: CautionScreen) -> None:
    assert screen.cautions([source("Metformin: contraindicated.", language="de")], "metformin") == (
        Caution("CONTRAINDICATION", 1, ("Metformin: contraindicated.",)),
    )


@given(st.text(alphabet=st.sampled_from("ab |.:-\n"), max_size=80), st.sampled_from(["text", "table"]))
def test_every_statement_of_any_passage_stands_in_it(text: str, kind: Any) -> None:
    for statement in statements(Chunk(0, text, kind, ("Heading",), 1, 1, 1), "en"):
        assert statement.text in text if kind == "text" else set(statement.text) <= {*text, *", :"}
