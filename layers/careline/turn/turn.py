"""The turn as it travels through the stages: frozen, each stage returns a changed copy."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from careline.conversation.pending import Choice, Pending
from careline.curation.editions import Edition
from careline.model import LANGUAGES, Conversation, Disposition, DocumentFacts, Hit, Message, Span
from careline.packs.packs import Pack
from careline.packs.routing import PhiState, Use
from careline.ports import PlannedSearch, Source, Vector
from careline.privacy.redaction.redact import Vault
from careline.safety.classifiers.classifier import FirstLook
from careline.safety.injection.attempts import InjectionVerdict
from careline.safety.requested_acts import RequestedAct
from careline.safety.terminal import TerminalVerdict
from careline.schemas import wire
from careline.tenants.tenant_records import Tenant
from careline.turn.outcome import WRITTEN, Outcome, Reply, Written
from careline.understanding.intents.read_intent import ReadQuestion
from careline.understanding.question import GENERAL, Entity, Intent
from careline.understanding.terms.lookup import stated_specialties
from careline.value_framework.findings import ValueFindings, Weighing

CANNOT_DO = "CANNOT_DO"
"""Why an answer begins with what is not done here."""
NO_CASE = wire.ClinicalContext()
DIRECTORY = "directory"
"""The kind of a source that was made of the directory."""
OF_HOSPITAL = frozenset({"campus", "department", "doctor", "service", "tariff", "contact"})
"""Kinds of entries of the directory; a question that names one is of the hospital's matters."""
DOCUMENTS_LOADING = "DOCUMENTS_LOADING"
"""The warning that the library is not complete yet, and why nothing was found while it is not."""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What is known about personal data in a turn.

    `question`, `history` and `case` hold typed tokens in its place; `vault` knows, in this process alone, what they
    stand for.
    When the detector failed, `state` is `assumed` and nothing may leave the trust boundary. `spans` are those of the
    question; `kept` those that the user said are none.
    """

    state: PhiState
    vault: Vault
    question: str = ""
    history: tuple[Message, ...] = ()
    spans: tuple[Span, ...] = ()
    kept: tuple[Span, ...] = ()
    case: wire.ClinicalContext = NO_CASE


@dataclass(frozen=True, slots=True)
class Route:
    """Which language model writes, if any, and why. `redacted`: it gets typed tokens in place of personal data."""

    use: Use
    rule: str
    reasons: tuple[str, ...]
    redacted: bool = False

    @property
    def leaves(self) -> bool:
        """Whether what the model is told leaves the trust boundary."""
        return self.use in {"cloud", "cloud_small"}


@dataclass(frozen=True, slots=True)
class NamesToFind:
    """Names of a question that the hospital may publish itself: their typed tokens, and what is searched for with
    these in place."""

    tokens: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well the best of what was found answers: by the reader a logit, by the search its own measure, whose scale is
    another; a `person` wrote the answer for the question. By the reader the `confidence` decides, the log of the odds
    that it answers. `best_of_few`: it is sure beside the others alone, and not relevant enough by itself; or it is a
    person's answer that lacks something of what the question names."""

    relevance: float
    by: Literal["reader", "search", "person"]
    confidence: float | None = None
    best_of_few: bool = False


@dataclass(frozen=True, slots=True)
class EgressRecord:
    """Something that left this process for a model or a tool: to whom, where that is, what, and in which form."""

    to: str
    where: Literal["local", "cloud"]
    what: str
    redacted: bool


@dataclass(frozen=True, slots=True)
class EmbeddedText:
    """A text and its vector, made with its sentence embedding in one look."""

    text: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class FirstLooks:
    """What the screens make of the user's words before they see their embedding."""

    terminal: FirstLook[TerminalVerdict]
    injection: FirstLook[InjectionVerdict]

    @property
    def in_doubt(self) -> bool:
        """Whether the embedding may change what one of them says."""
        return self.terminal.in_doubt or self.injection.in_doubt


