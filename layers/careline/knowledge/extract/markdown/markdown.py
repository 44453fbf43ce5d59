"""Reads Markdown: front matter with facts, headings, lists, pipe tables; emphasis and links become their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import re2

from careline.knowledge.extract import facts, tables
from careline.knowledge.extract.admission import check_text
from careline.knowledge.extract.charset import decode_lines
from careline.knowledge.extract.lists import ListDepth
from careline.knowledge.extract.markdown.as_html import MarkdownHtml
from careline.knowledge.extract.superscripts import raised
from careline.knowledge.extract.surrogates import without_surrogates
from careline.knowledge.extract.tables import is_divider, is_pipe_row, pipe_table
from careline.limits import Limits
from careline.tables.extracted import Block, BlockKind, Extracted, Page

FRONT_MATTER_WARNING = "The facts between the --- lines at the top are not valid YAML and were left out."

_LONGEST_FRONT_MATTER = 65_536
_TOO_DEEP = re.compile(r"(?:[\[{]\s*){20}")
"""Brackets of front matter that no hospital writes and no YAML parser should be given."""
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+((?![ \t]).*))?")
_CLOSING = re.compile(r"(?<=[ \t])#+$|^#+$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*")
_ITEM = re.compile(r"(\s*)(?:([-*+])|(\d{1,9})([.)]))\s+((?!\s).*)")
_NESTED, _TAB = 2, 4
"""Columns by which an item begins further to the right that stands under another, and those of a tab."""
_FENCE = re.compile(r"\s*(`{3,}(?!`)|~{3,}(?!~))(.*)")
_BREAK = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_QUOTE = re.compile(r"^(?: {0,3}> ?)+")
_COMMENT = re2.compile(r"(?s)<!--.*?-->")
_INLINE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"!\[([^\[\]\n]{0,500})\]\([^()\n]{0,2000}\)"), r"\1"),
    (re.compile(r"\[([^\[\]\n]{0,500})\]\([^()\n]{0,2000}\)"), r"\1"),
    (re.compile(r"\[([^\[\]\n]{1,500})\]\[[^\[\]\n]{0,200}\]"), r"\1"),
    (re.compile(r"<((?:https?|mailto):[^<>\s]{1,2000})>"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^<>\n]{0,500}>"), ""),
    (re.compile(r"(\*{1,3}|~~)(?=\S)([^*~\n]{0,2000}[^*~\s])\1"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)([^_\n]{0,2000}[^_\s])\1(?!\w)"), r"\2"),
    (re.compile(r"`{1,3}([^`\n]{1,2000})`{1,3}"), r"\1"),
    (re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])"), r"\1"),
)
"""Inline marks and what is left of them; every pattern is bounded, so that no text takes long."""

_LINE_BREAK = re.compile(r"<br[ ]?/?>", re.I)
_BOLD = re.compile(r"(\*\*|__)[^*_]+\1")
_RAISED = re.compile(r"<sup>([^<>\n]{1,20})</sup>|\[\^([^\]\s]{1,20})\]", re.I)
_FOOTNOTE = re.compile(r"^( {0,3}\[\^[^\]\s]{1,20}\]): ?", re.M)
_DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\]\n]{1,200}\]:\s+\S.*")


def read(content: bytes, limits: Limits) -> Extracted:
    """The text of a Markdown file. Fenced code is text, line by line.

    Raises: DocumentRejected `disguised`, `charset`, `long_line`, `too_large`, `corrupt`.
    """
    check_text(content, ".md")
    text, warnings = decode_lines(content, limits)
    stated, body, readable = _front_matter(text)
    if not readable:
        warnings.append(FRONT_MATTER_WARNING)
    blocks = tuple(blocks_of(body))
    return Extracted((Page(1, blocks),), facts.with_title(stated, blocks), tuple(warnings))


def _front_matter(text: str) -> tuple[dict[str, object], str, bool]:
    """Facts, the rest of the text, and whether the front matter could be read."""
    head = text[:_LONGEST_FRONT_MATTER]
    end = re.search(r"\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", head)
    if not re.match(r"---[ \t]*\n", head) or end is None:
        return {}, text, True
    import yaml

    source, body = head[head.index("\n") : end.start()], text[end.end() :]
    if _TOO_DEEP.search(source):
        return {}, body, False
    try:
        values = yaml.safe_load(source)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}, body, False
    if values is None:
        return {}, body, True
    return (without_surrogates(facts.stated(values))[0], body, True) if isinstance(values, dict) else ({}, text, True)


@dataclass(slots=True)
class _Open:
    """The block that is being read."""

    kind: BlockKind = BlockKind.PARAGRAPH
    prefix: str = ""
    lines: list[str] = field(default_factory=list)
    level: int = 0
    depth: ListDepth = field(default_factory=lambda: ListDepth(_NESTED))

    def close(self) -> Iterator[Block]:
        """The finished block, if it has text; a line that ends in two spaces or a backslash ends a block."""
        pieces = re.split(r"(?:(?<! ) {2,}|\\)\n", "\n".join(self.lines))
        kind, prefix, level = self.kind, self.prefix, self.level
        for piece in pieces:
            if text := plain(piece):
                yield Block(kind, prefix + text, level)
                kind, prefix, level = BlockKind.PARAGRAPH, "", 0
        self.kind, self.prefix, self.lines, self.level = BlockKind.PARAGRAPH, "", [], 0


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of a Markdown text without front matter. Raises: DocumentRejected `corrupt`, of HTML in it."""
    lines = _FOOTNOTE.sub(r"\1 ", _COMMENT.sub("", text)).split("\n")
    unquoted = [_QUOTE.sub("", line, count=1) for line in lines]
    markup = MarkdownHtml(unquoted)
    block, at = _Open(), 0
    while at < len(lines):
        line = unquoted[at]
        if fence := _FENCE.fullmatch(line):
            yield from block.close()
            code, at = _fenced(lines, at + 1, fence.group(1))
            yield from code
        elif _begins_table(unquoted, at, block):
            yield from block.close()
            end = at
            while end < len(lines) and is_pipe_row(unquoted[end]):
                end += 1
            yield from _table(unquoted[at:end])
            at = end
        elif (found := markup.block_at(at)) is not None:
            yield from block.close()
            blocks, at = found
            yield from blocks
        else:
            yield from _line(line, block)
            at += 1
    yield from block.close()


