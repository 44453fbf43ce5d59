"""Encrypts what people said before it is kept, with a key that only this installation can derive.

AES-256-GCM. Every record has a place (what it is, whose, its key there); the place is part of what is authenticated and
of the key's derivation (HKDF-SHA256 from the installation's key), so that one record cannot be put in place of another.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from typing import Any

from careline.errors import RecordDamaged, SettingsInvalid
from careline.privacy.redaction.keyed_digest import KEY_BYTES

NONCE_BYTES = 12
VERSION = "1."
"""How a text begins that was encrypted in this way."""
UNREADABLE = "a stored record cannot be decrypted: it was changed, or it was written with another key"


def encrypt(content: Any, key: bytes, *place: str) -> str:
    """JSON content as a text that says nothing without the key. Raises: SettingsInvalid without a key."""
    nonce = os.urandom(NONCE_BYTES)
    plain = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    cipher, bound = _cipher(key, place)
    return VERSION + base64.b64encode(nonce + cipher.encrypt(nonce, plain, bound)).decode("ascii")


def decrypt(written: object, key: bytes, *place: str) -> Any:
    """The content that was encrypted for this place.

    Raises: RecordDamaged when it was changed, belongs elsewhere or has another key, SettingsInvalid without a key.
    """
    cipher, bound = _cipher(key, place)
    from cryptography.exceptions import InvalidTag

    try:
        if not isinstance(written, str) or not written.startswith(VERSION):
            raise ValueError("not encrypted")
        sealed = base64.b64decode(written.removeprefix(VERSION), validate=True)
        plain = cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound)
    except (ValueError, binascii.Error, InvalidTag):
        raise RecordDamaged(place[-1], UNREADABLE) from None
    return json.loads(plain.decode("utf-8", "surrogatepass"))


def _cipher(key: bytes, place: tuple[str, ...]) -> tuple[Any, bytes]:
    """The cipher of a place, and the place as bytes that no other place has."""
    if len(key) < KEY_BYTES:
        raise SettingsInvalid("CARELINE_PRIVACY_KEY is needed to keep records about people")
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    bound = json.dumps(["careline record", *place]).encode()
    return AESGCM(HKDF(SHA256(), KEY_BYTES, salt=None, info=bound).derive(key)), bound
