"""Who is asked which of several is meant, and goes on with something else, is not asked that again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from careline.curation.editions import keep
from careline.directory.directory import Directory
from careline.installation import Installation
from careline.schemas import wire
from careline.settings import Settings
from careline.turn import pipeline
from tests.journeys.in_process import installed
from tests.patience import patient
from tests.turn.test_which_row import a_hospital as a_table_of
from tests.turn.test_which_row import called

WARDS = {
    "heart": {"nl": "Cardiologie", "en": "Cardiology", "fr": "Cardiologie", "it": "Cardiologia"},
    "bones": {"nl": "Orthopedie", "en": "Orthopaedics", "fr": "Orthopédie", "it": "Ortopedia"},
}
ASKED = {
    "nl": "wanneer werkt dokter Verlinden",
    "en": "when does doctor Verlinden work",
    "fr": "quand le docteur Verlinden travaille-t-il",
    "it": "quando lavora il dottor Verlinden",
}
MEANWHILE = {
    "nl": "wat is het nummer van cardiologie",
    "en": "what is the phone number of cardiology",
    "fr": "quel est le numéro de la cardiologie",
    "it": "qual è il numero della cardiologia",
}
SECOND = {
    "nl": ["de tweede", "2", "Orthopedie", "Tom"],
    "en": ["the second one", "number two", "orthopaedics please", "Tom Verlinden"],
    "fr": ["le deuxième", "2", "orthopédie", "Tom"],
    "it": ["il secondo", "numero due", "ortopedia", "Tom"],
}


def a_doctor(first: str, ward: str, day: str) -> dict[str, Any]:
    held = [{"weekday": day, "from": "09:00", "to": "12:00"}]
    return {
        "id": f"verlinden-{first.lower()}", "title": "Dr.", "first_name": first, "last_name": "Verlinden",
        "department": ward, "consultations": held,
    }  # fmt: skip


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A hospital with two doctors of one surname, as it is installed."""
    home = tmp_path_factory.mktemp("verlinden") / "home"
    with installed(home, patient(Settings(home=home, storage="embedded"))) as made:
        yield made


@pytest.fixture
async def of_two(hospital: Installation) -> Installation:
    wards = [{"id": name, "names": names, "phone": "011 23 45 67"} for name, names in WARDS.items()]
    doctors = [a_doctor("Lore", "heart", "monday"), a_doctor("Tom", "bones", "thursday")]
    directory = Directory.model_validate({"departments": wards, "campuses": [], "doctors": doctors})
    await keep(directory, hospital.settings.tenant, hospital.engines, by="ann")
    return hospital


class Conversation:
    """One conversation with a hospital."""

    def __init__(self, hospital: Installation, language: str, channel: str) -> None:
        self._hospital, self._language, self._channel = hospital, language, channel
        self._id: str | None = None

    async def ask(self, text: str) -> wire.Answer:
        """The answer to the next message."""
        request = wire.QueryRequest.model_validate(
            {"text": text, "language": self._language, "channel": self._channel, "conversation_id": self._id}
        )
        events = [event async for event in pipeline.run(request, self._hospital, "trace")]
        assert isinstance(events[-1], wire.Done), events[-1]
        self._id = events[-1].answer.conversation_id
        return events[-1].answer


@pytest.mark.parametrize("channel", ["chat", "voice"])
@pytest.mark.parametrize("language", ASKED)
async def test_of_two_doctors_of_one_name_it_is_asked_once_which(
    of_two: Installation, language: str, channel: str
) -> None:
    talk = Conversation(of_two, language, channel)
    which = await talk.ask(ASKED[language])
    assert (which.disposition, which.reason, len(which.choices)) == ("clarified", "WHICH_ONE", 2)
    assert all("Verlinden" in one.text and one.id for one in which.choices)
    await talk.ask(MEANWHILE[language])
    again = await talk.ask(ASKED[language])
    assert again.disposition != "clarified"


@pytest.mark.parametrize(("language", "reply"), [(code, one) for code, said in SECOND.items() for one in said])
async def test_the_one_that_is_meant_is_told_by_place_number_department_or_name(
    of_two: Installation, language: str, reply: str
) -> None:
    talk = Conversation(of_two, language, "voice")
    await talk.ask(ASKED[language])
    told_of = await talk.ask(reply)
    assert told_of.reason == "DIRECTORY"
    assert "Tom Verlinden" in told_of.text
    assert "Lore" not in told_of.text


async def test_of_rows_of_a_table_it_is_asked_once_which() -> None:
    hospital = await a_table_of("Eenpersoonskamer", "Tweepersoonskamer")
    assert (await called(hospital)).reason == "WHICH_ROW"
    await called(hospital, "waar is de cafetaria")
    assert (await called(hospital)).disposition != "clarified"
