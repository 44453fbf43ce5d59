"""What an identity provider or the cloud's gateway says about somebody, as an identity of ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from careline.errors import NotAllowed
from careline.identity import Identity, Role, Signer, identity
from careline.settings import Settings

CONTEXT_HEADER = "x-amzn-request-context"
"""Lambda Web Adapter puts what the gateway knows of a request here, in place of whatever a client sent."""
_SEPARATORS = str.maketrans("[],\"'", "     ")


def from_claims(claims: Mapping[str, Any], settings: Settings) -> Identity:
    """The identity in verified claims (Cognito, or any OpenID provider). Raises: NotAllowed when they name no role or
    no tenant of ours."""
    roles = [Role(one) for one in _words(claims.get(settings.access.role_claim)) if one in set(Role)]
    tenants = _words(claims.get(settings.access.tenant_claim))
    subject = claims.get("sub")
    if not roles or len(tenants) != 1 or not isinstance(subject, str) or not subject:
        raise NotAllowed("the login names no role or no tenant here; ask whoever gives out logins")
    highest = max(roles, key=list(Role).index)
    return identity(f"login:{subject}", highest, tenants[0])


def from_gateway(request: Request, settings: Settings) -> Identity | None:
    """The identity that API Gateway or a function URL vouches for; None when they name nobody. Raises: NotAllowed."""
    context = _context(request)
    authorizer = _mapping(context.get("authorizer"))
    claims = _mapping(authorizer.get("claims")) or _mapping(_mapping(authorizer.get("jwt")).get("claims"))
    if claims:
        return from_claims(claims, settings)
    arn = _mapping(authorizer.get("iam")).get("userArn") or _mapping(context.get("identity")).get("userArn")
    return from_iam(arn, settings) if isinstance(arn, str) and arn else None


def from_iam(arn: str, settings: Settings) -> Identity:
    """The identity of a signed request, by the IAM role that signed it. Raises: NotAllowed for one without a role here.

    `arn:aws:sts::111111111111:assumed-role/careline-prod-voice/session` is the role `careline-prod-voice` of that
    account. The service leaves the role's path out there, and no two roles of an account have one name.
    """
    signer = Signer.of_session(arn)
    granted = {Signer.of_role(role): given for role, given in settings.access.iam_roles.items()}.get(signer)
    if signer is None or granted is None:
        raise NotAllowed("the IAM role that signed this request has no role here; CARELINE_IAM_ROLES gives it one")
    role, _, tenant = granted.partition("@")
    session = arn.rpartition("/")[2]
    return identity(f"iam:{signer.account}/{signer.name}/{session}", Role(role), tenant or settings.tenant)


def _context(request: Request) -> Mapping[str, Any]:
    sent = request.headers.getlist(CONTEXT_HEADER)
    try:
        return _mapping(json.loads(sent[0])) if len(sent) == 1 else {}
    except (ValueError, RecursionError):
        return {}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _words(value: object) -> list[str]:
    """A claim may be a text, a list, or a list that API Gateway has written as a text."""
    if isinstance(value, list):
        return [one for one in value if isinstance(one, str)]
    return value.translate(_SEPARATORS).split() if isinstance(value, str) else []
