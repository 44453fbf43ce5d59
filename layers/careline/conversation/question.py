"""The question in a turn's record: redacted, and encrypted besides, as a name that no recogniser knows may be in it."""

from __future__ import annotations

from careline.privacy.redaction.encryption import decrypt, encrypt
from careline.records.record_table import Body

QUESTION = "question"
ENCRYPTED = "question_encrypted"


def written(question: str | None, tenant: str, turn_id: str, key: bytes) -> str | None:
    """The question as it is kept in the record of a turn. Raises: SettingsInvalid without a key."""
    return None if question is None else encrypt(question, key, QUESTION, tenant, turn_id)


def shown(record: Body, tenant: str, key: bytes) -> Body:
    """A turn's record with the question that can be read. Raises: RecordDamaged when it cannot be decrypted."""
    if ENCRYPTED not in record:
        return record
    kept = record[ENCRYPTED]
    question = None if kept is None else decrypt(kept, key, QUESTION, tenant, record["turn_id"])
    return {**{name: value for name, value in record.items() if name != ENCRYPTED}, "question_redacted": question}
