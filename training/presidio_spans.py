"""Answers with Presidio's spans what `careline_local.bench.privacy.other_detector` asks, where Presidio is installed.

`presidio-analyzer` is no dependency here. `--model LANGUAGE=NAME` names a spaCy model that is installed there; a
language without one has Presidio's patterns alone, over a blank tokeniser.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import spacy  # type: ignore[import-not-found]
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry  # type: ignore[import-not-found]
from presidio_analyzer import predefined_recognizers as theirs
from presidio_analyzer.nlp_engine import NlpEngineProvider  # type: ignore[import-not-found]

LANGUAGES = ("nl", "en", "fr", "it")
REGIONS = ("BE", "NL", "FR", "IT", "GB", "US")
KINDS = {
    "PERSON": "PERSON",
    "LOCATION": "ADDRESS",
    "DATE_TIME": "DATE",
    "PHONE_NUMBER": "PHONE",
    "EMAIL_ADDRESS": "EMAIL",
    "IBAN_CODE": "IBAN",
    "IP_ADDRESS": "IP",
    "URL": "URL",
    "US_SSN": "SSN",
    "UK_NHS": "NHS",
    "IT_FISCAL_CODE": "CODICE_FISCALE",
}
"""Presidio's kinds as ours. It has none for the national numbers of Belgium and France, nor for record numbers."""


def analyzer(models: dict[str, str], folder: Path) -> Any:
    """An engine with every recogniser of a kind in `KINDS`, in every language, whatever its country."""
    for language in LANGUAGES:
        if language not in models:
            spacy.blank(language).to_disk(folder / language)
    named = [{"lang_code": each, "model_name": models.get(each, str(folder / each))} for each in LANGUAGES]
    engine = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": named}).create_engine()
    return AnalyzerEngine(
        registry=RecognizerRegistry(recognizers=list(recognisers()), supported_languages=list(LANGUAGES)),
        nlp_engine=engine,
        supported_languages=list(LANGUAGES),
    )


def recognisers() -> Iterator[Any]:
    """Presidio's own, one of each for each language, with telephone numbers of the lines' regions."""
    for language in LANGUAGES:
        for made in (
            theirs.SpacyRecognizer,
            theirs.DateRecognizer,
            theirs.EmailRecognizer,
            theirs.IbanRecognizer,
            theirs.IpRecognizer,
            theirs.UrlRecognizer,
            theirs.UsSsnRecognizer,
            theirs.NhsRecognizer,
            theirs.ItFiscalCodeRecognizer,
        ):
            yield made(supported_language=language)
        yield theirs.PhoneRecognizer(supported_language=language, supported_regions=REGIONS)


def apart(found: Iterable[Any]) -> list[Any]:
    """Spans of which none overlaps another: of two that do, the surer one, then the longer one."""
    kept: list[Any] = []
    for one in sorted(found, key=lambda span: (-span.score, span.start - span.end)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return kept


def main() -> None:
    """Answer every line of standard input."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", action="append", default=[], metavar="LANGUAGE=NAME")
    parser.add_argument("--patterns-only", action="store_true")
    given = parser.parse_args()
    kinds = list(KINDS)
    with tempfile.TemporaryDirectory() as folder:
        engine = analyzer(dict(one.split("=", 1) for one in given.model), Path(folder))
        for line in map(json.loads, sys.stdin):
            found = apart(engine.analyze(line["text"], language=line["language"], entities=kinds))
            spans = [{"start": one.start, "end": one.end, "type": KINDS[one.entity_type]} for one in found]
            sys.stdout.write(json.dumps({"id": line["id"], "spans": spans}) + "\n")


if __name__ == "__main__":
    main()
