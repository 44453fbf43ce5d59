"""Options of `careline bench` that go with some subjects alone, which the help of the command shows by subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

ASKED_FOR = "careline.bench.subject"
EVERYTHING = "all"


class SubjectOption(click.Option):
    """An option of some `subjects`."""

    def __init__(self, *arguments: Any, subjects: Sequence[str], **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.subjects = tuple(subjects)


class SubjectCommand(click.Command):
    """A command whose help lists the options of each subject together; after a subject's name, those of it alone."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Command.parse_args`. The help is printed before any argument is known, so it is noted here."""
        known = set(_choices(self.params))
        ctx.meta[ASKED_FOR] = next((each for each in args if each in known - {EVERYTHING}), None)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See `click.Command.format_options`."""
        wanted = ctx.meta.get(ASKED_FOR)
        groups: dict[str, list[tuple[str, str]]] = {}
        for option in (each for each in self.get_params(ctx) if isinstance(each, click.Option)):
            subjects = option.subjects if isinstance(option, SubjectOption) else ()
            record = option.get_help_record(ctx)
            if record is not None and (not subjects or wanted is None or wanted in subjects):
                groups.setdefault(_heading(subjects), []).append(record)
        for heading in sorted(groups):
            with formatter.section(heading):
                formatter.write_dl(groups[heading])


def _heading(subjects: Sequence[str]) -> str:
    return f"Options of {', '.join(subjects)}" if subjects else "Options"


def _choices(params: Sequence[click.Parameter]) -> Iterator[str]:
    """What may be chosen as a subject."""
    for param in params:
        if isinstance(param, click.Argument) and isinstance(param.type, click.Choice):
            yield from map(str, param.type.choices)
