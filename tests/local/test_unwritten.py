"""A command that cannot write a file says which one and what to do, and no more."""

from __future__ import annotations

import errno

import click
import pytest

from careline_local.cli import session as cli


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (errno.ENOSPC, "the disk is full; make room on it"),
        (errno.EROFS, "it lies on a read-only disk; choose another folder"),
        (errno.EACCES, "its rights do not let you"),
    ],
)
def test_the_file_and_what_to_do_are_named(code: int, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    @cli.command
    def work() -> None:
        raise OSError(code, "no", "/mnt/share/transcript.json")

    with pytest.raises(click.exceptions.Exit) as ended:
        work()
    assert ended.value.exit_code == cli.SOMETHING_FAILED
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"careline: /mnt/share/transcript.json cannot be written: {told}"), complaint
    assert len(complaint.splitlines()) == 1


def test_an_error_of_another_kind_is_not_hidden() -> None:
    @cli.command
    def work() -> None:
        raise ConnectionResetError(errno.ECONNRESET, "reset")

    with pytest.raises(ConnectionResetError):
        work()
