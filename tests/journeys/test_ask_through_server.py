"""`careline ask` is answered by the server that runs on its home, and by itself where there is none."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from careline_local.serving import FILE
from tests.journeys.process import Careline, Served

NO_ENGINES = '''
"""Python imports this by itself when it starts: a process under it cannot answer by itself."""
import sys

sys.modules["careline.bootstrap"] = None
'''
QUESTION = "hoeveel kost parkeren per uur"


@pytest.fixture(scope="module")
def own(home_of_their_own: Callable[[], Careline]) -> Careline:
    return home_of_their_own()


@pytest.fixture(scope="module")
def bare(own: Careline, tmp_path_factory: pytest.TempPathFactory) -> Careline:
    """The command without any engine, so that what it tells came from the server."""
    folder = tmp_path_factory.mktemp("without-engines")
    (folder / "sitecustomize.py").write_text(NO_ENGINES, encoding="utf-8")
    return replace(own, environment={"PYTHONPATH": f"{folder}:{own.variables()['PYTHONPATH']}"})


@pytest.fixture(scope="module")
def server(own: Careline) -> Iterator[Served]:
    with own.served() as served:
        yield served


def _without_figures(shown: str) -> str:
    return re.sub(r"[0-9.]+ ms|turn \S+ · conversation \S+", "", shown)


def test_the_server_answers_as_the_command_would_itself(own: Careline, bare: Careline, server: Served) -> None:
    there, here = bare.run("ask", QUESTION), own.run("ask", "--local", QUESTION)
    assert (there.returncode, there.stderr) == (0, "")
    assert "2,50 euro per uur. [1]" in there.stdout
    assert _without_figures(there.stdout) == _without_figures(here.stdout)
    as_json = bare.json("ask", QUESTION)
    assert as_json["disposition"] == "answered"
    assert server.record(as_json["id"])["disposition"] == "answered"


def test_doctor_names_the_server_that_answers_whatever_port_it_has(own: Careline, server: Served) -> None:
    address = str(server.client.base_url).rstrip("/")
    (found,) = [one for one in own.json("doctor", "--port", "0")["checks"] if one["name"] == "server"]
    assert (found["state"], address in found["found"]) == ("ok", True)
    other = replace(own, environment={"CARELINE_HOSPITAL_NAME": "Sint-Anna"}).run("doctor").stdout
    assert re.search(rf"warn server: {re.escape(address)} runs on this home.*with other settings", other)
    assert Path(own.home, FILE).exists()


@pytest.mark.usefixtures("server")
def test_a_server_that_serves_a_call_alone_leaves_commands_to_the_other_one(own: Careline, bare: Careline) -> None:
    before = Path(own.home, FILE).read_text()
    with own.served("--no-announce") as beside:
        assert beside.ask(QUESTION)["disposition"] == "answered"
        assert bare.run("ask", QUESTION).returncode == 0
    assert Path(own.home, FILE).read_text() == before


@pytest.mark.usefixtures("server")
def test_a_conversation_that_nobody_knows_is_said_to_be_new_either_way(own: Careline, bare: Careline) -> None:
    first = bare.run("ask", "--conversation", "mine", "wat zijn de bezoekuren")
    assert "a new one has begun" in first.stderr
    again = bare.run("ask", "--conversation", "mine", "en op zondag?")
    assert ("21 uur" in again.stdout, again.stderr) == (True, "")
    assert "a new one has begun" in own.run("ask", "--local", "--conversation", "other", "bezoekuren").stderr


def test_a_pack_that_does_not_exist_is_told_before_anybody_is_asked(bare: Careline) -> None:
    refused = bare.run("ask", "--pack", "hospital_lin", "hallo")
    assert refused.returncode == 1
    assert "did you mean hospital_line?" in refused.stderr


def test_a_server_that_stopped_leaves_no_file_and_one_that_was_killed_no_trouble(careline: Careline) -> None:
    file = Path(careline.home, FILE)
    with careline.served() as server:
        assert json.loads(file.read_text())["pid"] == server.process.pid
        server.stop(signal.SIGTERM)
    assert not file.exists()
    with careline.served() as server:
        server.stop(signal.SIGKILL)
    assert file.exists()
    assert "2,50 euro" in careline.run("ask", QUESTION).stdout
    assert not file.exists()


def test_an_empty_library_is_said_to_be_empty(tmp_path: Path) -> None:
    careline = Careline(tmp_path / "home")
    careline.home.mkdir(mode=0o700)
    for command in (("documents",), ("search", "parkeren")):
        assert "The library is empty. Take documents in with `careline ingest FOLDER`" in careline.run(*command).stdout
    assert "The library is empty" in careline.run("ask", QUESTION).stderr


def test_a_second_server_of_a_home_is_told_where_the_first_one_is(own: Careline, server: Served) -> None:
    done = own.run("up", "--port", "0", "--no-demo")
    assert done.returncode == 2
    assert f"runs at {str(server.client.base_url).rstrip('/')} already" in " ".join(done.stderr.split())
    assert own.run("ask", QUESTION).returncode == 0
