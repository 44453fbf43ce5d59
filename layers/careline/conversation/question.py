"""The question in a turn's record, as it was asked and as it was read: redacted, and encrypted besides, as a name that
no recogniser knows may be in it."""

from __future__ import annotations

from careline.privacy.redaction.encryption import decrypt, encrypt
from careline.records.record_table import Body

QUESTION, STANDALONE = "question", "standalone"
"""What is kept: what was asked, and the question that stands by itself which was made of it."""
ENCRYPTED, STANDALONE_ENCRYPTED = "question_encrypted", "standalone_encrypted"
_SHOWN = {ENCRYPTED: (QUESTION, "question_redacted"), STANDALONE_ENCRYPTED: (STANDALONE, "standalone_redacted")}


def written(question: str | None, tenant: str, turn_id: str, key: bytes, what: str = QUESTION) -> str | None:
    """A question as it is kept in the record of a turn. Raises: SettingsInvalid without a key."""
    return None if question is None else encrypt(question, key, what, tenant, turn_id)


def shown(record: Body, tenant: str, key: bytes) -> Body:
    """A turn's record with the questions that can be read. Raises: RecordDamaged when one cannot be decrypted."""
    told = {name: value for name, value in record.items() if name not in _SHOWN}
    for name, (what, shown_as) in _SHOWN.items():
        if name in record:
            kept = record[name]
            told[shown_as] = None if kept is None else decrypt(kept, key, what, tenant, record["turn_id"])
    return told
