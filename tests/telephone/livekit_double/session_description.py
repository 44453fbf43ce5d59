"""The two session descriptions of a call (SDP): what the caller offers, and G.711 with telephone events in answer."""

from __future__ import annotations

from dataclasses import dataclass

PCMU = 0
TELEPHONE_EVENT = 101


@dataclass(frozen=True, slots=True)
class Offer:
    """Where the caller wants to hear us, and the payload type of its digits (RFC 4733)."""

    host: str
    port: int
    digits: int

    @classmethod
    def read(cls, sdp: str) -> Offer | None:
        """From an SDP; None where it offers no PCMU audio over RTP."""
        host, port, digits = "", 0, TELEPHONE_EVENT
        payloads: list[str] = []
        for line in sdp.splitlines():
            kind, _, value = line.partition("=")
            words = value.split()
            if kind == "c" and words[:2] == ["IN", "IP4"] and len(words) > 2:
                host = words[2]
            elif kind == "m" and words[:1] == ["audio"] and words[1:2] and words[1].isdecimal():
                port, payloads = int(words[1]), words[3:]
            elif kind == "a" and len(words) > 1 and words[1].startswith("telephone-event/"):
                number = words[0].partition(":")[2]
                digits = int(number) if number.isdecimal() else digits
        return cls(host, port, digits) if host and port and str(PCMU) in payloads else None


def answer(host: str, port: int, digits: int) -> str:
    """Our answer: PCMU in packets of 20 ms, and digits as telephone events."""
    lines = ["v=0", f"o=- 1 1 IN IP4 {host}", "s=livekit", f"c=IN IP4 {host}", "t=0 0"]
    lines += [f"m=audio {port} RTP/AVP {PCMU} {digits}", f"a=rtpmap:{PCMU} PCMU/8000"]
    lines += [f"a=rtpmap:{digits} telephone-event/8000", f"a=fmtp:{digits} 0-16", "a=sendrecv", "a=ptime:20", ""]
    return "\r\n".join(lines)
