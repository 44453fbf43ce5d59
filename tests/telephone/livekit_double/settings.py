"""Where the double listens, and the keys it accepts: from environment variables alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

ANSWER_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class DoubleSettings:
    """`host` and `port` serve signalling and the API, `sip_host` and `sip_port` SIP; RTP is on `sip_host` too."""

    host: str
    port: int
    key: str
    secret: str
    sip_host: str
    sip_port: int
    answer_seconds: float
    """How long a call rings before it is given up because nobody in its room listens."""

    @classmethod
    def load(cls, environment: Mapping[str, str] = os.environ) -> DoubleSettings:
        """From LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET and TELEPHONE_SIP.

        Raises: ValueError naming the variable that is missing or no address.
        """
        host, port = address(environment, "LIVEKIT_URL")
        sip_host, sip_port = address(environment, "TELEPHONE_SIP")
        keys = [environment.get(name, "") for name in ("LIVEKIT_API_KEY", "LIVEKIT_API_SECRET")]
        if not all(keys):
            raise ValueError("LIVEKIT_API_KEY, LIVEKIT_API_SECRET: say with which keys tokens are signed")
        seconds = float(environment.get("TELEPHONE_ANSWER_SECONDS", ANSWER_SECONDS))
        return cls(host, port, keys[0], keys[1], sip_host, sip_port, seconds)


def address(environment: Mapping[str, str], name: str) -> tuple[str, int]:
    """Host and port of a variable, written `host:port` or as a URL. Raises: ValueError."""
    written = environment.get(name, "")
    parts = urlsplit(written if "//" in written else f"//{written}")
    if not parts.hostname or not parts.port:
        raise ValueError(f"{name}: give a host and a port, such as 127.0.0.1:5060")
    return parts.hostname, parts.port
