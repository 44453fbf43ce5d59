"""Loads packs: what makes a hospital line a hospital line and a clinician's desk a clinician's desk, as data.

A pack is a folder:

    pack.yaml               who it is for and how it answers
    safety/<lang>.yaml      screens on what is asked (careline.safety.terminal)
    injection/<lang>.yaml   words that try to change what the assistant does (careline.safety.injection.attempts)
    answers/<lang>.yaml     screens on what is answered (careline.safety.advice), where the pack wants them
    harm/<lang>.yaml        what no answer may hold (careline.safety.harm)
    cautions/<lang>.yaml    what sources for clinicians warn of (careline.safety.cautions); only where it is shown
    learned/*.npz           classifiers behind the rules, of a pack that is not ours; those of ours are artefacts
    routing.yaml            which language model may write (careline.packs.routing)
    replies/<lang>.yaml     the fixed sentences, with {placeholders}
    intents.yaml            words that make a question lean on the one before
    prompts/system.md       what the language model is told
    prompts/screen.md       what the guardrail model is told (careline.turn.screen_with_model)

A pack knows no hospital: names and numbers come as placeholders. `safety_from` borrows classes of another pack's rule
sets, and its injection and harm rule sets with the models behind them.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from careline.errors import PackInvalid
from careline.model import Audience, Channel
from careline.packs.evidence import Evidence
from careline.packs.routing import Policy, read_policy
from careline.safety.advice import AdviceScreen
from careline.safety.cautions import CautionScreen
from careline.safety.classifiers.classifier import models
from careline.safety.disclaimer import DisclaimerScreen
from careline.safety.harm import HarmScreen
from careline.safety.injection.attempts import InjectionScreen
from careline.safety.patients import PatientScreen
from careline.safety.publications import PublicationScreen
from careline.safety.rules.review import CompiledRules
from careline.safety.rules.rule_sets import RuleSet, read_rule_set
from careline.safety.terminal import RuleLayer, Terminal, TerminalScreen

Language = Literal["nl", "en", "fr", "it"]
Disclaiming = Literal["per_answer", "per_call", "every_turn", "never"]
OwnPublications = Literal["quote", "refuse"]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]

REPLY_KEYS = (
    "call_opening greeting farewell repeat off_topic emergency safety_refusal handoff unknown offer_person "
    "foreign_notice unsure_notice disclaimer blocked partial_blocked model_down vague filler_1 filler_2 filler_3 "
    "silence silence_close keypad language_lock language_write language_choose language_spoken language_unsupported "
    "language_nl language_en language_fr language_it language_de language_es language_other "
    "no_patient_information injection screen_down phi_refused withheld closest closest_two foreign_title"
).split()
"""Sentences that every pack has in every language it speaks; one with placeholders also has a `_plain` variant."""

_MAY_BE_EMPTY = frozenset({"title_language", "other_language"})
"""Placeholders that stand for nothing where there is nothing to say."""
_PLACEHOLDERS = _MAY_BE_EMPTY | {"hospital", "emergency_number", "phone", "title", "other", "language_name", "digit"}
_Written = TypeVar("_Written", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Borrowed(_Strict):
    safety_from: Text
    classes: list[Text] = Field(min_length=1)


class _PackWritten(_Strict):
    name: Text
    title: dict[Language, Text]
    audience: Audience
    audiences_searched: list[Audience] = Field(min_length=1)
    languages: list[Language] = Field(min_length=1)
    default_language: Language
    advice_filter: bool
    disclaimer: Disclaiming
    own_publications: OwnPublications = "refuse"
    evidence: Evidence
    borrows: _Borrowed | None = None


class FollowUp(_Strict):
    """Words by which a short question leans on the one before it: as its first word, or as its last."""

    opens: list[Text]
    ends: list[Text]


class _IntentsWritten(_Strict):
    follow_up: dict[Language, FollowUp]


_REPLIES = TypeAdapter(dict[Text, Text], config=ConfigDict(strict=True))


@dataclass(frozen=True, slots=True)
class Pack:
    """One pack, checked. `advice` and `disclaimers` are None where the pack has no answer rule sets."""

    name: str
    title: Mapping[str, str]
    audience: Audience
    audiences_searched: tuple[Audience, ...]
    languages: tuple[str, ...]
    default_language: str
    advice_filter: bool
    disclaimer: Disclaiming
    own_publications: OwnPublications
    evidence: Evidence
    follow_up: Mapping[str, FollowUp]
    system_prompt: str
    screen_prompt: str
    terminal: TerminalScreen
    patients: PatientScreen
    injection: InjectionScreen
    harm: HarmScreen
    routing: Policy
    advice: AdviceScreen | None
    disclaimers: DisclaimerScreen | None
    cautions: CautionScreen | None
    replies: Mapping[str, Mapping[str, str]]

    @property
    def rule_sets(self) -> Iterator[RuleSet]:
        """Every rule set of patterns that the pack's screens read."""
        yield from (
            rule_layer.rule_set for rule_layers in self.terminal.rule_layers.values() for rule_layer in rule_layers
        )
        for screen in (self.injection, self.harm, self.advice, self.cautions):
            yield from screen.rule_sets.values() if screen is not None else ()

    def template(self, key: str, language: str) -> str:
        """A fixed sentence with its placeholders, in the default language when the pack does not speak this one."""
        return self.replies.get(language, self.replies[self.default_language])[key]

    def say(self, key: str, language: str, **values: str | None) -> str:
        """A fixed sentence, filled. A placeholder without a value drops the sentence back to its `_plain` variant."""
        sentence = self.template(key, language)
        known = dict.fromkeys(_MAY_BE_EMPTY, "") | {name: value for name, value in values.items() if value}
        if any(name not in known for name in placeholders(sentence)):
            return self.template(f"{key}_plain", language)
        return sentence.format_map(known)

    def disclaims(self, channel: Channel, *, medical: bool, disclaimed: bool) -> bool:
        """Whether this answer carries the disclaimer. `disclaimed`: one was given earlier in the conversation.

        per_answer: each medical answer on chat, the first one of a call on voice. per_call: the first medical one.
        """
        if self.disclaimer == "every_turn":
            return True
        if self.disclaimer == "never" or not medical:
            return False
        return not disclaimed or (self.disclaimer == "per_answer" and channel == "chat")


