"""Checks signatures of AWS requests (SigV4) as AWS does: botocore computes each again from what came over the wire."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler

_SCOPE = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(\w+)/(\d{8})/([\w-]+)/([\w-]+)/aws4_request, "
    r"SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})"
)
CLOCKS_APART = timedelta(minutes=5)


@dataclass(frozen=True)
class Refusal:
    """An answer with a status instead of a stream."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class AwsSigners:
    """Who may call a service of a region: secret access key and session token by access key."""

    service: str
    region: str
    known: dict[str, tuple[str, str | None]]
    denied: frozenset[str] = frozenset()
    """Access keys whose role allows nothing."""

    def refusal(self, request: BaseHTTPRequestHandler, body: bytes) -> Refusal | None:
        """403 as AWS gives it for a signature that is wrong, late, for elsewhere or of somebody unknown."""
        signed = _SCOPE.fullmatch(request.headers.get("authorization", ""))
        if signed is None:
            return Refusal(403)
        access, day, region, service, names, signature = signed.groups()
        at = request.headers.get("x-amz-date", "")
        sent = datetime.strptime(at, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        is_ours = (region, service) == (self.region, self.service) and access in self.known and at.startswith(day)
        if not is_ours or access in self.denied or abs(datetime.now(UTC) - sent) > CLOCKS_APART:
            return Refusal(403)
        return None if self._signature(request, body, access, names.split(";"), at) == signature else Refusal(403)

    def _signature(
        self, request: BaseHTTPRequestHandler, body: bytes, access: str, names: list[str], at: str
    ) -> str | None:
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials

        secret, token = self.known[access]
        if request.headers.get("x-amz-security-token") != token or "host" not in names:
            return None
        signer = SigV4Auth(Credentials(access, secret, token), self.service, self.region)
        url = f"http://{request.headers['host']}{request.path}"
        headers = {name: request.headers.get(name, "") for name in names}
        again = AWSRequest(method=request.command, url=url, data=body, headers=headers)
        again.context["timestamp"] = at
        if "x-amz-content-sha256" in names:
            # What the header says of the body is not believed: AWS reads the body as well.
            del again.headers["x-amz-content-sha256"]
            again.headers["x-amz-content-sha256"] = signer.payload(again)
        return str(signer.signature(signer.string_to_sign(again, signer.canonical_request(again)), again))
