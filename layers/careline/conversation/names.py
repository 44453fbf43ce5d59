"""Names of conversations, all of our own making: one that a client chose may hold a person's name.

A name carries a proof that it was made here. Any other that a client sends stands for a conversation of ours, always
the same one, and is itself never kept.
"""

from __future__ import annotations

import hmac

from careline.privacy.redaction.keyed_digest import digest

BODY, PROOF = 24, 16
"""Hexadecimal digits of either part of a name that is made from a client's; with the dash 41 characters."""


def made(identifier: str, tenant: str, key: bytes) -> str:
    """The name of a new conversation from a fresh identifier. Raises: SettingsInvalid without a key."""
    return f"{identifier}-{_proof(identifier, tenant, key)}"


def ours(sent: str, tenant: str, key: bytes) -> str:
    """The name of the conversation that a client means: what it sent if we made that, else the one that stands for it.

    Raises: SettingsInvalid without a key.
    """
    identifier, _, proof = sent.rpartition("-")
    if identifier and hmac.compare_digest(proof.encode(), _proof(identifier, tenant, key).encode()):
        return sent
    return made(digest(f"{tenant}\0{sent}", key, "conversation chosen by a client")[:BODY], tenant, key)


def _proof(identifier: str, tenant: str, key: bytes) -> str:
    return digest(f"{tenant}\0{identifier}", key, "conversation name")[:PROOF]
