"""`careline cloud`: whether a stage can go to an account of AWS, and whether the one that is there works."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click
from rich.markup import escape

from careline_local.cli import session as cli
from careline_local.cli.doctor import STYLES
from careline_local.doctor import Finding

if TYPE_CHECKING:
    from careline_local.cloud.http_client import Signer
    from careline_local.cloud.outputs import Deployed

NO_ADDRESS = "--api: write http:// or https:// and the host, such as https://abc.execute-api.eu-west-1.amazonaws.com/dev"
NOT_IN_ADDRESS = frozenset(" ?#@\\")
"""What no address of an API has, and would make another one of it."""
UNREADABLE = "{name}: this is no token; give one line of letters, digits and signs, without the word Bearer before it"
TOKEN, PASSWORD, AUTHENTICATOR = "CLOUD_CHECK_TOKEN", "CLOUD_CHECK_PASSWORD", "CLOUD_CHECK_AUTHENTICATOR"
region_option = click.option("--region", help="Region of AWS; else that of the environment.")


@click.group(name="cloud")
def command() -> None:
    """Look at an account of AWS: what is missing for a stage, and whether a deployed one works."""


@command.command(name="preflight")
@click.option("--stage", type=click.Choice(["dev", "prod"]), required=True, help="What is about to be deployed.")
@region_option
@click.option(
    "--assembly",
    type=click.Path(path_type=Path),
    help="Folder of the stage's templates, which tells how many images must be built; without it some are expected.",
)
@click.option(
    "--qualifier", default="hnb659fds", show_default=True, envvar="CDK_QUALIFIER", help="Of the CDK bootstrap."
)
@click.option("--bedrock-model", "model", help="Id of a model of Bedrock that must be there.")
@cli.json_option
@click.pass_obj
@cli.command
def preflight_command(
    session: cli.CommandSession, stage: str, region: str | None, assembly: Path | None, qualifier: str,
    model: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Say what is missing on this machine and in the account before a stage is deployed; ends with 1 where it is.

    Nothing is made or changed by looking.
    """
    from careline_local.cloud.preflight import Plan, preflight

    _report(session, preflight(Plan(stage, region, assembly, qualifier, model)), as_json)


@command.command(name="check")
@click.option("--stack", help="A deployed stage, such as careline-dev; its stacks say where it is.")
@click.option("--api", "address", help="Address of an HTTP API instead.")
@region_option
@click.option("--user", help=f"Somebody of the user pool; the password is {PASSWORD}.")
@click.option("--sign", is_flag=True, help="Sign requests with the credentials of AWS instead of logging in.")
@click.option("--tenant", default="default", show_default=True, help="Hospital of the person made for the check.")
@cli.json_option
@click.pass_obj
@cli.command
def check_command(
    session: cli.CommandSession, stack: str | None, address: str | None, region: str | None, user: str | None,
    sign: bool, tenant: str, as_json: bool,
) -> None:  # fmt: skip
    """Ask a deployed stage for everything it is there for, once: sign-in, a document, a question, its record, alarms.

    The token of a login is CLOUD_CHECK_TOKEN. Without one, and without --user and --sign, a person is made in the
    stage's user pool for the time of the check. What the check takes in is deleted at its end. Ends with 1 where
    something fails, with 3 where nobody answers.
    """
    if (stack is None) == (address is None):
        raise click.UsageError("one of --stack and --api says what is checked")
    from careline_local.cloud.check import alarms
    from careline_local.cloud.findings import looked
    from careline_local.cloud.outputs import Deployed, deployed
    from careline_local.cloud.preflight import session as aws_session

    needs_aws = stack is not None or user is not None or sign
    given = _address(address) if address is not None else ""
    aws = aws_session(region) if needs_aws else None
    there = deployed(aws, stack) if stack is not None else Deployed(given)

    def found() -> Iterator[Finding]:
        with _login(session, aws, there, user, sign, tenant) as shown:
            yield from _checked(session, there, shown)
        if there.prefix is not None:
            yield from looked("alarms", partial(alarms, aws, there.prefix, there.topic))

    _report(session, found(), as_json)


