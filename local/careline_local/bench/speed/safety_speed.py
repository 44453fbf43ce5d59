"""How long the screens take over one text, without the vector that they wait for, and how long until they can start."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from careline.model import LANGUAGES
from careline_local.bench.measures import Measure, figure
from careline_local.bench.safety import Screens, lines

PHI_CHARACTERS = 500
"""The length for which the time of finding personal data is promised."""
STARTS = 5
LOADING = """
import time
from careline.settings import Settings
from careline.packs.packs import load_packs
began = time.perf_counter()
pack = load_packs(Settings().packs)["hospital_line"]
print((time.perf_counter() - began) * 1000)
pack.terminal.classify("waar is de parking", "nl")
pack.injection.judge("waar is de parking", "nl")
print((time.perf_counter() - began) * 1000)
"""
"""Loads the packs in a process of its own, as a start does, and screens the first utterance by its words, for which all
patterns are compiled; says how long each took from the beginning."""


def run(screens: Screens, part: str) -> list[Measure]:
    """Milliseconds a text, over the lines of every language."""
    said = [(line["text"], language) for language in LANGUAGES for line in lines(language, "utterances", part)]
    held = [(text, language) for language in LANGUAGES for text in _texts(language, part)]
    meanings = {text: screens.embed(text) for text, _ in said}

    def screened(text: str, language: str) -> None:
        screens.pack.terminal.classify(text, language, meanings[text])

    def injection(text: str, language: str) -> None:
        screens.pack.injection.judge(text, language, meanings[text])

    def personal(text: str, language: str) -> None:
        screens.detector.find(text, language)

    return [
        figure("screening an utterance", "ms", _timed(screened, said), "p95 <= 2 ms"),
        figure("looking for injection in an utterance", "ms", _timed(injection, said)),
        figure(f"personal data in {PHI_CHARACTERS} characters", "ms", _timed(personal, held), "p95 <= 5 ms"),
    ]


def start_up() -> list[Measure]:
    """Milliseconds until every pack is loaded, and until the first utterance is screened, each in a new process."""
    command = [sys.executable, "-c", LOADING]
    told = [subprocess.run(command, check=True, capture_output=True).stdout.split() for _ in range(STARTS)]  # noqa: S603
    loaded, screened = zip(*((float(first), float(second)) for first, second in told), strict=True)
    return [
        figure("packs loaded", "ms", loaded),
        figure("packs loaded and the first utterance screened", "ms", screened, "<= 150 ms"),
    ]


def _texts(language: str, part: str) -> Iterator[str]:
    """The lines with personal data, put together to texts of the promised length."""
    words = " ".join(line["text"] for line in lines(language, "phi", part))
    for at in range(0, len(words) - PHI_CHARACTERS, PHI_CHARACTERS):
        yield words[at : at + PHI_CHARACTERS]


def _timed(work: Callable[[str, str], None], texts: list[tuple[str, str]]) -> list[float]:
    """Milliseconds for each, after every text was seen once: patterns are compiled at their first use."""
    for text, language in texts[:: max(1, len(texts) // 40)]:
        work(text, language)
    taken = []
    for text, language in texts:
        began = time.perf_counter()
        work(text, language)
        taken.append((time.perf_counter() - began) * 1000)
    return taken
