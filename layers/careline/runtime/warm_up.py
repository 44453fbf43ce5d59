"""Does what the first turn would otherwise wait for: loads models, lists and rules, seconds of work.

A turn runs on the event loop. What it reads for the first time, it reads while nobody else is answered.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from careline.curation.proposals.reading.words import words as proposal_words
from careline.errors import EmbedderUnavailable, ReaderUnavailable
from careline.installation import Installation
from careline.log.catalogue import events
from careline.model import LANGUAGES
from careline.packs.packs import Pack
from careline.ports import ReaderText
from careline.privacy.redaction.encryption import encrypt
from careline.privacy.redaction.keyed_digest import KEY_BYTES
from careline.runtime.faults import InjectedFault
from careline.runtime.set_aside import set_aside
from careline.safety.asks_documents import asks_documents
from careline.safety.grounding.denials import statements
from careline.safety.grounding.dose_conditions import asked_dose
from careline.safety.grounding.medicines import medicines
from careline.safety.grounding.opposites import relations
from careline.safety.in_context import InContext
from careline.safety.injection.document_screen import read_document_screen
from careline.safety.rules.plain_text import normalise
from careline.schemas.wire import ClinicalContext
from careline.search.curated.same_question import QuestionContent
from careline.search.relevance import shipped_fit
from careline.speech.spoken.speaker import Speaker
from careline.tables.caller_forms import caller_forms
from careline.tables.row_wording import row_wording
from careline.text.asked_words import has_subject
from careline.text.completion.notation import citation_words
from careline.text.completion.reasoning import without_reasoning
from careline.text.figure_words import words
from careline.text.label_words import question_words
from careline.text.sentences import split
from careline.text.values import values
from careline.turn.directory_answers.warm_directory import ready_directory
from careline.turn.stages.screening.embed_question import sentence_embedding_of
from careline.understanding.kidney_function import stages_as_egfr
from careline.understanding.patient_case import with_case
from careline.understanding.terms.expansions import expanded
from careline.understanding.terms.lookup import find_terms
from careline.understanding.transitions import points_back
from careline.value_framework.affinity import affinity
from careline.value_framework.category import category_rules
from careline.value_framework.priorities import priorities
from careline.value_framework.units import notices

_ANYTHING = "this text makes the screens warm, and this is its second clause"
"""Long enough to be asked about, and of two clauses, so that every model is."""
_NUMBERS = "0470 12 34 56 or +32 3 555 12 12"
"""So that the numbering plans are read."""
_MEDICINE, _CHILD = "paracetamol", ClinicalContext(age=1)
"""So that how a patient is said is read."""
_PERSON = "is Zqxvienne van den Wplkterveld there"
"""A name in no list, so that it is told by its spelling."""


async def warm(installation: Installation) -> None:
    """Make a process ready for its first caller. Nothing leaves the trust boundary for it.

    What fails here is left for the turn to meet, which knows what to do about it: a part made to fail, a slow model.
    """
    engines = installation.engines
    if not engines.embedder.is_external:
        with suppress(EmbedderUnavailable):
            await engines.embedder.embed_query(_ANYTHING)
    await sentence_embedding_of(_ANYTHING, installation)
    if engines.reader is not None:
        with suppress(ReaderUnavailable):
            await engines.reader.relevance(_ANYTHING, [ReaderText("", _ANYTHING)])
            await engines.reader.pace()
    # Not on the event loop: a server answers meanwhile.
    await asyncio.to_thread(_read, installation)
    set_aside()


def _read(installation: Installation) -> None:
    events()
    engines = installation.engines
    for language in (None, *LANGUAGES):
        with suppress(InjectedFault):
            engines.detector.find(f"{_ANYTHING}, {_NUMBERS}, {_PERSON}", language)
    for language in LANGUAGES:
        read_word_lists(language)
    # By no key of anybody's: the installation's may have to be fetched, and a snapshot must not hold it.
    encrypt(_ANYTHING, bytes(KEY_BYTES))
    for pack in installation.packs.values():
        ready_screens(pack)
    ready_directory(installation.packs.values())
    for rule_set in (*read_document_screen().rule_sets.values(), *category_rules().values()):
        rule_set.find(normalise(_ANYTHING))
    affinity()
    priorities()
    for language in LANGUAGES:
        for pack in installation.packs.values():
            notices(pack.template("unit_notice", language), language)
    asks_documents(normalise(_ANYTHING))


def read_word_lists(language: str) -> None:
    """Read the word lists of one language, each of which is read once."""
    split(_ANYTHING, language)
    points_back(_ANYTHING, language)
    question_words(_ANYTHING, language)
    row_wording(language)
    caller_forms(language)
    Speaker(language).say(_ANYTHING)
    has_subject(_ANYTHING, language)
    words()
    proposal_words()
    values(_ANYTHING, (language,))
    shipped_fit()
    medicines(_ANYTHING)
    asked_dose(_ANYTHING, language)
    relations(_ANYTHING, language)
    statements(_ANYTHING, language)
    QuestionContent.of(_ANYTHING, language)
    citation_words()
    without_reasoning(_ANYTHING)
    find_terms(_ANYTHING, language)
    with_case(_MEDICINE, _CHILD, "", language)
    stages_as_egfr(_ANYTHING)
    expanded(_ANYTHING, language)


def ready_screens(pack: Pack) -> None:
    """Read the rules of a pack, whose patterns are compiled when a text needs them, and load the models behind them."""
    for rule_set in pack.rule_sets:
        rule_set.find(normalise(_ANYTHING))
    for language in LANGUAGES:
        with suppress(InjectedFault):
            pack.harm.judge(InContext(_ANYTHING), language)
    advice = pack.advice.learned if pack.advice is not None else None
    for models in (pack.terminal.learned, pack.injection.learned, advice):
        if models is not None:
            models.load()
    with suppress(InjectedFault):
        pack.terminal.classify(_ANYTHING, None)
    pack.injection.judge(_ANYTHING, None)
    if pack.advice is not None:
        for language in LANGUAGES:
            pack.advice.judge(InContext(_ANYTHING), language)
