"""Serves one of the web functions behind the Lambda Web Adapter: one server, one process, every line of its log JSON.

`python -m careline.runtime.serve careline_functions.orchestrator.app:app`; the port is the adapter's, `AWS_LWA_PORT`.
"""

from __future__ import annotations

import os
import sys

import uvicorn

from careline.log.configure import configure
from careline.runtime import traces

PORT = 8080
STOPPING_SECONDS = 1
"""How long answers under way may take when the process is told to stop."""


def main(app: str) -> None:
    """Serve until the process is told to stop. `app` is `package.function.module:name`, and names its function."""
    function = app.split(".")[1]
    configure(function, "json")
    traces.begin(function)
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=int(os.environ.get("AWS_LWA_PORT", PORT)),
        loop="asyncio",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOPPING_SECONDS,
        log_config=None,
    )


if __name__ == "__main__":
    main(sys.argv[1])
