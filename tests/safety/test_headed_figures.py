"""A figure is told under the sub-heading that it stands under, or not at all."""

from __future__ import annotations

import pytest

from careline.model import Hit
from careline.ports import Source
from careline.safety.grounding.grounding import Grounds
from tests.builders import a_passage

DOSES = {
    "en": "Non-valvular atrial fibrillation (AF)\n- 5 mg twice daily.\nTreatment of DVT and PE\n- 10 mg twice daily.",
    "nl": "Voorkamerfibrillatie (VKF)\n- 5 mg tweemaal per dag.\nBehandeling van diepe veneuze trombose\n"
    "- 10 mg tweemaal per dag.",
    "fr": "Fibrillation auriculaire (FA)\n- 5 mg deux fois par jour.\nTraitement de la thrombose veineuse\n"
    "- 10 mg deux fois par jour.",
    "it": "Fibrillazione atriale (FA)\n- 5 mg due volte al giorno.\nTrattamento della trombosi venosa\n"
    "- 10 mg due volte al giorno.",
}
ASKED = {
    "en": "what is the dose in atrial fibrillation", "nl": "wat is de dosis bij voorkamerfibrillatie",
    "fr": "quelle est la dose dans la fibrillation auriculaire", "it": "qual è la dose nella fibrillazione atriale",
}  # fmt: skip
TOLD = {
    "en": ("In atrial fibrillation it is {} mg twice daily [1].", "For treatment of a DVT or PE it is {} mg [1]."),
    "nl": ("Bij voorkamerfibrillatie is dat {} mg [1].", "Voor diepe veneuze trombose is het {} mg [1]."),
    "fr": ("Dans la fibrillation auriculaire c'est {} mg [1].", "Dans la thrombose veineuse c'est {} mg [1]."),
    "it": ("Nella fibrillazione atriale sono {} mg [1].", "Nella trombosi venosa sono {} mg [1]."),
}


def grounds(text: str, language: str = "en", question: str = "", *more: str) -> Grounds:
    passages = [a_passage(each, ordinal=n) for n, each in enumerate((text, *more))]
    return Grounds(
        [Source(n, "Apixaban", language, Hit(one, 0.9)) for n, one in enumerate(passages, 1)], language, question
    )


@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
def test_a_dose_is_told_for_what_it_stands_under(language: str) -> None:
    held = grounds(DOSES[language], language)
    first, second = TOLD[language]
    assert held.ungrounded(first.format(5)) == held.ungrounded(second.format(10)) == ()
    assert held.ungrounded(first.format(10)) == held.ungrounded(second.format(5)) == ("claim/heading",)


@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
def test_a_dose_told_without_a_name_is_that_of_what_was_asked_even_word_for_word(language: str) -> None:
    held = grounds(DOSES[language], language, ASKED[language])
    right, wrong = (line.removeprefix("- ") for line in DOSES[language].splitlines()[1::2])
    assert held.ungrounded(f"{right} [1]") == ()
    assert held.ungrounded(f"{wrong} [1]") == ("claim/heading",)


def test_an_item_of_a_list_is_told_under_what_leads_the_list_in() -> None:
    held = grounds(DOSES["en"], "en", ASKED["en"])
    assert held.ungrounded("- 10 mg twice daily. [1]", (1,), "Treatment of DVT and PE: [1]\n") == ()
    assert held.ungrounded("- 10 mg twice daily. [1]", (1,), "Non-valvular atrial fibrillation (AF): [1]\n") != ()
    before = "Non-valvular atrial fibrillation (AF):\n- 5 mg twice daily.\n"
    assert held.ungrounded("- 10 mg twice daily.", (1,), before) == ("claim/heading",)


def test_each_item_of_a_sentence_says_its_own() -> None:
    held = grounds(DOSES["en"])
    assert held.ungrounded("AF: 5 mg twice daily; DVT and PE: 10 mg twice daily [1].") == ()
    assert held.ungrounded("AF: 10 mg twice daily; DVT and PE: 5 mg twice daily [1].") == ("claim/heading",)


