"""Keyed digests: proofs and names that only this installation can make, because only it has the key."""

from __future__ import annotations

import hashlib
import hmac

from careline.errors import SettingsInvalid

KEY_BYTES = 32
"""Length of a key that an installation makes, and the least that one may have."""


def digest(text: str, key: bytes, purpose: str) -> str:
    """HMAC-SHA256 of a text, as 64 hexadecimal digits. `purpose` keeps digests of different kinds apart.

    Raises: SettingsInvalid when the installation has no key.
    """
    if len(key) < KEY_BYTES:
        raise SettingsInvalid("CARELINE_PRIVACY_KEY is needed to keep records about people")
    # A stored text that was tampered with may hold half a surrogate pair; it has a digest like any other.
    message = purpose.encode() + b"\0" + text.encode("utf-8", "surrogatepass")
    return hmac.new(key, message, hashlib.sha256).hexdigest()


def read_key(written: str) -> bytes:
    """A key in hexadecimal. Raises: SettingsInvalid when it is none or too short; the key is not repeated."""
    try:
        key = bytes.fromhex(written.strip())
    except ValueError:
        key = b""
    if len(key) < KEY_BYTES:
        raise SettingsInvalid(f"CARELINE_PRIVACY_KEY: {2 * KEY_BYTES} hexadecimal digits or more are needed")
    return key
