"""Which characters a file uses: said, shown, or refused."""

from __future__ import annotations

import pytest

from careline.errors import DocumentRejected
from careline.knowledge.extract import Limits, read

DUTCH = "De patiënt betaalt € 12 en is om één uur weer thuis. Coëfficiënt: geïnformeerd."
FRENCH = "L'hôpital reçoit les élèves à l'entrée où ça coûte 5 €. « Très bien », dit-elle."


def text_of(name: str, content: bytes) -> str:
    return read(name, content).pages[0].text


def reason_of(name: str, content: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(DocumentRejected) as refused:
        read(name, content, limits)
    return refused.value.reason


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_with_its_mark_is_read_without_a_warning(charset: str) -> None:
    extracted = read("a.txt", DUTCH.encode(charset))
    assert extracted.pages[0].text == DUTCH
    assert extracted.warnings == ()


@pytest.mark.parametrize("charset", ["cp1252", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [DUTCH, FRENCH])
def test_text_that_does_not_say_its_charset_is_read_with_a_warning(charset: str, text: str) -> None:
    extracted = read("a.txt", text.encode(charset))
    assert extracted.pages[0].text == text
    assert len(extracted.warnings) == 1


def test_a_file_that_breaks_its_own_mark_is_refused() -> None:
    assert reason_of("a.txt", b"\xef\xbb\xbf" + DUTCH.encode("cp1252")) == "charset"
    assert reason_of("a.txt", b"\xff\xfe" + "abc\ud800".encode("utf-16-le", "surrogatepass")) == "charset"


@pytest.mark.parametrize("declared", ["utf-8", "us-ascii", "no-such-charset", "rot13", "unicode_escape"])
def test_a_page_whose_bytes_contradict_its_declaration_is_refused(declared: str) -> None:
    page = f"<html><head><meta charset='{declared}'></head><body><p>{DUTCH}</p></body></html>".encode("cp1252")
    assert reason_of("a.html", page) == "charset"


def test_a_page_that_says_latin_but_is_utf8_is_refused() -> None:
    page = f"<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-1'><p>{DUTCH}</p>".encode()
    assert reason_of("a.html", page) == "charset"


@pytest.mark.parametrize("declared", ["windows-1252", "iso-8859-1", "ISO-8859-15"])
def test_a_declared_legacy_charset_is_read(declared: str) -> None:
    codec = "iso8859-15" if declared.endswith("15") else "cp1252"
    page = f"<meta charset={declared}><p>{DUTCH}</p>".encode(codec)
    assert text_of("a.html", page) == DUTCH


def test_bytes_that_fit_no_western_text_are_refused() -> None:
    assert reason_of("a.txt", "Добрый день, пациент и врач.".encode("cp1251")) == "charset"
    assert reason_of("a.txt", "De patiënt is geïnformeerd.".encode("cp850")) == "charset"
    assert reason_of("a.txt", "De patiënt is ".encode() + "geïnformeerd.".encode("cp1252")) == "charset"


def test_json_is_utf8_or_refused() -> None:
    assert reason_of("a.jsonl", '{"text": "patiënt"}'.encode("cp1252")) == "charset"


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.jsonl"])
def test_a_line_without_end_is_refused_quickly(name: str) -> None:
    assert reason_of(name, b"a b " * 600_000) == "long_line"
    assert reason_of(name, b"x" * 50_000_000) == "too_large"
    assert (
        reason_of(name, b"x" * 50_000_000, Limits(max_file_bytes=60_000_000, max_characters=60_000_000)) == "long_line"
    )
