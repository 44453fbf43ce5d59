"""What a turn knows about personal data, and what it does when nobody could look for any."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from careline.model import Conversation, Message, Span, SpanType
from careline.turn.stages.detect_phi import detect_phi
from careline.turn.turn import PersonalData, Turn
from tests.fakes import NOW, FakeDetector, FakeEmbedder
from tests.turn.turns import TENANT, a_hospital, a_turn, an_installation, answer, ask, kept_messages


async def detected(question: str, *names: str, installation: dict[str, Any] | None = None, **chosen: Any) -> Turn:
    return await detect_phi(
        a_turn(question, **chosen), an_installation(detector=FakeDetector(*names), **installation or {})
    )


def phi(turn: Turn) -> PersonalData:
    assert turn.phi is not None
    return turn.phi


async def test_a_name_becomes_a_typed_token_and_comes_back_only_in_this_process() -> None:
    found = phi(await detected("wanneer mag Jan bezoek krijgen", "Jan"))
    assert (found.state, found.question) == ("found", "wanneer mag [PERSON_1] bezoek krijgen")
    assert found.vault.restore("[PERSON_1] mag bezoek") == "Jan mag bezoek"
    assert "Jan" not in str(found.vault.state())


async def test_a_question_without_any_is_as_it_was() -> None:
    found = phi(await detected("wanneer is er bezoek", "Jan"))
    assert (found.state, found.question, found.spans) == ("clear", "wanneer is er bezoek", ())


async def test_a_value_keeps_its_token_through_the_conversation() -> None:
    messages = (Message("user", "ik ben Jan", NOW), Message("assistant", "Dag Jan, en Els?", NOW))
    turn = await detected("mag Els bij Jan", "Jan", "Els", conversation=Conversation("talk", TENANT, messages))
    assert phi(turn).question == "mag [PERSON_2] bij [PERSON_1]"
    assert [message.text for message in phi(turn).history] == ["ik ben [PERSON_1]", "Dag [PERSON_1], en [PERSON_2]?"]


async def test_personal_data_in_an_earlier_message_counts() -> None:
    messages = (Message("user", "ik ben Jan", NOW),)
    turn = await detected("wanneer is er bezoek", "Jan", conversation=Conversation("talk", TENANT, messages))
    assert phi(turn).state == "found"


async def test_what_the_hospital_said_is_not_personal_data_unless_the_user_had_given_it() -> None:
    messages = (Message("user", "ik ben Jan", NOW), Message("assistant", "Vraag naar Els.", NOW))
    turn = await detected("wanneer is er bezoek", "Els", "Jan", conversation=Conversation("talk", TENANT, messages[1:]))
    assert (phi(turn).state, phi(turn).history[0].text) == ("clear", "Vraag naar Els.")
    turn = await detected("wanneer is er bezoek", "Els", "Jan", conversation=Conversation("talk", TENANT, messages))
    assert [message.text for message in phi(turn).history] == ["ik ben [PERSON_1]", "Vraag naar Els."]


async def test_a_part_of_a_name_that_the_user_gave_is_personal_in_an_answer() -> None:
    messages = (Message("user", "ik ben Jan Peeters", NOW), Message("assistant", "Dag Peeters, vraag Els.", NOW))
    detector = FakeDetector("Jan Peeters", "Els")
    spans = (Span(4, 11, SpanType.PERSON, "fake"), Span(19, 22, SpanType.PERSON, "fake"))
    said = (messages[0], replace(messages[1], personal=spans))
    told = await detect_phi(
        a_turn("en", conversation=Conversation("talk", TENANT, said)), an_installation(detector=detector)
    )
    assert [message.text for message in phi(told).history] == ["ik ben [PERSON_1]", "Dag [PERSON_2], vraag Els."]


async def test_another_name_within_a_name_that_the_user_gave_is_not_personal_in_an_answer() -> None:
    messages = (Message("user", "ik ben Janssens", NOW), Message("assistant", "Vraag naar Jan.", NOW))
    detector = FakeDetector("Janssens")
    said = (messages[0], replace(messages[1], personal=(Span(11, 14, SpanType.PERSON, "fake"),)))
    told = await detect_phi(
        a_turn("en", conversation=Conversation("talk", TENANT, said)), an_installation(detector=detector)
    )
    assert [message.text for message in phi(told).history] == ["ik ben [PERSON_1]", "Vraag naar Jan."]


async def test_an_answer_is_looked_through_when_it_is_given_and_not_again() -> None:
    detector = FakeDetector("Jan")
    installation = await a_hospital(["Jan mag bezoek van 14 tot 20 uur [1]."], detector=detector)
    await ask(installation, "wanneer is er bezoek voor Jan", conversation_id="talk")
    assert [message.personal for message in await kept_messages(installation)] == [
        (Span(26, 29, SpanType.PERSON, "fake/list"),),
        (Span(0, 3, SpanType.PERSON, "fake/list"),),
    ]


async def test_an_answer_that_could_not_be_looked_through_is_looked_at_by_the_next_turn() -> None:
    class Tired(FakeDetector):
        def find(self, text: str, language: str | None, staff: Any = ()) -> Any:
            if text.startswith("Goeiedag."):
                raise RuntimeError("tired")
            return super().find(text, language, staff)

    installation = an_installation(detector=Tired())
    said = answer(await ask(installation, "goeiedag", conversation_id="talk"))
    assert said.text.startswith("Goeiedag.")
    assert [message.personal for message in await kept_messages(installation)] == [(), None]


async def test_what_was_found_in_a_message_before_is_not_looked_for_again() -> None:
    kept = (Span(7, 10, SpanType.PERSON, "before"),)
    messages = (Message("user", "ik ben Jan", NOW, "turn-0", kept), Message("user", "en Jan?", NOW, "turn-0", ()))
    turn = await detected("wanneer", conversation=Conversation("talk", TENANT, messages))
    assert [message.text for message in phi(turn).history] == ["ik ben [PERSON_1]", "en Jan?"]


async def test_what_the_user_says_is_none_is_left_alone_and_remembered() -> None:
    request = a_turn("mag ik naar Roos").request.model_copy(update={"not_phi": [" roos "]})
    found = phi(await detected("mag ik naar Roos", "Roos", request=request))
    assert (found.state, found.question) == ("clear", "mag ik naar Roos")
    assert [(span.start, span.end) for span in found.kept] == [(12, 16)]


async def test_switched_off_nothing_is_looked_for() -> None:
    found = phi(await detected("ik ben Jan", "Jan", installation={"settings": {"privacy": {"phi_mode": "off"}}}))
    assert (found.state, found.question) == ("off", "ik ben Jan")


@pytest.mark.parametrize("error", [RuntimeError("x"), ValueError("Jan"), MemoryError()])
async def test_whatever_fails_personal_data_is_assumed_and_the_user_is_told(error: Exception) -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."], detector=FakeDetector(error=error))
    events = await ask(installation, "wanneer is er bezoek")
    assert answer(events).phi is True
    assert [warning.code for warning in answer(events).warnings] == ["PHI_ASSUMED"]
    (entry,) = installation.engines.outbox.waiting
    assert entry.body["turn"]["phi"]["state"] == "assumed"
    assert entry.body["turn"]["route"]["where"] == "local"
    assert entry.body["turn"]["question_encrypted"] is None


async def test_a_failure_is_logged_by_its_kind_and_place_and_never_by_its_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    await ask(an_installation(detector=FakeDetector(error=ValueError("Jan"))), "goeiedag")
    (record,) = [one for one in caplog.records if one.name == "careline.turn.stages.detect_phi"]
    assert (record.__dict__["kind"], record.__dict__["at"].split(":")[0]) == ("ValueError", "fakes.py")
    assert "Jan" not in caplog.text


async def test_the_search_does_not_see_names() -> None:
    class Watched(FakeEmbedder):
        async def embed_query(self, text: str) -> Any:
            self.embedded.append(text)
            return self.vector(text)

    embedder = Watched()
    installation = await a_hospital(["Van 14 tot 20 uur [1]."], detector=FakeDetector("Jan"), embedder=embedder)
    await ask(installation, "wanneer mag Jan bezoek krijgen")
    assert embedder.embedded == ["wanneer mag bezoek krijgen"]


async def test_what_nobody_could_look_through_is_not_embedded_by_somebody_elses_service() -> None:
    embedder = FakeEmbedder()
    embedder.is_external = True
    installation = await a_hospital(
        ["Van 14 tot 20 uur [1]."], detector=FakeDetector(error=OSError()), embedder=embedder
    )
    events = await ask(installation, "wanneer is er bezoek")
    assert "KEYWORDS_ONLY" in [warning.code for warning in answer(events).warnings]
