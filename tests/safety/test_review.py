"""A reviewer learns what is dead or hidden in a book, and a sealed pack starts without proving itself again."""

import gzip
import shutil
from pathlib import Path

import pytest
import yaml

from careline.errors import PackInvalid
from careline.safety.patterns import Book, read_book
from careline.safety.review import SEAL, Seals, check, seal

PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"
BOOKS = sorted([*PACKS.glob("*/safety/*.yaml"), *PACKS.glob("*/answers/*.yaml")])


@pytest.mark.parametrize("file", BOOKS, ids=lambda file: "/".join(file.parts[-3:]))
def test_the_books_we_ship_have_nothing_to_mend(file: Path) -> None:
    assert check(read_book(file)) == []


def test_unused_slots_patterns_without_an_example_and_hidden_rules_are_named(tmp_path: Path) -> None:
    rules = [
        {"name": "first", "pattern": ["hello", "unheard"], "match": ["hello", "hello you"], "pass": ["no"]},
        {"name": "second", "pattern": "goodbye", "match": ["goodbye", "hello there"], "pass": ["no"]},
    ]
    file = tmp_path / "a_pack" / "safety" / "en.yaml"
    file.parent.mkdir(parents=True)
    content = {"language": "en", "slots": {"idle": "a|b"}, "classes": {"SOCIAL": {"rules": rules}}}
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    found = {problem.what for problem in check(Book(file))}
    assert found == {
        "en/SOCIAL/second: does not match the example 'hello there'",
        "en/SOCIAL/second: the example 'hello there' is matched by en/SOCIAL/first only",
        "en/SOCIAL/first: pattern 2 is matched by none of its examples",
        "en/slots/idle: no pattern uses it",
    }


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    copied = tmp_path / "of_ones_own"
    shutil.copytree(PACKS / "clinical_assistant", copied)
    return copied


def test_a_seal_holds_until_a_byte_changes(pack: Path) -> None:
    book = pack / "safety" / "nl.yaml"
    assert Seals().of(book) is None
    seal(pack, pack / SEAL)
    assert Seals().of(book)
    book.write_bytes(book.read_bytes() + b"\n")
    assert Seals().of(book) is None
    assert Seals().of(pack / "safety" / "en.yaml")


def test_a_pack_whose_examples_fail_is_not_sealed(pack: Path) -> None:
    book = pack / "safety" / "nl.yaml"
    book.write_text(
        book.read_text(encoding="utf-8").replace("hartstilstand op kamer 12", "iets anders"), encoding="utf-8"
    )
    with pytest.raises(PackInvalid, match="iets anders"):
        seal(pack, pack / SEAL)


@pytest.mark.parametrize(
    "content", [b"", b"{}", *map(gzip.compress, [b"", b"[]", b"{}", b'{"engine": "x", "books": 1}'])]
)
def test_a_broken_seal_is_no_seal(pack: Path, content: bytes) -> None:
    (pack / SEAL).write_bytes(content)
    assert Seals().of(pack / "safety" / "nl.yaml") is None


def test_a_copy_of_a_pack_of_ours_uses_what_is_shipped_for_each_book_that_is_unchanged(pack: Path) -> None:
    copied = pack.rename(pack.with_name("clinical_assistant"))
    book = copied / "safety" / "nl.yaml"
    assert Seals().of(book)
    book.write_bytes(book.read_bytes() + b"\n")
    assert Seals().of(book) is None
    assert Seals().of(copied / "safety" / "en.yaml")
