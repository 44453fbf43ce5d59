"""Why a document is refused, in one place: the stable code and what the person who sent it can do about it.

Messages never contain text of the document.
"""

from __future__ import annotations

from string import Formatter

from careline.errors import DocumentRejected

MESSAGES: dict[str, str] = {
    "empty": "The file is empty. Send the file again, or delete it.",
    "too_large": "The document is larger than {limit}. Split it.",
    "too_many_pages": "The document has {pages} pages and the limit is {limit}. Split it, or raise CARELINE_MAX_PAGES.",
    "encrypted": "The file is protected with a password. Save it without one and send it again.",
    "corrupt": "The file is damaged or incomplete ({detail}). Open it, save it again, and send the new file.",
    "disguised": "The file is named {extension} but holds {found}. Give it its right extension, or export it again.",
    "zip_bomb": "The file unpacks to far more than it should and was not opened. Export it again from its application.",
    "unsupported": "{what} cannot be read. Send PDF, DOCX, HTML, Markdown, plain text or JSON Lines.",
    "charset": "The characters cannot be read: {detail}. Save the file as UTF-8 and send it again.",
    "long_line": "A line is longer than {limit} characters, which is not a document for readers. Send the text itself.",
    "no_text": "The document has no text that can be read. Send a version with text, or a better scan.",
    "personal_data": "The {part} of this answer holds what looks like personal data ({kinds}). Leave it out, or state "
    "it in `not_phi` where it is nobody's.",
    "unsafe_name": "The file name leads outside its folder or has characters that no name may have. Rename the file.",
    "too_slow": "The document takes longer than {limit:g} seconds to read. Split it, or export it again more simply; "
    "CARELINE_EXTRACT_SECONDS raises the limit.",
    "too_much_memory": "The document needs more than {limit:,} MB of memory to read. Split it, or export it again more "
    "simply; CARELINE_EXTRACT_MEMORY_MB raises the limit.",
    "crashed": "The program that reads documents broke on this one ({detail}). Open it, save it again, and send the "
    "new file.",
    "ocr_unavailable": "Page {page} is a picture of text and {missing}. {remedy}",
}
"""Message by reason. A reason that is not here cannot be raised."""


_LONGEST_FACT = 400
_LARGEST = 10**15


def rejected(reason: str, **facts: str | float) -> DocumentRejected:
    """The error for a reason of `MESSAGES`; `facts` fill its placeholders and go with it."""
    return DocumentRejected(reason, MESSAGES[reason].format(**facts), facts)


def restored(reason: object, facts: object) -> DocumentRejected | None:
    """The error whose `reason` and `facts` another process tells; None when `rejected` can have made none of these."""
    if not isinstance(reason, str) or reason not in MESSAGES or not isinstance(facts, dict):
        return None
    wanted = {name: spec for _, name, spec, _ in Formatter().parse(MESSAGES[reason]) if name is not None}
    if wanted.keys() != facts.keys() or not all(_fits(facts[name], spec or "") for name, spec in wanted.items()):
        return None
    return rejected(reason, **facts)


def _fits(fact: object, spec: str) -> bool:
    """Whether a placeholder with this format takes it: a number, or where nothing is formatted a short line."""
    if isinstance(fact, str):
        return not spec and len(fact) <= _LONGEST_FACT and fact.isprintable()
    return isinstance(fact, int | float) and not isinstance(fact, bool) and abs(fact) < _LARGEST
