"""What a caller hears: the opening, answers, a person when asked for, and the end of the call."""

from __future__ import annotations

from careline_local.voice import sound
from tests.fakes import FakeOutbox
from tests.voice.telephone import a_telephone, needs_espeak

pytestmark = needs_espeak
VISITS = ["Bezoek is welkom van 14 tot 20 uur [1]."]


async def test_a_caller_is_told_that_it_is_a_machine_and_gets_a_spoken_answer_that_is_recorded_once() -> None:
    async with a_telephone(VISITS) as phone:
        reply = await phone.ask("wanneer is er bezoek")
        assert "geen mens" in phone.said()
        assert "veertien" in phone.said() or "14" in phone.said()
        assert reply.first_audio is not None
        heard = phone.simulation.handset.recordings()[1]
        assert sound.loud_frames(heard)[int(reply.ended / 0.02) :].any(), "the answer is in the recording"
        outbox = phone.installation.engines.outbox
        assert isinstance(outbox, FakeOutbox)
        assert await phone.happened("answered")
        assert len([*outbox.waiting, *outbox.settled]) == 1


async def test_the_first_utterance_locks_the_language_and_speech_recognition_follows() -> None:
    async with a_telephone(VISITS, VISITS) as phone:
        phone.language = "fr"
        await phone.ask("quelles sont les heures de visite s'il vous plaît")
        assert await phone.happened("locked")
        assert await phone.simulation.until(lambda: len(phone.hearing.connections) > 1)
        assert [query["language"] for query in phone.hearing.connections[:2]] == [["multi"], ["fr"]]


async def test_a_caller_who_asks_for_a_person_is_told_and_put_through_with_what_the_desk_needs() -> None:
    async with a_telephone() as phone:
        await phone.ask("ik wil graag met een medewerker spreken")
        assert await phone.happened("transferred")
        ((to, hand_over),) = phone.simulation.desk.transfers
        assert to == "sip:desk@example.invalid"
        assert hand_over.headers()["X-Careline-Conversation"] == "talk"
        assert hand_over.headers()["X-Careline-Language"] == "nl"
        names = phone.names()
        assert names.index("line_speaks", names.index("turn")) < names.index("transfer"), "told before"


async def test_a_transfer_that_is_refused_comes_back_to_the_caller() -> None:
    async with a_telephone(accepts=False) as phone:
        await phone.ask("ik wil graag met een medewerker spreken")
        assert await phone.happened("transfer_refused")
        assert await phone.simulation.until(lambda: "niemand opnemen" in phone.said())
        assert not phone.simulation.over


async def test_zero_is_a_person_whatever_is_being_said() -> None:
    async with a_telephone() as phone:
        assert await phone.happened("line_speaks")
        phone.simulation.call.press("0")
        assert await phone.happened("transferred")


async def test_the_call_ends_after_a_goodbye_and_not_after_thanks() -> None:
    async with a_telephone() as phone:
        await phone.ask("dank u wel")
        assert not phone.simulation.over
        await phone.ask("tot ziens")
        assert await phone.happened("hang_up")
        assert phone.simulation.over


async def test_a_caller_in_danger_hears_the_number_at_once_and_a_yes_puts_him_through() -> None:
    async with a_telephone() as phone:
        await phone.ask("mijn vader heeft pijn op de borst en krijgt geen adem")
        assert "112" in phone.said() or "honderdtwaalf" in phone.said() or "één één twee" in phone.said()
        await phone.ask("ja graag")
        assert await phone.happened("transferred")


async def test_an_accepted_transfer_says_the_number_of_the_hospital_for_the_ear() -> None:
    async with a_telephone(helpdesk="011 90 10 00") as phone:
        await phone.ask("mijn vader heeft pijn op de borst en krijgt geen adem")
        await phone.ask("ja graag")
        assert await phone.happened("transferred")
        assert "nul één één, negentig, tien, nul nul" in phone.said()
        assert "011" not in phone.said()


async def test_key_zero_says_it_for_the_ear_too() -> None:
    async with a_telephone(helpdesk="011 90 10 00") as phone:
        await phone.simulation.until_quiet()
        phone.simulation.call.press("0")
        assert await phone.happened("transferred")
        assert "nul één één, negentig, tien, nul nul" in phone.said()
        assert "011" not in phone.said()


async def test_a_request_for_another_language_names_its_key_and_the_key_changes_what_is_heard_and_spoken() -> None:
    async with a_telephone(VISITS, VISITS) as phone:
        await phone.ask("wanneer is er bezoek op de afdeling")
        assert await phone.happened("locked")
        await phone.ask("zou u ook Engels kunnen praten")
        assert "druk dan op drie" in phone.said()
        assert not phone.simulation.desk.transfers
        connections = len(phone.hearing.connections)
        phone.simulation.call.press("3")
        assert await phone.simulation.until(lambda: "in English" in phone.said())
        assert await phone.simulation.until(lambda: len(phone.hearing.connections) > connections)
        assert phone.hearing.connections[-1]["language"] == ["en"]


async def test_a_yes_to_the_person_offered_with_the_language_puts_the_caller_through() -> None:
    async with a_telephone(VISITS) as phone:
        await phone.ask("wanneer is er bezoek op de afdeling")
        await phone.ask("zou u ook Engels kunnen praten")
        await phone.ask("ja graag")
        assert await phone.happened("transferred")
