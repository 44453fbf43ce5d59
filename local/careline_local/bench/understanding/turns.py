"""Labelled turns: what is wanted, what is named, whether the question goes on, and whether to ask back.

They are of the demo hospital's directory (`tests/evaluation/<lang>/turns.jsonl`). Those with an even number are the
half that nobody reads who works on the understanding; the others are shown with what went wrong.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from careline import bootstrap
from careline.curation.editions import keep
from careline.installation import Installation
from careline.model import LANGUAGES
from careline.schemas import wire
from careline.settings import Settings
from careline.turn.outcome import Clarification, DirectoryAnswer
from careline.turn.question.understood import names_of
from careline.turn.stages.admit import admit
from careline.turn.stages.answer_from_directory import answer_from_directory
from careline.turn.stages.clarify import clarify
from careline.turn.stages.detect_language import detect_language
from careline.turn.stages.detect_phi import detect_phi
from careline.turn.stages.understand import understand
from careline.turn.turn import Turn
from careline.understanding.terms.lookup import find_terms
from careline_local.bench.evaluation_sets import FOLDERS
from careline_local.bench.measures import Measure, Share, figure
from careline_local.demo.load import read_directory

STAGES = (detect_language, detect_phi, understand, answer_from_directory, clarify)
PROMISED_MS = 5.0
"""Milliseconds of `understand` beside the embedding (p95)."""
PLACES = {"doctor", "department", "campus"}
"""Kinds whose entries an answer is about: one that is not meant makes it wrong."""
LEADS = {"lay_word", "condition", "department"}
"""Kinds that name the same where they lead to the same entry."""


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """One turn and what a right reading of it is."""

    id: str
    language: str
    pack: str
    history: tuple[str, ...]
    text: str
    intent: str
    sub_intent: str
    entities: tuple[tuple[str, str], ...]
    standalone: tuple[str, ...]
    is_followup: bool
    question_back: bool

    @property
    def is_open(self) -> bool:
        """Whether it may be read by who works on the understanding."""
        return int(self.id.rpartition("-")[2]) % 2 == 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one turn was read."""

    turn: LabelledTurn
    label: str
    ids: frozenset[str]
    said: str
    is_followup: bool
    asked_back: bool
    answered: bool
    ms: float
    named: frozenset[str] = frozenset()
    """The doctors, departments and campuses that it is read to be about, by id."""

    @property
    def is_intent_right(self) -> bool:
        """Whether intent and sub-intent are as labelled."""
        wanted = f"{self.turn.intent}/{self.turn.sub_intent}" if self.turn.sub_intent else self.turn.intent
        return self.label == wanted

    @property
    def are_entities_right(self) -> bool:
        """Whether everything that is labelled of the directory was found."""
        kinds = {"doctor", "campus", *LEADS}
        wanted = {_entry(kind, name) for kind, name in self.turn.entities if kind in kinds}
        return wanted <= {_plain(one) for one in self.ids}

    @property
    def false_entities(self) -> frozenset[str]:
        """What it is read to be about and is not labelled: it would be answered for another doctor, place or campus."""
        labelled = {_plain(name) for _, name in self.turn.entities}
        return frozenset(one for one in self.named if _plain(one) not in labelled)


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _entry(kind: str, name: str) -> str:
    """The key of what is labelled: a condition is labelled with any English name that the vocabulary has for it."""
    if kind != "condition":
        return _plain(name)
    whole = [one for one in find_terms(name, "en") if one.end - one.start == len(name)]
    return whole[0].key if whole else _plain(name)


def labelled(language: str, part: str) -> list[LabelledTurn]:
    """The turns of one language: the `open` half, the `held_out` one, or `both`."""
    file = FOLDERS["held_out"] / language / "turns.jsonl"
    turns = [_turn(json.loads(line), language) for line in file.read_text("utf-8").splitlines() if line.strip()]
    return [one for one in turns if part == "both" or one.is_open == (part == "open")]


