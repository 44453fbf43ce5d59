"""Reads a line of Markdown as CommonMark does: emphasis, links and entities become text, struck text is left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from careline.knowledge.extract import addresses
from careline.knowledge.extract.characters.superscripts import raised
from careline.knowledge.extract.html.html import EmbeddedHtml
from careline.model import LeftOut
from careline.tables.extracted import Block, BlockKind

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_RAISED = re.compile(r"<sup>([^<>\n]{1,20})</sup>", re.I)
_MARKS = re.compile(r"[\\`*_~\[\]<>&!@(){}]| \n")
_READ_AT_ONCE = 4_000
"""Characters of a paragraph that are read at once, where its lines allow it: what a mark may hang together with."""
_LONGEST_LINE = 20_000
_MOST_MARKS = 2_000
_SCHEMES = ("mailto:", "tel:")
_HARD_BREAK = "\ue000"
"""Stands for a line end that the writer asked for, while the line is read as HTML."""


class InlineMarkdown:
    """Reads lines of one document. `definitions` are its targets of links by label; `html` reads elements in a line."""

    def __init__(self, definitions: Sequence[tuple[str, str]], html: EmbeddedHtml) -> None:
        self._html = html
        self._definitions = definitions
        self._parser: MarkdownIt | None = None
        self._environment: dict[str, Any] = {}

    def pieces(self, text: str) -> tuple[list[str], list[Block]]:
        """The text between line ends that the writer asked for, and what is left out of it."""
        text = _RAISED.sub(
            lambda found: raised(found.group(1), text[max(0, found.start() - 1) : found.start()]),
            text,
        )
        if _MARKS.search(text) is None:
            return [_tidy(text)], []
        told: list[str] = [""]
        left: list[Block] = []
        for part in _parts(text):
            pieces, left_out = self._read(part)
            told[-1] += pieces[0]
            told.extend(pieces[1:])
            left.extend(left_out)
        return [_tidy(addresses.written_out(piece)) for piece in told], left

    def line(self, text: str) -> tuple[str, list[Block]]:
        """The text on as many lines as it has, and what is left out of it."""
        pieces, left = self.pieces(text)
        return "\n".join(filter(None, pieces)), left

    def _read(self, text: str) -> tuple[list[str], list[Block]]:
        if len(text) > _LONGEST_LINE or len(_MARKS.findall(text)) > _MOST_MARKS:
            return [text], []
        tokens = self._parse(text)
        if any(token.type == "html_inline" for token in tokens):
            return self._read_html(tokens)
        reading = _Reading()
        reading.read(tokens)
        return reading.pieces, reading.left_out()

    def _read_html(self, tokens: Sequence[Token]) -> tuple[list[str], list[Block]]:
        for token in tokens:
            if token.type == "hardbreak":
                token.type, token.content = "text", _HARD_BREAK
        from markdown_it.renderer import RendererHTML

        markup = RendererHTML().renderInline(tokens, self._markdown().options, self._environment)
        blocks = self._html.line(markup)
        told = "\n".join(block.text for block in blocks if block.left_out is None)
        return told.split(_HARD_BREAK), [block for block in blocks if block.left_out is not None]

    def _parse(self, text: str) -> list[Token]:
        (inline,) = self._markdown().parseInline(text, self._environment)
        return list(inline.children or ())

    def _markdown(self) -> MarkdownIt:
        if self._parser is None:
            from markdown_it import MarkdownIt
            from markdown_it.common.utils import normalizeReference

            self._parser = MarkdownIt("commonmark", {"html": True}).enable("strikethrough")
            targets = {normalizeReference(label): {"title": "", "href": href} for label, href in self._definitions}
            self._environment = {"references": targets}
        return self._parser


class _Reading:
    """The text of tokens as it comes together."""

    def __init__(self) -> None:
        self.pieces: list[str] = [""]
        self._struck: list[str] = []
        self._pictures: list[str] = []
        self._is_struck = 0
        self._link: tuple[str, int] | None = None

    def read(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            match token.type:
                case "softbreak":
                    self._say("\n")
                case "hardbreak":
                    self.pieces.append("")
                case "s_open":
                    self._is_struck += 1
                    self._struck.append("")
                case "s_close":
                    self._is_struck -= 1
                case "link_open":
                    self._link = (str(token.attrGet("href") or ""), len(self.pieces[-1]))
                case "link_close":
                    self._end_link()
                case "image":
                    self._picture(token)
                case _:
                    self._say(_without_scheme(token.content))

    def left_out(self) -> list[Block]:
        struck = [Block(BlockKind.PARAGRAPH, _tidy(text), left_out=LeftOut.STRUCK) for text in self._struck if text]
        return struck + [Block(BlockKind.PARAGRAPH, text, left_out=LeftOut.UNREAD) for text in self._pictures]

    def _say(self, text: str) -> None:
        if self._is_struck:
            self._struck[-1] += text
        else:
            self.pieces[-1] += text

    def _picture(self, token: Token) -> None:
        inner = _Reading()
        inner.read(token.children or ())
        text = " ".join(filter(None, inner.pieces))
        if text:
            self._say(text)
        else:
            self._pictures.append(f"img {str(token.attrGet('src') or '')[:200]}".strip())

    def _end_link(self) -> None:
        """An address or a number that the link leads to and does not show, behind its text."""
        if self._link is None:
            return
        href, start = self._link
        shown = self.pieces[-1][start:]
        if not self._is_struck and (target := addresses.target_not_shown(href, shown)):
            self._say(f" ({target})" if shown.strip() else target)
        self._link = None


def _parts(text: str) -> list[str]:
    """The text in runs of whole lines, each of which is read at once."""
    if len(text) <= _READ_AT_ONCE:
        return [text]
    parts = [""]
    for line in text.splitlines(keepends=True):
        if parts[-1] and len(parts[-1]) + len(line) > _READ_AT_ONCE:
            parts.append("")
        parts[-1] += line
    return parts


def _without_scheme(text: str) -> str:
    return next((text[len(scheme) :] for scheme in _SCHEMES if text.startswith(scheme)), text)


def _tidy(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n")).strip()
