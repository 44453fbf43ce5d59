"""The worker's way to the orchestrator: one warm connection, questions as server-sent events, and what a line says."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from functools import cache
from typing import Any

import httpx2

from careline.errors import CarelineError, EngineUnavailable
from careline.log import context
from careline.schemas import wire
from careline.settings import OrchestratorSettings
from careline.speech.line import PhoneLine
from careline_voice.asking.signature import SignedRequests

CONNECT_SECONDS = 2.0
FIRST_EVENT_SECONDS = 9.0
"""Longest wait between two events: with the fillers nobody hears ten seconds of nothing before it is over."""
WARM_SECONDS = 240.0
"""How long an idle connection is kept."""
SSE, TRACE_HEADER = "text/event-stream", "x-trace-id"


class OrchestratorUnavailable(EngineUnavailable):
    """The orchestrator does not answer, or stopped half way through an answer."""

    code = "ORCHESTRATOR_UNAVAILABLE"
    component = "orchestrator"


class OrchestratorRefused(CarelineError):
    """The orchestrator understood and said no; `status` and `code` are its own."""

    component = "orchestrator"

    def __init__(self, problem: wire.Problem) -> None:
        super().__init__(problem.message, retry_after=problem.retry_after)
        self.status, self.code = problem.status, problem.error_code


class Orchestrator:
    """Asks questions for one worker process; connections are shared by its calls and kept between them."""

    def __init__(self, settings: OrchestratorSettings, region: str | None = None) -> None:
        """`region` is that of signatures. Raises: SettingsInvalid when requests cannot be signed as settings say."""
        headers = {"accept": SSE}
        if settings.token is not None:
            headers["authorization"] = f"Bearer {settings.token.get_secret_value()}"
        self._http = httpx2.AsyncClient(
            base_url=settings.url,
            headers=headers,
            auth=SignedRequests(region) if settings.signed else None,
            timeout=httpx2.Timeout(FIRST_EVENT_SECONDS, connect=CONNECT_SECONDS),
            limits=httpx2.Limits(max_connections=None, keepalive_expiry=WARM_SECONDS),
            verify=_certificates(),
            trust_env=False,
        )

    async def warm(self) -> None:
        """Open a connection before the first question needs one. Raises: OrchestratorUnavailable."""
        await self._request("GET", "/health")

    async def line(self, pack: str | None) -> PhoneLine:
        """What the line says of itself. Raises: OrchestratorUnavailable, OrchestratorRefused."""
        body = await self._request("GET", "/v1/line", params={"pack": pack} if pack else {})
        try:
            # While a deployment is under way the orchestrator may be newer, and say more than is known here, or older.
            return PhoneLine.model_validate_json(body, extra="ignore")
        except ValueError:
            raise OrchestratorUnavailable("what the orchestrator says of the line is of another version") from None

    async def decide(self, turn_id: str, commit: bool) -> None:
        """Say whether a speculative turn was wanted. Raises: OrchestratorUnavailable, OrchestratorRefused."""
        await self._request("POST", f"/v1/turns/{turn_id}/decision", content=wire.Decision(commit=commit))

    async def ask(self, question: wire.QueryRequest) -> AsyncGenerator[wire.Event, None]:
        """The events of one turn as they come; the last one is `done` or `dropped`.

        Raises: OrchestratorUnavailable when there is no end to it, OrchestratorRefused when it ends in `error`.
        """
        body = question.model_dump_json(exclude_none=True).encode()
        headers, ended = {"content-type": "application/json"}, False
        if trace := context.ids().get("trace"):
            headers[TRACE_HEADER] = trace
        try:
            async with self._http.stream("POST", "/v1/query", content=body, headers=headers) as response:
                if response.status_code != httpx2.codes.OK:
                    raise _refused(response.status_code, await response.aread())
                async for event in _events(response.aiter_lines()):
                    if isinstance(event, wire.Failed):
                        raise OrchestratorRefused(event.problem)
                    ended = isinstance(event, wire.Done | wire.Dropped)
                    yield event
        except httpx2.HTTPError as error:
            raise _unavailable(error) from None
        if not ended:
            # A stream that is read to its end leaves the connection warm for the next question.
            raise OrchestratorUnavailable("the orchestrator stopped before the end of an answer")

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _request(
        self, method: str, path: str, *, params: dict[str, str] | None = None, content: wire.Strict | None = None
    ) -> bytes:
        sent: dict[str, Any] = {"params": params} if params else {}
        if content is not None:
            sent |= {"content": content.model_dump_json().encode(), "headers": {"content-type": "application/json"}}
        try:
            response = await self._once_more(method, path, sent)
        except httpx2.HTTPError as error:
            raise _unavailable(error) from None
        if response.is_error:
            raise _refused(response.status_code, response.content)
        return response.content

    async def _once_more(self, method: str, path: str, sent: dict[str, Any]) -> httpx2.Response:
        """The response, asked for again where the kept connection had ended meanwhile; all these may be repeated."""
        try:
            return await self._http.request(method, path, **sent)
        except (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError):
            return await self._http.request(method, path, **sent)


async def _events(lines: AsyncIterator[str]) -> AsyncIterator[wire.Event]:
    block: list[str] = []
    async for line in lines:
        block.append(line)
        if not line:
            for event in wire.read_events(block):
                yield event
            block = []


def _refused(status: int, body: bytes) -> CarelineError:
    try:
        return OrchestratorRefused(wire.Problem.model_validate_json(body))
    except ValueError:
        # A gateway's page, which is not ours to read.
        return OrchestratorUnavailable(f"the orchestrator's address answered {status} without a problem document")


def _unavailable(error: httpx2.HTTPError) -> OrchestratorUnavailable:
    return OrchestratorUnavailable(f"the orchestrator cannot be reached ({type(error).__name__})")


@cache
def _certificates() -> ssl.SSLContext:
    """Whom the worker trusts. Reading that takes 20 ms, in which no audio of any call moves."""
    return httpx2.create_ssl_context(trust_env=False)
