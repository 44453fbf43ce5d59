"""Tokens: who may call the API, join a room or be a worker."""

from __future__ import annotations

import jwt
from aiohttp import web
from livekit import api

from tests.telephone.livekit_double.settings import DoubleSettings

SETTINGS = web.AppKey("settings", DoubleSettings)


def claims(request: web.Request) -> api.Claims:
    """What the request's token grants. Raises: HTTPUnauthorized without a token that these keys have signed."""
    settings = request.app[SETTINGS]
    token = request.query.get("access_token") or request.headers.get("Authorization", "").removeprefix("Bearer ")
    try:
        return api.TokenVerifier(settings.key, settings.secret).verify(token)
    except (ValueError, jwt.PyJWTError) as error:
        raise web.HTTPUnauthorized(text="the token is not valid") from error


def agent_token(settings: DoubleSettings, identity: str, name: str, attributes: dict[str, str], room: str) -> str:
    """The token with which a worker's job joins its room."""
    grants = api.VideoGrants(room_join=True, room=room, agent=True, can_update_own_metadata=True)
    token = api.AccessToken(settings.key, settings.secret).with_identity(identity).with_name(name)
    return token.with_kind("agent").with_attributes(attributes).with_grants(grants).to_jwt()
