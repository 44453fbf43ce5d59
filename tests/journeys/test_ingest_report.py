"""The report of an ingestion for programs: a line for each file as soon as it is done, then the sum."""

from __future__ import annotations

import io
import json
import random
import subprocess
import time
from pathlib import Path

import psutil
from reportlab.pdfgen.canvas import Canvas

from tests.journeys.process import Careline


def a_heap_of_words(count: int) -> bytes:
    """A page that takes seconds to read."""
    chance, made = random.Random(7), io.BytesIO()
    canvas = Canvas(made)
    for number in range(count):
        canvas.drawString(chance.uniform(0, 560), chance.uniform(0, 830), f"w{number % 997}")
    canvas.save()
    return made.getvalue()


def a_folder(place: Path) -> Path:
    place.mkdir()
    (place / "kapel.txt").write_text("De kapel is dag en nacht open voor iedereen.\n", encoding="utf-8")
    (place / "leeg.txt").write_bytes(b"")
    return place


def test_each_file_is_a_line_and_the_last_line_is_the_sum(tmp_path: Path) -> None:
    folder, careline = a_folder(tmp_path / "map"), Careline(tmp_path / "home")
    done = careline.run("ingest", str(folder), "--json")
    *files, summary = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    found = {one["where"]: one for one in files}
    assert (found["kapel.txt"]["state"], found["kapel.txt"]["chunks"]) == ("live", 1)
    assert (found["leeg.txt"]["state"], found["leeg.txt"]["reason"]) == ("refused", "empty")
    assert (summary["live"], summary["unchanged"], [one["reason"] for one in summary["refused"]]) == (1, 0, ["empty"])
    *files, summary = [json.loads(line) for line in careline.run("ingest", str(folder), "--json").stdout.splitlines()]
    assert {one["where"]: one["state"] for one in files} == {"kapel.txt": "unchanged", "leeg.txt": "refused"}


def test_it_ends_with_for_whom_the_documents_were_taken_in(tmp_path: Path) -> None:
    folder, careline = a_folder(tmp_path / "map"), Careline(tmp_path / "home")
    (folder / "leeg.txt").unlink()
    record = {"id": "1", "title": "Sepsis", "text": "Geef het eerste middel binnen het uur.", "audience": "clinician"}
    (folder / "personeel.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    for when in ("first", "again"):
        *files, summary = [
            json.loads(line) for line in careline.run("ingest", str(folder), "--json").stdout.splitlines()
        ]
        seen = {one["where"]: one["audience"] for one in files}
        assert seen == {"kapel.txt": "public", "personeel.jsonl": "clinician"}, when
        assert summary["audiences"] == {"public": 1, "clinician": 1}, when
    told = careline.run("ingest", str(folder)).stdout.splitlines()
    assert told[-2].startswith("  public: 1 documents; callers and patients may be answered from them; --audience")
    assert told[-1] == "  clinician: 1 documents; staff alone are answered from them"
    kept = careline.run("ingest", "--audience", "clinician", str(folder)).stdout
    assert "clinician: 2 documents" in kept
    assert "public" not in kept
    assert "dag en nacht" not in careline.json("ask", "wanneer is de kapel open")["text"]


def test_a_document_over_its_time_is_refused_alone_and_the_setting_is_named(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "map")
    (folder / "hoop.pdf").write_bytes(a_heap_of_words(50_000))
    careline = Careline(tmp_path / "home", {"CARELINE_EXTRACT_SECONDS": "0.5"})
    report = careline.json("ingest", str(folder), code=1)
    refused = {one["where"].split(" (")[0]: one for one in report["refused"]}
    assert {name: one["reason"] for name, one in refused.items()} == {"hoop.pdf": "too_slow", "leeg.txt": "empty"}
    assert "CARELINE_EXTRACT_SECONDS" in refused["hoop.pdf"]["message"]
    assert "dag en nacht" in careline.json("ask", "wanneer is de kapel open")["text"]


def test_what_was_reported_before_a_kill_is_whole_and_stays_and_no_process_is_left(tmp_path: Path) -> None:
    folder, careline = a_folder(tmp_path / "map"), Careline(tmp_path / "home")
    (folder / "hoop.pdf").write_bytes(a_heap_of_words(100_000))
    with subprocess.Popen(
        careline.line("ingest", str(folder), "--json"),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=careline.variables(), cwd=tmp_path,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        reported = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert {one["where"]: one["state"] for one in reported} == {"kapel.txt": "live", "leeg.txt": "refused"}
        assert process.poll() is None
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.wait()
    assert any(all(is_gone(child) for child in children) or time.sleep(0.02) for _ in range(1000))
    (folder / "hoop.pdf").unlink()
    again = careline.json("ingest", str(folder), code=1)
    assert (again["live"], again["unchanged"]) == (0, 1)
    assert "dag en nacht" in careline.json("ask", "wanneer is de kapel open")["text"]


def is_gone(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_second_name_for_one_document_is_another_document_and_that_is_said(tmp_path: Path) -> None:
    folder, careline = a_folder(tmp_path / "map"), Careline(tmp_path / "home")
    (folder / "leeg.txt").unlink()
    assert careline.run("ingest", str(folder)).returncode == 0
    (folder / "kapel.md").write_text("# Kapel\n\nDe kapel is op zondag gesloten.\n", encoding="utf-8")
    for state, warned in (("live", 1), ("unchanged", 0)):
        *files, summary = [
            json.loads(line) for line in careline.run("ingest", str(folder), "--json").stdout.splitlines()
        ]
        found = {one["where"]: one for one in files}
        assert (summary["refused"], found["kapel.txt"]["state"]) == ([], "unchanged")
        assert found["kapel.txt"]["doc_key"] == "document-kapel"
        assert found["kapel.md"]["doc_key"].startswith("document-kapel-")
        assert (found["kapel.md"]["state"], len(found["kapel.md"]["warnings"])) == (state, warned)


def test_a_folder_that_holds_no_document_is_told_and_is_no_success(tmp_path: Path) -> None:
    careline, empty = Careline(tmp_path / "home"), tmp_path / "map"
    empty.mkdir()
    (empty / ".verborgen.txt").write_text("De kapel is open.\n", encoding="utf-8")
    (empty / "onder" / "dieper").mkdir(parents=True)
    (tmp_path / "leeg.jsonl").write_text("", encoding="utf-8")
    for nothing in (empty, tmp_path / "leeg.jsonl"):
        done = careline.run("ingest", str(nothing))
        assert (done.returncode, done.stdout) == (1, "")
        assert f"nothing was taken in: {nothing} holds no document" in done.stderr
    assert careline.json("ingest", str(empty), code=1)["live"] == 0
    (empty / "kapel.txt").write_text("De kapel is dag en nacht open voor iedereen.\n", encoding="utf-8")
    assert careline.run("ingest", str(empty)).returncode == 0
    again = careline.run("ingest", str(empty))
    assert (again.returncode, "nothing was taken in" in again.stderr) == (0, False), "it is there already"
