"""Reads beforehand what understanding a question and answering from the directory need: names, words and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from careline.directory.asked_time import asked_time
from careline.directory.capabilities.days import public_holidays
from careline.directory.capabilities.purposes import purposes_in
from careline.directory.capabilities.units import units_in
from careline.directory.directory import Directory
from careline.directory.qualifiers import qualifiers_in
from careline.directory.rendering.questions import question_of
from careline.directory.sentences import wording
from careline.model import LANGUAGES, Span, SpanType
from careline.packs.packs import Pack
from careline.text.frequent_words import frequent_words
from careline.turn.directory_answers.unexplained import ready_words
from careline.understanding.entities.recognise import hospital_names
from careline.understanding.intents.classifier import Label
from careline.understanding.intents.pack_classifier import pack_classifier
from careline.understanding.intents.slots import pronouns_in, slots_of
from careline.understanding.intents.weighed import weighed

_NOBODY = {
    "departments": [{"id": "ward", "names": {"en": "Ward"}}],
    "doctors": [{"id": "anyone", "last_name": "Anyone", "department": "ward"}],
}
_ANYTHING = "when is doctor anyone of the ward there on friday, said by nobody"
_COUNTRIES = ("BE", "NL", "FR", "IT", "LU", "GB", "IE", "DE", "CH")
"""Whose public holidays are read beforehand; of another country when its first question comes."""


def ready_directory(packs: Iterable[Pack]) -> None:
    """Read every list once, for each language, and the classifiers of intents of these packs."""
    now = datetime.now(UTC)
    nobody = Directory.model_validate(_NOBODY)
    names, published = hospital_names(nobody, now.date()), nobody.published
    published.without([Span(0, len(_ANYTHING), SpanType.PERSON)], _ANYTHING)
    for pack in packs:
        if (classifier := pack_classifier(pack)) is not None:
            classifier.load()
    slots_of("")
    for language in LANGUAGES:
        frequent_words(language)
        wording(language)
        question_of("", language, {})
        asked_time(_ANYTHING, language, now)
        qualifiers_in(_ANYTHING, language, ())
        units_in(_ANYTHING, language)
        purposes_in(_ANYTHING, language)
        ready_words(language)
        pronouns_in(_ANYTHING, language)
        weighed([Label("general", "", 1.0)], names.recognised(_ANYTHING, language, now))
        for country in _COUNTRIES:
            public_holidays(country, now.year, language)
