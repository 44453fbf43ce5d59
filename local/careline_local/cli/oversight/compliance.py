"""`careline compliance`: the record of processing and a draft of the impact assessment, from what is configured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import click

from careline.curation.hospital import hospital
from careline_local.cli import session as cli
from careline_local.compliance.documents import article_30, impact_assessment
from careline_local.compliance.processing import Processing, processing


@click.group(name="compliance")
def command() -> None:
    """Write what a data protection officer asks for, as far as the settings know it."""


@command.command(name="article-30")
@cli.json_option
@click.pass_obj
@cli.command
def record_of_processing(session: cli.CommandSession, as_json: bool) -> None:
    """The record of processing activities (GDPR, article 30), in Markdown."""
    _print(session, article_30, as_json)


@command.command(name="dpia")
@cli.json_option
@click.pass_obj
@cli.command
def assessment(session: cli.CommandSession, as_json: bool) -> None:
    """A draft of the data protection impact assessment (GDPR, article 35), in Markdown."""
    _print(session, impact_assessment, as_json)


def _print(session: cli.CommandSession, written: Callable[[Processing], str], as_json: bool) -> None:
    settings = session.settings
    engines = session.installation.engines
    found = processing(settings, session.run(hospital(engines, settings.tenant, settings))[0])
    if as_json:
        session.print_json(asdict(found))
    else:
        click.echo(written(found))
