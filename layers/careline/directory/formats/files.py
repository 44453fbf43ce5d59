"""Reads and writes the files that a directory comes in. Pure: bytes in, a directory and what is wrong out."""

from __future__ import annotations

from typing import Literal

from careline.directory.directory import Directory
from careline.directory.entries import Language
from careline.directory.formats.fhir.read import read_fhir
from careline.directory.formats.fhir.write import write_bundle
from careline.directory.formats.read import Read
from careline.directory.formats.workbook.read import read_workbook
from careline.directory.formats.workbook.write import write_template, write_workbook
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
        message = "is a workbook of an old Excel, or locked with a password: take the password off, save it as .xlsx"
        raise UnsupportedMedia(f"{name}: {message}")
    if _is_fhir(content):
        return read_fhir(name, content, before)
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


def _is_fhir(content: bytes) -> bool:
    """Whether a file is JSON that calls itself a resource of FHIR."""
    return content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" and b'"resourceType"' in content