@dataclass(frozen=True, slots=True)
class DirectoryFacts:
    """What of the directory a language model was given as a source: entries in all, and of the doctors of a department
    how many there are and how many it was told of."""

    entries: int
    doctors_found: int
    doctors_applied: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything that is known about one message so far. An `outcome` that a stage decides ends the deciding half
    of the turn."""

    turn_id: str
    trace_id: str
    began_at: datetime
    request: wire.QueryRequest
    tenant: Tenant
    pack: Pack
    conversation: Conversation
    edition: Edition = field(default_factory=Edition)
    """The hospital's directory as it holds."""
    asked_back: Pending | None = None
    """What the turn before left open, which this one answers or passes over."""
    choice: Choice | None = None
    """What is meant of what was asked back; None where that was nothing, or something else is said."""
    language: str = LANGUAGES[0]
    language_clear: bool = True
    """Whether the language was told and not assumed; an assumed one does not bind the rest of the conversation."""
    phi: PersonalData | None = None
    first_looks: FirstLooks | None = None
    """While words leave a doubt that the embedding may end; None before and after."""
    sentence_embedding: Vector | None = None
    """What the screens saw of the user's words beside the words themselves; None when they saw these alone, which left
    no doubt or had to do."""
    embedding_missed: bool = False
    """Whether the screens doubted and saw words alone, because the sentence embedding came too late or not at all."""
    embedded: EmbeddedText | None = None
    """The words as multilingual-e5-small reads them, by which it is told what is wanted; where the same model searches,
    they are searched for with it."""
    terminal: TerminalVerdict | None = None
    injection: InjectionVerdict | None = None
    act: RequestedAct | None = None
    """What is asked to be done that cannot be done here: the answer begins by saying so."""
    route: Route | None = None
    sent: tuple[EgressRecord, ...] = ()
    intent: Intent = GENERAL
    said: ReadQuestion | None = None
    """The question by itself: what it names, and what it may want; None before anybody has looked."""
    entities: tuple[Entity, ...] = ()
    search_text: str = ""
    leans: bool = False
    """Whether earlier messages say what the question is about; `search_text` says it whole."""
    names: NamesToFind | None = None
    """Looked for before the question is; None where it has none."""
    of_case: tuple[str, ...] = ()
    """Names of the fields of the patient's case that `search_text` says besides what was asked."""
    vector: Vector | None = None
    hits: tuple[Hit, ...] = ()
    searches: tuple[PlannedSearch, ...] = ()
    """Planned besides the question's own, to run with it; behind `retrieve` all that ran."""
    searched: tuple[str, ...] = ()
    """The sources that were asked."""
    evidence: Evidence | None = None
    """None until what was found has been ranked, and where nothing was found."""
    sources: tuple[Source, ...] = ()
    directory_facts: DirectoryFacts | None = None
    """None where no source is of the directory."""
    value: ValueFindings | None = None
    """What is made of the categories of what was found; None where nothing was searched."""
    warnings: tuple[wire.Notice, ...] = ()
    timings: tuple[wire.StageTiming, ...] = ()
    outcome: Outcome = WRITTEN

    @property
    def is_decided(self) -> bool:
        """Whether a stage has decided the answer, so that no writer is asked and no further stage runs."""
        return not isinstance(self.outcome, Written)

    @property
    def question(self) -> str:
        """The user's words."""
        return self.request.text

    @property
    def without_phi(self) -> str:
        """The user's words with typed tokens in place of personal data; nothing when nobody could look for it."""
        return self.phi.question if self.phi is not None else self.question

    @property
    def case(self) -> wire.ClinicalContext:
        """What is known of the patient whom the conversation is about; nothing where it is no clinician's."""
        if self.pack.audience != "clinician":
            return NO_CASE
        kept = self.conversation.clinical_context
        return self.request.clinical_context or (wire.ClinicalContext.model_validate(kept) if kept else NO_CASE)

    @property
    def voice(self) -> bool:
        """Whether the answer will be spoken."""
        return self.request.channel == "voice"

    @property
    def supposed_advice(self) -> bool:
        """Whether it is refused as a request for advice unless a document for everybody answers, in its own words."""
        return self.terminal is not None and self.terminal.supposed_advice

    @property
    def supposed_off_topic(self) -> bool:
        """Whether it is taken for none of the hospital's matters unless a document answers. Who was told something
        before asks on: "what is the password?" is of the hospital's Wi-Fi."""
        was_told = any(message.role == "assistant" for message in self.conversation.messages)
        if was_told or any(one.kind in OF_HOSPITAL for one in self.intent.entities):
            return False
        return self.terminal is not None and self.terminal.supposed_off_topic

    @property
    def awaits_courtesy(self) -> bool:
        """Whether a model alone takes the words for a word of conversation, which is answered unless the directory
        answers."""
        return self.terminal is not None and self.terminal.supposed_courtesy

    @property
    def documents_loading(self) -> bool:
        """Whether documents were still being loaded when it searched."""
        return any(warning.code == DOCUMENTS_LOADING for warning in self.warnings)

    @property
    def sure_from(self) -> float:
        """The confidence below which a quote is said as one that may not be what was asked for. While documents are
        being loaded every one may be, as a page that answers better is still to come, and so may the best of a few. Of
        what the search alone chose nobody knows, and what a person wrote for the question is sure."""
        if self.evidence is not None and self.evidence.by == "person":
            return -math.inf
        if self.documents_loading or (self.evidence is not None and self.evidence.best_of_few):
            return math.inf
        is_read = self.evidence is not None and self.evidence.by == "reader"
        return self.pack.evidence.min_sure if is_read else -math.inf

    @property
    def weighing(self) -> Weighing:
        """How what is found is preferred for its intent."""
        text = self.search_text or self.question
        return Weighing(self.intent.name, text, self.began_at.year, self.tenant.affinity, self._is_of_specialty)

    def _is_of_specialty(self, facts: DocumentFacts) -> bool:
        """Whether a document states one of the specialties that the question is of."""
        return not set(stated_specialties(facts.specialty or "", facts.language)).isdisjoint(self.intent.specialties)

    @property
    def preferences(self) -> wire.Preferences:
        """The request's preferences, else the conversation's, else the defaults."""
        kept = self.conversation.preferences
        return self.request.preferences or (wire.Preferences.model_validate(kept) if kept else wire.Preferences())

    def finish(
        self,
        disposition: Disposition,
        reason: str,
        reply: str,
        *,
        rules: tuple[str, ...] = (),
        language: str | None = None,
        **values: str,
    ) -> Turn:
        """The turn with a reply of the pack for its answer."""
        return replace(self, outcome=Reply(disposition, reason, reply, rules, values, language))

    def warn(self, code: str, message: str) -> Turn:
        """The turn with one more warning."""
        return replace(self, warnings=(*self.warnings, wire.Notice(code=code, message=message)))

    def timed(self, stage: str, seconds: float) -> Turn:
        """The turn with the time of one more stage."""
        return replace(self, timings=(*self.timings, wire.StageTiming(stage=stage, ms=round(seconds * 1000, 2))))
