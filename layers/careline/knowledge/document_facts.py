"""Settles what is known about a document: what the sender said, then what the file says, then what is seen."""

from __future__ import annotations

from dataclasses import asdict

from careline.errors import BadRequest
from careline.knowledge.register import FACTS, facts_from
from careline.model import Document, DocumentFacts
from careline.ports import LanguageIdentifier
from careline.tables.extracted import Extracted
from careline.text.asked_words import language_of_most

SAMPLE = 4000
"""Characters that are enough to tell a language."""
SURE = 0.9
CLEAR = 0.6
"""Confidence below which a text's language is not known; a page of prices and names tells none."""
ENOUGH = 200
"""Characters from which on the text is believed more than the file's own word about its language."""


def settled_facts(document: Document, text: Extracted, identify: LanguageIdentifier) -> DocumentFacts:
    """The document's facts with the gaps filled. The sender's word wins, but what the file says is for clinicians never
    becomes public: a sender who says nothing of it stands in the facts as one who said `public`."""
    said = {name: value for name, value in asdict(document.facts).items() if value not in (None, "", ())}
    stated = {name: value for name, value in text.stated.items() if name in FACTS and value not in (None, "", ())}
    if said.get("title") == default_title(document) and stated.get("title"):
        said.pop("title")
    merged = {"source_type": "document", **_readable(stated), **said}
    if stated.get("audience") == "clinician":
        merged["audience"] = "clinician"
    if not document.facts.language:
        merged["language"] = _language(text, str(stated.get("language") or ""), identify)
    return facts_from(merged)


def default_title(document: Document) -> str:
    """The title a document has when nobody gave it one."""
    from careline.knowledge.register import Upload, read_facts

    return read_facts(Upload(document.tenant, document.file_name, b"")).title


def _readable(stated: dict[str, object]) -> dict[str, object]:
    """What a file says of itself, without values that cannot be right; a wrong year in a PDF must not reject it."""
    kept: dict[str, object] = {}
    for name, value in stated.items():
        try:
            facts_from({"title": "-", "source_type": "document", "language": "", name: value})
        except BadRequest:
            continue
        kept[name] = value
    return kept


def _language(text: Extracted, stated: str, identify: LanguageIdentifier) -> str:
    """The code of the text's language; "" where neither the text nor the file tells it."""
    sample = ""
    for page in text.pages:
        sample = f"{sample}\n{page.text}"[:SAMPLE]
        if len(sample) >= SAMPLE:
            break
    code, confidence = identify.identify(sample)
    if stated and (len(sample) < ENOUGH or confidence < SURE):
        return stated[:2].lower()
    return code if confidence >= CLEAR else language_of_most(sample) or ""
