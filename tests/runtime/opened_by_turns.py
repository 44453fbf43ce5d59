"""Prints, as a JSON list, the files of the package that turns open although the process is warm: a program of its own,
as what another test has read is not read again."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from careline.model import LANGUAGES
from careline.privacy.detect import Detector
from careline.runtime.warm_up import warm
from tests.turn.turns import a_hospital, ask

LAYERS = Path(__file__).parents[2] / "layers"
QUESTIONS = ("wanneer is er bezoek", "what does parking cost on sunday", "mag dr. Zqxvienne 2 tabletten geven")
opened: set[str] = set()


def noted(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: keep the names of the files of the layers."""
    if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path = Path(os.path.abspath(os.fsdecode(arguments[0])))
        if path.is_relative_to(LAYERS):
            opened.add(path.relative_to(LAYERS).as_posix())


async def main() -> None:
    """One turn for each language, channel and question."""
    asked = [(question, language) for question in QUESTIONS for language in LANGUAGES]
    written = ["Bezoek is welkom van 14 tot 20 uur [1]. Parkeren kost 2,50 euro per uur [2]."]
    installation = await a_hospital(*[written] * 2 * len(asked), detector=Detector())
    await warm(installation)
    sys.addaudithook(noted)
    for question, language in asked:
        for channel in ("chat", "voice"):
            await ask(installation, question, language=language, channel=channel)
    sys.stdout.write(json.dumps(sorted(opened)))


asyncio.run(main())
