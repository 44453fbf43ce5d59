"""Names for people in records: the same person always has the same one, and nobody without the key can tell who."""

from __future__ import annotations

import re

from careline.privacy.redaction.keyed_digest import digest

HOME_REGION = "BE"
"""Region of phone numbers that are written without a country."""
LENGTH = 16
"""Hexadecimal digits of a pseudonym."""
_PHONE = re.compile(r"(?:tel:|sip:)?(\+?[0-9][0-9 ()./-]{5,30})")


def pseudonym(value: str, key: bytes) -> str:
    """The pseudonym of a caller's number, however it is written, or of a user's id: 16 hexadecimal digits.

    Raises: SettingsInvalid when the installation has no key.
    """
    return digest(_normal(value.strip()), key, "pseudonym")[:LENGTH]


def _normal(value: str) -> str:
    """A phone number in E.164; anything else as it is."""
    written = _PHONE.fullmatch(value)
    if written is None:
        return value
    import phonenumbers

    try:
        number = phonenumbers.parse(written[1], HOME_REGION)
    except phonenumbers.NumberParseException:
        return value
    if not phonenumbers.is_valid_number(number):
        return value
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
