"""Questions of a hospital's own are read with an error that says which of them is wrong, and how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from careline.errors import BadRequest
from careline_local.bench.hospital.hospitals import unread
from careline_local.bench.hospital.questions import read_questions
from tests.local.bench.hospital_builders import PARKING, a_folder, asked


def test_questions_are_read_with_what_is_right_and_wrong_about_them(tmp_path: Path) -> None:
    read = read_questions(a_folder(tmp_path / "north", [asked(before=["is there a car park"])]))
    (question,) = read.questions
    assert read.hospital == "North"
    assert (question.before, question.documents) == (("is there a car park",), ("parking.md",))
    assert question.expect == "answer"


def test_a_document_may_be_named_by_its_path_or_by_its_name_alone(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "north", [asked(documents=["en/fees.md"]), asked(id="en-02", documents=["fees.md"])])
    (folder / "documents" / "en").mkdir()
    (folder / "documents" / "en" / "fees.md").write_text("# Fees\n", encoding="utf-8")
    assert len(read_questions(folder).questions) == 2


def test_the_names_of_records_are_not_looked_for_among_files(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "north", [asked(documents=["faq-7"])])
    (folder / "documents" / "faq.jsonl").write_text('{"id": "7", "text": "A text."}\n', encoding="utf-8")
    assert read_questions(folder).questions[0].documents == ("faq-7",)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"documents": ["garage.md"]}, "question en-01: there is no document 'garage.md'"),
        ({"facts": ["4(.50"]}, "question en-01: `facts` has a pattern that is none: "),
        ({"wrong": ["[8"]}, "question en-01: `wrong` has a pattern that is none: "),
        ({"language": "de"}, "question en-01: language: Input should be 'nl', 'en', 'fr' or 'it'"),
        ({"fact": "4.50"}, "question en-01: fact: Extra inputs are not permitted"),
        ({"ask": "  "}, "question en-01: ask: String should have at least 1 character"),
        ({"facts": []}, "question en-01: needs `facts`, or `expect: decline` or `refuse`"),
        ({"id": None}, "question 1: id: "),
    ],
)
def test_what_is_wrong_with_a_question_is_said_with_its_id(
    tmp_path: Path, said: dict[str, Any], complaint: str
) -> None:
    folder = a_folder(tmp_path / "north", [{**asked(), **said}])
    with pytest.raises(BadRequest) as error:
        read_questions(folder)
    assert complaint in error.value.message


def test_an_id_that_stands_there_twice_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="the id 'en-01' stands there twice"):
        read_questions(a_folder(tmp_path / "north", [asked(), asked()]))


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="questions: Tuple should have at least 1 item"):
        read_questions(a_folder(tmp_path / "north", []))


def test_a_folder_that_is_not_there_or_lacks_its_parts_says_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    for folder in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(BadRequest, match=r"needs a folder documents/ and a file questions\.yaml"):
            read_questions(folder)


@pytest.mark.parametrize("content", [b"questions: [", b"\xff\xfe", b"- a list", b""])
def test_a_file_that_is_no_yaml_of_questions_is_refused(tmp_path: Path, content: bytes) -> None:
    folder = a_folder(tmp_path / "north", [asked()])
    (folder / "questions.yaml").write_bytes(content)
    with pytest.raises(BadRequest, match=r"questions\.yaml"):
        read_questions(folder)


def test_the_example_of_the_documentation_can_be_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "own-questions.md").read_text(encoding="utf-8")
    folder = a_folder(tmp_path / "north", [], **{"parking-north": PARKING})
    for name in ("parking-north.pdf", "parking-south.pdf"):
        (folder / "documents" / name).write_bytes(b"%PDF")
    (folder / "questions.yaml").write_text(page.partition("```yaml\n")[2].partition("```")[0], encoding="utf-8")
    assert [one.expect for one in read_questions(folder).questions] == ["answer", "answer", "decline", "refuse"]


def test_nothing_of_an_unread_set_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "north", [{**asked(), "facts": ["(secret"]}])
    with pytest.raises(BadRequest) as error:
        unread(folder)
    assert error.value.message == "north: its questions cannot be used; nothing of them is shown"
