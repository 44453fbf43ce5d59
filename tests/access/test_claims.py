"""Who the gateway or a login provider says somebody is, and what becomes of claims that are none of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from starlette.testclient import TestClient

from careline.access.claims import CONTEXT_HEADER
from careline.errors import SettingsInvalid
from careline_functions.orchestrator.app import app
from careline_local.server import check_address
from tests.access.doors import code, door
from tests.turn.turns import an_installation

EVENTS = Path(__file__).parents[2] / "events"
GATEWAY = {
    "login": "gateway",
    "iam_roles": {
        "arn:aws:iam::111111111111:role/staff/careline-prod-clinician": "user",
        "arn:aws:iam::111111111111:role/careline-prod-voice": "caller@sint-anna",
    },
}
ISSUER, AUDIENCE = "https://login.example/realm", "careline"


def context_of(sample: str) -> dict[str, Any]:
    """The request context of a sample event, as Lambda Web Adapter passes it on."""
    found: dict[str, Any] = json.loads((EVENTS / sample).read_text())["requestContext"]
    return found


def claimed(**claims: object) -> dict[str, Any]:
    return {"authorizer": {"claims": {"sub": "7f3a", "custom:role": "manager", "custom:tenant": "anna", **claims}}}


@pytest.fixture(scope="module", name="gateway")
def the_gateway() -> Iterator[TestClient]:
    """The deployed orchestrator behind its gateway; nothing that it shares with others is left behind."""
    app.state.installation = an_installation(settings={"access": GATEWAY})
    yield TestClient(app, base_url="https://a1b2.example")
    for left in ("installation", "access"):
        if hasattr(app.state, left):
            delattr(app.state, left)


def asked(gateway: TestClient, context: object, path: str = "/v1/packs") -> Any:
    sent = {} if context is None else {CONTEXT_HEADER: context if isinstance(context, str) else json.dumps(context)}
    return gateway.get(path, headers=sent)


@pytest.mark.parametrize(
    ("sample", "packs"),
    [
        ("api_gateway_query.json", {"hospital_line", "clinical_assistant"}),
        ("function_url_query.json", {"hospital_line"}),
    ],
)
def test_a_request_has_the_role_of_its_token_or_of_the_iam_role_that_signed_it(
    gateway: TestClient, sample: str, packs: set[str]
) -> None:
    context = context_of(sample)
    response = asked(gateway, context)
    assert {pack["name"] for pack in response.json()["packs"]} == packs
    shown = asked(gateway, context, "/v1/session").json()
    assert (shown["tenant"], shown["csrf"]) == ("sint-anna", None)


def test_a_role_with_a_path_is_known_by_its_account_and_name(gateway: TestClient) -> None:
    arn = "arn:aws:sts::111111111111:assumed-role/careline-prod-clinician/arts"
    shown = asked(gateway, {"identity": {"userArn": arn}}, "/v1/session").json()
    assert (shown["role"], shown["tenant"]) == ("user", "default")


@pytest.mark.parametrize(
    "role", ["manager", ["user", "manager"], "[user manager]", '["user","manager"]', "user,manager,unknown"]
)
def test_claims_of_a_login_are_role_and_tenant(gateway: TestClient, role: object) -> None:
    response = asked(gateway, claimed(**{"custom:role": role}), "/v1/turns/none")
    assert code(response) == (404, "NOT_FOUND"), "a manager may look"


@pytest.mark.parametrize(
    ("context", "status"),
    [
        (None, 401),
        ("", 401),
        ("{", 401),
        ("[" * 100_000, 401),
        ("[]", 401),
        ({}, 401),
        ({"authorizer": {"principalId": "x"}, "identity": {"userArn": None}}, 401),
        (claimed(**{"custom:role": "king"}), 403),
        (claimed(**{"custom:role": None}), 403),
        (claimed(**{"custom:tenant": ""}), 403),
        (claimed(**{"custom:tenant": "one two"}), 403),
        (claimed(sub=""), 403),
        ({"identity": {"userArn": "arn:aws:sts::111111111111:assumed-role/somebody-else/x"}}, 403),
        ({"identity": {"userArn": "arn:aws:iam::111111111111:user/careline-prod-clinician"}}, 403),
        ({"identity": {"userArn": "arn:aws:iam::111111111111:root"}}, 403),
        ({"identity": {"userArn": "arn:aws:sts::999999999999:assumed-role/careline-prod-clinician/x"}}, 403),
        ({"identity": {"userArn": "arn:aws-cn:sts::111111111111:assumed-role/careline-prod-clinician/x"}}, 403),
        ({"identity": {"userArn": "arn:aws:sts::111111111111:assumed-role/staff/careline-prod-clinician/x"}}, 403),
        ({"identity": {"userArn": "arn:aws:sts::111111111111:federated-user/careline-prod-clinician"}}, 403),
        ({"identity": {"userArn": "x arn:aws:sts::111111111111:assumed-role/careline-prod-clinician/x"}}, 403),
    ],
)
def test_whom_the_gateway_does_not_vouch_for_is_refused(gateway: TestClient, context: object, status: int) -> None:
    assert asked(gateway, context).status_code == status


def test_the_tenant_is_the_tokens_whatever_the_body_says(gateway: TestClient) -> None:
    headers = {CONTEXT_HEADER: json.dumps(claimed())}
    for tenant, status in (("elzenvoorde", 403), ("anna", 200)):
        asked_for = {"text": "goeiedag", "tenant": tenant}
        assert gateway.post("/v1/query", json=asked_for, headers=headers).status_code == status


def test_no_other_credential_counts_behind_the_gateway(gateway: TestClient) -> None:
    twice = [(CONTEXT_HEADER, json.dumps(claimed())), (CONTEXT_HEADER, json.dumps(claimed()))]
    assert gateway.get("/v1/packs", headers=twice).status_code == 401
    assert gateway.get("/v1/packs", headers={"authorization": "Bearer x"}).status_code == 401
    assert gateway.get("/health").status_code == 200


def test_a_server_of_this_machine_never_believes_a_gateway() -> None:
    with pytest.raises(SettingsInvalid, match="CARELINE_LOGIN"):
        check_address("127.0.0.1", an_installation(settings={"access": {"login": "gateway"}}))
    for login in ("auto", "required"):
        with door(login=login) as at:
            response = at.client.get("/v1/session", headers={CONTEXT_HEADER: json.dumps(claimed())})
            assert response.json().get("role") in {None, "owner"}
            assert response.status_code == (200 if login == "auto" else 401)


KEY, STRANGERS = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
CURVE = ec.generate_private_key(ec.SECP256R1())


@pytest.fixture(scope="module", name="provider")
def the_provider(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Settings of a provider with two keys."""
    keys = [
        {**jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key(), as_dict=True), "kid": "one", "alg": "RS256"},
        {**jwt.algorithms.ECAlgorithm.to_jwk(CURVE.public_key(), as_dict=True), "kid": "two", "alg": "ES256"},
    ]
    file = tmp_path_factory.mktemp("keys") / "jwks.json"
    file.write_text(json.dumps({"keys": keys}))
    return {"issuer": ISSUER, "audience": AUDIENCE, "keys": str(file)}


