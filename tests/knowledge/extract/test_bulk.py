"""JSON Lines: each line is a document of its own, taken in or refused by itself."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.errors import BadRequest
from careline.knowledge.extract.bulk_records import LONGEST_LINE, Refused, lines, records
from careline.knowledge.register import KEY, Upload
from careline.model import JobState
from careline.settings import Settings
from careline_local.ingest import Report, ingest
from careline_local.intake import find, uploads
from tests.builders import some_engines
from tests.knowledge.stores import TENANT, found, jobs, states


def read(*written: Any, **facts: Any) -> list[Upload | Refused]:
    """What becomes of the lines; objects are written as JSON."""
    raw = [line if isinstance(line, bytes | None) else json.dumps(line).encode() for line in written]
    return list(records(TENANT, "faq.jsonl", raw, facts))


def outcome(one: Upload | Refused) -> str | None:
    return one.reason if isinstance(one, Refused) else one.doc_key


def test_a_record_is_named_by_its_key_else_by_its_id_else_by_its_content() -> None:
    found = [outcome(one) for one in read({"doc_key": "faq-1"}, {"identifier": "x"}, {"id": 7}, {"text": "a"})]
    assert found[:3] == ["faq-1", "record-x", "record-7"]
    assert found[3] is not None
    assert found[3].startswith("record-")
    assert KEY.fullmatch(found[3])


def test_the_source_type_of_a_record_is_part_of_its_name_and_the_senders_goes_before_its_own() -> None:
    assert [outcome(one) for one in read({"id": 1, "source_type": "faq"})] == ["faq-1"]
    assert [outcome(one) for one in read({"id": 1, "source_type": "faq"}, source_type="guide")] == ["guide-1"]


def test_different_records_with_one_id_are_all_kept_and_the_same_record_is_the_same_document() -> None:
    one, two, three = {"id": "a", "text": "1"}, {"id": "a", "text": "2"}, {"id": "a", "text": "3"}
    assert [outcome(r) for r in read(one, two, one, three, two)] == [
        "record-a", "record-a-2", "record-a", "record-a-3", "record-a-2",
    ]  # fmt: skip


def test_a_numbered_name_never_takes_the_name_of_another_record() -> None:
    one, two, other = {"id": "a", "text": "1"}, {"id": "a", "text": "2"}, {"id": "a-2", "text": "3"}
    for order in ((one, two, other), (other, one, two), (one, other, two)):
        keys = [outcome(record) for record in read(*order)]
        assert len(set(keys)) == 3
    stated = {"doc_key": "record-a", "text": "4"}
    assert [outcome(record) for record in read(one, stated)] == ["record-a", "repeated_key"]


def test_a_key_stated_for_two_different_records_is_refused_with_its_line() -> None:
    first, second, again = read(
        {"doc_key": "faq-1", "text": "1"}, {"doc_key": "faq-1", "text": "2"}, {"doc_key": "faq-1", "text": "1"}
    )
    assert (outcome(first), outcome(second), outcome(again)) == ("faq-1", "repeated_key", "faq-1")
    assert isinstance(second, Refused)
    assert second.where == "faq.jsonl, line 2"


@pytest.mark.parametrize("bad", ["../x", "..", "a/../../b", "a..b"])
@pytest.mark.parametrize("name", ["id", "identifier", "doc_key"])
def test_a_name_that_leads_elsewhere_is_refused(name: str, bad: str) -> None:
    assert [outcome(one) for one in read({name: bad, "text": "a"})] == ["unsafe_name"]


@pytest.mark.parametrize(
    "line", [b"{", b"[1]", b'"text"', b"null", b"\xff\xfe{}", b"{'id': 1}", b"[" * 100_000, b"NaN,"]
)
def test_a_line_that_is_no_object_is_refused_and_the_others_are_not(line: bytes) -> None:
    assert [outcome(one) for one in read({"id": 1}, line, {"id": 2})] == ["record-1", "corrupt", "record-2"]


def test_blank_lines_are_passed_over_and_counted() -> None:
    (_, refused) = read({"id": 1}, b"  ", b"", b"{")
    assert isinstance(refused, Refused)
    assert refused.where == "faq.jsonl, line 4"


def test_a_line_that_is_too_long_is_refused_and_the_next_one_is_read() -> None:
    long = b'{"id": 1, "text": "' + b"x" * LONGEST_LINE + b'"}\n'
    fits = b'{"id": 2, "text": "' + b"x" * (LONGEST_LINE - 22) + b'"}\n'
    assert len(fits) == LONGEST_LINE
    content = long + fits + fits[:-1] + b"x" * 2 * LONGEST_LINE + b"\n" + b'{"id": 3}'
    read_lines = list(lines(io.BytesIO(content)))
    assert [None if line is None else len(line) for line in read_lines] == [None, LONGEST_LINE, None, 9]
    assert [outcome(one) for one in read(*read_lines)] == ["long_line", "record-2", "long_line", "record-3"]


def test_ids_that_differ_only_in_accents_or_script_are_different_documents() -> None:
    keys = [outcome(one) for one in read({"id": "é"}, {"id": "è"}, {"id": "日"}, {"id": "本"}, {"id": "e"})]
    assert len(set(keys)) == 5
    assert read({"id": "è"}, {"id": "é"})[1] == read({"id": "é"})[0]


@given(st.lists(st.dictionaries(st.sampled_from(["id", "doc_key", "identifier", "text"]), st.text() | st.integers())))
def test_whatever_the_records_say_every_name_is_a_key_and_no_two_records_share_one(said: list[dict[str, Any]]) -> None:
    named: dict[str, bytes] = {}
    for one in read(*said):
        if isinstance(one, Upload):
            assert one.doc_key is not None
            assert ".." not in one.doc_key
            assert named.setdefault(one.doc_key, one.content) == one.content


@given(st.lists(st.binary(max_size=40)))
def test_whatever_the_bytes_are_each_line_is_taken_in_or_refused(content: list[bytes]) -> None:
    written = [line for line in lines(io.BytesIO(b"\n".join(content))) if line is None or line.strip()]
    assert len(read(*written)) == len(written)


def write(folder: Path, **files: bytes | str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


async def ingest_all(*paths: Path, engines: Any, **facts: Any) -> Report:
    settings = Settings(tenant=TENANT, limits={"max_upload_bytes": 10_000})
    installation = SimpleNamespace(settings=settings, engines=engines)
    session: Any = SimpleNamespace(installation=installation, progress_console=None)
    return await ingest(find([str(path) for path in paths]), facts, session, quiet=True)


async def test_a_folder_with_good_and_bad_files_is_taken_in_and_each_bad_one_is_named(tmp_path: Path) -> None:
    good = json.dumps({"id": "parking", "question": "Parkeren?", "text": "Parkeren kost twee euro."})
    packed = gzip.compress(json.dumps({"id": "visit", "question": "Bezoek?", "text": "Bezoek tot acht uur."}).encode())
    folder = write(
        tmp_path / "library", faq__jsonl=f"{good}\n{{\n", packed__JSONL__GZ=packed, note__md="# Bloed\n\nKom nuchter.",
        huge__txt=b"x" * 10_001, tool__exe=b"MZ", broken__jsonl__gz=packed[:12], empty__md="", _hidden="x",
    )  # fmt: skip
    (folder / "link.md").symlink_to(folder / "note.md")
    engines = some_engines()
    report = await ingest_all(folder, engines=engines)
    assert {one.where.split(" ")[0].rstrip(","): one.reason for one in report.refused} == {
        "faq.jsonl": "corrupt", "huge.txt": "too_large", "tool.exe": "unsupported", "broken.jsonl.gz": "unreadable",
        "empty.md": "empty", "link.md": "symlink", "_hidden": "unsupported",
    }  # fmt: skip
    assert (report.live, report.unchanged) == (3, 0)
    assert "Parkeren kost twee euro." in "".join(await found(engines, "parkeren kost twee euro"))
    again = await ingest_all(folder, engines=engines)
    assert (again.live, again.unchanged, len(again.refused)) == (0, 3, 7)


async def test_the_manifest_of_a_folder_says_what_a_file_is(tmp_path: Path) -> None:
    said = "{doc_key: 2024, title: Bloedafname, year: 2024, valid_from: 2026-01-01 10:00:00}"
    manifest = f"documents:\n  note.md: {said}\n"
    folder = write(tmp_path / "library", note__md="Nuchter komen.", careline__yaml=manifest)
    engines = some_engines()
    report = await ingest_all(folder, engines=engines, audience="clinician")
    assert (report.live, report.refused) == (1, [])
    (job,) = await jobs(engines)
    assert (job.doc_key, job.state) == ("2024", JobState.COMPLETED)
    (passage,) = await engines.index.passages(TENANT, "2024", 1)
    assert (passage.facts.title, passage.facts.year, passage.facts.audience) == ("Bloedafname", 2024, "clinician")


async def test_a_fact_that_is_wrong_refuses_that_file_alone(tmp_path: Path) -> None:
    manifest = "documents:\n  a.md: {colour: red}\n  b.md: {authors: 5}\n"
    folder = write(tmp_path / "library", a__md="Een.", b__md="Twee.", c__md="Drie.", careline__yaml=manifest)
    engines = some_engines()
    report = await ingest_all(folder, engines=engines)
    assert [(one.where, one.reason) for one in report.refused] == [("a.md", "bad_request"), ("b.md", "bad_request")]
    assert await states(engines, "document-c") == ["live"]


@pytest.mark.parametrize("content", ["documents: [", "files: {}", "documents: 3", "documents:\n  a.md: 5\n", "[]"])
def test_a_manifest_that_cannot_be_read_is_a_bad_request(tmp_path: Path, content: str) -> None:
    with pytest.raises(BadRequest, match="manifest"):
        find([str(write(tmp_path / "library", careline__yaml=content))])


def test_files_are_found_by_folder_name_and_pattern(tmp_path: Path) -> None:
    folder = write(tmp_path / "library", a__md="1", **{"b[1]__md": "2", "__git": "no"})
    assert [one.name for one in find([str(folder)])] == ["a.md", "b[1].md"]
    assert [one.name for one in find([str(folder / "b[1].md")])] == ["b[1].md"]
    assert [one.name for one in find([str(folder / "*.md")])] == ["a.md", "b[1].md"]
    with pytest.raises(BadRequest, match=r"nothing\.md"):
        find([str(folder / "nothing.md")])


def test_a_file_that_vanished_is_refused(tmp_path: Path) -> None:
    (one,) = find([str(write(tmp_path / "library", a__md="1"))])
    one.path.unlink()
    (refused,) = uploads(one, TENANT, {}, 100)
    assert isinstance(refused, Refused)
