"""Whose hospital a request is about, and who asks."""

from __future__ import annotations

from starlette.requests import Request

from careline.installation import Installation
from careline.web import http


def tenant_of(request: Request) -> tuple[str, Installation]:
    """The hospital, and the installation as whoever asks may see it."""
    installation = http.installation(request)
    return installation.settings.tenant, installation


def by(installation: Installation) -> str:
    """Who changes something, for the audit."""
    return f"{installation.asker.role} {installation.asker.subject}"
