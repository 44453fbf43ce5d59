"""The option `--lang`: a language by its code; for another name of one the message says which code is meant."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import click

CODES = ("nl", "en", "fr", "it")
OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "nl": "dutch nederlands néerlandais olandese nld dut vlaams flemish be",
        "en": "english engels anglais inglese eng uk gb us",
        "fr": "french frans français francais francese fra fre",
        "it": "italian italiaans italien italiano ita",
    }
)


class Language(click.Choice[str]):
    """One of the languages that are answered in."""

    name = "language"

    def __init__(self) -> None:
        super().__init__(CODES, case_sensitive=False)

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        """The codes, and the one that was meant."""
        said = str(value).lower().replace("_", "-").partition("-")[0]
        known = super().get_invalid_choice_message(value, ctx)
        code = next((code for code, names in OTHER_NAMES.items() if said in (code, *names.split())), None)
        return f"{known} Did you mean '{code}'?" if code else known


LANGUAGE = Language()