def placeholders(sentence: str) -> tuple[str, ...]:
    """Names in braces."""
    return tuple(name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None)


def load_pack(folder: Path) -> Pack:
    """The pack of one folder, every example of its rule sets checked, or its compiled rules
    (`safety.rules.review.compile_rules`).

    Raises: PackInvalid naming file and field, or rule and example.
    """
    return _Loader().load(folder)


def load_packs(folder: Path) -> Mapping[str, Pack]:
    """Every pack below a folder, by name. A rule set that several packs use is read once. Raises: PackInvalid."""
    loader = _Loader()
    packs = [loader.load(each.parent) for each in sorted(folder.glob("*/pack.yaml"))]
    if not packs:
        raise PackInvalid(f"{folder.name} holds no pack")
    return {pack.name: pack for pack in packs}


class _Loader:
    def __init__(self) -> None:
        self._rule_sets: dict[Path, RuleSet] = {}
        self._compiled_rules = CompiledRules()

    def load(self, folder: Path) -> Pack:
        written = _validated(_PackWritten, folder / "pack.yaml")
        _refuse_mismatch(folder, written)
        intents = _validated(_IntentsWritten, folder / "intents.yaml")
        answers: dict[str, RuleSet] = {
            each: self._rule_set(folder / "answers" / f"{each}.yaml")
            for each in self._answer_languages(folder, written)
        }
        terminal = self._terminal(folder, written)
        return Pack(
            name=written.name,
            title=dict(written.title.items()),
            audience=written.audience,
            audiences_searched=tuple(written.audiences_searched),
            languages=tuple(written.languages),
            default_language=written.default_language,
            advice_filter=written.advice_filter,
            disclaimer=written.disclaimer,
            own_publications=written.own_publications,
            evidence=written.evidence,
            follow_up=dict(intents.follow_up.items()),
            system_prompt=_prompt(folder / "prompts" / "system.md"),
            screen_prompt=_prompt(folder / "prompts" / "screen.md"),
            terminal=terminal,
            patients=PatientScreen(_of_public(written, terminal)),
            injection=InjectionScreen(
                self._shared(folder, written, "injection"), models(_lender(folder, written), "injections")
            ),
            harm=HarmScreen(self._shared(folder, written, "harm")),
            routing=read_policy(folder / "routing.yaml"),
            advice=AdviceScreen(answers, models(folder, "answers")) if written.advice_filter else None,
            disclaimers=DisclaimerScreen(answers) if answers else None,
            cautions=CautionScreen(cautions) if (cautions := self._all(folder / "cautions")) else None,
            replies=_replies(folder, written.languages),
        )

    def _terminal(self, folder: Path, written: _PackWritten) -> TerminalScreen:
        layers = {str(each): tuple(self._rule_layers(folder, written, each)) for each in written.languages}
        published = PublicationScreen({each: [one.rule_set for one in held] for each, held in layers.items()})
        quotes = written.own_publications == "quote"
        return TerminalScreen(layers, models(folder, "utterances"), published if quotes else None)

    def _shared(self, folder: Path, written: _PackWritten, name: str) -> Mapping[str, RuleSet]:
        """Rule sets that a pack has itself, or else borrows; every language of them, spoken by the pack or not."""
        own = folder / name
        return self._all(own if own.is_dir() else _lender(folder, written) / name)

    def _all(self, folder: Path) -> Mapping[str, RuleSet]:
        return {file.stem: self._rule_set(file) for file in sorted(folder.glob("*.yaml"))}

    def _answer_languages(self, folder: Path, written: _PackWritten) -> list[Language]:
        return written.languages if written.advice_filter or (folder / "answers").is_dir() else []

    def _rule_layers(self, folder: Path, written: _PackWritten, language: str) -> Iterator[RuleLayer]:
        own = folder / "safety" / f"{language}.yaml"
        if written.borrows is None or own.exists():
            yield RuleLayer(self._rule_set(own), frozenset(Terminal))
        if written.borrows is not None:
            lender = folder.parent / written.borrows.safety_from / "safety" / f"{language}.yaml"
            yield RuleLayer(self._rule_set(lender), frozenset(Terminal(each) for each in written.borrows.classes))

    def _rule_set(self, file: Path) -> RuleSet:
        if file not in self._rule_sets:
            self._rule_sets[file] = read_rule_set(file, self._compiled_rules.of(file))
        return self._rule_sets[file]


