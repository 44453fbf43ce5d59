"""A caller who asks for another language is understood in each of the four; who asks about a language is asked on."""

from __future__ import annotations

import pytest

from careline.speech.language_request import UNKNOWN, language_request

ASKED = {
    "nl": [
        ("Excuseer, zou u Frans kunnen spreken?", "fr"),
        ("Ik zou liever in het Engels verder gaan", "en"),
        ("kunnen we overschakelen naar het italiaans", "it"),
        ("Kent u een beetje Duits?", "de"),
        ("mag ik mijn vraag in het frans stellen alstublieft", "fr"),
        ("Kan het ook in het Engels?", "en"),
    ],
    "en": [
        ("Excuse me, would you be able to talk in German?", "de"),
        ("Could we carry on in Italian please?", "it"),
        ("i would prefer to talk french", "fr"),
        ("Is it possible to switch to Dutch?", "nl"),
        ("May I ask my question in Spanish?", "es"),
        ("let's continue in Flemish then", "nl"),
    ],
    "fr": [
        ("Bonjour, vous parlez anglais ?", "en"),
        ("Pourrait-on continuer en flamand, s'il vous plaît ?", "nl"),
        ("je préfère parler italien", "it"),
        ("Est-ce que je peux poser ma question en néerlandais ?", "nl"),
        ("Serait-il possible de passer à l'anglais ?", "en"),
        ("il y a moyen de discuter en allemand", "de"),
    ],
    "it": [
        ("Buongiorno, potremmo parlare in francese?", "fr"),
        ("Mi scusi, lei capisce l'inglese?", "en"),
        ("preferirei proseguire in olandese", "nl"),
        ("Posso fare la mia domanda in inglese?", "en"),
        ("è possibile cambiare lingua e parlare francese", "fr"),
        ("si può continuare in tedesco per cortesia", "de"),
    ],
}
NOT_ASKED = {
    "nl": [
        "Is er een tolk die Frans spreekt?", "Kan ik de folder in het Engels krijgen?",
        "spreekt de kinderarts Italiaans",
        "Mijn buurman spreekt alleen Frans, wat nu?", "en in het Engels?", "waar zit de Engelse dokter",
    ],
    "en": [
        "Can I have a French interpreter?", "Is the consent form there in Italian?", "does the surgeon speak Dutch",
        "I want to talk to a nurse in French", "and in Italian?", "my aunt only speaks French, who helps her",
    ],
    "fr": [
        "Puis-je avoir un interprète italien ?", "La brochure existe-t-elle en anglais ?",
        "l'infirmière parle-t-elle anglais",
        "je veux parler à quelqu'un en néerlandais", "et en anglais ?", "ma tante ne parle que le flamand",
    ],
    "it": [
        "Posso avere un interprete di francese?", "Il consenso è disponibile in inglese?", "il chirurgo parla francese",
        "vorrei parlare con qualcuno in inglese", "e in inglese?", "mia zia parla solo olandese",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("said", "wanted"), [(said, wanted) for each in ASKED.values() for said, wanted in each])
def test_a_request_for_a_language_is_told_from_its_words_alone(said: str, wanted: str) -> None:
    request = language_request(said)
    assert request is not None
    assert request.wanted == wanted


@pytest.mark.parametrize("said", [said for each in NOT_ASKED.values() for said in each])
def test_interpreters_papers_people_and_follow_ups_are_no_request(said: str) -> None:
    assert language_request(said) is None


@pytest.mark.parametrize(
    "said", ["Italiano", "english please", "in het Frans", "En néerlandais ?", "in inglese, grazie"]
)
def test_a_name_alone_asks_for_the_language(said: str) -> None:
    assert language_request(said) is not None


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("Sorry, I hardly speak any Dutch", "en"),
        ("Désolé, je ne comprends pas bien le néerlandais", "fr"),
        ("Mi scusi, non capisco il francese", "it"),
        ("ik versta geen Italiaans", "nl"),
        ("Sorry, ik spreek niet goed Nederlands", UNKNOWN),
        ("I don't speak Italian, can we talk in French?", "fr"),
    ],
)
def test_who_does_not_speak_a_language_wants_the_one_it_is_said_in(said: str, wanted: str) -> None:
    request = language_request(said)
    assert request is not None
    assert request.wanted == wanted


@pytest.mark.parametrize(
    ("said", "spoken"),
    [("Spreek je ook Italiaans?", "nl"), ("do you understand Dutch", "en"), ("sa il francese?", "it")],
)
def test_the_language_in_which_it_is_asked_is_told_too(said: str, spoken: str) -> None:
    request = language_request(said)
    assert request is not None
    assert request.said_in == spoken


def test_a_language_that_the_line_does_not_speak_is_named_as_unknown() -> None:
    request = language_request("Do you understand Turkish?")
    assert request is not None
    assert request.wanted == UNKNOWN
