"""What a look at an account found, and how a call that was refused becomes a finding rather than an end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from careline.errors import SettingsInvalid
from careline_local.doctor import Finding

if TYPE_CHECKING:
    from botocore.exceptions import ClientError

NO_BOTO = "what speaks to AWS is not installed: `make preflight`, or `pip install -r requirements/cloud.txt`"
REFUSED = frozenset({"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "AuthorizationError"})


class CloudUnknown(SettingsInvalid):
    """It cannot be told which account, region or stage is meant."""


def looked(name: str, look: Callable[[], Iterator[Finding]]) -> list[Finding]:
    """The findings of one look; where AWS refuses or does not answer, those until then and one of what stopped it. That
    something cannot be known stops nothing."""
    from botocore.exceptions import BotoCoreError, ClientError

    found: list[Finding] = []
    findings = look()
    try:
        while (one := next(findings, None)) is not None:
            found.append(one)
    except ClientError as error:
        found.append(_refused(name, error))
    except BotoCoreError as error:
        advice = "look at the network, and whether the service is in this region"
        found.append(Finding(name, "fail", f"AWS does not answer: {type(error).__name__}", advice))
    return found


def _refused(name: str, error: ClientError) -> Finding:
    asked, code = error.operation_name, error.response["Error"]["Code"]
    if code in REFUSED:
        advice = f"look yourself, or let these credentials call {asked}"
        return Finding(name, "warn", f"not known: {asked} is refused", advice)
    return Finding(name, "warn", f"not known: {asked} answers {code}", "look yourself, or try again")
