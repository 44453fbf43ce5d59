"""Asks ECS not to stop this task: by the agent that ECS puts beside every container (ECS developer guide, task scale-in
protection endpoint)."""

from __future__ import annotations

import json
import re

import aiohttp

AGENT = "ECS_AGENT_URI"
"""Variable that ECS sets: where the agent is. Nowhere but in a task of ECS is it set."""
PATH = "/task-protection/v1/state"
SECONDS = 2.0
"""The agent asks ECS meanwhile; a call that is accepted waits no longer for it."""
_CODE = re.compile(r"[A-Za-z_]{1,60}")


class ProtectionRefused(Exception):
    """Protection is not what was asked for. `reason` is ECS's code, such as DEPLOYMENT_BLOCKED, or one of ours."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TaskProtection:
    """The protection of the task that this process runs in, against scaling in and against deployments."""

    def __init__(self, agent: str) -> None:
        """`agent` is the value of ECS_AGENT_URI."""
        self._address = agent.rstrip("/") + PATH

    async def hold(self, minutes: int) -> None:
        """Protect the task for so long from now on: 1 to 2880 minutes. Raises: ProtectionRefused."""
        await self._put({"ProtectionEnabled": True, "ExpiresInMinutes": minutes})

    async def release(self) -> None:
        """Protect it no longer. Raises: ProtectionRefused."""
        await self._put({"ProtectionEnabled": False})

    async def _put(self, wanted: dict[str, bool | int]) -> None:
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS)) as http,
                http.put(self._address, json=wanted) as response,
            ):
                told = json.loads(await response.read())
        except TimeoutError:
            raise ProtectionRefused("agent_timeout") from None
        except (aiohttp.ClientError, ValueError):
            raise ProtectionRefused("agent_unreachable") from None
        state = _part(told, "protection")
        if state.get("ProtectionEnabled") is not wanted["ProtectionEnabled"]:
            reason = _part(told, "failure").get("Reason") or _part(told, "error").get("Code")
            raise ProtectionRefused(reason if isinstance(reason, str) and _CODE.fullmatch(reason) else "unexpected")


def _part(told: object, name: str) -> dict[str, object]:
    """A member of the agent's answer: `protection`, or `failure` or `error` in its place."""
    found = told.get(name) if isinstance(told, dict) else None
    return found if isinstance(found, dict) else {}
