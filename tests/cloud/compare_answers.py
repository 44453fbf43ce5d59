"""Asks the demo's questions of the laptop and of the emulated cloud in its built packages, and lists what differs.

`python -m tests.cloud.compare_answers --part open`: the demo hospital is loaded into both, here through the command's
own way, there through the bucket and the state machine. Half an hour on two processors.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import yaml

from careline.bootstrap import new_ids
from careline.engines.aws.table import DynamoTable
from careline.engines.embedded.clock import SystemClock
from careline.model import LANGUAGES
from careline.ports import Records
from careline.privacy.redaction.keyed_digest import read_key
from careline.turn.stages.screening import embed_question
from careline_local.bench.answers import outcomes
from careline_local.bench.evaluation_sets import Part, questions_of
from careline_local.cli.session import CommandSession
from careline_local.demo import load
from careline_local.intake import FoundFile
from tests.cloud.account import TENANT, Account, deployed
from tests.cloud.chat_client import Client
from tests.patience import PATIENCE, patient

Json = dict[str, Any]
ROLE = "arn:aws:sts::111111111111:assumed-role/careline-dev-voice/worker"
PARTS = ("held_out", "open")


def on_laptop(home: Path, part: Part) -> list[Json]:
    """What the laptop says to every question of a part: disposition, first document and text."""
    session = CommandSession(home)
    report = session.run(load.load(session))
    if report.refused:
        raise click.ClickException(f"{len(report.refused)} documents of the demo were refused")
    embed_question.TIMEOUT = PATIENCE
    waiting = replace(session.installation, settings=patient(session.installation.settings))
    return [_said(json.loads(one.answer.model_dump_json())) for one in asyncio.run(outcomes(waiting, part))]


def in_cloud(account: Account, documents: list[FoundFile], part: Part) -> list[Json]:
    """The same of the emulated cloud, its documents uploaded first."""
    asyncio.run(_set_up(account))
    with click.progressbar(documents, label="uploading") as shown:
        for one in shown:
            _upload(account, one)
    with account.gateway() as (gateway, _, url):
        gateway.signers["VOICE"] = ROLE
        client = Client(url, key="VOICE")
        with click.progressbar(list(_questions(part)), label="asking") as shown:
            return [_said(client.ask(one["text"], history=one.get("history", []))[0]) for one in shown]


async def _set_up(account: Account) -> None:
    table = DynamoTable(account.table, SystemClock(), account.clients["dynamodb"])
    secret = account.environment("orchestrator")["CARELINE_PRIVACY_KEY_SECRET"]
    key = read_key(account.clients["secretsmanager"].get_secret_value(SecretId=secret)["SecretString"])
    await load.set_up(TENANT, Records(clock=SystemClock(), new_id=new_ids(), table=table, read_key=lambda: key))


def _upload(account: Account, one: FoundFile) -> None:
    facts = json.dumps(one.facts, default=str)
    said = {"careline_facts": facts} | ({"careline_doc_key": one.doc_key} if one.doc_key else {})
    ended = account.run(account.upload(Path(one.path).name, Path(one.path).read_bytes(), **said))
    if ended["status"] != "SUCCEEDED":
        raise click.ClickException(f"{one.path}: {ended.get('cause')}")


def _questions(part: Part) -> Iterator[Json]:
    for language in sorted(LANGUAGES):
        yield from yaml.safe_load(questions_of(part, language).read_text(encoding="utf-8"))["questions"]


def _said(answer: Json) -> Json:
    cited = [one["doc_key"] for one in answer["citations"]]
    return {"disposition": answer["disposition"], "reason": answer["reason"], "cited": cited, "text": answer["text"]}


@click.command()
@click.option("--part", type=click.Choice(PARTS), default="open", show_default=True)
def main(part: Part) -> None:
    """List the questions that the laptop and the emulated cloud answer differently."""
    with tempfile.TemporaryDirectory(prefix="careline-cloud-") as folder:
        home, synthesized, work = (Path(folder) / name for name in ("home", "synthesized", "work"))
        work.mkdir()
        here = on_laptop(home, part)
        found = asyncio.run(load.documents(home))
        _synthesize(synthesized)
        with deployed("dev", synthesized, work) as account:
            there = in_cloud(account, found, part)
    names = [str(one.get("id", one["text"])) for one in _questions(part)]
    different = [(name, one, other) for name, one, other in zip(names, here, there, strict=True) if one != other]
    click.echo(f"{len(different)} of {len(names)} answers differ")
    for name, one, other in different:
        click.echo(f"  {name}\n    laptop {json.dumps(one, ensure_ascii=False)}")
        click.echo(f"    cloud  {json.dumps(other, ensure_ascii=False)}")
    sys.exit(bool(different))


def _synthesize(folder: Path) -> None:
    import os

    from infra.node import node

    if found := node():
        os.environ.setdefault("JSII_NODE", found)
    from infra.app import make_app
    from infra.settings import STAGES

    make_app(STAGES["dev"], str(folder), bundle=False).synth()


if __name__ == "__main__":
    main()
