"""What an operator is accountable for, by command and over HTTP: the audit chain, explanations, a person's rights."""

from __future__ import annotations

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.process import Careline

SECRET = "Godelieve Vanmarcke"


def asked(careline: Careline) -> list[dict[str, Any]]:
    """Three turns, one of them with a name in it, one that is refused."""
    lines = [
        {
            "text": f"waar kan mijn buurvrouw {SECRET} een rolstoel lenen",
            "user": "0470-12-34-56",
            "conversation_id": "c",
        },
        {"text": "hoeveel kost parkeren per uur", "user": "nurse-7"},
        {"text": "hoeveel paracetamol mag ik nemen", "user": "nurse-7"},
    ]
    with careline.served() as served:
        answers = [served.ask(**line) for line in lines]
        for answer in answers:
            served.record(answer["id"])
    return answers


def stored(careline: Careline, sql: str, *values: Any) -> list[Any]:
    """What somebody does who opens the database behind Careline's back."""
    with closing(sqlite3.connect(careline.home / "records.sqlite")) as db, db:
        return db.execute(sql, values).fetchall()


def files_with(home: Path, word: str) -> list[str]:
    """The files of an installation in whose bytes a word stands."""
    return [one.name for one in home.rglob("*") if one.is_file() and word.encode() in one.read_bytes()]


def test_the_chain_is_verified_and_its_head_can_be_noted_and_asked_for(careline: Careline) -> None:
    assert careline.json("audit", "verify")["entries"] == 0
    asked(careline)
    verdict = careline.json("audit", "verify")
    assert (verdict["intact"], verdict["entries"], verdict["fault"]) == (True, 3, None)
    head = careline.run("audit", "head").stdout.strip()
    assert head == f"3:{verdict['head']['hash']}"
    assert head in careline.run("audit", "verify").stdout
    careline.run("ask", "hallo")
    assert careline.json("audit", "verify", "--head", head)["anchor"] == "found"
    assert careline.json("audit", "verify", "--head", f"2:{'0' * 64}", code=1)["fault"]["seq"] == 2
    assert careline.json("audit", "verify", "--head", f"9:{'0' * 64}", code=1)["fault"]["seq"] == 5
    wrong = careline.run("audit", "verify", "--head", "nonsense")
    assert (wrong.returncode, "SEQ:HASH" in wrong.stderr) == (1, True)


def test_an_older_database_is_intact_by_itself_and_found_by_what_was_noted(careline: Careline) -> None:
    asked(careline)
    assert "Noted: 3:" in careline.run("audit", "note").stdout
    older = {name: (careline.home / name).read_bytes() for name in ("records.sqlite", "outbox.sqlite")}
    careline.run("ask", "hallo")
    assert careline.json("audit", "verify", "--anchors")["noted"] == 1
    assert careline.json("audit", "verify", "--anchors")["noted"] == 2
    for name, content in older.items():
        (careline.home / name).write_bytes(content)
        for beside in ("-wal", "-shm"):
            (careline.home / f"{name}{beside}").unlink(missing_ok=True)
    assert careline.json("audit", "verify")["intact"] is True
    done = careline.run("audit", "verify", "--anchors")
    assert (done.returncode, "Entry 4: is missing" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("UPDATE items SET body = replace(body, 'refused', 'refusal') WHERE partition LIKE '%/audit'", "Entry 3"),
        ("DELETE FROM items WHERE partition LIKE '%/audit' AND sort LIKE '%2'", "Entry 2"),
        ("UPDATE items SET body = substr(body, 2) WHERE partition LIKE '%/audit' AND sort LIKE '%1'", "Entry 1"),
        ("DELETE FROM items WHERE partition LIKE '%/audit_head'", "head is missing"),
    ],
)
def test_a_change_behind_its_back_is_named_and_ends_with_one(careline: Careline, sql: str, named: str) -> None:
    asked(careline)
    stored(careline, sql)
    done = careline.run("audit", "verify")
    assert (done.returncode, done.stderr) == (1, "")
    assert named in done.stdout
    assert careline.json("audit", "verify", code=1)["intact"] is False


def test_a_chain_without_its_head_waits_and_is_resumed_by_an_operator(careline: Careline) -> None:
    asked(careline)
    stored(careline, "DELETE FROM items WHERE partition LIKE '%/audit_head'")
    refused = careline.run("ask", "hallo")
    assert (refused.returncode, "audit resume" in refused.stderr) == (3, True)
    assert careline.json("audit", "resume")["head"]["seq"] == 4
    verdict = careline.json("audit", "verify")
    assert (verdict["intact"], verdict["entries"]) == (True, 5), "the turn that waited is kept too"


def test_entries_are_listed_and_name_nobody(careline: Careline) -> None:
    asked(careline)
    listed = careline.json("audit", "list")["entries"]
    assert [entry["seq"] for entry in listed] == [3, 2, 1]
    assert listed[0]["subject"] == listed[1]["subject"] != listed[2]["subject"]
    everything = json.dumps(listed)
    assert not any(word in everything for word in ("nurse-7", "0470", "Godelieve", "rolstoel"))
    assert careline.json("audit", "list", "--kind", "erase") == {"entries": []}
    assert "refused" in careline.run("audit", "list").stdout


