"""The command line as people and programs use it: output, JSON, order, exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from careline.search.relevance import shipped_fit
from careline_local.cli.main import COMMANDS, main
from tests.journeys.conftest import DOCUMENTS, RECORDS
from tests.journeys.process import Careline

NO_MODEL = {
    "CARELINE_MODEL": "openai",
    "CARELINE_OPENAI_API_KEY": "k",
    "CARELINE_OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
}
"""A language model in the cloud that cannot be reached."""
OTHER_VECTORS = {
    **NO_MODEL,
    "CARELINE_EMBEDDER": "openai",
    "CARELINE_RELEVANCE": json.dumps({**asdict(shipped_fit()), "embedder": "text-embedding-3-large/1024"}),
}
"""An index that cannot be asked: its vectors were made by another embedding model."""
ASK_KEYS = {"id", "text", "language", "disposition", "reason", "citations", "warnings"}
CITATION_KEYS = {"doc_key", "source", "title", "page", "excerpt"}


@pytest.fixture(scope="module")
def shared(home_of_their_own: Callable[[], Careline]) -> Careline:
    """A home for commands that change no document."""
    return home_of_their_own()


def test_an_answer_names_its_source_its_language_and_how_it_ended(shared: Careline) -> None:
    done = shared.run("ask", "hoeveel", "kost", "parkeren", "per", "uur")
    assert done.returncode == 0
    assert "2,50 euro per uur. [1]" in done.stdout
    assert "[1] Parkeren met de auto (nl/parkeren.md, nl)" in done.stdout
    assert "nl · answered · extractive" in done.stdout


def test_the_last_line_of_an_answer_names_the_turn_that_explain_takes(shared: Careline) -> None:
    asked = shared.run("ask", "hoeveel kost parkeren per uur").stdout.splitlines()[-1]
    (turn,) = re.findall(r" · turn (\S+) · conversation \S+$", asked)
    assert f"Turn {turn}" in shared.run("explain", turn).stdout
    assert shared.json("explain", turn[:-2])["turn_id"] == turn


def test_an_answer_as_json_is_the_answer_of_the_api(shared: Careline) -> None:
    answer = shared.json("ask", "quand la cafétéria est-elle ouverte")
    assert (answer["language"], answer["disposition"], answer["channel"]) == ("fr", "answered", "chat")
    assert answer["citations"][0]["source"] == "fr/cafeteria.html"


def test_a_conversation_goes_on_over_several_commands(shared: Careline) -> None:
    shared.run("ask", "--conversation", "terminal", "wat zijn de bezoekuren")
    assert "21 uur" in shared.json("ask", "--conversation", "terminal", "en op zondag?")["text"]


def test_lines_are_answered_in_order_with_their_ids_and_a_bad_one_fails_alone(shared: Careline) -> None:
    lines = [
        '{"id": "a", "text": "hoeveel kost parkeren per uur"}',
        "geen json",
        '{"id": 7, "lang": "fr", "text": "quand la cafétéria est-elle ouverte", "channel": "voice"}',
        "",
        '{"id": "zonder-tekst"}',
        '{"id": "vreemd", "text": "hallo", "patient": "Jan"}',
        '{"id": null, "text": "en op zondag?", "history": ["wat zijn de bezoekuren"]}',
        '["een lijst"]',
        '{"id": "talen", "text": "hallo", "lang": "de"}',
        '{"id": "\\ud83d", "text": "hoeveel paracetamol mag ik nemen"}',
        '{"id": NaN, "text": "hallo"}',
    ]
    answers = shared.lines("ask", "--jsonl", stdin="\n".join(lines), code=1)
    assert [answer["id"] for answer in answers] == [
        "a", None, 7, "zonder-tekst", "vreemd", None, None, "talen", "\ud83d", None,
    ]  # fmt: skip
    assert ["error" in answer for answer in answers] == [
        False, True, False, True, True, False, True, True, False, True,
    ]  # fmt: skip
    good = [answer for answer in answers if "error" not in answer]
    assert all(set(answer) == ASK_KEYS for answer in good)
    assert all(set(citation) == CITATION_KEYS for answer in good for citation in answer["citations"])
    assert ["2,50 euro" in good[0]["text"], "[1]" in good[1]["text"], "21 uur" in good[2]["text"]] == [
        True,
        False,
        True,
    ]
    assert [answer["disposition"] for answer in good] == ["answered", "answered", "answered", "refused"]
    assert [answer["reason"] for answer in good] == [None, None, None, "SAFETY_REFUSAL"]
    assert "Jan" not in json.dumps(answers)


def test_good_lines_alone_end_with_nought(shared: Careline) -> None:
    answers = shared.lines(
        "ask", "--jsonl", stdin='{"id": 1, "text": "hallo"}\n{"id": 2, "text": "dank u, tot ziens"}\n'
    )
    assert [answer["disposition"] for answer in answers] == ["answered", "farewelled"]


def test_a_search_shows_as_many_hits_as_are_asked_for_best_first(shared: Careline) -> None:
    hits = shared.json("search", "--top", "3", "waar kan ik hier een rolstoel lenen")["hits"]
    assert len(hits) == 3
    assert hits[0]["source"] == "nl/rolstoel.txt"
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def test_a_search_can_be_narrowed_by_any_fact(shared: Careline) -> None:
    hits = shared.json("search", "--filter", "language=fr", "cafetaria")["hits"]
    assert {hit["language"] for hit in hits} == {"fr"}
    unknown = shared.run("search", "--filter", "kleur=blauw", "cafetaria")
    assert (unknown.returncode, unknown.stdout) == (1, "")


def test_search_lines_keep_their_order_and_filters(shared: Careline) -> None:
    lines = [
        {"id": 1, "text": "parkeren"},
        {"id": 2, "text": "parkeren", "filters": {"source_type": "record"}},
        {"id": 3, "text": "parkeren", "filters": ["wrong"]},
    ]
    found = shared.lines("search", "--top", "2", stdin="\n".join(map(json.dumps, lines)), code=1)
    assert found[0]["hits"][0]["doc_key"] == "brochure-parkeren"
    assert set(found[0]["hits"][0]) == {"doc_key", "chunk_id", "score"}
    assert {hit["doc_key"] for hit in found[1]["hits"]} == {"record-tolk", "record-huisdier"}
    assert (found[2]["id"], found[2]["error"]["code"]) == (3, "BAD_REQUEST")


def test_a_call_is_spoken_without_markers_and_ends_with_the_farewell(shared: Careline) -> None:
    said = ("goeiedag", "euh hoeveel kost parkeren per uur", "dank u tot ziens", "hallo")
    done = shared.run("call", "--json", *(part for text in said for part in ("--text", text)))
    heard = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["disposition"] for one in heard] == ["answered", "answered", "farewelled"]
    assert "kost" in heard[1]["spoken"]
    assert "[" not in heard[1]["spoken"]
    assert heard[1]["citations"] == ["brochure-parkeren"]


def test_a_call_opens_by_saying_that_it_is_a_machine_and_reads_from_standard_input(shared: Careline) -> None:
    done = shared.run("call", "--lang", "en", stdin=b"hello\nwhere are found items kept\n\n")
    assert done.returncode == 0
    assert "artificial intelligence" in done.stdout
    assert "security desk" in " ".join(done.stdout.split())


def test_documents_are_listed_shown_and_deleted(careline: Careline) -> None:
    documents = careline.json("documents")["documents"]
    assert len(documents) == len(DOCUMENTS) + len(RECORDS)
    assert {one["state"] for one in documents} == {"live"}
    shown = careline.json("documents", "show", "brochure-parkeren")["versions"]
    assert [(one["version"], one["title"]) for one in shown] == [(1, "Parkeren met de auto")]
    assert careline.json("documents", "delete", "brochure-parkeren") == {"deleted": "brochure-parkeren"}
    assert careline.run("documents", "delete", "brochure-parkeren").returncode == 1
    assert "brochure-parkeren" not in str(careline.json("documents"))
    assert "2,50" not in careline.json("ask", "hoeveel kost parkeren per uur")["text"]


@pytest.mark.parametrize(
    "alone", [("documents",), ("jobs", "--limit", "2"), ("jobs", "--state", "failed"), ("turns", "--limit", "1")]
)
def test_what_a_command_alone_lists_its_list_does_too(shared: Careline, alone: tuple[str, ...]) -> None:
    shared.run("ask", "hallo")
    name, *options = alone
    listed = shared.run(*alone, "--json").stdout
    assert shared.run(name, "list", *options, "--json").stdout == listed
    assert shared.run(name, *options, "--json", "list").stdout == listed
    assert shared.run(name, "list", *options).stdout == shared.run(*alone).stdout


def test_a_title_in_brackets_is_shown_as_it_is(careline: Careline, tmp_path: Path) -> None:
    (tmp_path / "vet.md").write_text("# Pijlen [/b] en [red]\n\nVolg de pijlen [/bold] naar [link] de uitgang.\n")
    assert careline.run("ingest", str(tmp_path / "vet.md")).returncode == 0
    for command in (
        ("documents",),
        ("search", "pijlen naar de uitgang"),
        ("ask", "waar vind ik de pijlen naar de uitgang"),
    ):
        done = careline.run(*command)
        assert (done.returncode, done.stderr) == (0, "")
        assert "[/b" in done.stdout


def test_a_failed_job_is_listed_shown_and_retried(careline: Careline, tmp_path: Path) -> None:
    (tmp_path / "stuk.pdf").write_bytes(b"%PDF-1.7\nstuk")
    report = careline.json("ingest", str(tmp_path / "stuk.pdf"), code=1)
    assert [one["reason"] for one in report["refused"]] == ["corrupt"]
    (failed,) = careline.json("jobs", "--state", "failed")["jobs"]
    assert careline.json("jobs", "show", failed["job_id"])["file_name"] == "stuk.pdf"
    again = careline.json("jobs", "retry", failed["job_id"], code=1)
    assert (again["state"], again["retry_count"]) == ("failed", 1)
    assert "corrupt" in careline.run("jobs", "--state", "failed").stdout
    assert careline.run("jobs", "show", "there-is-none").returncode == 1
    assert careline.run("jobs", "retry", "there-is-none").returncode == 1


def test_turns_are_recorded_without_the_words_of_the_caller(careline: Careline) -> None:
    answer = careline.json("ask", "waar kan mijn buurvrouw Godelieve een rolstoel lenen")
    (turn,) = careline.json("turns", "--limit", "1")["turns"]
    assert (turn["turn_id"], turn["model_called"]) == (answer["id"], True)
    assert "godelieve" not in json.dumps(turn).lower()
    assert json.loads(careline.run("turns", answer["id"]).stdout) == turn
    assert answer["id"][:11] in careline.run("turns").stdout


def test_the_index_can_be_built_again_from_the_documents(careline: Careline) -> None:
    before = careline.json("search", "waar kan ik hier een rolstoel lenen")["hits"]
    assert careline.json("reindex") == {"documents": len(DOCUMENTS) + len(RECORDS)}
    after = careline.json("search", "waar kan ik hier een rolstoel lenen")["hits"]
    assert after[0] == before[0]
    assert sorted(hit["chunk_id"] for hit in after) == sorted(hit["chunk_id"] for hit in before)


def test_packs_can_be_checked_before_they_are_used(shared: Careline, tmp_path: Path) -> None:
    checked = shared.json("pack", "check", "--inputs", "500")
    worst, screens = checked.pop("slowest"), checked.pop("screens")
    assert screens["clinical_assistant"] == {"injections": "hospital_line"}
    assert checked == {"packs": ["clinical_assistant", "hospital_line"], "problems": []}
    assert (worst["inputs"], worst["characters"] > 0, worst["milliseconds"] > 0) == (500, True, True)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "pack.yaml").write_text("name: broken\n", encoding="utf-8")
    wrong = shared.run("pack", "check", str(tmp_path))
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "broken/pack.yaml: title" in wrong.stderr


def test_help_names_every_command_and_every_command_has_help_of_its_own() -> None:
    listed = CliRunner().invoke(main, ["--help"]).output
    assert [name for name in COMMANDS if f"  {name} " not in listed] == []
    for name in COMMANDS:
        own = CliRunner().invoke(main, [name, "--help"])
        assert own.exit_code == 0
        help_of_it = main.get_command(Context(main), name).help
        assert help_of_it
        assert " ".join(help_of_it.split()) in " ".join(own.output.split())


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (("ask",), {}, "ask what?"),
        (("search", "--filter", "language", "cafetaria"), {}, "FIELD=VALUE"),
        (("ingest", "--fact", "kleur=blauw", "README.md"), {}, "known names"),
        (("nonsense",), {}, "No such command"),
        (("documents",), {"CARELINE_COLOUR": "blue"}, "CARELINE_COLOUR is not a setting"),
        (("documents",), {"CARELINE_MAX_PAGES": "many"}, "CARELINE_MAX_PAGES"),
        (("documents",), {"CARELINE_PACKS": "/nowhere"}, "nowhere"),
        (("documents",), {"CARELINE_STORAGE": "aws"}, "CARELINE_TABLE"),
        (("up", "--host", "192.0.2.1"), {}, "CARELINE_TOKEN"),
    ],
)
def test_wrong_usage_is_told_in_one_line_and_ends_with_two(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], said: str
) -> None:
    done = CliRunner().invoke(main, ["--home", str(tmp_path), *arguments], env=environment)
    assert done.exit_code == 2
    assert said in done.output


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "said"),
    [
        (("call", "--pack", "none", "--text", "hallo"), {}, 1, "there is no pack of this name"),
        (("call", "--failing", "voice", "--text", "hallo"), {}, 1, "nothing can break in a call of text"),
        (("ask", "--conversation", "no spaces here", "hallo"), {}, 1, "conversation_id"),
        (("ingest", "there/is/no/such/path"), {}, 1, "there is no such file or folder"),
        (
            ("ask", "waar is de parking"),
            {"CARELINE_FAULTS": "input_screen"},
            3,
            "kind=InjectedFault at=faults.py",
        ),
        (("search", "rolstoel"), OTHER_VECTORS, 3, "run `careline reindex`"),
        (("ask", "waar kan ik hier een rolstoel lenen"), OTHER_VECTORS, 3, "could not be searched"),
    ],
)
def test_what_goes_wrong_is_one_line_for_people_and_a_number_for_programs(
    shared: Careline, arguments: tuple[str, ...], environment: dict[str, str], code: int, said: str
) -> None:
    done = Careline(shared.home, environment).run(*arguments)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_model_that_cannot_be_reached_is_a_warning_and_the_documents_are_quoted(shared: Careline) -> None:
    answer = Careline(shared.home, NO_MODEL).json("ask", "waar kan ik hier een rolstoel lenen")
    assert (answer["disposition"], answer["citations"][0]["source"]) == ("answered", "nl/rolstoel.txt")
    assert [warning["code"] for warning in answer["warnings"]] == ["MODEL_UNAVAILABLE"]
