"""What a hospital publishes for everybody may wait for its documents; a judgement on somebody may not.

The lines in `publications` were written for these tests before the rules that they judge; nothing learned from them.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from careline.engines.embedded.embedder import E5Embedder
from careline.packs.packs import Pack, load_packs
from careline.ports import Vector
from careline.safety.terminal import IN_ANY_LANGUAGE, Terminal, TerminalScreen
from careline.safety.utterance import Utterance

LANGUAGES = ("nl", "en", "fr", "it")
FOLDER = Path(__file__).parent
PACKS = FOLDER.parents[1] / "layers" / "careline_packs"
LINES: dict[str, dict[str, list[str]]] = {
    language: yaml.safe_load((FOLDER / "publications" / f"{language}.yaml").read_text(encoding="utf-8"))
    for language in LANGUAGES
}
Embed = Callable[[str], Vector | None]


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_packs(PACKS)["hospital_line"]


@pytest.fixture(scope="module")
def screen(pack: Pack) -> TerminalScreen:
    return pack.terminal


@pytest.fixture(scope="module", params=["words", "words and meaning"])
def embed(request: pytest.FixtureRequest) -> Embed:
    if request.param == "words":
        return lambda _: None
    lines = [text for held in LINES.values() for listed in held.values() for text in listed]
    known = dict(zip(lines, E5Embedder().sentence_embedding(lines), strict=True))
    return lambda text: known[text]


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_19_questions_about_what_leaflets_tell_everybody_all_are_searched_for(
    screen: TerminalScreen, embed: Embed, language: str
) -> None:
    asked = LINES[language]["information"]
    assert len(asked) == 19
    assert not [text for text in asked if screen.classify(text, language, embed(text)).ends]


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_17_look_alikes_that_ask_for_a_judgement_all_are_refused_before_any_search(
    screen: TerminalScreen, embed: Embed, language: str
) -> None:
    asked = LINES[language]["judgement"]
    assert len(asked) == 17
    assert not [
        text for text in asked if screen.classify(text, language, embed(text)).before_search not in IN_ANY_LANGUAGE
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_emergency_waits_for_a_document(screen: TerminalScreen, language: str) -> None:
    written = yaml.safe_load((FOLDER / "utterances" / f"{language}.yaml").read_text(encoding="utf-8"))
    assert not [text for text in written["EMERGENCY"] if not screen.classify(text, language).ends]


def test_what_waits_is_still_a_refusal_with_its_reasons(screen: TerminalScreen) -> None:
    verdict = screen.classify("wanneer mag mijn gips weer nat worden", "nl")
    assert verdict.supposed_advice
    assert (verdict.terminal, verdict.before_search) == (Terminal.SAFETY_REFUSAL, Terminal.FALLTHROUGH)
    assert verdict.reasons[0].startswith("learned/SAFETY_REFUSAL/")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("what does a certificate cost and may i take ibuprofen with my blood thinner", "en"),
        ("when may my plaster get wet? and is it bad that my fingers are blue?", "en"),
        ("wanneer mag mijn gips weer nat worden en moet ik mijn metformine overslaan", "nl"),
        ("quand est-ce que mon plâtre peut être mouillé, et je double mon antidouleur ou pas", "fr"),
        ("quando si può bagnare il gesso e quante tachipirine posso prendere", "it"),
    ],
)
def test_one_question_for_information_excuses_no_other(screen: TerminalScreen, text: str, language: str) -> None:
    assert screen.classify(text, language).before_search in IN_ANY_LANGUAGE


def test_a_refusal_that_a_pattern_found_never_waits(screen: TerminalScreen) -> None:
    verdict = screen.classify("how much are malaria tablets", "en")
    assert not verdict.supposed
    assert verdict.ends


def test_a_pack_that_refuses_lets_nothing_wait(screen: TerminalScreen) -> None:
    refusing = replace(screen, publications=None)
    assert refusing.classify("wanneer mag mijn gips weer nat worden", "nl").ends


def test_a_language_that_nobody_knows_is_read_in_all_of_them(screen: TerminalScreen) -> None:
    assert screen.publications is not None
    asked = Utterance("wanneer mag mijn gips weer nat worden")
    assert screen.publications.may_answer(asked, None)
    assert not screen.publications.may_answer(asked, "en")


def test_what_is_told_before_a_question_belongs_to_it(screen: TerminalScreen) -> None:
    assert screen.publications is not None
    said = "keyhole surgery on my knee, after how many days do they take the stitches out"
    assert screen.publications.questions(Utterance(said), "en") == []
    two = screen.publications.questions(Utterance(f"{said}, and how do i get rid of the swelling"), "en")
    assert [one.text.split()[0] for one in two] == ["keyhole", "and"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("hoe lang blijf ik nuchter voor een bloedafname en in welk gebouw is dat", "nl"),
        ("how many hours before the blood test do i stop eating, and who is the head nurse there", "en"),
        ("combien d'heures à jeun avant une prise de sang, et qui dirige le laboratoire", "fr"),
        ("quante ore di digiuno prima del prelievo, e chi dirige il laboratorio", "it"),
    ],
)
def test_beside_a_question_for_information_another_may_ask_for_no_advice_at_all(
    screen: TerminalScreen, text: str, language: str
) -> None:
    assert screen.publications is not None
    asked = Utterance(text)
    assert len(screen.publications.questions(asked, language)) == 2
    assert not screen.publications.may_answer(asked, language)
    assert screen.publications.may_answer(asked, language, lambda one: "bloed" not in one.text)
    assert screen.classify(text, language).before_search is Terminal.FALLTHROUGH
