"""Lets the commands of this home ask the running server, which has the models in memory already.

Whoever shows the server's secret can read the home, and so its key and records; they are let in as the command line is
when it works alone.
"""

from __future__ import annotations

import hmac

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from careline.installation import Installation
from careline.web import http
from careline.web.handlers import routes_with
from careline_functions.admin import app as admin
from careline_functions.orchestrator import app as orchestrator
from careline_local.serving import CHALLENGE, PROOF, TERMINAL, Serving

MOST = 128
"""Characters of a challenge that is answered."""


class TerminalQuestions:
    """Proves the server to a command, and answers questions that carry the secret; all else goes on as it was."""

    def __init__(self, app: ASGIApp, installation: Installation, serving: Serving) -> None:
        self.app = app
        self._installation, self._serving = installation, serving
        self._questions = Starlette(
            routes=routes_with(
                {
                    "query": orchestrator.query,
                    "showConversation": orchestrator.conversation,
                    "listDocuments": admin.documents,
                }
            ),
            exception_handlers=http.HANDLERS,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if TERMINAL in headers:
            await self._asked(headers[TERMINAL], scope, receive, send)
        elif scope["path"] == "/health" and 0 < len(headers.get(CHALLENGE, "")) <= MOST:
            await self.app(scope, receive, self._proving(headers[CHALLENGE], send))
        else:
            await self.app(scope, receive, send)

    async def _asked(self, shown: str, scope: Scope, receive: Receive, send: Send) -> None:
        if not hmac.compare_digest(shown.encode(), self._serving.password().encode()):
            refused = http.Unauthorised("this is not the secret of the server that runs; ask with --local")
            response = await http.careline_error(Request(scope), refused)
            await response(scope, receive, send)
            return
        scope[http.ADMITTED] = self._installation
        await self._questions(scope, receive, send)

    def _proving(self, challenge: str, send: Send) -> Send:
        async def send_with_proof(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[PROOF] = self._serving.proof(challenge)
            await send(message)

        return send_with_proof
