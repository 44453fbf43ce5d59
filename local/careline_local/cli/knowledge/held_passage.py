"""Prints a passage that was held back: where it stands, its text with the words marked, and what may be decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

OPENS, CLOSES = "⟦", "⟧"
"""Around what is held against a passage; also where there is no colour."""


def print_passage(console: Console, held: Mapping[str, Any]) -> None:
    """Print what `release.show` gives."""
    facts = {
        "passage": held["passage_id"],
        "document": f"{held['title']} ({held['doc_key']}, version {held['version']}, {held['file_name']})",
        "page": str(held["page"]),
        "headings": " › ".join(held["headings"]),
        "why": ", ".join(held["reasons"]),
        "decided": _decision(held["decided"]),
    }
    for name, value in facts.items():
        if value:
            console.print(f"{name}: {value}", markup=False, highlight=False, soft_wrap=True)
    console.print()
    console.print(marked(held["text"], held["parts"]), soft_wrap=True)
    if held["whole_only"]:
        words = "; ".join(f"{one['reason']}: {one['excerpt']}" for one in held["findings"] if one["beside"])
        console.print(f"\nheld as a whole: {words}", markup=False, highlight=False, soft_wrap=True)
        return
    if held["parts"]:
        console.print("\nparts, each of which `release --part` and `discard --part` take:")
    for one in held["parts"]:
        told = _decision(one["decided"]) or "waits"
        line = f"  {one['part_id']}  {', '.join(one['reasons'])}  {told}  {one['text']}"
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def marked(text: str, parts: list[dict[str, Any]]) -> Text:
    """A text with its parts marked."""
    shown, at = Text(), 0
    for one in parts:
        shown.append(text[at : one["start"]])
        shown.append(f"{OPENS}{text[one['start'] : one['end']]}{CLOSES}", style="bold reverse")
        at = one["end"]
    shown.append(text[at:])
    return shown


def _decision(decided: Mapping[str, str] | None) -> str:
    return f"{decided['decision'].replace('_', ' ')} by {decided['by']}" if decided else ""
