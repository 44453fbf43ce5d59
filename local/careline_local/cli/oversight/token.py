"""`careline token`: tokens of one role each, for people and programs that come in over HTTP."""

from __future__ import annotations

import click
from rich.markup import escape
from rich.table import Column, Table

from careline.access import tokens
from careline.identity import Role
from careline.model import Audience
from careline_local.cli import session as cli
from careline_local.cli.batch.identifiers import TOKEN, among, whole


@click.group(name="token")
def command() -> None:
    """Make, list and revoke tokens, each of one role."""


@command.command()
@click.option("--role", type=click.Choice([role.value for role in Role]), required=True, help="What it lets do.")
@click.option("--name", default="", help="Whose or what it is for, as the list shows it.")
@click.option("--tenant", help="Whose data it is for; the installation's own tenant when absent.")
@click.option("--audience", type=click.Choice(["public", "clinician"]), help="For a user who is no clinician: public.")
@cli.json_option
@click.pass_obj
@cli.command
def new(
    session: cli.CommandSession, role: str, name: str, tenant: str | None, audience: Audience | None, as_json: bool
) -> None:
    """Make a token. It is shown once and cannot be shown again."""
    whose = tokens.checked_tenant(tenant or session.settings.tenant)
    seen: tuple[Audience, ...] | None = ("public",) if audience == "public" else None
    made = tokens.issue(session.installation.engines, Role(role), whose, name=name, audiences=seen)
    token, text = session.run(made)
    if as_json:
        session.print_json({**token.to_json(), "token": text})
        return
    session.console.print(text, markup=False, soft_wrap=True)
    session.progress_console.print(f"{token.token_id}: role {token.role}, tenant {token.tenant}. Keep it now.")


@command.command("list")
@cli.json_option
@click.pass_obj
@cli.command
def list_(session: cli.CommandSession, as_json: bool) -> None:
    """Every token, without its text."""
    found = [token.to_json() for token in session.run(tokens.listing(session.installation.engines))]
    if as_json:
        session.print_json({"tokens": found})
        return
    names = ("id", "name", "role", "tenant", "created_at")
    if not found:
        session.console.print("There are no tokens; `careline token new --role user` makes one.", soft_wrap=True)
        return
    table = Table(*(Column(name, no_wrap=name == "id") for name in names))
    for one in found:
        table.add_row(*(escape(str(one[name])) for name in names))
    session.console.print(table)


@command.command()
@click.argument("token_id")
@cli.json_option
@click.pass_obj
@cli.command
def revoke(session: cli.CommandSession, token_id: str, as_json: bool) -> None:
    """End a token, and every login that began with it."""
    gone = session.run(_revoke(session, token_id))
    if as_json:
        session.print_json({"revoked": gone.token_id})
    else:
        session.console.print(f"{gone.token_id} is revoked.")


async def _revoke(session: cli.CommandSession, given: str) -> tokens.AccessToken:
    engines = session.installation.engines
    ids = among(token.token_id for token in await tokens.listing(engines))
    return await tokens.revoke(engines, await whole(given, TOKEN, ids))
