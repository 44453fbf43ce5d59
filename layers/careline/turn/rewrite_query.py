"""Says what is searched for: the question without what is said around it, with what it leaves unsaid."""

from __future__ import annotations

from dataclasses import replace

from careline.installation import Installation
from careline.privacy.redaction.redact import without_tokens
from careline.turn.other_site import at_other_site
from careline.turn.published_names import with_published_names
from careline.turn.standalone_question import standalone
from careline.turn.turn import Turn


async def rewrite_query(turn: Turn, installation: Installation) -> Turn:
    """The turn with the text that is searched for."""
    named = await with_published_names(turn, installation)
    asked = await at_other_site(standalone(named), named, installation)
    return replace(turn, search_text=_searchable(asked.text), leans=asked.leans, topic=_searchable(asked.topic))


def _searchable(text: str) -> str:
    return without_tokens(text).strip() or text
