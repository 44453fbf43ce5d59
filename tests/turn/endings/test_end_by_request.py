"""Another language and news of a patient are answered from the pack: no document could."""

from __future__ import annotations

import pytest

from careline.packs.replies import needed
from tests.turn.turns import a_hospital, an_installation, answer, ask, packs, shown

LINE = packs()["hospital_line"]
LOCKED = {
    "nl": ("kunt u ook Engels praten", "drie", "medewerker"),
    "en": ("would you be able to talk French", "two", "member of staff"),
    "fr": ("pourriez-vous parler italien ?", "quatre", "collaborateur"),
    "it": ("potremmo continuare in olandese", "uno", "operatore"),
}


@pytest.mark.parametrize("language", LOCKED)
async def test_a_call_in_one_language_says_why_it_keeps_it_which_key_changes_it_and_offers_a_person(
    language: str,
) -> None:
    said, digit, person = LOCKED[language]
    told = answer(await ask(an_installation(), said, channel="voice", language=language))
    assert (told.disposition, told.reason, told.language) == ("refused", "LANGUAGE_REQUEST", language)
    assert digit in told.text
    assert person in told.text
    assert told.model is None


async def test_the_wanted_language_may_be_spoken_to_ask_for_it() -> None:
    told = answer(await ask(an_installation(), "Spreekt u toevallig Nederlands?", channel="voice", language="fr"))
    assert (told.language, told.reason) == ("fr", "LANGUAGE_REQUEST")
    assert "appuyez sur un" in told.text


async def test_a_call_that_has_spoken_a_language_keeps_it_without_being_told() -> None:
    installation = await a_hospital(["Bezoek mag van 14 tot 20 uur [1]."])
    await ask(installation, "wanneer is er bezoek", conversation_id="talk", channel="voice")
    told = answer(await ask(installation, "Do you understand English?", conversation_id="talk", channel="voice"))
    assert (told.language, told.disposition) == ("nl", "refused")
    assert "druk dan op drie" in told.text


async def test_a_call_that_has_no_language_yet_goes_on_in_the_one_that_is_asked_for() -> None:
    installation = an_installation()
    told = answer(await ask(installation, "Lei capisce il francese?", conversation_id="talk", channel="voice"))
    assert (told.language, told.disposition) == ("fr", "answered")
    assert told.text == LINE.template("language_spoken", "fr")
    after = answer(await ask(installation, "capisce l'inglese?", conversation_id="talk", channel="voice"))
    assert (after.language, after.disposition) == ("fr", "refused")


SPOKEN = [
    ("nl", "j'aimerais savoir combien coûte le parking pour la journée", "twee"),
    ("en", "wanneer mag ik mijn zus op haar kamer bezoeken", "one"),
    ("fr", "what are the opening hours of the blood test desk", "trois"),
    ("it", "what are the opening hours of the blood test desk", "tre"),
]


@pytest.mark.parametrize(("language", "said", "digit"), SPOKEN)
async def test_plain_words_of_a_language_that_the_call_does_not_keep_are_not_searched_for(
    language: str, said: str, digit: str
) -> None:
    told = answer(await ask(an_installation(), said, channel="voice", language=language))
    assert (told.disposition, told.reason, told.language) == ("refused", "LANGUAGE_REQUEST", language)
    assert digit in told.text
    assert told.sources_searched == []


@pytest.mark.parametrize("language", ["nl", "en", "it"])
async def test_help_is_called_for_in_any_language_whatever_the_call_keeps(language: str) -> None:
    events = await ask(an_installation(), "au secours, mon mari ne respire plus", channel="voice", language=language)
    assert (answer(events).reason, answer(events).language) == ("EMERGENCY", language)
    advice = await ask(
        an_installation(), "combien de gouttes de tramadol je peux prendre", channel="voice", language=language
    )
    assert answer(advice).reason == "SAFETY_REFUSAL"


