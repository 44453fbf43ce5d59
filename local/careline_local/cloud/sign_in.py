"""Logs in at a stage's user pool: as somebody by password, or as a person made for the check and deleted after it.

Both answer the second factor by a code of RFC 6238, as an authenticator on a telephone does.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import string
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from careline.errors import NotAllowed

STEP_SECONDS, DIGITS = 30, 6
"""Of a code (RFC 6238, section 4 and 5.2)."""
ROLE = "admin"
"""The least role that may do everything a check does: take a document in and verify the audit chain."""
CLIENT, PERSON = "careline-cloud-check", "careline-check-{nonce}@careline.invalid"
MOST_CHALLENGES = 4
GONE = frozenset({"UserNotFoundException", "ResourceNotFoundException"})
"""Codes of what is not there to be deleted."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Names of the attributes that hold a person's role and tenant, and the tenant."""

    role: str
    tenant_name: str
    tenant: str


def code(secret: str, now: float | None = None) -> str:
    """The code of an authenticator's secret (base32) at a time."""
    key = base64.b32decode(secret.upper() + "=" * (-len(secret) % 8))
    counter = int((time.time() if now is None else now) // STEP_SECONDS)
    digest = hmac.new(key, struct.pack(">Q", counter), hashlib.sha1).digest()  # SHA-1 is what RFC 6238 has
    at = digest[-1] & 0xF
    number = struct.unpack(">I", digest[at : at + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


def by_password(session: Any, client: str, user: str, password: str, authenticator: str | None = None) -> str:
    """The token of somebody who is there. `authenticator` is the secret of their second factor.

    Raises: NotAllowed when the pool refuses, or its client lets nobody in by password.
    """
    cognito = session.client("cognito-idp")
    begun = cognito.initiate_auth(
        ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": user, "PASSWORD": password}
    )
    return _token(cognito, client, user, begun, authenticator)


@contextmanager
def as_a_person_of_its_own(
    session: Any, pool: str, claims: Claims, tell: Callable[[str], None] = lambda text: None
) -> Iterator[str]:
    """The token of a person that is made for this and deleted at the end, with the client it logs in by.

    Raises: NotAllowed when one of the two could not be deleted. Where something else went wrong before, that is what
    is raised, and `tell` hears what is left.
    """
    cognito = session.client("cognito-idp")
    person, password = PERSON.format(nonce=secrets.token_hex(6)), _password()
    made = cognito.create_user_pool_client(
        UserPoolId=pool,
        ClientName=CLIENT,
        ExplicitAuthFlows=["ALLOW_ADMIN_USER_PASSWORD_AUTH"],
        ReadAttributes=["email", claims.role, claims.tenant_name],
        PreventUserExistenceErrors="ENABLED",
    )["UserPoolClient"]["ClientId"]
    try:
        _make_person(cognito, pool, claims, person, password)
        begun = cognito.admin_initiate_auth(
            UserPoolId=pool,
            ClientId=made,
            AuthFlow="ADMIN_USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": person, "PASSWORD": password},
        )
        yield _token(cognito, made, person, begun, None)
    except BaseException:
        if left := _left(cognito, pool, made, person):
            tell(left)
        raise
    if left := _left(cognito, pool, made, person):
        raise NotAllowed(left)


def _make_person(cognito: Any, pool: str, claims: Claims, person: str, password: str) -> None:
    cognito.admin_create_user(
        UserPoolId=pool,
        Username=person,
        MessageAction="SUPPRESS",
        UserAttributes=[
            {"Name": "email", "Value": person},
            {"Name": "email_verified", "Value": "true"},
            {"Name": claims.role, "Value": ROLE},
            {"Name": claims.tenant_name, "Value": claims.tenant},
        ],
    )
    cognito.admin_set_user_password(UserPoolId=pool, Username=person, Password=password, Permanent=True)


def _left(cognito: Any, pool: str, made: str, person: str) -> str:
    """Delete person and client, each whatever became of the other; what of them is left and why, or nothing."""
    from botocore.exceptions import BotoCoreError, ClientError

    deletions: tuple[tuple[str, Callable[[], Any]], ...] = (
        (person, lambda: cognito.admin_delete_user(UserPoolId=pool, Username=person)),
        (f"the client {made}", lambda: cognito.delete_user_pool_client(UserPoolId=pool, ClientId=made)),
    )
    left = []
    for name, delete in deletions:
        try:
            delete()
        except ClientError as error:
            if (code := error.response["Error"]["Code"]) not in GONE:
                left.append(f"{name} ({error.operation_name}: {code})")
        except BotoCoreError as error:
            left.append(f"{name} ({type(error).__name__})")
    return f"the user pool still has {', '.join(left)}: delete it by hand" if left else ""


def _token(cognito: Any, client: str, user: str, begun: Any, authenticator: str | None) -> str:
    """The identity token, which holds role and tenant, once every challenge is answered."""
    held, said = authenticator, begun
    for _ in range(MOST_CHALLENGES):
        if "AuthenticationResult" in said:
            return str(said["AuthenticationResult"]["IdToken"])
        challenge, session = said["ChallengeName"], said["Session"]
        answers = {"USERNAME": user}
        if challenge == "MFA_SETUP":
            held, session = _set_up(cognito, session)
        elif challenge == "SOFTWARE_TOKEN_MFA" and held is not None:
            answers["SOFTWARE_TOKEN_MFA_CODE"] = code(held)
        else:
            raise NotAllowed(f"the login asks for {challenge}, which is answered in a browser; give a token instead")
        said = cognito.respond_to_auth_challenge(
            ClientId=client, ChallengeName=challenge, Session=session, ChallengeResponses=answers
        )
    raise NotAllowed("the login asks for ever more; give a token instead")


def _set_up(cognito: Any, session: str) -> tuple[str, str]:
    """Give a new person a second factor; its secret, and the session that goes on."""
    begun = cognito.associate_software_token(Session=session)
    secret = str(begun["SecretCode"])
    done = cognito.verify_software_token(Session=begun["Session"], UserCode=code(secret), FriendlyDeviceName=CLIENT)
    return secret, str(done["Session"])


def _password() -> str:
    """32 characters, of every kind that a pool may ask for."""
    kinds = (string.ascii_lowercase, string.ascii_uppercase, string.digits, "!#%+:=?@")
    some = [secrets.choice(kind) for kind in kinds]
    return "".join(some + [secrets.choice("".join(kinds)) for _ in range(28)])
