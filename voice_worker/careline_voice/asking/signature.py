"""Signs requests to the orchestrator's function URL with the task role's credentials (AWS Signature Version 4)."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import httpx2

from careline.errors import SettingsInvalid

if TYPE_CHECKING:
    from botocore.credentials import Credentials

SERVICE = "lambda"


class SignedRequests(httpx2.Auth):
    """Credentials come from where AWS tools look for them and are renewed there before they end."""

    requires_request_body = True

    def __init__(self, region: str | None, credentials: Credentials | None = None) -> None:
        """Raises: SettingsInvalid without a region or credentials."""
        from botocore.session import Session

        session = Session()
        self._region = region or session.get_config_variable("region")
        self._credentials = credentials or session.get_credentials()
        if self._region is None or self._credentials is None:
            raise SettingsInvalid(
                "CARELINE_ORCHESTRATOR_SIGNED: needs CARELINE_AWS_REGION and AWS credentials to sign with"
            )

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        """The request with its signature; see httpx's `Auth`."""
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest

        # Hop-by-hop headers may be changed on the way and are not signed.
        signed = {name: request.headers[name] for name in ("host", "content-type") if name in request.headers}
        to_sign = AWSRequest(request.method, str(request.url), headers=signed, data=request.content)
        SigV4Auth(self._credentials.get_frozen_credentials(), SERVICE, self._region).add_auth(to_sign)
        request.headers.update(dict(to_sign.headers.items()))
        yield request
