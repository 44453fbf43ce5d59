"""Tells requests of our own pages from those that a page of another site makes a browser send."""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urlsplit

from starlette.requests import Request

from careline.errors import NotAllowed

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
OTHER_SITE = "requests of other sites' pages are not answered"


def check_this_machine(request: Request) -> None:
    """Where nobody logs in: only this machine's own pages, under a loopback name. Raises: NotAllowed.

    A page of another site could send requests to a port of this machine, under a name of its own that leads here; and a
    proxy on this machine would let in whoever can reach it.
    """
    host, origin = request.headers.get("host", ""), request.headers.get("origin")
    if not is_loopback(_parts(f"//{host}").hostname or ""):
        raise NotAllowed("without a login only this machine is answered, under a loopback name")
    if any(name in request.headers for name in FORWARDED):
        raise NotAllowed("behind a proxy people must log in: set CARELINE_LOGIN to required")
    if origin is not None and _parts(origin).netloc != host:
        raise NotAllowed(OTHER_SITE)


def check_own_page(request: Request) -> None:
    """Refuse what a page of another site makes a browser send. Raises: NotAllowed.

    `Sec-Fetch-Site` is the browser's own word and no page can set it; older browsers send `Origin` or `Referer`.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site.lower() not in {"same-origin", "none"}:
            raise NotAllowed(OTHER_SITE)
        return
    said = request.headers.get("origin", request.headers.get("referer"))
    if said is not None and _parts(said).netloc != request.headers.get("host", ""):
        raise NotAllowed(OTHER_SITE)


def comes_encrypted(request: Request) -> bool:
    """Whether the client speaks TLS, with us or with the proxy before us."""
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto", "").strip().lower())


def is_local(request: Request) -> bool:
    """Whether the client calls this machine by a loopback name."""
    return is_loopback(_parts(f"//{request.headers.get('host', '')}").hostname or "")


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine."""
    try:
        return host.lower() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _parts(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _ = parts.hostname
        return parts
    except ValueError:
        return urlsplit("")