def test_a_turn_is_explained_on_one_page(careline: Careline) -> None:
    _, parking, refused = asked(careline)
    page = careline.run("explain", parking["id"]).stdout
    for heading in ("Why it ended as it did", "What was asked", "Which rules fired", "What left, and for whom"):
        assert heading in page
    assert "hoeveel kost parkeren per uur" in page
    assert "brochure-parkeren:1:" in page
    assert "the best answers with a relevance of " in page
    assert "its confidence, which decides, is " in page
    assert "quoted from: brochure-parkeren:1:" in page
    assert "given to the model" not in page
    page = careline.run("explain", refused["id"]).stdout
    assert "asked for medical advice" in page
    assert ', as in "' in page
    assert "none was asked" in page
    told = careline.json("explain", refused["id"])
    assert (told["reason"], told["egress"]) == ("SAFETY_REFUSAL", [])
    assert careline.run("explain", "no-such-turn").returncode == 1


def test_a_name_is_not_in_the_record_of_a_turn(careline: Careline) -> None:
    wheelchair, _, _ = asked(careline)
    told = careline.json("explain", wheelchair["id"])
    assert told["phi"]["state"] == "found"
    assert "Vanmarcke" not in json.dumps(told)
    assert "rolstoel" in told["question_redacted"]


def test_a_person_is_exported_and_erased_down_to_the_bytes_of_the_files(careline: Careline) -> None:
    asked(careline)
    assert files_with(careline.home, "Vanmarcke") == [], "encrypted from the first moment on"
    held = careline.json("export", "--subject", "+32 470 12 34 56")
    assert SECRET in held["conversations"][0]["messages"][0]["text"]
    assert len(held["turns"]) == len(held["billing"]) == len(held["audit"]) == 1
    done = careline.json("erase", "--subject", "0470/12.34.56")
    assert done["erased"] == {"conversations": 1, "messages": 2, "turns": 1}
    assert files_with(careline.home, "Vanmarcke") == []
    assert careline.json("export", "--subject", "0470 12 34 56")["conversations"] == []
    assert [entry["kind"] for entry in careline.json("audit", "list")["entries"]][:3] == ["export", "erase", "export"]
    assert careline.json("audit", "verify")["intact"] is True
    assert len(careline.json("turns")["turns"]) == 2


def test_a_decision_on_how_long_records_are_kept_holds_and_stands_in_the_chain(careline: Careline) -> None:
    usual = careline.json("retention")["days"]
    assert careline.json("retention", "turns=30", "audit=4000")["days"] == {**usual, "turns": 30, "audit": 4000}
    assert careline.json("retention")["days"]["turns"] == 30
    (decided,) = careline.json("audit", "list", "--kind", "retention")["entries"]
    assert (decided["body"]["from"], decided["body"]["to"]["turns"]) == (usual, 30)
    for wrong, said in (("turns", "KIND=DAYS"), ("turns=0", "1 to 36500 days"), ("memories=9", "known: conversations")):
        refused = careline.run("retention", wrong)
        assert (refused.returncode, said in refused.stderr) == (1, True)
    assert careline.json("retention")["days"]["turns"] == 30


def test_the_same_over_http_while_it_serves(careline: Careline) -> None:
    with careline.served() as served:
        answer = served.ask(f"waar kan mijn buurvrouw {SECRET} een rolstoel lenen", user="0470-12-34-56")
        served.record(answer["id"])
        told = served.client.get(f"/v1/turns/{answer['id']}/explanation").json()
        assert told["turn_id"] == answer["id"]
        verdict = served.client.get("/v1/admin/audit/verification").json()
        assert (verdict["intact"], verdict["entries"]) == (True, 1)
        assert served.client.get("/v1/admin/audit/verification").json()["noted"] == 1
        noted = {"head": f"1:{verdict['head']['hash']}"}
        assert served.client.get("/v1/admin/audit/verification", params=noted).json()["anchor"] == "found"
        assert served.client.get("/v1/admin/audit/verification", params={"head": "x"}).status_code == 400
        held = served.client.get(f"/v1/admin/subjects/pseudonym:{told['user']}").json()
        assert SECRET in json.dumps(held)
        done = served.client.delete("/v1/admin/subjects/+32470123456").json()
        assert done["erased"]["messages"] == 2
        assert served.client.get(f"/v1/turns/{answer['id']}").status_code == 404
        assert files_with(careline.home, "Vanmarcke") == [], "while the server has the files open"


def test_the_key_is_made_at_the_first_start_for_its_owner_alone(careline: Careline) -> None:
    file = careline.home / "privacy.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    asked(careline)
    other = Careline(careline.home, {"CARELINE_PRIVACY_KEY": "ab" * 32})
    done = other.run("audit", "verify")
    assert (done.returncode, "is not the key" in done.stderr) == (2, True)
    short = Careline(careline.home, {"CARELINE_PRIVACY_KEY": "abc"}).run("audit", "verify")
    assert (short.returncode, "CARELINE_PRIVACY_KEY" in short.stderr) == (2, True)
