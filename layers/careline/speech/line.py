"""What a phone line says of itself before anybody has asked anything: openings, prompts, and the numbers it gives."""

from __future__ import annotations

from careline.schemas.wire import LanguageCode, Strict

PROMPTS = ("silence", "silence_close", "keypad", "language_spoken", "handoff", "model_down", "farewell")
"""Replies of the pack that the worker says without asking the orchestrator, by their keys."""


class PhoneLine(Strict):
    """One tenant's line with one pack. Every text is reviewed data of the pack, filled with the tenant's own facts."""

    tenant: str
    pack: str
    languages: list[LanguageCode]
    default_language: LanguageCode
    openings: dict[str, str]
    """What is said first; it says that it is a machine (AI Act, article 50)."""
    prompts: dict[str, dict[str, str]]
    emergency_number: str
    helpdesk_phone: str | None = None
    transfer_to: str | None = None
    """Where callers are put through to, as `sip:` or `tel:` address."""
    keyterms: list[str]
    """Names of staff that speech recognition should expect."""
