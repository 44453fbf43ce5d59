"""What every Lambda handler is wrapped in: JSON lines with the ids of the invocation, a span of its trace, and no
exception whose message may quote a document or a caller.

Powertools is read at the first invocation in Lambda: importing a handler has no effect, and elsewhere it is not needed.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, TypeAlias, cast

from careline.errors import CarelineError
from careline.log import context
from careline.log.configure import configure
from careline.log.event_log import EventLog
from careline.runtime import traces
from careline.tracing.sending import send_now
from careline.tracing.spans import Attributes, span, within_xray

Handler: TypeAlias = Callable[[dict[str, Any], Any], Any]
IN_LAMBDA, TRACE = "AWS_LAMBDA_RUNTIME_API", "_X_AMZN_TRACE_ID"
"""Variables of Lambda: where the runtime is asked for events, and the trace of the one that is being worked on."""
HIDDEN = "a defect; the log has its place"
_ROOT = re.compile(r"1-[0-9a-f]{8}-[0-9a-f]{24}")
log = EventLog(__name__)


def observed(function: str) -> Callable[[Handler], Handler]:
    """Wrap the handler of a function of this name."""

    def wrap(handler: Handler) -> Handler:
        safe = _without_words(handler)
        invocations = itertools.count()
        in_lambda = cache(lambda: _with_powertools(function, safe))

        @wraps(handler)
        def run(event: dict[str, Any], invocation: Any) -> Any:
            found = _ROOT.search(os.environ.get(TRACE, ""))
            with context.bound(xray=found[0] if found else None), within_xray(os.environ.get(TRACE, "")):
                call = in_lambda() if IN_LAMBDA in os.environ else safe
                about: Attributes = {"faas.name": function, "faas.coldstart": next(invocations) == 0}
                try:
                    with span(function, about, "server"):
                        return call(event, invocation)
                finally:
                    send_now()

        return run

    return wrap


def _without_words(handler: Handler) -> Handler:
    @wraps(handler)
    def run(event: dict[str, Any], invocation: Any) -> Any:
        try:
            return handler(event, invocation)
        except CarelineError:
            raise
        except Exception as error:
            log.write_raised("handler_broke", error, kind=type(error).__name__)
            # Of the same name, as the state machine decides by it what is tried again.
            raise type(type(error).__name__, (Exception,), {})(HIDDEN) from None

    return run


def _with_powertools(function: str, handler: Handler) -> Handler:
    """Raises: ImportError where `requirements/cloud.txt` is not installed."""
    from aws_lambda_powertools import Logger

    traces.begin(function)
    out = configure(function, "json")
    # Powertools drops the lines of every logger whose name holds that of its own, as `careline.telemetry` does
    # `telemetry`; no module's name holds a blank.
    logger = Logger(service=f"function {function}", logger_handler=out, logger_formatter=cast(Any, out.formatter))
    return logger.inject_lambda_context(handler, clear_state=True)