def _address(given: str) -> str:
    """An address as requests go to it, without a slash at its end. Raises: UsageError when it is none."""
    try:
        parts = urlsplit(given)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise click.UsageError(NO_ADDRESS) from None
    is_plain = given.isascii() and given.isprintable() and not NOT_IN_ADDRESS & set(given)
    if parts.scheme not in {"http", "https"} or not has_host or not is_plain:
        raise click.UsageError(NO_ADDRESS)
    return given.rstrip("/")


def _checked(session: cli.CommandSession, there: Deployed, shown: Signer | None) -> Iterator[Finding]:
    from careline_local.cloud.check import Check
    from careline_local.cloud.http_client import Api

    check = Check(Api(there.api, shown), Api(there.api), there.prefix or "careline-STAGE", tell=session.note)
    yield from check.run()


@contextmanager
def _login(
    session: cli.CommandSession, aws: Any, there: Deployed, user: str | None, sign: bool, tenant: str
) -> Iterator[Signer | None]:
    """What shows who asks, for as long as that is needed. Raises: NotAllowed, CloudUnknown."""
    from careline_local.cloud import http_client, sign_in
    from careline_local.cloud.findings import CloudUnknown

    token = os.environ.get(TOKEN, "").strip()
    if token:
        if not token.isascii() or not token.isprintable() or " " in token:
            raise CloudUnknown(UNREADABLE.format(name=TOKEN))
        yield http_client.bearer(token)
    elif sign:
        yield http_client.signed(aws)
    elif user is not None:
        yield http_client.bearer(_by_password(aws, there, user))
    elif there.pool is not None:
        claims = sign_in.Claims(*_claim_names(), tenant)
        with _pool_refusals(), sign_in.as_a_person_of_its_own(aws, there.pool, claims, session.note) as own:
            yield http_client.bearer(own)
    else:
        yield None


def _by_password(aws: Any, there: Deployed, user: str) -> str:
    from careline_local.cloud import sign_in
    from careline_local.cloud.findings import CloudUnknown

    if there.client is None or PASSWORD not in os.environ:
        raise CloudUnknown(f"--user: needs {PASSWORD}, and a stage whose stacks name a client of the user pool")
    with _pool_refusals():
        return sign_in.by_password(aws, there.client, user, os.environ[PASSWORD], os.environ.get(AUTHENTICATOR))


@contextmanager
def _pool_refusals() -> Iterator[None]:
    """Tell what a user pool refuses, and that it does not answer, as an error of ours."""
    from botocore.exceptions import BotoCoreError, ClientError

    from careline.errors import NotAllowed
    from careline_local.cloud.findings import CloudUnknown

    try:
        yield
    except ClientError as error:
        code = error.response["Error"]["Code"]
        raise NotAllowed(f"the user pool refuses {error.operation_name} ({code}); give {TOKEN} instead") from None
    except BotoCoreError as error:
        told = f"the user pool does not answer ({type(error).__name__})"
        raise CloudUnknown(f"{told}; log in to AWS and see --region, or give {TOKEN} instead") from None


def _claim_names() -> tuple[str, str]:
    from careline.settings import Settings

    access = Settings().access
    return access.role_claim, access.tenant_claim


def _report(session: cli.CommandSession, findings: Iterator[Finding], as_json: bool) -> None:
    """Show findings as they come, or all as JSON, also those before an error; end with 1 where one fails.

    Raises: ApiGone, and what else ends a look.
    """
    show: Callable[[Finding], None] = (lambda one: None) if as_json else partial(_show, session)
    found: list[Finding] = []
    is_over = False
    try:
        for one in findings:
            show(one)
            found.append(one)
        is_over = True
    finally:
        holds = is_over and all(one.state != "fail" for one in found)
        if as_json:
            session.print_json({"ok": holds, "checks": [asdict(one) for one in found]})
    if not holds:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _show(session: cli.CommandSession, one: Finding) -> None:
    advice = f"; {one.advice}" if one.advice else ""
    line = f"[{STYLES[one.state]}]{one.state:<4}[/] {escape(f'{one.name}: {one.found}{advice}')}"
    session.console.print(line, soft_wrap=True)