def _begins_table(lines: list[str], at: int, block: _Open) -> bool:
    """Two rows with pipes; behind text without a blank line only with a header and the line below it."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return is_pipe_row(lines[at]) and is_pipe_row(below) and (not block.lines or is_divider(below))


def _table(rows: list[str]) -> list[Block]:
    """The table of rows with pipes. A row whose only cell is bold names the rows below it."""
    cells = pipe_table(rows)
    alone = {row for row, count in Counter(cell.row for cell in cells).items() if count == 1}
    return tables.blocks(
        [
            replace(
                cell, text=text, header=cell.header or (cell.row in alone and _BOLD.fullmatch(cell.text) is not None)
            )
            for cell in cells
            if (text := " ".join(plain(cell.text).split()))
        ]
    )


def _fenced(lines: list[str], at: int, fence: str) -> tuple[list[Block], int]:
    """The lines of fenced code as paragraphs, and the line after it."""
    end = at
    while end < len(lines) and not lines[end].strip().startswith(fence):
        end += 1
    return [Block(BlockKind.PARAGRAPH, line.strip()) for line in lines[at:end] if line.strip()], end + 1


def _line(line: str, block: _Open) -> Iterator[Block]:
    if not line.strip() or _DEFINITION.fullmatch(line):
        yield from block.close()
    elif heading := _HEADING.fullmatch(line):
        yield from block.close()
        block.depth.end()
        if title := plain(_CLOSING.sub("", (heading.group(2) or "").rstrip())):
            yield Block(BlockKind.HEADING, title, len(heading.group(1)))
    elif (under := _UNDERLINE.fullmatch(line)) and block.lines and block.kind is BlockKind.PARAGRAPH:
        yield Block(BlockKind.HEADING, plain(" ".join(block.lines)), 1 if "=" in under.group(1) else 2)
        block.lines = []
    elif _BREAK.fullmatch(line):
        yield from block.close()
    elif item := _ITEM.fullmatch(line):
        yield from block.close()
        block.kind = BlockKind.LIST_ITEM
        block.level = block.depth.of(len(item.group(1).expandtabs(_TAB)))
        block.prefix = f"{item.group(3)}. " if item.group(3) else ""
        block.lines = [item.group(5)]
    else:
        if not block.lines and not line[:1].isspace():
            block.depth.end()
        block.lines.append(line.lstrip())


def plain(text: str) -> str:
    """Text without inline marks."""
    text = _LINE_BREAK.sub("\n", text)
    text = _RAISED.sub(
        lambda found: raised(found.group(1) or found.group(2), text[max(0, found.start() - 1) : found.start()]), text
    )
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return "\n".join(line.strip() for line in text.split("\n")).strip()
