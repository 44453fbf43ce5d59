"""What a browser may do on the console's page: load its own files, talk to its own server, and nothing more."""

from __future__ import annotations

from collections.abc import Sequence

REFERRER = "no-referrer"


def content_security_policy(login: Sequence[str] = ()) -> str:
    """The policy, with the origins that the page also talks to where people log in at a provider's.

    Nothing inline, no frame around it, and no form that is sent elsewhere: a word of a document that got into the page
    as markup could load and send nothing.
    """
    return "; ".join(
        (
            "default-src 'self'",
            " ".join(("connect-src 'self'", *login)),
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        )
    )
