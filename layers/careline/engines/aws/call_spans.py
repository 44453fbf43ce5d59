"""A span for each call of an AWS service, by botocore's own events: service, operation, status and request id. Never
what was asked, nor where it is kept."""

from __future__ import annotations

from typing import Any

from careline.tracing.spans import Noted, begin_apart

_SPAN = "careline_span"


def watch(client: Any) -> None:
    """Begin and end spans of this client's calls."""
    events = client.meta.events
    events.register("before-call", _began)
    events.register("after-call", _ended)
    events.register("after-call-error", _broke)


def _began(model: Any, context: dict[str, Any], **_: Any) -> None:
    service, operation = str(model.service_model.service_id), str(model.name)
    attributes = {"rpc.system.name": "aws-api", "rpc.service": service, "rpc.method": f"{service}/{operation}"}
    context[_SPAN] = begin_apart(f"{service}/{operation}", attributes, "client")


def _ended(context: dict[str, Any], parsed: Any, **_: Any) -> None:
    noted: Noted | None = context.pop(_SPAN, None)
    if noted is None:
        return
    about = parsed.get("ResponseMetadata", {})
    noted.note({"http.response.status_code": about.get("HTTPStatusCode"), "aws.request_id": about.get("RequestId")})
    if code := parsed.get("Error", {}).get("Code"):
        noted.fail_with(str(code))
    noted.end()


def _broke(context: dict[str, Any], exception: Exception, **_: Any) -> None:
    noted: Noted | None = context.pop(_SPAN, None)
    if noted is not None:
        noted.fail(exception)
        noted.end()
