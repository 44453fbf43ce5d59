"""The question that stands by itself as it is kept of a turn: what earlier messages had to say of it is in it too."""

from __future__ import annotations

from careline.installation import Installation
from careline.privacy.names.person import titled
from careline.privacy.redaction.redact import without_names, without_overlaps
from careline.turn.stages.detect_phi import LOOKED_AT, found_in_answer
from careline.turn.turn import Turn


def kept_standalone(turn: Turn, installation: Installation) -> str | None:
    """The question with typed tokens for personal data: what is found in it, and what was found in any message. None
    where there is none, nobody looked for personal data, or looking failed."""
    text = turn.intent.standalone_question
    if not text or turn.phi is None or turn.phi.state not in LOOKED_AT:
        return None
    found = found_in_answer(text, turn, installation)
    if found is None:
        return None
    vault = turn.phi.vault
    redacted = vault.redact(text, without_overlaps([*found, *vault.found_again(text)]))
    return without_names(redacted, titled(redacted, turn.language, turn.tenant.staff))