def _turn(written: dict[str, Any], language: str) -> LabelledTurn:
    entities = tuple((one["kind"], one["id"]) for one in written.pop("entities"))
    history, standalone = tuple(written.pop("history")), tuple(written.pop("standalone"))
    return LabelledTurn(language=language, entities=entities, history=history, standalone=standalone, **written)


async def run(part: str, packs: Path | None = None) -> list[Outcome]:
    """Read every turn of a part as a turn of the demo hospital is read, by the packs of a folder or those shipped."""
    with tempfile.TemporaryDirectory(prefix="careline-bench-") as home:
        chosen = {} if packs is None else {"packs": packs}
        settings = Settings().with_changes(home=Path(home), storage="embedded", **chosen)
        installation = bootstrap.installation(settings)
        await keep(read_directory(), settings.tenant, installation.engines, by="bench")
        return [await _outcome(one, installation) for language in LANGUAGES for one in labelled(language, part)]


async def _outcome(one: LabelledTurn, installation: Installation) -> Outcome:
    asked = {"text": one.text, "language": one.language, "history": list(one.history), "pack": one.pack}
    request = wire.QueryRequest.model_validate(asked)
    turn: Turn = await admit(request, one.id, installation)
    spent = 0.0
    for stage in STAGES:
        before = time.perf_counter()
        turn = await stage(turn, installation)
        spent = time.perf_counter() - before if stage is understand else spent
        if turn.is_decided:
            break
    ids = {each for entity in turn.intent.entities for each in entity.ids} | _led_to(turn)
    named = {each for entity in turn.intent.entities if entity.kind in PLACES for each in entity.ids}
    return Outcome(
        one, turn.intent.label, frozenset(ids), turn.intent.standalone_question, turn.intent.is_followup,
        isinstance(turn.outcome, Clarification), isinstance(turn.outcome, DirectoryAnswer), spent * 1000,
        frozenset(named),
    )  # fmt: skip


def _led_to(turn: Turn) -> set[str]:
    """The departments that what is named leads to."""
    names = names_of(turn)
    return {each for entity in turn.intent.entities for each in names.departments_for(entity)}


def shares(outcomes: Sequence[Outcome]) -> list[Share]:
    """How often each is right, by language and in all."""
    found = []
    for language in (*LANGUAGES, ""):
        of = [one for one in outcomes if language in ("", one.turn.language)]
        name = language or "all"
        followed = [one for one in of if one.turn.is_followup]
        back = [one for one in of if one.turn.question_back]
        not_back = [one for one in of if not one.turn.question_back]
        named = [one for one in of if one.turn.entities]
        stands = [one for one in of if one.turn.standalone]
        found += [
            Share(f"{name}: intent", sum(one.is_intent_right for one in of), len(of)),
            Share(f"{name}: entities", sum(one.are_entities_right for one in named), len(named)),
            Share(f"{name}: turns with a false entity", sum(bool(one.false_entities) for one in of), len(of)),
            Share(f"{name}: follow-ups resolved", sum(_is_resolved(one) for one in followed), len(followed)),
            Share(f"{name}: standalone question", sum(_stands(one) for one in stands), len(stands)),
            Share(f"{name}: questions back that were due", sum(one.asked_back for one in back), len(back)),
            Share(f"{name}: needless questions back", sum(one.asked_back for one in not_back), len(not_back)),
        ]
    return found


def _is_resolved(one: Outcome) -> bool:
    return one.is_intent_right and one.are_entities_right


def _stands(one: Outcome) -> bool:
    return all(word.casefold() in one.said.casefold() for word in one.turn.standalone)


def speed(outcomes: Sequence[Outcome]) -> Measure:
    """What `understand` takes, its embedding included."""
    return figure("understand, with its embedding", "ms", [one.ms for one in outcomes])


def wrong(outcomes: Sequence[Outcome]) -> list[str]:
    """What went wrong, of turns that may be read."""
    return [
        f"{one.turn.id} {one.turn.text!r} after {list(one.turn.history)}: {one.label} for {one.turn.intent}"
        f"/{one.turn.sub_intent}; {sorted(one.ids)} for {list(one.turn.entities)}"
        for one in outcomes
        if one.turn.is_open and not (one.is_intent_right and one.are_entities_right)
    ]


