"""Loads packs: what makes a hospital line a hospital line and a clinician's desk a clinician's desk, as data.

A pack is a folder:

    pack.yaml               who it is for and how it answers
    safety/<lang>.yaml      screens on what is asked (careline.safety.terminal)
    acts/<lang>.yaml        what callers ask to be done that nobody here can do (careline.safety.requested_acts)
    injection/<lang>.yaml   words that try to change what the assistant does (careline.safety.injection.attempts)
    answers/<lang>.yaml     screens on what is answered (careline.safety.advice), where the pack wants them
    harm/<lang>.yaml        what no answer may hold (careline.safety.harm)
    clarifications/<lang>.yaml  what is asked back about (careline.packs.clarifications), where anything is
    intents/<lang>.yaml     what its users say who want something of their own (careline.packs.intent_examples)
    cautions/<lang>.yaml    what sources for clinicians warn of (careline.safety.cautions); only where it is shown
    learned/*.npz           classifiers behind the rules, where `screens` says `learned`; others are artefacts
    routing.yaml            which language model may write (careline.packs.routing)
    replies/<lang>.yaml     the fixed sentences, with {placeholders}
    prompts/system.md       what the language model is told
    prompts/screen.md       what the guardrail model is told (careline.turn.stages.screening.screen_with_model)
    prompts/rewrite.md      what it is told to read a follow-up (careline.understanding.rewrite_with_model)
    prompts/intent.md       what it is told to say what is wanted (careline.understanding.intents.ask_model)

A pack knows no hospital: names and numbers come as placeholders. What it takes from the pack beside it stands under
`inherits`: classes of its safety rules, its injection and harm rules where it has none of its own, and classes of
those on acts where it says so. Which classifiers stand behind its rules it says under `screens`, and which sentences it
needs follows from what it can do (careline.packs.replies).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from careline.errors import PackInvalid
from careline.model import Audience, Channel
from careline.packs.clarifications import NOTHING, Clarifications, ClarificationsWritten, clarifications
from careline.packs.evidence import Evidence
from careline.packs.intent_examples import IntentExample, compiled, own_examples
from careline.packs.intent_model import PROMPT, IntentModel, IntentModelWritten, intent_model
from careline.packs.replies import (
    ACTS,
    ADVICE,
    ASKS_BACK,
    CAPABILITIES,
    DISCLAIMER,
    EVERY,
    LANGUAGES,
    MAY_BE_EMPTY,
    NOT_SENT,
    PATIENTS,
    PLAIN,
    VOICE,
    needed,
    never_said,
    placeholders,
    refuse_incomplete,
)
from careline.packs.routing import Policy, read_policy
from careline.safety.advice import AdviceScreen
from careline.safety.cautions import CautionScreen
from careline.safety.classifiers.classifier import Classifiers, models
from careline.safety.classifiers.shipped import SCREENS, shipped_screens
from careline.safety.disclaimer import DisclaimerScreen
from careline.safety.harm import HarmScreen
from careline.safety.injection.attempts import InjectionScreen
from careline.safety.patients import PatientScreen
from careline.safety.publications import PublicationScreen
from careline.safety.requested_acts import Act, ActScreen
from careline.safety.rules.review import CompiledRules
from careline.safety.rules.rule_sets import RuleSet, read_rule_set
from careline.safety.terminal import RuleLayer, Terminal, TerminalScreen

Language = Literal["nl", "en", "fr", "it"]
Disclaiming = Literal["per_answer", "per_call", "every_turn", "never"]
OwnPublications = Literal["quote", "refuse"]
UnclearLanguage = Literal["hospital", "pack"]
"""Whose usual language a first question is answered in that is plainly of none: terms of a trade are the pack's."""
ScreenName = Literal["utterances", "injections", "answers"]
"""What classifiers may stand behind: the screens on what is asked, on attempts to change instructions, on answers."""
LEARNED = "learned"
"""The set of classifiers that a pack brings in a folder of this name."""
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]

