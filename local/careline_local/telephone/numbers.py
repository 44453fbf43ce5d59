"""Telephone numbers as carriers and LiveKit write them (ITU-T E.164): a plus, the country, and digits alone."""

from __future__ import annotations

from careline.errors import BadRequest


def international(written: str) -> str:
    """The number in that form, from any way of writing it with its country. Raises: BadRequest."""
    import phonenumbers

    if not written.strip().startswith("+"):
        raise BadRequest(f"--number: write {written} with a plus and its country, such as +32 11 90 10 00")
    try:
        number = phonenumbers.parse(written)
    except phonenumbers.NumberParseException:
        raise BadRequest(f"--number: {written} is no telephone number") from None
    if not phonenumbers.is_valid_number(number):
        raise BadRequest(f"--number: there is no number {written} in the plan of its country; look for a slip")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
