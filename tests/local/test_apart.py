"""Keys of files that are ingested together."""

from __future__ import annotations

import pytest

from careline.knowledge import catalogue
from careline.knowledge.document_key import own_key
from careline.knowledge.extract.bulk_records import Refused
from careline.knowledge.register import KEY, Upload, register
from careline.ports import Engines
from careline_local.ingest import apart
from tests.builders import some_engines


@pytest.fixture
def engines() -> Engines:
    return some_engines()


async def _keys(engines: Engines, *names: str) -> list[str]:
    taken = [one for one in apart(Upload("t", name, name.encode()) for name in names) if isinstance(one, Upload)]
    return [(await register(one, engines)).doc_key for one in taken]


async def test_two_files_of_one_name_and_different_endings_are_two_documents(engines: Engines) -> None:
    first, second = await _keys(engines, "report.docx", "report.pdf")
    assert first == "document-report"
    assert KEY.fullmatch(second)
    assert second == own_key("document-report", "report.pdf")


async def test_names_that_differ_only_in_a_space_are_two_documents(engines: Engines) -> None:
    assert len(set(await _keys(engines, "a b.md", "a-b.md", "a/b.md"))) == 3


async def test_the_keys_are_the_same_on_every_run_and_whichever_comes_first(engines: Engines) -> None:
    keys = await _keys(engines, "report.docx", "report.pdf")
    assert await _keys(engines, "report.docx", "report.pdf") == keys
    assert await _keys(engines, "report.pdf", "report.docx") == keys[::-1]
    assert await _keys(engines, "report.pdf") == keys[1:]


async def test_a_file_that_is_put_before_another_in_its_folder_later_changes_no_key(engines: Engines) -> None:
    assert await _keys(engines, "report.pdf") == ["document-report"]
    first, second = await _keys(engines, "report.docx", "report.pdf")
    assert second == "document-report"
    assert first == own_key("document-report", "report.docx")
    assert len([key async for key in catalogue.keys(engines.table, "t")]) == 2


def test_a_key_that_was_given_and_a_refusal_pass_unchanged() -> None:
    given, refused = Upload("t", "a.md", b"x", doc_key="own"), Refused("a", "symlink", "no")
    assert list(apart([given, refused])) == [given, refused]
