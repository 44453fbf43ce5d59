"""A server that asks for a login, over fakes, with a token of each role and documents for two hospitals."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from starlette.testclient import TestClient

from careline.access import tokens
from careline.identity import Role
from careline.installation import Installation
from careline_local import server
from tests.builders import a_passage
from tests.turn.turns import TENANT, a_hospital, with_passages

HERE = "http://127.0.0.1"
OTHER = "sint-anna"
OWNERS = "the-owner's-own-token"


@dataclass(frozen=True)
class Door:
    """A client of the server. `tokens` are by role for the hospital of the settings, `others` for another one."""

    client: TestClient
    installation: Installation
    tokens: dict[Role, str]
    others: dict[Role, str]

    def as_(self, token: str | None, method: str, path: str, **sent: Any) -> httpx2.Response:
        """What somebody with this token is answered."""
        headers = {**sent.pop("headers", {}), **({"authorization": f"Bearer {token}"} if token else {})}
        return self.client.request(method, path, headers=headers, **sent)

    def log_in(self, role: Role = Role.OWNER, **more: Any) -> dict[str, Any]:
        """A session in the client's cookie jar; what the login was answered with."""
        response = self.client.post("/login", json={"token": self.tokens[role]}, **more)
        assert response.status_code == 200, response.text
        shown: dict[str, Any] = response.json()
        return shown


async def _issue(installation: Installation, tenant: str) -> dict[Role, str]:
    return {role: (await tokens.issue(installation.engines, role, tenant))[1] for role in Role}


async def _made(settings: dict[str, Any]) -> tuple[Installation, dict[Role, str], dict[Role, str]]:
    installation = await a_hospital(settings=settings)
    clinical = a_passage("Geef ceftriaxon 2 g.", tenant=TENANT, doc_key="sepsis", facts={"audience": "clinician"})
    await with_passages(installation, clinical, a_passage("Bezoek kan de hele dag.", tenant=OTHER, doc_key="anna"))
    return installation, await _issue(installation, TENANT), await _issue(installation, OTHER)


@contextmanager
def door(base_url: str = HERE, *, others: dict[str, Any] | None = None, **access: Any) -> Iterator[Door]:
    """The server, running."""
    made, own, others = asyncio.run(_made({"access": {"login": "required", **access}, **(others or {})}))
    with TestClient(server.application(made), base_url=base_url, follow_redirects=False) as client:
        yield Door(client, made, own, others)


def code(response: httpx2.Response) -> tuple[int, str]:
    """Status and stable code of a refusal."""
    return response.status_code, response.json()["error_code"]
