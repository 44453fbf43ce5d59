"""Reads pictures of text with tesseract, as a program of its own: it can be stopped, and it cannot take us with it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache

from careline.knowledge.extract.rejections import rejected

running: ContextVar[Callable[[bool], None]] = ContextVar("running", default=lambda _: None)
"""Told True as recognition of a page begins and False as it ends: its time has a limit of its own, page by page."""

LANGUAGES = {"nl": "nld", "en": "eng", "fr": "fra", "it": "ita", "de": "deu", "es": "spa"}
"""Tesseract's names of the languages it is asked for; German and Spanish only when a document states them."""

_USUAL = ("nl", "en", "fr", "it")
_PACKAGES = (
    "Install tesseract-ocr, tesseract-ocr-nld, tesseract-ocr-fra and tesseract-ocr-ita, or send a version with text."
)


def languages_for(stated: str | None, page: int) -> str:
    """Tesseract's `-l` argument: the stated language, or those of ours that are installed.

    Raises: DocumentRejected `ocr_unavailable` saying what to install.
    """
    program = shutil.which("tesseract")
    if program is None:
        raise rejected("ocr_unavailable", page=page, missing="tesseract is not installed", remedy=_PACKAGES)
    installed = _installed(program)
    wanted = (stated,) if stated in LANGUAGES else _USUAL
    found = [LANGUAGES[language] for language in wanted if LANGUAGES[language] in installed]
    if not found:
        names = ", ".join(f"tesseract-ocr-{LANGUAGES[language]}" for language in wanted)
        raise rejected(
            "ocr_unavailable", page=page, missing="the language data is not installed", remedy=f"Install {names}."
        )
    return "+".join(found)


@cache
def _installed(program: str) -> frozenset[str]:
    try:
        listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=20, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    return frozenset(listed.stdout.split())


def read_picture(picture: bytes, languages: str, seconds: float) -> str | None:
    """The text on a picture in any format that tesseract opens, paragraphs apart; None when out of time."""
    running.get()(True)
    try:
        return _recognised(picture, languages, seconds)
    finally:
        running.get()(False)


def _recognised(picture: bytes, languages: str, seconds: float) -> str | None:
    command = [
        shutil.which("tesseract") or "tesseract",
        "stdin",
        "stdout",
        "-l",
        languages,
        "--psm",
        "3",
        "--dpi",
        "300",
    ]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed program with fixed arguments; the picture goes in by its standard input
            command,
            input=picture,
            capture_output=True,
            timeout=seconds,
            check=False,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except (subprocess.TimeoutExpired, OSError):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