_Written = TypeVar("_Written", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Inherited(_Strict):
    from_pack: Text = Field(alias="from")
    classes: list[Text] = Field(min_length=1)
    acts: list[Annotated[Act, Field(strict=False)]] = Field(default_factory=list)


class _PackWritten(_Strict):
    name: Text
    title: dict[Language, Text]
    audience: Audience
    audiences_searched: list[Audience] = Field(min_length=1)
    languages: list[Language] = Field(min_length=1)
    default_language: Language
    unclear_language: UnclearLanguage = "hospital"
    advice_filter: bool
    disclaimer: Disclaiming
    own_publications: OwnPublications = "refuse"
    voice: bool = False
    intent_classifier: Text | None = None
    intents: list[Annotated[str, StringConstraints(pattern=r"^[a-z_]+(?:/[a-z_]+)?$")]] = Field(default_factory=list)
    intent_model: IntentModelWritten | None = None
    evidence: Evidence
    inherits: _Inherited | None = None
    screens: Text | dict[ScreenName, Text] = Field(default_factory=dict)


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
    unclear_language: UnclearLanguage
    advice_filter: bool
    disclaimer: Disclaiming
    own_publications: OwnPublications
    voice: bool
    """Whether it may be a phone line, for which it has the sentences."""
    intent_classifier: str | None
    """The pack whose examples the classifier of intents was fitted to; None where nobody tells what is wanted."""
    intents: frozenset[str]
    """What its users may want, as `intent` or `intent/sub_intent`; the directory answers some of it."""
    own_intents: Path | None
    """What was made of the pack's own examples of intents; None where it has none."""
    intent_model: IntentModel | None
    """When a language model says what is wanted, where the installation lets it; None where it never does."""
    evidence: Evidence
    system_prompt: str
    screen_prompt: str
    rewrite_prompt: str
    terminal: TerminalScreen
    patients: PatientScreen
    acts: ActScreen
    injection: InjectionScreen
    harm: HarmScreen
    routing: Policy
    advice: AdviceScreen | None
    disclaimers: DisclaimerScreen | None
    cautions: CautionScreen | None
    clarifications: Mapping[str, Clarifications]
    """By language, what is asked back about."""
    replies: Mapping[str, Mapping[str, str]]
    screens: Mapping[ScreenName, str]
    """The set of classifiers behind each screen; one that has none goes by its rules alone."""

    @property
    def capabilities(self) -> tuple[str, ...]:
        """What the pack can do, of `replies.CAPABILITIES`."""
        can = {
            EVERY: True,
            ASKS_BACK: bool(self.clarifications),
            LANGUAGES: len(self.languages) > 1,
            VOICE: self.voice,
            PATIENTS: self.patients.finds,
            ACTS: bool(self.acts.rule_sets),
            **{each: self.acts.finds(each) for each in Act},
            ADVICE: self.advice is not None,
            DISCLAIMER: self.disclaimer != "never",
            NOT_SENT: any(rule.use == "refuse" for rule in self.routing.rules),
            **{each.value: self.terminal.finds(each) for each in Terminal if each is not Terminal.FALLTHROUGH},
        }
        return tuple(one for one in CAPABILITIES if can[one])

    @property
    def never_said(self) -> tuple[str, ...]:
        """Keys of sentences that the pack has and never says."""
        return tuple(never_said(self.replies, self.needed_replies))

    @property
    def needed_replies(self) -> Mapping[str, str]:
        """The keys of the sentences that the pack says, with the capability that first asks for each."""
        asks = (key for each in self.clarifications.values() for key in each.asks)
        return needed(self.capabilities, self.languages, asks)

    def asks_back_about(self, language: str) -> Clarifications:
        """What is asked back about in a language."""
        return self.clarifications.get(language, NOTHING)

    @property
    def rule_sets(self) -> Iterator[RuleSet]:
        """Every rule set of patterns that the pack's screens read."""
        yield from (
            rule_layer.rule_set for rule_layers in self.terminal.rule_layers.values() for rule_layer in rule_layers
        )
        for screen in (self.acts, self.injection, self.harm, self.advice, self.cautions):
            yield from screen.rule_sets.values() if screen is not None else ()

    def in_languages(self, wanted: Collection[str], usual: str | None) -> Pack:
        """The pack in these languages of its own, with `usual` as the default where it is one of them, unless what is
        unclear is taken for the pack's own; the whole pack where it speaks none of them."""
        spoken = tuple(one for one in self.languages if one in wanted)
        if not spoken:
            return self
        own = self.default_language
        first = (usual, own) if self.unclear_language == "hospital" else (own, usual)
        default = next(one for one in (*first, *spoken) if one in spoken)
        return replace(self, languages=spoken, default_language=default)

    def template(self, key: str, language: str) -> str:
        """A fixed sentence with its placeholders, in the default language when the pack does not speak this one."""
        return self.replies.get(language, self.replies[self.default_language])[key]

    def say(self, key: str, language: str, **values: str | None) -> str:
        """A fixed sentence, filled. A placeholder without a value drops the sentence back to its `_plain` variant."""
        sentence = self.template(key, language)
        known = dict.fromkeys(MAY_BE_EMPTY, "") | {name: value for name, value in values.items() if value}
        if any(name not in known for name in placeholders(sentence)):
            return self.template(f"{key}{PLAIN}", language)
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


def load_pack(folder: Path) -> Pack:
    """The pack of one folder, every example of its rule sets checked, or its compiled rules
    (`safety.rules.review.compile_rules`).

    Raises: PackInvalid naming file and field, or rule and example.
    """
    return _Loader().load(folder)


def intent_examples_of(folder: Path) -> tuple[list[IntentExample], str | None]:
    """The examples of intents that the pack of one folder brings itself, and the shipped classifier that they add to,
    before anything was made of them. Raises: PackInvalid."""
    written = _validated(_PackWritten, folder / "pack.yaml")
    return _own_examples(folder, written), written.intent_classifier


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
        answers: dict[str, RuleSet] = {
            each: self._rule_set(folder / "answers" / f"{each}.yaml")
            for each in self._answer_languages(folder, written)
        }
        terminal = self._terminal(folder, written)
        pack = Pack(
            name=written.name,
            title=dict(written.title.items()),
            audience=written.audience,
            audiences_searched=tuple(written.audiences_searched),
            languages=tuple(written.languages),
            default_language=written.default_language,
            unclear_language=written.unclear_language,
            advice_filter=written.advice_filter,
            disclaimer=written.disclaimer,
            own_publications=written.own_publications,
            voice=written.voice,
            intent_classifier=written.intent_classifier,
            intents=frozenset(written.intents),
            own_intents=compiled(folder, _own_examples(folder, written)),
            intent_model=_intent_model(folder, written),
            evidence=written.evidence,
            system_prompt=_prompt(folder / "prompts" / "system.md"),
            screen_prompt=_prompt(folder / "prompts" / "screen.md"),
            rewrite_prompt=_prompt(folder / "prompts" / "rewrite.md"),
            terminal=terminal,
            patients=PatientScreen(_of_public(written, terminal)),
            acts=self._acts(folder, written),
            injection=InjectionScreen(
                self._shared(folder, written, "injection"), _models(folder, written, "injections")
            ),
            harm=HarmScreen(self._shared(folder, written, "harm")),
            routing=read_policy(folder / "routing.yaml"),
            advice=AdviceScreen(answers, _models(folder, written, "answers")) if written.advice_filter else None,
            disclaimers=DisclaimerScreen(answers) if answers else None,
            cautions=CautionScreen(cautions) if (cautions := self._all(folder / "cautions")) else None,
            clarifications=_clarifications(folder, written.languages),
            replies=_replies(folder, written.languages),
            screens=_screens(written),
        )
        refuse_incomplete(pack.name, pack.replies, pack.needed_replies)
        return pack

    def _terminal(self, folder: Path, written: _PackWritten) -> TerminalScreen:
        layers = {str(each): tuple(self._rule_layers(folder, written, each)) for each in written.languages}
        published = PublicationScreen({each: [one.rule_set for one in held] for each, held in layers.items()})
        quotes = written.own_publications == "quote"
        return TerminalScreen(layers, _models(folder, written, "utterances"), published if quotes else None)

    def _shared(self, folder: Path, written: _PackWritten, name: str) -> Mapping[str, RuleSet]:
        """Rule sets of which a pack has some, its own or inherited; every language of them, spoken by it or not."""
        found = self._own_or_inherited(folder, written, name)
        if not found:
            file = _named(folder / name / "<lang>.yaml")
            raise PackInvalid(f"{file} is missing; rules come from there, or from `inherits`")
        return found

    def _acts(self, folder: Path, written: _PackWritten) -> ActScreen:
        """The pack's own rules on requests to act, else the classes of the other's that it names, as they ask for
        sentences."""
        own = folder / "acts"
        if own.is_dir() or written.inherits is None or not written.inherits.acts:
            return ActScreen(self._all(own))
        theirs = _parent(folder, written.inherits) / "acts"
        return ActScreen(self._all(theirs), frozenset(written.inherits.acts))

    def _own_or_inherited(self, folder: Path, written: _PackWritten, name: str) -> Mapping[str, RuleSet]:
        own = folder / name
        return self._all(own if own.is_dir() or written.inherits is None else _parent(folder, written.inherits) / name)

    def _all(self, folder: Path) -> Mapping[str, RuleSet]:
        return {file.stem: self._rule_set(file) for file in sorted(folder.glob("*.yaml"))}

    def _answer_languages(self, folder: Path, written: _PackWritten) -> list[Language]:
        return written.languages if written.advice_filter or (folder / "answers").is_dir() else []

    def _rule_layers(self, folder: Path, written: _PackWritten, language: str) -> Iterator[RuleLayer]:
        own = folder / "safety" / f"{language}.yaml"
        if written.inherits is None or own.exists():
            yield RuleLayer(self._rule_set(own), frozenset(Terminal))
        if written.inherits is not None:
            theirs = _parent(folder, written.inherits) / "safety" / f"{language}.yaml"
            yield RuleLayer(self._rule_set(theirs), frozenset(Terminal(each) for each in written.inherits.classes))

    def _rule_set(self, file: Path) -> RuleSet:
        if file not in self._rule_sets:
            self._rule_sets[file] = read_rule_set(file, self._compiled_rules.of(file))
        return self._rule_sets[file]


def _of_public(written: _PackWritten, terminal: TerminalScreen) -> list[RuleSet]:
    """The rules on what is asked of a pack for the public; a clinician's patients are his own."""
    layers = terminal.rule_layers.values() if written.audience == "public" else []
    return [one.rule_set for held in layers for one in held]


def _intent_model(folder: Path, written: _PackWritten) -> IntentModel | None:
    if written.intent_model is None:
        return None
    return intent_model(folder, written.intent_model, written.intents, _prompt(folder / "prompts" / PROMPT))


def _own_examples(folder: Path, written: _PackWritten) -> list[IntentExample]:
    return own_examples(folder, written.languages, written.intents, written.intent_classifier)


def _parent(folder: Path, inherits: _Inherited) -> Path:
    """The folder of the pack that one inherits from, which stands beside it."""
    return folder.parent / inherits.from_pack


def _screens(written: _PackWritten) -> Mapping[ScreenName, str]:
    """The set of classifiers of each screen."""
    if isinstance(written.screens, str):
        return dict.fromkeys(get_args(ScreenName), written.screens)
    return written.screens


def _models(folder: Path, written: _PackWritten, screen: ScreenName) -> Classifiers | None:
    """The classifiers of one screen; None where the pack names none. Raises: PackInvalid for an unknown set."""
    named = _screens(written).get(screen)
    if named is None:
        return None
    if named == LEARNED:
        found = models(folder / LEARNED, screen)
        if found is None:
            raise PackInvalid(f"{_named(folder / 'pack.yaml')}: screens: {LEARNED}/{screen}.npz is missing")
        return found
    sets = shipped_screens()
    if screen not in sets.get(named, ()):
        known = ", ".join(sorted(one for one, screens in sets.items() if screen in screens))
        raise PackInvalid(
            f"{_named(folder / 'pack.yaml')}: screens: no set {named} for {screen}; known: {known}, {LEARNED}"
        )
    return models(SCREENS / named, screen)


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
    """A file by the folder of its pack: what stands there itself, or in a folder of it."""
    parts = 2 if file.name in {"pack.yaml", "routing.yaml"} else 3
    return "/".join(file.parts[-parts:])


def _refuse_mismatch(folder: Path, written: _PackWritten) -> None:
    file = _named(folder / "pack.yaml")
    if written.name != folder.name:
        raise PackInvalid(f"{file}: name: must be the folder's name, {folder.name}")
    if written.default_language not in written.languages:
        raise PackInvalid(f"{file}: default_language: is not one of languages")
    if missing := [each for each in written.languages if each not in written.title]:
        raise PackInvalid(f"{file}: title: lacks {', '.join(missing)}")
    unknown = [each for each in (written.inherits.classes if written.inherits else []) if each not in list(Terminal)]
    if unknown:
        raise PackInvalid(f"{file}: inherits.classes: there is no class {unknown[0]}")


def _prompt(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise PackInvalid(f"{_named(file)} is missing") from None


def _clarifications(folder: Path, languages: list[Language]) -> Mapping[str, Clarifications]:
    """Those of every language of the pack; none where it has no such folder. Raises: PackInvalid."""
    own = folder / "clarifications"
    if not own.is_dir():
        return {}
    return {each: clarifications(_validated(ClarificationsWritten, own / f"{each}.yaml")) for each in languages}


def _replies(folder: Path, languages: list[Language]) -> Mapping[str, Mapping[str, str]]:
    replies: dict[str, Mapping[str, str]] = {}
    for language in languages:
        file = folder / "replies" / f"{language}.yaml"
        content = _read_yaml(file)
        try:
            replies[language] = _REPLIES.validate_python(content)
        except ValidationError as error:
            raise _invalid(file, error) from None
    return replies
