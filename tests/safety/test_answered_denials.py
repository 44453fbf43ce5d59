"""Answers that begin with yes or no, right and wrong ones, held to the page that they answer from."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from careline.safety.grounding.denials import contradicts, statements
from careline.text.figures import readable

PAGES = {
    "nl": "Honden zijn niet toegelaten, ook niet in de tuin. Assistentiehonden mogen altijd mee. Kinderen onder 12 "
    "jaar mogen op bezoek met een volwassene. Op intensieve zorg zijn geen bloemen toegestaan. U mag tot twee "
    "uur voor het onderzoek water drinken. Zonder volmacht wordt niets meegegeven, ook niet aan familie. Het "
    "restaurant is open voor bezoekers. Parkeren is niet gratis.",
    "en": "Dogs are not allowed, not even in the garden. Assistance dogs may always come in. Children under 12 may "
    "visit with an adult. Flowers are not permitted on intensive care. You may drink water until two hours "
    "before the examination. Nothing is handed over without a mandate, not even to relatives. The restaurant "
    "is open to visitors. Parking is not free of charge. You need not fast for an MRI.",
    "fr": "Les chiens ne sont pas admis, même dans le jardin. Les chiens d'assistance peuvent toujours entrer. Les "
    "enfants de moins de 12 ans peuvent venir avec un adulte. Les fleurs ne sont pas autorisées aux soins "
    "intensifs. Vous pouvez boire de l'eau jusqu'à deux heures avant l'examen. Sans procuration, rien n'est "
    "remis, même à la famille. Le restaurant est ouvert aux visiteurs.",
    "it": "I cani non sono ammessi, nemmeno in giardino. I cani da assistenza possono sempre entrare. I bambini "
    "sotto i 12 anni possono venire con un adulto. I fiori non sono permessi in terapia intensiva. Può bere "
    "acqua fino a due ore prima dell'esame. Senza delega non si consegna nulla, nemmeno ai familiari. Il "
    "ristorante è aperto ai visitatori.",
}
RIGHT = {
    "nl": [
        "Nee, honden mogen niet mee, ook niet in de tuin.",
        "Ja, een assistentiehond mag altijd mee.",
        "Ja, kinderen onder 12 mogen op bezoek als er een volwassene bij is.",
        "Nee, op intensieve zorg mogen geen bloemen.",
        "Ja, u mag water drinken tot twee uur voor het onderzoek.",
        "Nee, zonder volmacht krijgt ook de familie niets mee.",
        "Ja, bezoekers kunnen in het restaurant terecht.",
        "Nee, parkeren kost geld.",
        "Ja, u moet betalen om te parkeren.",
    ],
    "en": [
        "No, dogs may not come in, not even to the garden.",
        "Yes, an assistance dog may always come in.",
        "Yes, children under 12 may visit if an adult is with them.",
        "No, flowers are not allowed on intensive care.",
        "Yes, you may drink water until two hours before.",
        "No, relatives get nothing without a mandate.",
        "Yes, visitors can eat in the restaurant.",
        "No, you have to pay for parking.",
        "No, you do not have to fast for an MRI.",
        "No, fasting is not needed for an MRI.",
    ],
    "fr": [
        "Non, les chiens ne peuvent pas entrer, même au jardin.",
        "Oui, un chien d'assistance peut toujours entrer.",
        "Oui, un enfant de moins de 12 ans peut venir avec un adulte.",
        "Non, pas de fleurs aux soins intensifs.",
        "Oui, vous pouvez boire de l'eau jusqu'à deux heures avant.",
        "Non, la famille ne reçoit rien sans procuration.",
        "Oui, les visiteurs peuvent manger au restaurant.",
    ],
    "it": [
        "No, i cani non possono entrare, nemmeno in giardino.",
        "Sì, un cane da assistenza può sempre entrare.",
        "Sì, i bambini sotto i 12 anni possono venire con un adulto.",
        "No, in terapia intensiva niente fiori.",
        "Sì, può bere acqua fino a due ore prima.",
        "No, senza delega i familiari non ricevono nulla.",
        "Sì, i visitatori possono mangiare al ristorante.",
    ],
}
WRONG = {
    "nl": [
        "Ja, honden mogen mee in de tuin.",
        "Nee, assistentiehonden mogen niet mee.",
        "Nee, kinderen onder 12 jaar mogen niet op bezoek.",
        "Ja, bloemen zijn toegestaan op intensieve zorg.",
        "Nee, u mag geen water drinken voor het onderzoek.",
        "Ja, familie krijgt alles mee zonder volmacht.",
        "Nee, het restaurant is niet open voor bezoekers.",
        "Ja, parkeren is gratis.",
    ],
    "en": [
        "Yes, dogs are allowed in the garden.",
        "No, assistance dogs may not come in.",
        "No, children under 12 may not visit.",
        "Yes, you may bring flowers to intensive care.",
        "No, you may not drink water before the examination.",
        "Yes, relatives can collect it without a mandate.",
        "No, the restaurant is not open to visitors.",
        "Yes, parking is free.",
        "Yes, you need to fast for an MRI.",
    ],
    "fr": [
        "Oui, les chiens sont admis dans le jardin.",
        "Non, les chiens d'assistance ne peuvent pas entrer.",
        "Non, les enfants de moins de 12 ans ne peuvent pas venir.",
        "Oui, les fleurs sont autorisées aux soins intensifs.",
        "Non, vous ne pouvez pas boire d'eau avant l'examen.",
        "Oui, la famille peut le retirer sans procuration.",
        "Non, le restaurant n'est pas ouvert aux visiteurs.",
    ],
    "it": [
        "Sì, i cani sono ammessi in giardino.",
        "No, i cani da assistenza non possono entrare.",
        "No, i bambini sotto i 12 anni non possono venire.",
        "Sì, può portare fiori in terapia intensiva.",
        "No, non può bere acqua prima dell'esame.",
        "Sì, i familiari possono ritirare la cartella senza delega.",
        "No, il ristorante non è aperto ai visitatori.",
    ],
}


def told(language: str, answer: str) -> bool:
    return not contradicts(readable(answer), language, statements(readable(PAGES[language]), language))


@pytest.mark.parametrize(("language", "answer"), [(language, one) for language in RIGHT for one in RIGHT[language]])
def test_a_yes_or_no_that_the_page_gives_too_is_told(language: str, answer: str) -> None:
    assert told(language, answer)


@pytest.mark.parametrize(("language", "answer"), [(language, one) for language in WRONG for one in WRONG[language]])
def test_a_yes_or_no_that_the_page_denies_is_withheld(language: str, answer: str) -> None:
    assert not told(language, answer)


MORE = yaml.safe_load((Path(__file__).parent / "answers" / "yes_or_no.yaml").read_text("utf-8"))


def cases(which: str) -> list[tuple[str, str, str]]:
    return [(each["language"], each["page"], answer) for each in MORE for answer in each[which]]


@pytest.mark.parametrize(("language", "page", "answer"), cases("right"))
def test_a_bound_an_exception_or_a_word_with_an_opposite_contradicts_no_right_answer(
    language: str, page: str, answer: str
) -> None:
    assert not contradicts(readable(answer), language, statements(readable(page), language))


@pytest.mark.parametrize(("language", "page", "answer"), cases("wrong"))
def test_none_of_them_lets_a_wrong_answer_through(language: str, page: str, answer: str) -> None:
    assert contradicts(readable(answer), language, statements(readable(page), language))
