"""What a reviewer wants to know about a rule set beyond whether it loads: dead words, dead patterns, hidden rules.

Also compiles a reviewed pack: a compiled pack starts without checking its examples again, as long as not a byte has
changed. What was compiled of our own packs is among the artefacts, of another pack in its folder.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import careline_artefacts
from careline.errors import PackInvalid
from careline.safety.rules import plain_text, slots
from careline.safety.rules import prefilter as needs
from careline.safety.rules import rule_set_files as rule_set_files
from careline.safety.rules import rule_sets as patterns
from careline.safety.rules.plain_text import normalise
from careline.safety.rules.prefilter import Needs
from careline.safety.rules.rule_set_files import Content, Proven, RuleSection
from careline.safety.rules.rule_sets import RuleSet, compile_alone, failing_examples, found_in, read_rule_set

KINDS = ("safety", "acts", "injection", "answers", "harm", "cautions", "documents", "categories")
"""Folders of a pack that hold pattern rule sets."""
COMPILED = "compiled.json.gz"
"""Name of the file in a pack's folder that holds the digests of its rule sets, and what serving needs of them."""
SHIPPED = careline_artefacts.FOLDER / "compiled_rules"
"""Where the same stands of our own packs and of the rules on documents, each file by the pack's name."""
DOCUMENTS, CATEGORIES = "documents", "categories"
"""Names of the compiled rules on documents and on what a passage is about, which are no pack's."""
ENGINE = tuple(Path(str(each.__file__)) for each in (rule_set_files, needs, patterns, plain_text, slots))
"""The modules that decide what a rule set means: what was compiled counts for as long as they stand as they did."""
_OR = "|"
_NEEDS = ("needs", "needs_of_asides")


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """Something a reviewer should mend in one file."""

    file: str
    what: str


def check(rule_set: RuleSet) -> list[RuleProblem]:
    """Everything worth mending: failing examples, examples that only another rule matches, dead patterns and slots."""
    found = [*failing_examples(rule_set), *_hidden(rule_set), *_unneeded(rule_set), *_unused(rule_set)]
    return [RuleProblem(rule_set.file, what) for what in found]


def _hidden(rule_set: RuleSet) -> Iterator[str]:
    for rule in rule_set.rules:
        for example in rule.must_match:
            met = found_in(rule_set, example, rule.group)
            if met and rule.rule_id not in met:
                yield f"{rule.rule_id}: the example {example!r} is matched by {met[0]} only"


def _unneeded(rule_set: RuleSet) -> Iterator[str]:
    for rule in (*rule_set.rules, *rule_set.asides):
        texts = [rule_set.slots.mark(normalise(example)) for example in rule.must_match]
        for number, pattern in enumerate(rule.patterns, start=1):
            search = compile_alone([pattern])
            if not any(search.search(text) for text in texts):
                yield f"{rule.rule_id}: pattern {number} is matched by none of its examples"


def _unused(rule_set: RuleSet) -> Iterator[str]:
    return (f"{rule_set.language}/slots/{name}: no pattern uses it" for name in rule_set.slots.unused())


def rule_sets(folder: Path) -> list[Path]:
    """The pattern files of a pack's folder."""
    return sorted(file for name in KINDS for file in folder.glob(f"{name}/*.yaml"))


def compile_rules(folder: Path, target: Path) -> Path:
    """Proves every rule set below a pack's folder and writes down its digest and what serving needs of it, in `target`.

    The examples are checked with every pattern tried on them, then with those alone whose needs they meet.
    Raises: PackInvalid.
    """
    held = {}
    for file in rule_sets(folder):
        rule_set = read_rule_set(file)
        proven = rule_set.prove()
        if failure := next(failing_examples(RuleSet(file, proven)), None):
            raise PackInvalid(f"{rule_set.file}: {failure}")
        needs = {name: _written(getattr(proven, name)) for name in _NEEDS}
        held[_place(file)] = {"digest": _digest(file), **asdict(proven.content), **needs}
    target.write_bytes(gzip.compress(json.dumps({"engine": _engine(), "rule_sets": held}).encode(), mtime=0))
    return target


def shipped(name: str) -> Path:
    """Where the compiled rules of a pack of ours are, or those on documents."""
    return SHIPPED / f"{name}.json.gz"


class CompiledRules:
    """What was proven of the rule sets below packs' folders, each folder read once.

    A folder without its own uses what is shipped under `name`, or under the folder's: each rule set counts by its
    digest.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._held: dict[Path, Mapping[str, Any]] = {}

    def of(self, file: Path) -> Proven | None:
        """What was proven of a rule set, when it stands as it did, and the engine does; else None."""
        folder = file.parent.parent
        if folder not in self._held:
            own = folder / COMPILED
            self._held[folder] = _compiled(own if own.is_file() else shipped(self._name or folder.name))
        try:
            rule_set = self._held[folder][_place(file)]
            if rule_set["digest"] != _digest(file):
                return None
            classes = {group: RuleSection(**held) for group, held in rule_set["classes"].items()}
            needs = [_read(rule_set[name]) for name in _NEEDS]
        except (OSError, AttributeError, KeyError, TypeError):
            return None
        return Proven(Content(rule_set["slots"], classes), *needs)


def _written(needs: Sequence[Needs]) -> list[list[str]]:
    return [[_OR.join(one) for one in each] for each in needs]


def _read(written: list[list[str]]) -> list[Needs]:
    return [tuple(tuple(one.split(_OR)) for one in each) for each in written]


def _compiled(file: Path) -> Mapping[str, Any]:
    try:
        held = json.loads(gzip.decompress(file.read_bytes()))
    except (OSError, ValueError, EOFError, zlib.error):
        return {}
    rule_sets = held.get("rule_sets") if isinstance(held, dict) and held.get("engine") == _engine() else None
    return rule_sets if isinstance(rule_sets, Mapping) else {}


def _place(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def _engine() -> str:
    return _digest(*ENGINE)


def _digest(*files: Path) -> str:
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
