#!/bin/sh
# Lambda Web Adapter starts this: one server, one process, ready when /health answers.
cd "${LAMBDA_TASK_ROOT:-/var/task}" || exit 1
export PYTHONPATH="${LAMBDA_TASK_ROOT:-/var/task}:/opt/python:${PYTHONPATH}"
exec python3 -m uvicorn careline_functions.orchestrator.app:app \
    --host 127.0.0.1 --port "${AWS_LWA_PORT:-8080}" --loop asyncio --no-access-log --no-server-header \
    --timeout-graceful-shutdown 1