async def test_who_writes_may_choose_one_language_and_ask_in_another() -> None:
    language, said, _ = SPOKEN[0]
    assert answer(await ask(an_installation(), said, language=language)).reason != "LANGUAGE_REQUEST"


@pytest.mark.parametrize(
    ("said", "language", "name"),
    [
        ("Would you understand Italian?", "en", "Italian"), ("Begrijpt u ook Frans?", "nl", "Frans"),
        ("Comprenez-vous aussi le néerlandais ?", "fr", "néerlandais"), ("capisce anche l'inglese?", "it", "inglese"),
    ],
)  # fmt: skip
async def test_what_is_written_may_be_written_in_any_language(said: str, language: str, name: str) -> None:
    told = answer(await ask(an_installation(), said))
    assert (told.disposition, told.language) == ("answered", language)
    assert told.text == LINE.say("language_write", language, language_name=name)


async def test_a_client_that_has_chosen_a_language_is_told_to_choose_the_other() -> None:
    told = answer(await ask(an_installation(), "Would you understand Italian?", language="en"))
    assert told.text == LINE.say("language_choose", "en", language_name="Italian")


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_who_asks_for_the_language_that_is_spoken_hears_yes(channel: str) -> None:
    told = answer(await ask(an_installation(), "Praat u Vlaams?", channel=channel))
    assert told.text == LINE.template("language_spoken", "nl")


async def test_a_language_that_nobody_here_speaks_is_said_so_and_a_person_offered() -> None:
    told = answer(await ask(an_installation(), "Could you talk Turkish?", channel="voice", language="en"))
    assert (told.disposition, told.text) == ("refused", LINE.template("language_unsupported", "en"))


PATIENTS = {
    "nl": "Hoe maakt mijn schoonmoeder het na haar ingreep?",
    "en": "Has my stepfather come out of theatre yet?",
    "fr": "Comment se porte ma marraine, chambre 108 ?",
    "it": "Come si sente mia cognata dopo l'intervento?",
}


@pytest.mark.parametrize("language", PATIENTS)
@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_news_of_a_patient_is_not_sought_in_documents(language: str, channel: str) -> None:
    events = await ask(an_installation(), PATIENTS[language], channel=channel)
    told = answer(events)
    assert (told.disposition, told.reason) == ("escalated", "PATIENT_INFORMATION")
    assert shown(events) == LINE.template("no_patient_information_plain", language)
    assert told.sources_searched == []


async def test_the_number_of_the_hospital_is_given_where_it_is_known() -> None:
    installation = an_installation(settings={"hospital": {"helpdesk_phone": "011 90 10 00"}})
    assert "011 90 10 00" in answer(await ask(installation, PATIENTS["en"])).text


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("My stepfather is back from theatre and he is not breathing", "EMERGENCY"),
        ("Comment se porte ma marraine ? Elle ne respire plus", "EMERGENCY"),
        ("Hoe maakt mijn schoonmoeder het, en hoeveel ibuprofen mag ik haar geven?", "SAFETY_REFUSAL"),
    ],
)
async def test_danger_and_advice_come_first(said: str, reason: str) -> None:
    assert answer(await ask(an_installation(), said)).reason == reason


def test_a_clinician_is_not_told_that_nothing_is_known_of_patients() -> None:
    assert not packs()["clinical_assistant"].patients.rule_sets


def test_a_language_request_and_a_patient_have_a_sentence_in_every_language() -> None:
    keys = ("language_lock", "language_write", "language_choose", "language_spoken", "no_patient_information")
    for pack in packs().values():
        said = [key for key in keys if key in needed(pack.capabilities, pack.languages)]
        assert {"language_write", "language_choose", "language_spoken"} <= set(said)
        for language in pack.languages:
            assert len({pack.template(key, language) for key in said}) == len(said)
    assert set(keys) <= set(packs()["hospital_line"].replies["nl"])
