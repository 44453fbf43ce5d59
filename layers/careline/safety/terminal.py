"""Says which utterances are answered from a fixed text before any search or language model is asked.

First match in the order of `Terminal`. EMERGENCY and SAFETY_REFUSAL are looked for in every language whatever the
call's language is, because a caller in panic speaks the language of home.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from careline.ports import Vector
from careline.safety.asks_documents import WHEN, asks_documents
from careline.safety.classifiers.classifier import Classification, Classifiers, FirstLook
from careline.safety.publications import PublicationScreen
from careline.safety.rules.rule_sets import RuleSet
from careline.safety.utterance import Utterance


class Terminal(StrEnum):
    """What an utterance is, in order of precedence; all but the last end the turn."""

    EMERGENCY = "EMERGENCY"
    SAFETY_REFUSAL = "SAFETY_REFUSAL"
    HANDOFF_REQUEST = "HANDOFF_REQUEST"
    REPEAT_REQUEST = "REPEAT_REQUEST"
    OFF_TOPIC_PERSONAL = "OFF_TOPIC_PERSONAL"
    FAREWELL = "FAREWELL"
    GREETING = "GREETING"
    FALLTHROUGH = "FALLTHROUGH"


SURE = 0.95
"""How likely an emergency must be that makes one of a refusal found by patterns."""
SURE_OF_A_WORD = 0.6
"""How likely a greeting or wish must be that a model makes of one word; it has learned those of callers."""
IN_ANY_LANGUAGE = frozenset({Terminal.EMERGENCY, Terminal.SAFETY_REFUSAL})
"""Classes that are looked for in every language, not only the caller's."""
NOBODY_WANTED = frozenset(("OWN_WAY", "TOLD_OF"))
"""Classes of a rule set that end no turn: somebody asks to go to a place, or to be told of a person."""
_BEFORE = {
    Terminal.SAFETY_REFUSAL: frozenset({Terminal.EMERGENCY}),
    Terminal.FALLTHROUGH: frozenset(Terminal) - {Terminal.FALLTHROUGH},
}
"""What a model may make of an utterance that patterns took for this; of the others, what `IN_ANY_LANGUAGE` holds."""


COURTESIES = frozenset({Terminal.GREETING, Terminal.FAREWELL, Terminal.REPEAT_REQUEST, Terminal.HANDOFF_REQUEST})
"""What is said in a conversation and asks for nothing that the hospital knows."""


@dataclass(frozen=True, slots=True)
class TerminalVerdict:
    """What an utterance is and why.

    `reasons` are rule ids such as `nl/EMERGENCY/chest-pain`; `language` is the language of the first of them, which may
    differ from the language asked about, and None on FALLTHROUGH. `supposed_advice`: a refusal that waits for what the
    hospital publishes, as the words ask for no judgement.
    """

    terminal: Terminal
    reasons: tuple[str, ...] = ()
    language: str | None = None
    supposed_advice: bool = False

    @property
    def supposed(self) -> bool:
        """Whether a model alone takes the utterance for this, and no pattern."""
        return bool(self.reasons) and self.reasons[0].startswith("learned/")

    @property
    def supposed_off_topic(self) -> bool:
        """Whether the documents may still prove that the hospital has something to say: it may have a hairdresser."""
        return self.terminal is Terminal.OFF_TOPIC_PERSONAL and self.supposed

    @property
    def supposed_courtesy(self) -> bool:
        """Whether a model alone takes the utterance for a greeting, a wish for a person or another courtesy: "can I
        speak to billing?" may want its number."""
        return self.terminal in COURTESIES and self.supposed

    @property
    def ends(self) -> bool:
        """Whether the utterance is answered before any search."""
        return self.before_search is not Terminal.FALLTHROUGH and not self.supposed_off_topic

    @property
    def before_search(self) -> Terminal:
        """What the utterance counts as before any search, after which a supposed request for advice may be refused."""
        return Terminal.FALLTHROUGH if self.supposed_advice else self.terminal


@dataclass(frozen=True, slots=True)
class RuleLayer:
    """A rule set and the classes of it that count; a pack may borrow some classes of another pack's rule set."""

    rule_set: RuleSet
    classes: frozenset[Terminal]


