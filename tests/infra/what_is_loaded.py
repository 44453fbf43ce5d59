"""Prints, as a JSON list, the data files that a function opens: `python what_is_loaded.py ROOT web|turn|ingestion`.

ROOT is where the layers lie; names are relative to it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(sys.argv[1]).resolve()
TEXT = "hallo ik ben jan peeters, zqxv wplkt ]] {{ mijn zoon heeft koorts en hoeveel paracetamol mag hij nemen"
opened: set[str] = set()


def noted(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: keep the names of the files of the layers."""
    if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path = Path(os.path.abspath(os.fsdecode(arguments[0])))
        if path.is_relative_to(ROOT) and "__pycache__" not in path.parts and path.suffix != ".py":
            opened.add(path.relative_to(ROOT).as_posix())


def web() -> Any:
    """The installation as a web function starts it."""
    from careline.bootstrap import from_environment

    return from_environment()


def turn() -> None:
    """What is looked at on the way of a turn, in every language."""
    from careline.model import LANGUAGES
    from careline.warm_up import warm

    installation = web()
    asyncio.run(warm(installation))
    for language in LANGUAGES:
        installation.engines.detector.find(TEXT, language)
        for pack in installation.packs.values():
            pack.injection.judge(TEXT, language)


def ingestion() -> None:
    """What the stages of ingestion look at."""
    from careline.safety.injection.document_screen import read_document_screen
    from careline.safety.injection.planted_text import read_planted_text_screen

    read_document_screen()
    read_planted_text_screen().first_look(TEXT, "nl").verdict()


sys.addaudithook(noted)
{"web": web, "turn": turn, "ingestion": ingestion}[sys.argv[2]]()
sys.stdout.write(json.dumps(sorted(opened)))
