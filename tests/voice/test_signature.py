"""Requests to the function URL carry a signature that AWS would accept: checked against botocore's own."""

from __future__ import annotations

import pytest

from careline.errors import SettingsInvalid

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

import httpx2
from botocore.credentials import Credentials

from careline_voice.asking.signature import SignedRequests

URL = "https://abc.lambda-url.eu-west-1.on.aws/v1/query?pack=hospital_line"


def signed(body: bytes) -> httpx2.Request:
    auth = SignedRequests("eu-west-1", Credentials("AKIDEXAMPLE", "secret", "session-token"))
    request = httpx2.Request("POST", URL, content=body, headers={"content-type": "application/json"})
    return next(auth.auth_flow(request))


def test_a_request_names_the_key_the_region_and_the_service_and_carries_the_session() -> None:
    request = signed(b"{}")
    assert "/eu-west-1/lambda/aws4_request" in request.headers["authorization"]
    assert "Credential=AKIDEXAMPLE/" in request.headers["authorization"]
    assert request.headers["x-amz-security-token"] == "session-token"
    assert "host" in request.headers["authorization"].partition("SignedHeaders=")[2]


def test_another_body_has_another_signature_and_the_secret_is_in_none() -> None:
    first, second = (signed(body).headers["authorization"] for body in (b'{"text":"a"}', b'{"text":"b"}'))
    assert first.partition("Signature=")[2] != second.partition("Signature=")[2]
    assert "secret" not in first.replace("session", "")


def test_without_credentials_the_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with pytest.raises(SettingsInvalid, match="CARELINE_ORCHESTRATOR_SIGNED"):
        SignedRequests("eu-west-1")
