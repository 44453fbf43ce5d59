"""A person for the time of a check: made, logged in with a second factor, and gone afterwards."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import boto3
import jwt
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from careline.errors import NotAllowed
from careline_local.cloud import sign_in
from careline_local.cloud.sign_in import Claims

REGION = "eu-west-1"
CLAIMS = Claims("custom:role", "custom:tenant", "sint-anna")
RFC_SECRET = base64.b32encode(b"12345678901234567890").decode()


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    with mock_aws():
        yield


@pytest.fixture
def pool() -> str:
    made = boto3.client("cognito-idp", REGION).create_user_pool(
        PoolName="people",
        UsernameAttributes=["email"],
        Schema=[{"Name": name, "AttributeDataType": "String", "Mutable": True} for name in ("role", "tenant")],
    )
    return str(made["UserPool"]["Id"])


@pytest.mark.parametrize(
    ("second", "expected"),
    [(59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (1234567890, "005924"), (2000000000, "279037")],
)
def test_codes_are_those_of_the_examples_of_rfc_6238(second: int, expected: str) -> None:
    assert sign_in.code(RFC_SECRET, second) == expected


def test_the_person_has_the_role_that_a_check_needs_and_is_gone_afterwards(pool: str) -> None:
    session = boto3.Session(region_name=REGION)
    with sign_in.as_a_person_of_its_own(session, pool, CLAIMS) as token:
        claims = jwt.decode(token, options={"verify_signature": False})
        assert (claims["custom:role"], claims["custom:tenant"]) == ("admin", "sint-anna")
    client = session.client("cognito-idp")
    assert client.list_users(UserPoolId=pool)["Users"] == []
    assert client.list_user_pool_clients(UserPoolId=pool)["UserPoolClients"] == []


def test_the_person_is_gone_also_when_the_check_breaks(pool: str) -> None:
    session = boto3.Session(region_name=REGION)
    with pytest.raises(KeyError), sign_in.as_a_person_of_its_own(session, pool, CLAIMS):
        raise KeyError
    assert session.client("cognito-idp").list_users(UserPoolId=pool)["Users"] == []


class NotDeleting:
    """The user pool, but one deletion is refused."""

    def __init__(self, refuses: str) -> None:
        self._session, self._refuses = boto3.Session(region_name=REGION), refuses

    def client(self, name: str) -> Any:
        made = self._session.client("cognito-idp")
        asked = "".join(part.title() for part in self._refuses.split("_"))

        def refuse(**asked_for: Any) -> None:
            raise ClientError({"Error": {"Code": "AccessDeniedException"}}, asked)

        setattr(made, self._refuses, refuse)
        return made


def left(pool: str) -> tuple[int, int]:
    """How many people and clients a pool has."""
    client = boto3.client("cognito-idp", REGION)
    clients = client.list_user_pool_clients(UserPoolId=pool)["UserPoolClients"]
    return len(client.list_users(UserPoolId=pool)["Users"]), len(clients)


@pytest.mark.parametrize(
    ("refuses", "there"), [("admin_delete_user", (1, 0)), ("delete_user_pool_client", (0, 1))]
)
def test_a_deletion_that_is_refused_stops_no_other_and_is_told(pool: str, refuses: str, there: tuple[int, int]) -> None:
    with (
        pytest.raises(NotAllowed, match=r"AccessDeniedException.*by hand"),
        sign_in.as_a_person_of_its_own(NotDeleting(refuses), pool, CLAIMS),
    ):
        pass
    assert left(pool) == there


@pytest.mark.parametrize("refuses", ["admin_delete_user", "delete_user_pool_client"])
def test_what_broke_the_check_is_not_hidden_by_a_deletion_that_is_refused(pool: str, refuses: str) -> None:
    heard: list[str] = []
    with pytest.raises(KeyError), sign_in.as_a_person_of_its_own(NotDeleting(refuses), pool, CLAIMS, heard.append):
        raise KeyError
    (told,) = heard
    assert "AccessDeniedException" in told


class Pool:
    """A pool that wants a second factor of everybody, as ours does; a code is taken once it is the right one."""

    def __init__(self, challenges: list[str]) -> None:
        self._challenges = challenges
        self.answered: list[tuple[str, str | None]] = []

    def initiate_auth(self, **asked: Any) -> dict[str, Any]:
        return self._next()

    def respond_to_auth_challenge(self, **asked: Any) -> dict[str, Any]:
        self.answered.append((asked["ChallengeName"], asked["ChallengeResponses"].get("SOFTWARE_TOKEN_MFA_CODE")))
        return self._next()

    def associate_software_token(self, **asked: Any) -> dict[str, Any]:
        return {"SecretCode": RFC_SECRET, "Session": asked["Session"] + "+"}

    def verify_software_token(self, **asked: Any) -> dict[str, Any]:
        assert asked["UserCode"] == sign_in.code(RFC_SECRET)
        return {"Session": asked["Session"] + "+", "Status": "SUCCESS"}

    def _next(self) -> dict[str, Any]:
        if self._challenges:
            return {"ChallengeName": self._challenges.pop(0), "Session": "s"}
        return {"AuthenticationResult": {"IdToken": "token"}}


class Session:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def client(self, name: str) -> Pool:
        return self._pool


def test_a_new_person_sets_up_a_second_factor() -> None:
    pool = Pool(["MFA_SETUP"])
    assert sign_in.by_password(Session(pool), "client", "somebody", "secret") == "token"
    assert pool.answered == [("MFA_SETUP", None)]


def test_a_person_s_own_authenticator_answers_for_them() -> None:
    pool = Pool(["SOFTWARE_TOKEN_MFA"])
    assert sign_in.by_password(Session(pool), "client", "somebody", "secret", RFC_SECRET) == "token"
    ((challenge, shown),) = pool.answered
    assert (challenge, len(shown or "")) == ("SOFTWARE_TOKEN_MFA", 6)


@pytest.mark.parametrize("challenge", ["SOFTWARE_TOKEN_MFA", "NEW_PASSWORD_REQUIRED"])
def test_what_only_a_person_can_answer_is_told(challenge: str) -> None:
    with pytest.raises(NotAllowed, match=f"{challenge}.*token instead"):
        sign_in.by_password(Session(Pool([challenge])), "client", "somebody", "secret")
