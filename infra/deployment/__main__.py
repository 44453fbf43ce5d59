"""`python -m infra.deployment deploy dev`: what the make targets of the cloud call.

    bootstrap | diff | deploy | destroy | rollback   STAGE   [--region R] [--yes NAME] [-- options of cdk]

Ends with the exit code of the CDK command line, 1 when a stage was not named again, 2 when it is not known where to.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from infra.deployment import command_line
from infra.deployment.command_line import ROOT
from infra.deployment.console_files import empty, publish
from infra.deployment.kept import kept, protected
from infra.deployment.old_versions import drop_old_versions
from infra.deployment.roll_back import NothingBefore, roll_back
from infra.deployment.target import Target, TargetUnknown, target
from infra.settings import LIVE

ACTIONS = ("bootstrap", "diff", "deploy", "destroy", "rollback")
NOT_NAMED, UNKNOWN_TARGET = 1, 2


def main(arguments: Sequence[str]) -> int:
    """Do one of `ACTIONS`; the exit code."""
    own, more = _split(arguments)
    asked = _parser().parse_args(own)
    try:
        chosen = target(asked.stage, asked.region)
        if asked.stacks:
            chosen = replace(chosen, only=asked.stacks)
    except TargetUnknown as error:
        sys.stderr.write(f"careline: {error}\n")
        return UNKNOWN_TARGET
    _say(f"{asked.action}: stage {asked.stage}, account {chosen.account}, region {chosen.region}")
    if asked.action == "rollback":
        return _roll_back(chosen)
    command_line.install()
    environment = {"AWS_REGION": chosen.region, "AWS_DEFAULT_REGION": chosen.region}
    if asked.action == "destroy" and not _agreed(chosen, asked.yes, environment):
        return NOT_NAMED
    if asked.action == "destroy" and not chosen.settings.keep_data:
        _empty(chosen)
    ended = command_line.run([*_words(asked.action, chosen), *more], environment)
    if asked.action == "deploy" and ended == 0 and _outputs(chosen).is_file():
        _publish(chosen)
    return ended


def _publish(chosen: Target) -> None:
    import boto3

    session = boto3.Session(region_name=chosen.region)
    count = publish(_outputs(chosen), session)
    if count:
        _say(f"the console's {count} files are in place")
    for name in drop_old_versions(session, chosen.settings.prefix, LIVE):
        _say(f"deleted {name}, which nothing answers with any more")


def _empty(chosen: Target) -> None:
    """What was put into the console's bucket after the deploy, which CloudFormation deletes only when it is empty."""
    import boto3

    empty(f"{chosen.settings.prefix}-console", boto3.Session(region_name=chosen.region))


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Our own arguments, and those for the CDK command line, which stand behind `--`."""
    given = list(arguments)
    at = given.index("--") if "--" in given else len(given)
    return given[:at], given[at + 1 :]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.deployment", description=__doc__)
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument("stage")
    parser.add_argument("--region", default=None)
    parser.add_argument("--stacks", default=None, help="these alone, with what they need; all of the stage if absent")
    parser.add_argument("--yes", default=None, metavar="NAME", help="the name that `destroy` asks for")
    return parser


def _words(action: str, chosen: Target) -> list[str]:
    """The arguments of the CDK command line."""
    context = _context(chosen.context | _who_is_told(action, chosen))
    if action == "bootstrap":
        qualifier = [] if chosen.qualifier is None else ["--qualifier", chosen.qualifier]
        return ["bootstrap", f"aws://{chosen.account}/{chosen.region}", *context, *qualifier]
    output = ["--output", str(_assembly(chosen))]
    if action == "deploy":
        outputs = ["--outputs-file", str(_outputs(chosen))]
        return ["deploy", chosen.stacks, *context, *output, *outputs]
    # It was asked for by name already, so that CDK need not ask again.
    force = ["--force"] if action == "destroy" else []
    return [action, chosen.stacks, *context, *output, *force]


def _context(said: Mapping[str, str]) -> list[str]:
    return [word for name, value in said.items() for word in ("-c", f"{name}={value}")]


def _who_is_told(action: str, chosen: Target) -> dict[str, str]:
    """Of alarms: who is named in the environment, as `ALARMS=…` of make is. Only where alarms are made must somebody
    be."""
    named = {"alarms": os.environ["ALARMS"]} if os.environ.get("ALARMS") else {}
    makes_alarms = action == "deploy" and chosen.holds(f"{chosen.settings.prefix}-operations")
    return named if makes_alarms else {**named, "makes_alarms": "false"}


def _outputs(chosen: Target) -> Path:
    return ROOT / "build" / f"outputs-{chosen.settings.name}.json"


def _assembly(chosen: Target) -> Path:
    return ROOT / "cdk.out" / f"to-{chosen.settings.name}"


def _agreed(chosen: Target, named: str | None, environment: dict[str, str]) -> bool:
    """Whether the stage may go: what stays is told first, and a stage that keeps its data must be named again."""
    shutil.rmtree(_assembly(chosen), ignore_errors=True)
    words = _context({**chosen.context, **_who_is_told("destroy", chosen), "bundle": "false"})
    if command_line.run(["synth", "--quiet", *words, "--output", str(_assembly(chosen))], environment):
        return False
    _tell(_assembly(chosen))
    wanted = chosen.settings.prefix
    if not chosen.settings.keep_data and named is None:
        return True
    given = named if named is not None else input(f"Type {wanted} to destroy it: ")
    if given != wanted:
        _say(f"nothing was destroyed: {given!r} is not {wanted}")
    return given == wanted


def _tell(assembly: Path) -> None:
    _say("Kept, and paid for, until somebody removes it:")
    for one in kept(assembly):
        _say(f"  {one.kind} {one.name} ({one.stack}): {one.removed_by}")
    for one in protected(assembly):
        _say(f"Protected from deletion, which stops {one.stack} half way: {one.kind} {one.name}; unprotect it first")


def _roll_back(chosen: Target) -> int:
    import boto3

    function = f"{chosen.settings.prefix}-orchestrator"
    try:
        session = boto3.Session(region_name=chosen.region)
        _say(roll_back(session, function, LIVE, chosen.settings.application))
    except NothingBefore as error:
        sys.stderr.write(f"careline: {error}; deploy the commit before instead\n")
        return NOT_NAMED
    return 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