def _of_public(written: _PackWritten, terminal: TerminalScreen) -> list[RuleSet]:
    """The rules on what is asked of a pack for the public; a clinician's patients are his own."""
    layers = terminal.rule_layers.values() if written.audience == "public" else []
    return [one.rule_set for held in layers for one in held]


def _lender(folder: Path, written: _PackWritten) -> Path:
    """The folder that a pack borrows from; its own when it borrows nothing."""
    return folder.parent / written.borrows.safety_from if written.borrows is not None else folder


def _read_yaml(file: Path) -> Any:
    try:
        return yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
    except FileNotFoundError:
        raise PackInvalid(f"{_named(file)} is missing") from None
    except yaml.YAMLError as error:
        raise PackInvalid(f"{_named(file)} is not YAML: {error}") from None


def _validated(shape: type[_Written], file: Path) -> _Written:
    content = _read_yaml(file)
    try:
        return shape.model_validate(content)
    except ValidationError as error:
        raise _invalid(file, error) from None


def _invalid(file: Path, error: ValidationError) -> PackInvalid:
    first = error.errors()[0]
    return PackInvalid(f"{_named(file)}: {'.'.join(map(str, first['loc']))}: {first['msg']}")


def _named(file: Path) -> str:
    parts = 3 if file.parent.name in {"safety", "answers", "replies", "prompts"} else 2
    return "/".join(file.parts[-parts:])


def _refuse_mismatch(folder: Path, written: _PackWritten) -> None:
    file = _named(folder / "pack.yaml")
    if written.name != folder.name:
        raise PackInvalid(f"{file}: name: must be the folder's name, {folder.name}")
    if written.default_language not in written.languages:
        raise PackInvalid(f"{file}: default_language: is not one of languages")
    if missing := [each for each in written.languages if each not in written.title]:
        raise PackInvalid(f"{file}: title: lacks {', '.join(missing)}")
    unknown = [each for each in (written.borrows.classes if written.borrows else []) if each not in list(Terminal)]
    if unknown:
        raise PackInvalid(f"{file}: borrows.classes: there is no class {unknown[0]}")


def _prompt(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise PackInvalid(f"{_named(file)} is missing") from None


def _replies(folder: Path, languages: list[Language]) -> Mapping[str, Mapping[str, str]]:
    replies: dict[str, Mapping[str, str]] = {}
    for language in languages:
        file = folder / "replies" / f"{language}.yaml"
        content = _read_yaml(file)
        try:
            replies[language] = _REPLIES.validate_python(content)
        except ValidationError as error:
            raise _invalid(file, error) from None
        _refuse_incomplete(file, replies[language])
    for language in languages:
        if other := set(replies[language]) ^ set(replies[languages[0]]):
            raise PackInvalid(f"{_named(folder / 'replies' / f'{language}.yaml')}: {min(other)}: not in every language")
    return replies


def _refuse_incomplete(file: Path, sentences: Mapping[str, str]) -> None:
    for key in REPLY_KEYS:
        if key not in sentences:
            raise PackInvalid(f"{_named(file)}: {key}: is missing")
    for key, sentence in sentences.items():
        try:
            names = placeholders(sentence)
        except ValueError:
            raise PackInvalid(f"{_named(file)}: {key}: a brace is not closed") from None
        if unknown := set(names) - _PLACEHOLDERS:
            raise PackInvalid(f"{_named(file)}: {key}: there is no placeholder {min(unknown)!r}")
        if names and (key.endswith("_plain") or f"{key}_plain" not in sentences):
            raise PackInvalid(f"{_named(file)}: {key}: needs a {key}_plain without placeholders")
