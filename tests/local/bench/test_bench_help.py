"""The help of `careline bench` says which options go with what is measured."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from careline_local.cli.main import main


def help_of(*subject: str) -> str:
    return CliRunner().invoke(main, ["bench", *subject, "--help"]).output


def test_the_help_lists_the_options_of_each_subject_together() -> None:
    text = help_of()
    of_voice = text.partition("Options of voice:")[2]
    assert "--overlaps" in of_voice
    assert "--without" not in of_voice
    assert "--json" in text.partition("Options:")[2].partition("Options of")[0]


@pytest.mark.parametrize(
    ("subject", "there", "absent"),
    [
        ("answers", ("--on", "--without", "--part", "--json"), ("--turns", "--questions")),
        ("values", ("--on", "--part"), ("--without", "--ramp")),
        ("voice", ("--turns", "--ramp"), ("--on", "--part", "--questions")),
        ("start", ("--json",), ("--on", "--turns", "--part")),
    ],
)
def test_the_help_of_a_subject_has_its_own_options_alone(
    subject: str, there: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    text = help_of(subject).partition("Options:")[2]
    assert all(each in text for each in there)
    assert not [each for each in absent if each in text]
