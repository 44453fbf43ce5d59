"""Keys of files that are ingested together."""

from __future__ import annotations

from careline.knowledge.bulk_records import Refused
from careline.knowledge.register import KEY, Upload
from careline_local.ingest import apart


def _keys(*names: str) -> list[str | None]:
    return [one.doc_key for one in apart(Upload("t", name, b"x") for name in names) if isinstance(one, Upload)]


def test_two_files_of_one_name_and_different_endings_are_two_documents() -> None:
    first, second = _keys("report.docx", "report.pdf")
    assert first is None
    assert second is not None
    assert KEY.fullmatch(second)
    assert second.startswith("document-report-")


def test_names_that_differ_only_in_a_space_are_two_documents() -> None:
    assert len(set(_keys("a b.md", "a-b.md", "a/b.md"))) == 3


def test_the_keys_are_the_same_on_every_run() -> None:
    assert _keys("report.docx", "report.pdf") == _keys("report.docx", "report.pdf")


def test_a_key_that_was_given_and_a_refusal_pass_unchanged() -> None:
    given, refused = Upload("t", "a.md", b"x", doc_key="own"), Refused("a", "symlink", "no")
    assert list(apart([given, refused])) == [given, refused]
