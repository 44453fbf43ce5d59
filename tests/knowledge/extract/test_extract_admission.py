"""What is refused before it is read, and with which reason."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.errors import DocumentRejected
from careline.knowledge.extract import EXTENSIONS, Limits, read
from careline.knowledge.extract.rejections import MESSAGES

HTML = b"<!DOCTYPE html><html><body><p>Bezoekuren van 14 tot 20 uur</p></body></html>"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4


def reason_of(file_name: str, content: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(DocumentRejected) as refused:
        read(file_name, content, limits)
    assert refused.value.reason in MESSAGES
    return refused.value.reason


def a_zip(**entries: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "name",
    ["../a.txt", "a/../../b.txt", "..\\a.txt", "/etc/a.txt", "\\\\server\\a.txt", "C:\\a.txt", "c:a.txt", "a\0.txt",
     "a\n.txt", "a\x1b.txt", "", "a/", " ", "gpj.\u202etxt.txt", "x" * 2000 + ".txt"],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_or_hides_something_is_refused(name: str) -> None:
    assert reason_of(name, b"text") == "unsafe_name"


@pytest.mark.parametrize("name", ["map/a.txt", "Ünïcode – brochure (2).txt", "a..b.txt", "v1.2.TXT"])
def test_ordinary_names_are_accepted(name: str) -> None:
    assert read(name, b"Bezoekuren").pages[0].text == "Bezoekuren"


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b" \n\t\r\n", b"\0" * 50])
@pytest.mark.parametrize("extension", sorted(EXTENSIONS))
def test_an_empty_file_is_refused_in_every_format(extension: str, content: bytes) -> None:
    assert reason_of("a" + extension, content) == "empty"


def test_a_file_over_the_limit_is_refused_before_it_is_read() -> None:
    assert reason_of("a.pdf", b"%PDF-" + b"x" * 100, Limits(max_file_bytes=50)) == "too_large"
    assert reason_of("a.txt", b"ab " * 100, Limits(max_characters=200)) == "too_large"


@pytest.mark.parametrize("name", ["a.doc", "a.xlsx", "a.exe", "a", "a.pdf.zip", ".pdf"])
def test_a_format_that_is_not_read_is_refused(name: str) -> None:
    assert reason_of(name, b"text") == "unsupported"


DISGUISES = [
    ("a.pdf", HTML),
    ("a.pdf", a_zip(a=b"text")),
    ("a.pdf", b"Gewone tekst die geen PDF is."),
    ("a.docx", b"%PDF-1.7\n"),
    ("a.docx", HTML),
    ("a.docx", a_zip(readme=b"text")),
    ("a.docx", a_zip(**{"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<x/>"})),
    ("a.docx", b"{\\rtf1 text}"),
    ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600),
    ("a.txt", a_zip(a=b"text")),
    ("a.txt", HTML),
    ("a.txt", PNG),
    ("a.txt", gzip.compress(b"text")),
    ("a.txt", b"\x7fELF" + bytes(200)),
    ("a.txt", b"MZ" + bytes(range(200))),
    ("a.txt", b"tekst\0\1\2\3 met nullen en meer"),
    ("a.html", b"%PDF-1.4\n"),
    ("a.html", PNG),
    ("a.html", b"<p>\0\0\1\2\3\4</p>"),
    ("a.md", a_zip(a=b"text")),
    ("a.md", b"\n  <!DOCTYPE html><p>x</p>"),
    ("a.jsonl", PNG),
]


@pytest.mark.parametrize(("name", "content"), DISGUISES, ids=range(len(DISGUISES)))
def test_a_file_that_is_not_what_its_extension_says_is_refused(name: str, content: bytes) -> None:
    assert reason_of(name, content) == "disguised"


def test_a_text_may_begin_with_the_letters_of_a_program() -> None:
    assert read("a.txt", b"MZ is de afkorting van Medisch Zorgcentrum.").pages[0].blocks


def test_messages_say_what_to_do_and_hold_no_text_of_the_document() -> None:
    secret = b"Jan Janssens heeft migraine "
    for name, content in [("a.pdf", secret), ("a.docx", secret), ("a.jsonl", secret), ("a.txt", secret + b"\0\1\2")]:
        with pytest.raises(DocumentRejected) as refused:
            read(name, content)
        assert "Janssens" not in refused.value.message
        assert refused.value.message.endswith(".")


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(sorted(EXTENSIONS)),
    st.binary(max_size=400),
    st.sampled_from([b"", b"%PDF-1.7\n", b"PK\x03\x04", b"<html>", b"{", b"---\n"]),
)
def test_whatever_the_bytes_are_they_are_read_or_refused(extension: str, content: bytes, magic: bytes) -> None:
    reasons = set()
    try:
        assert read("a" + extension, magic + content).pages
    except DocumentRejected as refused:
        reasons.add(refused.reason)
    assert reasons <= MESSAGES.keys()
