"""What is told of a web page, and what is kept untold with its reason."""

from __future__ import annotations

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.model import LeftOut


def told(body: str, head: str = "") -> list[tuple[str, str]]:
    """Kind and text of every block of a page that is told."""
    page = f"<!doctype html><html lang='en'><head>{head}</head><body>{body}</body></html>"
    blocks = clean(read("a.html", page.encode())).pages[0].blocks
    return [(block.kind.value, block.text) for block in blocks if block.left_out is None]


def texts(body: str, head: str = "") -> list[str]:
    """Text of every block of a page that is told."""
    return [text for _, text in told(body, head)]


def left_out(body: str, head: str = "") -> list[tuple[LeftOut, str]]:
    """Reason and text of every block that is not told, of a page that welcomes besides."""
    page = f"<!doctype html><html lang='en'><head>{head}</head><body><p>Welcome.</p>{body}</body></html>"
    blocks = clean(read("a.html", page.encode())).pages[0].blocks
    return [(block.left_out, block.text) for block in blocks if block.left_out is not None]
