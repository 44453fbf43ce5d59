"""Which language a text is in: short questions as speech-to-text writes them, and long texts of any language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import LANGUAGES
from careline.text.languages import FrequentWordsThenStatistics, by_frequent_words
from careline.turn.stages.detect_language import CLEAR

HEARD = {
    "nl": [
        "hoe laat mag ik op bezoek", "waar kan ik mijn auto parkeren", "ik heb nog een vraag over die factuur",
        "moet ik nuchter zijn voor de operatie", "wat moet ik meebrengen", "euh ja ik wou een afspraak maken",
        "kan mijn dochter blijven slapen", "hoeveel kost een eenpersoonskamer", "is er wifi op mijn kamer",
        "goeiedag met mevrouw janssens",
    ],
    "en": [
        "what time can i visit", "where do i park my car", "i have a question about my bill",
        "do i need to fast before the operation", "what should i bring", "uh yes i would like an appointment",
        "can my daughter stay the night", "how much is a single room", "is there wifi in my room",
        "good morning this is mister jones",
    ],
    "fr": [
        "a quelle heure puis je venir en visite", "ou est ce que je peux garer ma voiture",
        "jai une question sur ma facture", "est ce que je dois etre a jeun", "quest ce que je dois apporter",
        "euh oui je voudrais un rendez vous", "ma fille peut elle rester la nuit",
        "combien coute une chambre individuelle", "y a t il du wifi dans la chambre", "bonjour cest madame dupont",
    ],
    "it": [
        "a che ora posso venire in visita", "dove posso parcheggiare la macchina", "ho una domanda su quella fattura",
        "devo essere a digiuno per l'operazione", "che cosa devo portare", "eh si vorrei un appuntamento",
        "mia figlia puo restare la notte", "quanto costa una camera singola", "ce il wifi in camera",
        "buongiorno sono la signora rossi",
    ],
}  # fmt: skip

LONG = {
    "nl": "De patiënt wordt gevraagd zich op de dag van de opname aan te melden bij het onthaal. ",
    "en": "The patient is asked to report to the reception desk on the day of the admission. ",
    "fr": "Le patient est prié de se présenter à l'accueil le jour de son admission à l'hôpital. ",
    "it": "Il paziente è pregato di presentarsi alla reception il giorno del ricovero in ospedale. ",
    "de": "Der Patient wird gebeten, sich am Tag der Aufnahme an der Rezeption zu melden, danke. ",
    "es": "Se ruega al paciente que se presente en la recepción el día de su ingreso hospitalario. ",
}


@pytest.fixture(scope="module")
def identifier() -> Iterator[FrequentWordsThenStatistics]:
    return FrequentWordsThenStatistics()


@pytest.mark.parametrize(("language", "text"), [(code, text) for code, texts in HEARD.items() for text in texts])
def test_a_short_utterance_is_known_for_what_it_is(
    identifier: FrequentWordsThenStatistics, language: str, text: str
) -> None:
    for said in (text, text.upper(), f"  {text}?  "):
        code, confidence = identifier.identify(said)
        assert code == language
        assert 0 < confidence <= 1


@pytest.mark.parametrize("language", LONG)
def test_a_long_text_is_known_in_any_language(identifier: FrequentWordsThenStatistics, language: str) -> None:
    code, confidence = identifier.identify(LONG[language] * 4)
    assert code == language
    assert confidence > 0.9


@pytest.mark.parametrize("text", ["Wo ist der Parkplatz bitte", "¿Dónde está la salida?", "onde fica a saída"])
def test_a_short_text_is_taken_for_one_of_the_languages_that_are_answered(
    identifier: FrequentWordsThenStatistics, text: str
) -> None:
    assert identifier.identify(text)[0] in LANGUAGES


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("it", "avete un solarium"), ("it", "siete chiusi domani"), ("it", "fate tatuaggi"),
        ("fr", "faites-vous des tatouages"), ("fr", "notre chat peut entrer"),
        ("en", "any lockers"), ("en", "without a badge"), ("nl", "doen jullie tatoeages"), ("nl", "zonder badge"),
    ],
)  # fmt: skip
def test_one_frequent_word_decides_a_short_question(language: str, text: str) -> None:
    found = by_frequent_words(text)
    assert found is not None
    assert found[0] == language
    assert found[1] >= CLEAR


@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_an_apostrophe_may_be_straight_or_curled(apostrophe: str) -> None:
    found = by_frequent_words(f"c{apostrophe}est pour l{apostrophe}hôpital")
    assert found is not None
    assert found[0] == "fr"


def test_as_many_words_of_two_languages_leave_it_open() -> None:
    assert by_frequent_words("bonjour goedendag") is None
    assert by_frequent_words("") is None
    assert by_frequent_words("xyz 123") is None


@given(st.text(max_size=200))
def test_any_text_has_a_language_and_a_confidence(text: str) -> None:
    found = by_frequent_words(text)
    assert found is None or (found[0] in LANGUAGES and 0 < found[1] <= 1)


@pytest.mark.parametrize("text", ["", " ", "123", "🚑", "\x00"])
def test_a_text_without_words_is_a_language_nobody_is_sure_of(
    identifier: FrequentWordsThenStatistics, text: str
) -> None:
    code, confidence = identifier.identify(text)
    assert code in LANGUAGES
    assert confidence < 0.9
