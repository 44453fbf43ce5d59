"""The question side of the HTTP API: `POST /v1/query`, conversations, turns, search, packs, health."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from careline import document_search as search
from careline import suggested_questions
from careline.access import login
from careline.access.authentication import Authentication
from careline.access.emergencies import EmergenciesFirst
from careline.access.idempotency import IdempotencyKeys
from careline.bootstrap import from_environment
from careline.conversation import conversations
from careline.errors import BadRequest
from careline.runtime.warm_up import warm
from careline.schemas import wire
from careline.telemetry import turns
from careline.telemetry.explain import explanation
from careline.turn import line, pipeline, speculate
from careline.web import http
from careline.web.handlers import Handler, routes_of
from careline.web.openapi.document import document


async def query(request: Request) -> Response:
    """POST /v1/query: one turn, as JSON or as server-sent events."""
    asked = wire.read_body(wire.QueryRequest, await http.body(request))
    streamed = "text/event-stream" in request.headers.get("accept", "")
    if asked.speculative and not streamed:
        raise BadRequest("speculative: who decides needs the turn's id first; ask with `Accept: text/event-stream`")
    events = pipeline.run(asked, http.installation(request), http.trace_id(request))
    if streamed:
        return await stream(events, http.trace_id(request))
    return await collect(events, request)


async def stream(events: AsyncGenerator[wire.Event, None], trace_id: str) -> Response:
    """The events as they come; a turn that fails before anything was said is a problem document instead."""
    first = await anext(events)
    if isinstance(first, wire.Failed):
        return http.problem_response(first.problem)

    async def lines() -> AsyncIterator[bytes]:
        yield first.to_sse()
        try:
            async with aclosing(events):
                async for event in events:
                    yield event.to_sse()
        except Exception as error:
            yield wire.Failed(problem=http.defect(error, trace_id)).to_sse()

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(lines(), media_type="text/event-stream", headers=headers)


async def collect(events: AsyncGenerator[wire.Event, None], request: Request) -> Response:
    """The answer or the problem that the events end in; a client that hangs up stops the turn, and so the model."""
    last = await http.unless_gone(_last(events), request)
    if isinstance(last, wire.Failed):
        return http.problem_response(last.problem)
    assert isinstance(last, wire.Done)
    return Response(last.answer.model_dump_json(), media_type="application/json")


async def _last(events: AsyncGenerator[wire.Event, None]) -> wire.Event | None:
    last: wire.Event | None = None
    async with aclosing(events):
        async for event in events:
            last = event
    return last


async def own_conversations(request: Request) -> Response:
    """GET /v1/conversations: those of whoever asks. A login of callers has none: several may share it."""
    limit = http.whole_number(request, "limit", 50, 200)
    return http.json_response(await conversations.listing(http.installation(request), limit))


async def suggestions(request: Request) -> Response:
    """GET /v1/suggestions: questions that the hospital's own documents answer."""
    pack, language = request.query_params.get("pack", ""), request.query_params.get("language", "en")
    return http.json_response(await suggested_questions.suggested(pack, language, http.installation(request)))


async def conversation(request: Request) -> Response:
    """GET /v1/conversations/{conversation_id}: its messages."""
    return http.json_response(
        await conversations.show(request.path_params["conversation_id"], http.installation(request))
    )


async def forget(request: Request) -> Response:
    """DELETE /v1/conversations/{conversation_id}: its end."""
    await conversations.forget(request.path_params["conversation_id"], http.installation(request))
    return Response(status_code=204)


async def turn(request: Request) -> Response:
    """GET /v1/turns/{turn_id}: the record of a turn."""
    installation = http.installation(request)
    return http.json_response(
        await turns.show(request.path_params["turn_id"], installation.settings.tenant, installation.engines)
    )


async def explained(request: Request) -> Response:
    """GET /v1/turns/{turn_id}/explanation: why a turn went the way it did."""
    installation = http.installation(request)
    engines, tenant = installation.engines, installation.settings.tenant
    return http.json_response(await explanation(engines, tenant, request.path_params["turn_id"], installation.packs))


async def decide(request: Request) -> Response:
    """POST /v1/turns/{turn_id}/decision: commits or drops a speculative turn."""
    installation, turn_id = http.installation(request), request.path_params["turn_id"]
    await speculate.open_turn(turn_id, installation)
    await speculate.decide(turn_id, wire.read_body(wire.Decision, await http.body(request)).commit, installation)
    return Response(status_code=204)


async def phone_line(request: Request) -> Response:
    """GET /v1/line: what a phone line says of itself."""
    said = await line.line(request.query_params.get("pack"), http.installation(request))
    return Response(said.model_dump_json(), media_type="application/json")


async def find(request: Request) -> Response:
    """POST /v1/search: passages without an answer."""
    asked = wire.read_body(wire.SearchRequest, await http.body(request))
    return http.json_response(await search.search(asked, http.installation(request)))


async def packs(request: Request) -> Response:
    """GET /v1/packs: what can be talked to, and for whom."""
    return http.json_response(await search.packs(http.installation(request)))


async def health(request: Request) -> Response:
    """GET /health: that the process serves, and what it still loads."""
    return http.json_response(request.app.state.installation.readiness.to_json())


async def openapi(request: Request) -> Response:
    """GET /openapi.json."""
    return http.json_response(document())


HANDLERS: Mapping[str, Handler] = {
    "query": query,
    "decideTurn": decide,
    "suggestQuestions": suggestions,
    "listConversations": own_conversations,
    "showConversation": conversation,
    "forgetConversation": forget,
    "showLine": phone_line,
    "listPacks": packs,
    "search": find,
    "showTurn": turn,
    "explainTurn": explained,
    "showSession": login.who,
    "health": health,
    "describe": openapi,
}
"""By the names of the operations in `careline.web.routes`."""
ROUTES = routes_of("orchestrator", HANDLERS)

GUARDS = [
    Middleware(EmergenciesFirst),
    Middleware(Authentication, routes=ROUTES),
    Middleware(IdempotencyKeys, routes=ROUTES),
]

app = http.application(ROUTES, from_environment, warm, GUARDS)