HOURS = """Visitors
Welcome from 14:00 to 20:00.
Partners in the maternity ward until 22:00. A coffee is € 3.
Maternity
Wing 4. Call after 9:30."""


@pytest.mark.parametrize(
    ("sentence", "is_told"),
    [
        ("Visitors are welcome until 20:00 [1].", True),
        # The line itself says so, whatever it stands under.
        ("In maternity partners may stay until 22:00 [1].", True),
        ("Maternity takes calls after 9:30 [1].", True),
        ("Visitors may call after 9:30 [1].", False),
        ("Maternity is open until 20:00 [1].", False),
        # Maternity has no price that another could be taken for.
        ("In maternity a coffee is € 3 [1].", True),
        # Nothing is named, and no dose is told.
        ("You are welcome until 20:00 [1].", True),
    ],
)
def test_other_figures_are_held_to_the_sub_heading_that_the_sentence_names(sentence: str, *, is_told: bool) -> None:
    why = grounds(HOURS, "en", "when does maternity take calls").ungrounded(sentence)
    assert why == (() if is_told else ("claim/heading",))


def test_a_figure_that_another_source_or_an_unheaded_line_tells_is_not_held_back() -> None:
    assert grounds(DOSES["en"], "en", "", "In AF give 10 mg once.").ungrounded("In AF it is 10 mg [1, 2].") == ()
    held = grounds(f"In AF or after surgery 7 mg.\n{DOSES['en']}")
    assert held.ungrounded("In AF it is 7 mg [1].") == ()


def test_nested_lists_hold_their_figures_too() -> None:
    held = grounds("Dose:\n- Adults\n  - 5 mg daily\n- Children\n  - 1 mg daily")
    assert held.ungrounded("Adults take 5 mg daily [1].") == held.ungrounded("- Children: 1 mg daily [1]") == ()
    assert held.ungrounded("Children take 5 mg daily [1].") == ("claim/heading",)


def test_the_headings_of_other_passages_of_the_same_document_are_held_to_as_well() -> None:
    first = a_passage("- 5 mg twice daily.", heading_path=("Apixaban", "Atrial fibrillation"))
    second = a_passage("- 10 mg twice daily.", ordinal=1, heading_path=("Apixaban", "Deep vein thrombosis"))
    sources = [Source(n, "Apixaban", "en", Hit(one, 0.9)) for n, one in enumerate((first, second), 1)]
    held = Grounds(sources, "en", "the dose in atrial fibrillation")
    assert held.ungrounded("It is 5 mg twice daily [1].") == ()
    assert held.ungrounded("It is 10 mg twice daily [2].") == ("claim/heading",)
    assert held.ungrounded("In deep vein thrombosis it is 10 mg twice daily [2].") == ()
    assert held.ungrounded("In atrial fibrillation it is 10 mg twice daily [2].") == ("claim/heading",)


def test_a_heading_that_says_only_what_kind_of_figure_is_told_names_nothing() -> None:
    held = grounds("Dose\n- 5 mg daily.\nKidneys\n- 2 mg daily.", "en", "what is the dose in renal failure")
    assert held.ungrounded("2 mg daily [1].") == ()


def test_a_number_in_a_heading_names_it_only_with_a_word() -> None:
    held = grounds("7 days before\n- Stop iron, 30 minutes a day of rest.\nThe laxative\n- Drink within 90 minutes.")
    assert "claim/heading" not in held.ungrounded("Within 7 or 90 minutes [1].")


def test_a_row_of_a_table_that_stands_as_text_says_its_own_heading() -> None:
    held = grounds(
        "Single room supplement\nAsk us.\nPrices of the rooms\n| Single room, Bos campus | € 900 per 7 days |"
    )
    assert held.ungrounded("| Single room, Bos campus | € 900 per 7 days |") == ()
