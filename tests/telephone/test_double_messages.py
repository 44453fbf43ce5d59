"""What the double of LiveKit's SIP service reads and writes."""

from __future__ import annotations

import struct

import numpy as np
import pytest

pytest.importorskip("aiortc", reason="requirements/test.txt is not installed as it is now: `make test`")

from tests.telephone.livekit_double import mu_law
from tests.telephone.livekit_double.rtp import Playout, RtpPort
from tests.telephone.livekit_double.session_description import Offer, answer
from tests.telephone.livekit_double.settings import DoubleSettings
from tests.telephone.livekit_double.sip_message import SipMessage, host_port, request_within, response, tag, user
from tests.telephone.livekit_double.sip_participant import narrowed
from tests.telephone.livekit_double.webrtc_participant import narrow

HERE = ("127.0.0.1", 5060)
SDP = answer("192.0.2.7", 20_000, 96)
INVITE = (
    "INVITE sip:3211901000@127.0.0.1:5060 SIP/2.0\r\n"
    "v: SIP/2.0/UDP 192.0.2.7:5070;branch=z9hG4bK1\r\n"
    'f: "A caller" <sip:32470111222@192.0.2.7:5070>;tag=abc\r\n'
    "t: <sip:3211901000@127.0.0.1:5060>\r\n"
    "i: one@192.0.2.7\r\nCSeq: 1 INVITE\r\nm: <sip:caller@192.0.2.7:5070;transport=udp>\r\n\r\n" + SDP
).encode()


def invite() -> SipMessage:
    message = SipMessage.read(INVITE)
    assert message is not None
    return message


def test_g711_is_what_the_recommendation_says_and_keeps_every_code() -> None:
    codes = bytes(range(256))
    assert mu_law.encode(np.array([0, 32_767, -32_768], np.int16)) == b"\xff\x80\x00"
    assert [int(sample) for sample in mu_law.decode(b"\xff\x80\x00")] == [0, 32_124, -32_124]
    again = mu_law.encode(mu_law.decode(codes))
    # Both codes of zero are one sample.
    assert again == codes.replace(b"\x7f", b"\xff")


def test_a_message_with_short_names_of_headers_is_read() -> None:
    message = invite()
    assert (message.method, message.status, message.call_id) == ("INVITE", None, "one@192.0.2.7")
    assert user(message.header("from")) == "32470111222"
    assert tag(message.header("from")) == "abc"
    assert host_port(message.header("contact").strip("<>"), HERE) == ("192.0.2.7", 5070)


@pytest.mark.parametrize(
    "data", [b"", b"\x80\x00", b"GET / HTTP/1.1\r\n\r\n", b"INVITE sip:a SIP/2.0\r\nVia: x\r\n\r\n"]
)
def test_what_is_no_sip_is_passed_over(data: bytes) -> None:
    assert SipMessage.read(data) is None


def test_a_response_belongs_to_its_request_and_names_our_side() -> None:
    told = SipMessage.read(response(invite(), 200, "OK", HERE, "ours", SDP))
    assert told is not None
    assert (told.status, told.reason, told.method, told.body) == (200, "OK", "INVITE", SDP)
    assert tag(told.header("to")) == "ours"
    assert told.header("content-length") == str(len(SDP))


def test_a_request_of_ours_goes_to_the_callers_contact_with_the_sides_exchanged() -> None:
    asked = SipMessage.read(request_within(invite(), "REFER", 101, HERE, "ours", ["Refer-To: <sip:desk@192.0.2.8>"]))
    assert asked is not None
    assert asked.start == "REFER sip:caller@192.0.2.7:5070;transport=udp SIP/2.0"
    assert (tag(asked.header("from")), tag(asked.header("to"))) == ("ours", "abc")
    assert asked.header("refer-to") == "<sip:desk@192.0.2.8>"


def test_an_offer_says_where_the_caller_is_heard_and_how_digits_are_sent() -> None:
    assert Offer.read(SDP) == Offer("192.0.2.7", 20_000, 96)


@pytest.mark.parametrize("sdp", ["", "m=audio 20000 RTP/AVP 0", "c=IN IP4 192.0.2.7\r\nm=audio 20000 RTP/AVP 8"])
def test_an_offer_without_an_address_or_without_pcmu_is_none(sdp: str) -> None:
    assert Offer.read(sdp) is None


def test_a_key_counts_once_when_it_is_let_go() -> None:
    pressed: list[int] = []
    port = RtpPort(Offer("192.0.2.7", 20_000, 96), pressed.append)
    for timestamp, flags in ((160, 0), (160, 0x8A), (160, 0x8A), (160, 0x8A), (8000, 0x8A)):
        packet = struct.pack("!BBHII", 0x80, 96, 1, timestamp, 7) + bytes([0, flags, 0, 160])
        port.datagram_received(packet, ("192.0.2.7", 20_000))
    assert pressed == [0, 0]


def test_a_packet_that_is_late_is_silence_and_playing_begins_with_two() -> None:
    playout, heard = Playout("silence"), []
    for coming in (1, 1, 0, 0, 0, 1):
        for _ in range(coming):
            playout.take("speech")
        heard.append(playout.next())
    assert heard == ["silence", "speech", "speech", "silence", "silence", "silence"]


def test_a_client_is_asked_for_no_more_than_a_voice_needs() -> None:
    answered = (
        "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\n"
        "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\nc=IN IP4 0.0.0.0\r\na=mid:0\r\na=recvonly\r\n"
        "a=rtpmap:111 opus/48000/2\r\n"
    )
    assert "a=fmtp:111 maxplaybackrate=16000;" in narrow(answered)


def test_what_a_client_says_becomes_packets_of_a_telephone() -> None:
    stereo = np.repeat(np.arange(160, dtype=np.int16), 2 * 6)
    assert [packet.tolist() for packet in narrowed(stereo, 48_000, 2)] == [list(range(160))]
    assert len(narrowed(np.zeros((1, 330), np.int16), 8000, 1)) == 2


@pytest.mark.parametrize("missing", ["LIVEKIT_URL", "LIVEKIT_API_SECRET", "TELEPHONE_SIP"])
def test_an_address_or_key_that_is_missing_is_named(missing: str) -> None:
    told = {
        "LIVEKIT_URL": "ws://127.0.0.1:7880", "LIVEKIT_API_KEY": "key", "LIVEKIT_API_SECRET": "secret",
        "TELEPHONE_SIP": "127.0.0.1:5060",
    }  # fmt: skip
    assert DoubleSettings.load(told).sip_port == 5060
    with pytest.raises(ValueError, match=missing):
        DoubleSettings.load({name: value for name, value in told.items() if name != missing})
