"""What somebody enters at Twilio, in the order of its console, so that calls of a number arrive at the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

UNKNOWN_HOST = "SIP-URI-OF-THE-PROJECT"
"""LiveKit shows it in its project settings; it cannot be told from the address of the server."""
ROUTED = "the US, Canada, the UK, Australia, Ireland, France, Germany and Austria"
"""Where Twilio routes calls to emergency services (its documentation, emergency calling for SIP trunking)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One setting: where it stands, its value, and why where that is not plain."""

    where: str
    value: str
    why: str = ""


def twilio(name: str, numbers: Sequence[str], host: str | None, edge: str) -> list[Entry]:
    """The settings of an elastic SIP trunk (Twilio's documentation, elastic SIP trunking, secure trunking, call
    transfer, emergency calling)."""
    uri = f"sip:{host or UNKNOWN_HOST};transport=tls;edge={edge}"
    return [
        Entry("Elastic SIP Trunking > Manage > Trunks > Create", name),
        Entry("General > Secure Trunking", "enabled", "signals by TLS, audio by SRTP; LiveKit refuses a call without"),
        Entry("General > Call Recording", "do not record", "nothing that a caller says is kept at the carrier"),
        Entry("General > Call Transfer (SIP REFER)", "enabled", "the line puts callers through to a person"),
        Entry("General > Enable PSTN Transfer", "enabled", "where that person has a telephone number"),
        Entry("General > Caller ID for Transfer Target", "transferee", "the person sees who calls"),
        Entry("Termination", "leave empty", "the line calls nobody, so no address and no password is let in there"),
        Entry("Origination > Origination URI", uri, "priority 10, weight 10, enabled"),
        *(Entry("Numbers > Add", number) for number in numbers),
        Entry(
            "Numbers > Emergency address", "the address of the hospital",
            f"the line dials no emergency number, it tells callers to; Twilio routes such calls in {ROUTED} only",
        ),
        Entry("Codecs", "nothing to enter", "Twilio offers G.711 (PCMU, PCMA), which LiveKit takes"),
        Entry("IP access control lists", "nothing to enter", "they are for calls to Twilio, of which there are none"),
    ]  # fmt: skip
