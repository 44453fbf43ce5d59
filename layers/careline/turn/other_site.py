"""Reads "and at the other campus?" as a question about the site that is meant, whose name the documents have."""

from __future__ import annotations

from dataclasses import replace

from careline.errors import EngineUnavailable
from careline.installation import Installation
from careline.search.site_names import Sites, noun_of, renamed, sites_in
from careline.turn.find_passages import find_passages
from careline.turn.standalone_question import Standalone
from careline.turn.turn import Turn

LOOKED_THROUGH = 20
"""Passages in which names are looked for."""


async def at_other_site(asked: Standalone, turn: Turn, installation: Installation) -> Standalone:
    """What is asked, with the name of the site that is meant by another one than before; as it is where nobody can tell
    which that is."""
    if not asked.of_first_site:
        return asked
    sites = await _sites(asked.of_first_site, turn, installation)
    name = _first_site(sites, asked.of_first_site, turn)
    other = sites.other_than(name, noun_of(turn.question)) if name else None
    if name is None or other is None:
        return asked
    text = renamed(asked.of_first_site, name, other)
    if text == asked.of_first_site:
        text = f"{text.rstrip(' ?.!')} {other}?"
    return replace(asked, text=text, topic=asked.topic and renamed(asked.topic, name, other))


def _first_site(sites: Sites, question: str, turn: Turn) -> str | None:
    """The one site that a question is about, or else its answer."""
    said = [message.text for message in turn.conversation.messages if message.role == "assistant"]
    for text in (question, *said[-1:]):
        named = sites.named_in(text)
        if named:
            return named[0] if len(named) == 1 else None
    return None


async def _sites(question: str, turn: Turn, installation: Installation) -> Sites:
    try:
        hits = await find_passages(question, None, turn, installation, LOOKED_THROUGH)
    except EngineUnavailable:
        # The search for the answer says so.
        hits = ()
    return sites_in(hits)