@dataclass(frozen=True, slots=True)
class TerminalScreen:
    """The rule sets of one pack, by language, and the model behind them, which may add to what they find.

    It never takes an emergency or a refusal away; a social class it gives only to what no pattern knew. With
    `publications`, a refusal may wait for what the hospital publishes.
    """

    rule_layers: Mapping[str, Sequence[RuleLayer]]
    learned: Classifiers | None = None
    publications: PublicationScreen | None = None

    def classify(self, text: str, language: str | None, sentence_embedding: Vector | None = None) -> TerminalVerdict:
        """The class of an utterance. Any text is accepted; an unknown language means that all of them are tried.

        `sentence_embedding` is the text's, by the local embedder, where it was computed in time.
        """
        return self.first_look(Utterance(text), language).verdict(sentence_embedding)

    def first_look(self, utterance: Utterance, language: str | None) -> FirstLook[TerminalVerdict]:
        """What `classify` knows before it looks at the sentence embedding."""
        verdict = self.by_patterns(utterance, language)
        if verdict.terminal is Terminal.EMERGENCY or self.learned is None:
            return FirstLook(in_doubt=False, judge=lambda _: verdict)
        said = self.learned.read(utterance.windows, utterance.clauses(language))
        before = _BEFORE.get(verdict.terminal, IN_ANY_LANGUAGE)
        return FirstLook(
            in_doubt=said.may_be(before) and said.may_not_be(before),
            judge=lambda sentence_embedding: self._weighed(
                _raised(verdict, _believed(said.find(language, sentence_embedding), utterance), language),
                utterance,
                language,
            ),
        )

    def may_be_emergency(self, utterance: Utterance, language: str | None) -> bool:
        """Whether the model of words leaves open that an utterance is one."""
        if self.learned is None:
            return False
        said = self.learned.read(utterance.windows, utterance.clauses(language))
        return said.may_be({Terminal.EMERGENCY})

    def may_add(self, terminal: Terminal) -> bool:
        """Whether the pack wants this class found at all: whether any rule of its rule sets is for it."""
        rule_layers = [
            rule_layer for held in self.rule_layers.values() for rule_layer in held if terminal in rule_layer.classes
        ]
        return any(terminal in rule_layer.rule_set.groups for rule_layer in rule_layers)

    def finds(self, terminal: Terminal) -> bool:
        """Whether any utterance may be taken for this class: by a rule, or by classifiers, which know all of them."""
        return self.learned is not None or self.may_add(terminal)

    def _weighed(self, verdict: TerminalVerdict, utterance: Utterance, language: str | None) -> TerminalVerdict:
        """The verdict; of a refusal that a model alone supposes, whether it waits for what is published. Who asks when,
        how long or how much asks the documents, though a model supposes that somebody is asked for, and so does who
        asks to go somewhere or to be told of somebody; who says that they want to speak to somebody, and asks beside it
        on which day or at what time, does so too."""
        if verdict.terminal is Terminal.HANDOFF_REQUEST and (
            self._asks_documents(verdict, utterance, language)
            or (verdict.supposed and self._wants_nobody(utterance, language))
        ):
            return TerminalVerdict(Terminal.FALLTHROUGH)
        published = self.publications
        if verdict.terminal is not Terminal.SAFETY_REFUSAL or not verdict.supposed or published is None:
            return verdict
        return replace(
            verdict,
            supposed_advice=published.may_answer(utterance, language, lambda one: self._is_harmless(one, language)),
        )

    def _wants_nobody(self, utterance: Utterance, language: str | None) -> bool:
        """Whether the caller is who goes somewhere, or wants to hear of somebody: "may I go straight to radiology?" and
        "tell me about doctor Rossi" ask for nobody."""
        known = self.rule_layers.get(language or "")
        layers = known if known is not None else [one for held in self.rule_layers.values() for one in held]
        return any(one.rule_set.find(utterance.plain, utterance.pieces, NOBODY_WANTED) for one in layers)

    def _asks_documents(self, verdict: TerminalVerdict, utterance: Utterance, language: str | None) -> bool:
        """Whether a request for a person asks what a document has. Where a pattern found it, another clause must: "when
        can I speak to somebody?" asks for the person."""
        if verdict.supposed:
            return asks_documents(utterance.plain)
        return any(
            asks_documents(clause, WHEN)
            and self.by_patterns(Utterance(clause), language).terminal is Terminal.FALLTHROUGH
            for clause in utterance.clauses(language)
        )

    def _is_harmless(self, utterance: Utterance, language: str | None) -> bool:
        """Whether neither a pattern nor the model, which has no sentence embedding of a part, takes words for advice or
        an emergency."""
        said = None if self.learned is None else self.learned.read(utterance.windows, utterance.clauses(language))
        found = None if said is None else said.find(language, None)
        is_found = found is not None and Terminal(found.label) in IN_ANY_LANGUAGE
        return not is_found and self.by_patterns(utterance, language).terminal not in IN_ANY_LANGUAGE

    def by_patterns(self, utterance: Utterance, language: str | None) -> TerminalVerdict:
        """What the rules alone take an utterance for."""
        known = language in self.rule_layers
        found = {
            each: self._find(utterance, each, IN_ANY_LANGUAGE if known and each != language else frozenset(Terminal))
            for each in sorted(self.rule_layers, key=lambda each: each != language)
        }
        for terminal in Terminal:
            for each, reasons in found.items():
                if terminal in reasons:
                    return TerminalVerdict(terminal, reasons[terminal], each)
        return TerminalVerdict(Terminal.FALLTHROUGH)

    def _find(self, utterance: Utterance, language: str, classes: frozenset[Terminal]) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for rule_layer in self.rule_layers[language]:
            for group, reasons in rule_layer.rule_set.find(
                utterance.plain, utterance.pieces, rule_layer.classes & classes
            ).items():
                found[group] = found.get(group, ()) + reasons
        return found


def _believed(found: Classification | None, utterance: Utterance) -> Classification | None:
    """What a model found; of one word nothing social that it is not sure of: "TENS" is half a greeting to it."""
    is_doubtful = found is not None and found.label not in IN_ANY_LANGUAGE and found.share < SURE_OF_A_WORD
    return None if is_doubtful and len(utterance.text.split()) == 1 else found


def _raised(verdict: TerminalVerdict, found: Classification | None, language: str | None) -> TerminalVerdict:
    """The verdict, raised to what the model takes the utterance for when that comes before it."""
    if found is None:
        return verdict
    terminal = Terminal(found.label)
    if terminal not in IN_ANY_LANGUAGE:
        raised = verdict.terminal is Terminal.FALLTHROUGH
    elif verdict.terminal is Terminal.SAFETY_REFUSAL:
        raised = terminal is Terminal.EMERGENCY and found.alone >= SURE
    else:
        raised = True
    return TerminalVerdict(terminal, (found.reason, *verdict.reasons), language) if raised else verdict
