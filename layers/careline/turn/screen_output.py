"""Lets text out, sentence by sentence, and nothing that was not read here first.

This is the only module that makes `ScreenedText`. A sentence is judged alone and together with what was said before it,
so that advice split over two sentences is caught; after a blocked sentence the answer ends with the pack's refusal.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from careline.model import Usage
from careline.ports import Draft
from careline.screened import ScreenedText, _seal
from careline.sentences import SentenceStream
from careline.tenants.packs import Pack
from careline.turn.turn import Turn


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that may be shown. `sources` are those it was drafted from, where known; `blocked` names the rules
    when it stands in place of one that may not be shown. A sentence without text carries the usage."""

    text: ScreenedText
    sources: tuple[int, ...] = ()
    blocked: tuple[str, ...] = ()
    usage: Usage | None = None


async def screen_output(drafts: AsyncGenerator[Draft, None], turn: Turn) -> AsyncGenerator[Sentence, None]:
    """The sentences of a draft that may be shown. Raises what the drafts raise."""
    stream = SentenceStream(turn.language)
    said = ""
    sources: tuple[int, ...] = ()
    async with aclosing(drafts):
        async for draft in drafts:
            sources = tuple(dict.fromkeys((*sources, *draft.sources)))
            for sentence in stream.push(draft.text):
                screened = _judged(sentence, said, sources, turn)
                yield screened
                if screened.blocked:
                    return
                said, sources = said + sentence, ()
            if draft.usage is not None:
                yield Sentence(_seal(""), usage=draft.usage)
    for sentence in stream.flush():
        screened = _judged(sentence, said, sources, turn)
        yield screened
        if screened.blocked:
            return
        said, sources = said + sentence, ()


def _judged(sentence: str, said: str, sources: tuple[int, ...], turn: Turn) -> Sentence:
    if turn.pack.advice is not None:
        verdict = turn.pack.advice.judge(sentence, said, turn.language)
        if verdict.action == "block":
            reply = reviewed(turn.pack, "partial_blocked" if said.strip() else "blocked", turn.language, turn)
            gap = "\n\n" if said.strip() and not said.endswith("\n") else ""
            return Sentence(reply.reshaped(lambda text: gap + text), blocked=verdict.reasons)
    return Sentence(_seal(sentence), sources)


def reviewed(pack: Pack, key: str, language: str, turn: Turn, **values: str) -> ScreenedText:
    """A reply of the pack, which people have reviewed. Values come from the tenant's data and earlier answers only."""
    known = {
        "emergency_number": turn.tenant.emergency_number,
        "hospital": turn.tenant.name_in(language) or "",
        "phone": turn.tenant.helpdesk_phone or "",
        **values,
    }
    return _seal(pack.say(key, language, **{name: value for name, value in known.items() if value}))
