"""Reads and writes the files that a directory comes in. Pure: bytes in, a directory and what is wrong out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from careline.directory.directory import Directory
from careline.directory.entries import Language
from careline.directory.formats.fhir.read import read_fhir
from careline.directory.formats.fhir.write import write_bundle
from careline.directory.formats.read import Read
from careline.directory.formats.workbook.reading.read import read_workbook
from careline.directory.formats.workbook.writing.write import write_template, write_workbook
from careline.directory.formats.yaml_form import read_yaml_form, write_yaml_form
from careline.errors import UnsupportedMedia

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
Form = Literal["yaml", "xlsx", "fhir"]


def read_file(name: str, content: bytes, before: Directory | None = None) -> Read:
    """The directory that a file holds, whole: what it does not hold is gone. `name` is how messages call the file.

    What the file is, its content says. A FHIR bundle holds less than a directory: what it cannot say is kept of
    `before`. Raises: UnsupportedMedia for a file that is none of the three or locked, TooLarge.
    """
    if content.startswith(_ZIP):
        return read_workbook(name, content)
    if content.startswith(_OLE):
        message = "is a workbook of an old Excel, or locked with a password; take the password off and save it as .xlsx"
        raise UnsupportedMedia(f"{name}: {message}")
    if _is_fhir(content):
        return read_fhir(name, content, before)
    for says_so, what in _OTHERS.items():
        if says_so(content):
            raise UnsupportedMedia(f"{name}: {what}")
    return read_yaml_form(name, content)


def write_file(directory: Directory, form: Form) -> bytes:
    """A directory as a file. A FHIR bundle leaves out what FHIR has no place for, such as tariffs."""
    if form == "xlsx":
        return write_workbook(directory, directory.language)
    if form == "fhir":
        return write_bundle(directory)
    return write_yaml_form(directory)


def template(language: Language = "en") -> bytes:
    """The workbook to fill in: headings in a language, an example in each sheet that is never read."""
    return write_template(language)


def _start(content: bytes) -> bytes:
    return content[:1_000].removeprefix(b"\xef\xbb\xbf").lstrip()


def _is_fhir(content: bytes) -> bool:
    """Whether a file is JSON that calls itself a resource of FHIR, or several."""
    return _start(content)[:1] in (b"{", b"[") and b'"resourceType"' in content


def _is_empty(content: bytes) -> bool:
    return not content.strip()


def _is_fhir_xml(content: bytes) -> bool:
    return _is_xml(content) and b"http://hl7.org/fhir" in _start(content)


def _is_xml(content: bytes) -> bool:
    return _start(content).startswith(b"<")


def _is_table(content: bytes) -> bool:
    """Whether the first line is a row of cells with a sign between, and no key of YAML."""
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = content[:4_000].decode("utf-16", "ignore") if wide else _start(content).decode("latin-1")
    line = next(iter(text.splitlines()), "")
    is_yaml = line.startswith(("#", "-", "{", "[", "%", "&")) or ": " in line or line.endswith(":")
    return not is_yaml and any(sign in line for sign in ";,\t")


_SAVE = "open it in Excel or LibreOffice and save it as Excel workbook (.xlsx)"
_OTHERS: Mapping[Callable[[bytes], bool], str] = {
    _is_empty: "is empty; choose the file again",
    _is_fhir_xml: "is FHIR in XML, which is not read; export the resources as one Bundle in JSON",
    _is_xml: f"is a page or XML, which some systems name .xls; {_SAVE}",
    _is_table: f"is a text with cells in lines (CSV) and no workbook; {_SAVE}",
}
"""What people take for one of the three, and what to do with it."""
