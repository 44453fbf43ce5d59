"""Options that changes of the directory have in common."""

from __future__ import annotations

import getpass

import click

by_option = click.option("--by", default=getpass.getuser, help="Who it is, for the audit; your user name when absent.")
note_option = click.option("--note", default="", metavar="TEXT", help="Why, for the history.")
