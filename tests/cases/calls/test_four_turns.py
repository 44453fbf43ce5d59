"""A caller goes from a complaint to a doctor's hours in four turns, in four languages, by chat and by phone, at the
demo hospital and at two that are a workbook: the directory answers each, and what is said is what `said.yaml` has."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
import yaml

from careline.model import LANGUAGES
from careline.settings import Settings
from careline_local.bench.understanding.calls import CHANNELS, HeldTurn, calls, decided_by, held, with_directory
from careline_local.cli.session import CommandSession
from tests.patience import patient

pytestmark = pytest.mark.usefixtures("reading_waits")
SAID: Mapping[str, Mapping[str, list[str]]] = yaml.safe_load(Path(__file__).with_name("said.yaml").read_text("utf-8"))
"""What is said by phone, by hospital, language and turn."""
DOCTORS = {
    "elzenvoorde": ("doctors-van-den-abbeele-hilde", "Hilde Van den Abbeele"),
    "valbruna": ("doctors-d-agostino-elena", "Elena D'Agostino"),
    "zeedijk": ("doctors-vanhoutte-joris", "Joris Vanhoutte"),
}
INTENTS = ["ambiguous_symptom_description", "doctor_lookup/list", "doctor_lookup/profile", "doctor_schedule_query"]
SEARCHES = {"rewrite_query", "embed_query", "retrieve", "rerank", "route_model", "generate"}
DIRECTORY_MS = 50.0
CALLS = [(hospital, language) for hospital in DOCTORS for language in LANGUAGES]
Held = Callable[[str, str, str], tuple[HeldTurn, ...]]


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Held:
    """A call of a hospital, in a language and on a channel; each is held once."""

    @cache
    def session_of(hospital: str) -> CommandSession:
        home = tmp_path_factory.mktemp(hospital)
        session = CommandSession(home, given=patient(Settings(home=home, storage="embedded")))
        session.installation = session.run(with_directory(hospital, session.installation))
        return session

    @cache
    def of(hospital: str, language: str, channel: str) -> tuple[HeldTurn, ...]:
        session = session_of(hospital)
        return session.run(held(session.installation, calls()[hospital][language], language, channel))

    return of


def test_every_call_is_held_in_every_language() -> None:
    assert set(calls()) == set(SAID) == set(DOCTORS)
    assert all(set(calls()[name]) == set(SAID[name]) == set(LANGUAGES) for name in DOCTORS)


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize(("hospital", "language"), CALLS)
def test_every_turn_is_answered_by_the_directory_without_a_search(
    call: Held, hospital: str, language: str, channel: str
) -> None:
    turns = call(hospital, language, channel)
    assert [decided_by(one) for one in turns] == ["answer_from_directory"] * len(INTENTS)
    assert not any(SEARCHES.intersection(one.path) for one in turns)
    assert [one.intent.label for one in turns] == INTENTS


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize(("hospital", "language"), CALLS)
def test_a_follow_up_is_read_with_the_whole_name_of_the_doctor(
    call: Held, hospital: str, language: str, channel: str
) -> None:
    *_, profile, schedule = call(hospital, language, channel)
    _, name = DOCTORS[hospital]
    assert name in profile.intent.standalone_question
    assert name in schedule.intent.standalone_question
    assert schedule.intent.is_followup
    assert schedule.intent.history_turns == len(INTENTS) - 1


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize(("hospital", "language"), CALLS)
def test_every_turn_cites_the_entry_that_it_rests_on(call: Held, hospital: str, language: str, channel: str) -> None:
    department, doctors, profile, schedule = call(hospital, language, channel)
    doctor, _ = DOCTORS[hospital]
    assert [one.cited[0] for one in (profile, schedule)] == [f"directory-{doctor}"] * 2
    assert department.cited == doctors.cited[:1]
    assert department.cited[0].startswith("directory-departments-cardiolog")
    cited = [citation for one in (department, doctors, profile, schedule) for citation in one.answer.citations]
    assert {one.source_type for one in cited} == {"directory"}


@pytest.mark.parametrize(("hospital", "language"), CALLS)
def test_what_is_said_by_phone_is_what_people_read(call: Held, hospital: str, language: str) -> None:
    turns = call(hospital, language, "voice")
    assert [one.answer.spoken for one in turns] == SAID[hospital][language]


@pytest.mark.parametrize(("hospital", "language"), CALLS)
def test_in_chat_every_doctor_of_the_department_is_named_and_the_hours_are_in_figures(
    call: Held, hospital: str, language: str
) -> None:
    _, doctors, _, schedule = call(hospital, language, "chat")
    on_the_phone = call(hospital, language, "voice")
    assert len(doctors.answer.citations) == len(on_the_phone[1].answer.citations)
    assert "[1]" in schedule.answer.text
    assert any(sign.isdigit() for sign in schedule.answer.text.replace("[1]", ""))


def test_the_directory_answers_within_its_time(call: Held) -> None:
    turns = [one for name, language in CALLS for channel in CHANNELS for one in call(name, language, channel)]
    spent = [stage.ms for one in turns for stage in one.answer.timings if stage.stage == "answer_from_directory"]
    assert len(spent) == len(turns)
    assert statistics.median(spent) < DIRECTORY_MS