def signed(key: Any = KEY, algorithm: str = "RS256", kid: str | None = "one", **claims: object) -> str:
    usual = {
        "sub": "7f3a", "iss": ISSUER, "aud": AUDIENCE, "exp": 4_000_000_000,
        "custom:role": "manager", "custom:tenant": "anna", **claims,
    }  # fmt: skip
    told = {name: value for name, value in usual.items() if value is not None}
    return jwt.encode(told, key, algorithm, headers={"kid": kid} if kid else None)


@pytest.mark.parametrize("token", [signed(), signed(CURVE, "ES256", "two")])
def test_a_jwt_of_the_provider_is_its_holders_role_and_tenant(provider: dict[str, str], token: str) -> None:
    with door(others={"oidc": provider}) as at:
        shown = at.as_(token, "GET", "/v1/session").json()
        assert (shown["role"], shown["tenant"], shown["csrf"]) == ("manager", "anna", None)


SECRET = "a shared secret that is long enough to sign with"


@pytest.mark.parametrize(
    ("token", "status"),
    [
        (signed(STRANGERS), 401),
        (signed(kid="three"), 401),
        (signed(kid=None), 401),
        (signed(kid="two"), 401),
        (signed(SECRET, "HS256"), 401),
        (jwt.encode({"sub": "x"}, None, "none"), 401),
        (signed(exp=1_000_000_000), 401),
        (signed(exp=None), 401),
        (signed(iss="https://elsewhere.example"), 401),
        (signed(aud="another"), 401),
        (signed(nbf=3_900_000_000), 401),
        ("a.b.c", 401),
        ("..", 401),
        ("a" * 9000 + ".b.c", 401),
        (signed(**{"custom:role": None}), 403),
        (signed(**{"custom:tenant": None}), 403),
    ],
)
def test_a_jwt_that_does_not_hold_or_says_too_little_is_refused(
    provider: dict[str, str], token: str, status: int
) -> None:
    with door(others={"oidc": provider}) as at:
        assert at.as_(token, "GET", "/v1/session").status_code == status


def test_a_provider_that_is_named_in_part_or_without_keys_is_refused(tmp_path: Path, provider: dict[str, str]) -> None:
    with door(others={"oidc": {"issuer": ISSUER}}) as at:
        assert code(at.client.get("/v1/packs")) == (500, "SETTINGS_INVALID")
    broken = tmp_path / "jwks.json"
    broken.write_text("{")
    with door(others={"oidc": {**provider, "keys": str(broken)}}) as at:
        assert code(at.as_(signed(), "GET", "/v1/packs")) == (500, "SETTINGS_INVALID")


def test_a_jwt_begins_no_session(provider: dict[str, str]) -> None:
    with door(others={"oidc": provider}) as at:
        assert at.client.post("/login", json={"token": signed()}).status_code == 413
