"""What the published description says of logging in, and the least role and credentials it names for every route."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from careline.access.login import FORM, Login
from careline.access.routes import LEAST_ROLE
from careline.access.sessions import COOKIE, CSRF_HEADER
from careline.bodies import Session

METHODS = ("get", "post", "put", "patch", "delete")
SCHEMES: dict[str, Any] = {
    "token": {"type": "http", "scheme": "bearer", "description": "A token of `careline token new`, or a JWT."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": f"Made by `POST /login`; every change must carry `csrf` of `/v1/session` as `{CSRF_HEADER}`.",
    },
}
CREDENTIALS: list[dict[str, list[str]]] = [{}, {"token": []}, {"session": []}]
"""Any one of them; none is needed on loopback while nobody must log in."""


def login_paths(refusals: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """Logging in, out, and who is logged in; `careline up` serves them."""
    schema_of_session = {"$ref": f"#/components/schemas/{Session.__name__}"}
    answer = {"description": "Who is logged in.", "content": {"application/json": {"schema": schema_of_session}}}
    schema = Login.model_json_schema()
    content = {"application/json": {"schema": schema}, FORM: {"schema": schema}}
    return {
        "/login": {
            "post": {
                "operationId": "login",
                "summary": "Begin a session of the console with a token.",
                "requestBody": {"required": True, "content": content},
                "responses": {
                    "200": answer,
                    "303": {"description": "Logged in by a form; the console is there."},
                    **refusals(400, 413),
                },
            }
        },
        "/logout": {
            "post": {
                "operationId": "logout",
                "summary": "End the session.",
                "responses": {"204": {"description": "There is no session any more."}, **refusals()},
            }
        },
        "/v1/session": {
            "get": {
                "operationId": "showSession",
                "summary": "Who is logged in, and the CSRF token of the session.",
                "responses": {"200": answer, **refusals()},
            }
        },
    }


def with_roles(paths: dict[str, Any]) -> dict[str, Any]:
    """The paths with the least role of each operation (`x-least-role`), from the table that the middleware reads."""
    for path, item in paths.items():
        for method in METHODS:
            if method in item and (least := LEAST_ROLE.get((method.upper(), path))) is not None:
                item[method]["x-least-role"] = least.value
            elif method in item:
                item[method]["security"] = []
    return paths
