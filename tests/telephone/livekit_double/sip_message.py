"""SIP messages (RFC 3261) as far as a call needs them: read, answered and written."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

VERSION = "SIP/2.0"
COMPACT = {"v": "via", "f": "from", "t": "to", "i": "call-id", "m": "contact", "o": "event", "r": "refer-to"}
ALLOWED = "INVITE, ACK, CANCEL, BYE, NOTIFY, REFER, OPTIONS, INFO"
SDP = "application/sdp"
Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class SipMessage:
    """A request or a response. Names of headers are in small letters and long."""

    start: str
    headers: dict[str, list[str]]
    body: str

    @classmethod
    def read(cls, datagram: bytes) -> SipMessage | None:
        """From what came over UDP; None where that is no SIP."""
        head, _, body = datagram.decode(errors="replace").partition("\r\n\r\n")
        start, *lines = head.split("\r\n")
        headers: dict[str, list[str]] = {}
        for line in lines:
            name, _, value = line.partition(":")
            name = name.strip().lower()
            headers.setdefault(COMPACT.get(name, name), []).append(value.strip())
        needed = {"via", "from", "to", "call-id", "cseq"}
        return cls(start, headers, body) if needed <= headers.keys() and VERSION in start else None

    @property
    def method(self) -> str:
        """What a request asks for, and what a response answers."""
        return self.header("cseq").split()[-1]

    @property
    def status(self) -> int | None:
        """The status of a response; None of a request."""
        words = self.start.split()
        return int(words[1]) if words[0] == VERSION and words[1:2] and words[1].isdecimal() else None

    @property
    def reason(self) -> str:
        """What a response says beside its status."""
        return self.start.split(" ", 2)[-1]

    @property
    def call_id(self) -> str:
        """Which call this belongs to."""
        return self.header("call-id")

    def header(self, name: str) -> str:
        """The first header of a name, or an empty text."""
        return self.headers.get(name, [""])[0]


def user(header: str) -> str:
    """The user of an address, such as the number in `<sip:32470111222@192.0.2.1>`."""
    return uri(header).partition(":")[2].partition("@")[0].partition(";")[0]


def uri(header: str) -> str:
    """The address in a header, without the name before it and the parameters after it."""
    return header.partition("<")[2].partition(">")[0] if "<" in header else header.partition(";")[0].strip()


def tag(header: str) -> str:
    """The tag of a From or To header, or an empty text."""
    return header.partition(";tag=")[2].partition(";")[0]


def host_port(address: str, default: Address) -> Address:
    """Where an address is reached, `default` where it names no IPv4 address and port."""
    host, _, port = address.rpartition("@")[2].partition(";")[0].removeprefix("sip:").partition(":")
    return (host, int(port)) if port.isdecimal() and host.replace(".", "").isdecimal() else default


def response(request: SipMessage, status: int, reason: str, local: Address, to_tag: str, sdp: str = "") -> bytes:
    """An answer to a request, with an SDP body where there is one."""
    to = request.header("to")
    if not tag(to):
        to += f";tag={to_tag}"
    lines = [f"{VERSION} {status} {reason}", *(f"Via: {via}" for via in request.headers["via"])]
    lines += [f"From: {request.header('from')}", f"To: {to}", f"Call-ID: {request.call_id}"]
    lines += [f"CSeq: {request.header('cseq')}", f"Contact: <sip:livekit@{local[0]}:{local[1]}>", f"Allow: {ALLOWED}"]
    return _written(lines, sdp)


def request_within(invite: SipMessage, method: str, number: int, local: Address, our_tag: str,
                   more: Sequence[str] = ()) -> bytes:  # fmt: skip
    """A request of ours in a call that the other side began with `invite`."""
    lines = [f"{method} {uri(invite.header('contact'))} {VERSION}"]
    lines += [f"Via: {VERSION}/UDP {local[0]}:{local[1]};branch=z9hG4bK{secrets.token_hex(8)};rport"]
    lines += ["Max-Forwards: 70", f"From: {invite.header('to')};tag={our_tag}", f"To: {invite.header('from')}"]
    lines += [f"Call-ID: {invite.call_id}", f"CSeq: {number} {method}"]
    lines += [f"Contact: <sip:livekit@{local[0]}:{local[1]}>", *more]
    return _written(lines, "")


def _written(lines: list[str], sdp: str) -> bytes:
    kind = [f"Content-Type: {SDP}"] if sdp else []
    return "\r\n".join([*lines, *kind, f"Content-Length: {len(sdp.encode())}", "", sdp]).encode()
