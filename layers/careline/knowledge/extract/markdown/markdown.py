"""Reads Markdown: front matter with facts, headings, lists, pipe tables; emphasis and links become their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import re2

from careline.knowledge.extract import facts, tables
from careline.knowledge.extract.admission import check_text
from careline.knowledge.extract.characters.charset import decode_lines
from careline.knowledge.extract.characters.surrogates import without_surrogates
from careline.knowledge.extract.html.sections import Sections
from careline.knowledge.extract.lists import ListDepth
from careline.knowledge.extract.markdown.as_html import MarkdownHtml
from careline.knowledge.extract.markdown.fences import fenced
from careline.knowledge.extract.markdown.inline import InlineMarkdown
from careline.knowledge.extract.markdown.notes import MarkdownNotes
from careline.knowledge.extract.tables import is_divider, is_pipe_row, pipe_table
from careline.limits import Limits
from careline.tables.extracted import Block, BlockKind, Cell, Extracted, Page

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
_BREAK = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_QUOTE = re.compile(r"^(?: {0,3}> ?)+")
_COMMENT = re2.compile(r"(?s)<!--.*?-->")
_BOLD = re.compile(r"(\*\*|__)[^*_]+\1")
_DEFINITION = re.compile(r" {0,3}\[(?!\^)([^\]\n]{1,200})\]:\s+(\S+)(?:\s.*)?")
_FOLD_ENDS = re.compile(r"\s*</details\s*>\s*", re.I)
_MEANT = re.compile(r" {0,3}[:~][ \t]{1,8}(\S.*)")
"""What a term on the line above means, as Pandoc and PHP Markdown Extra write it."""
_TASK = re.compile(r"\[([ xX])\](?=\s)")
_MOST_DEFINITIONS = 5_000


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

    inline: InlineMarkdown
    notes: MarkdownNotes
    kind: BlockKind = BlockKind.PARAGRAPH
    prefix: str = ""
    lines: list[str] = field(default_factory=list)
    level: int = 0
    depth: ListDepth = field(default_factory=lambda: ListDepth(_NESTED))
    is_defined: bool = False
    """Whether a line says what a term before it means."""

    def title(self, text: str) -> tuple[str, list[Block]]:
        """The text of a heading, and what is left out of it."""
        return self.inline.line(self.notes.signed(text))

    def close(self) -> Iterator[Block]:
        """The finished block, if it has text; a line that ends in two spaces or a backslash ends a block."""
        text = self.notes.in_place("\n".join(self.lines))
        pieces, left_out = self.inline.pieces(text) if self.lines else ([], [])
        kind, prefix, level = self.kind, self.prefix, self.level
        for text in filter(None, pieces):
            yield Block(kind, prefix + text, level)
            kind, prefix, level = BlockKind.PARAGRAPH, "", 0
        yield from left_out
        self.kind, self.prefix, self.lines, self.level, self.is_defined = BlockKind.PARAGRAPH, "", [], 0, False


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of a Markdown text without front matter. Raises: DocumentRejected `corrupt`, of HTML in it."""
    lines = _COMMENT.sub("", text).split("\n")
    unquoted = [_QUOTE.sub("", line, count=1) for line in lines]
    code = fenced(lines, unquoted)
    notes = MarkdownNotes(unquoted, code)
    unquoted = notes.lines
    markup = MarkdownHtml(unquoted)
    inline = InlineMarkdown(_definitions(unquoted), markup.page)
    block, sections, at = _Open(inline, notes), Sections(), 0
    while at < len(lines):
        line, found = unquoted[at], list[Block]()
        if at in code:
            after = code[at].after
            found = [*block.close(), *_lines_of_code(code[at].lines)]
        elif _begins_table(unquoted, at, block):
            after = next((n for n in range(at, len(lines)) if not is_pipe_row(unquoted[n])), len(lines))
            found = [*block.close(), *_table(unquoted[at:after], block)]
        elif (end := markup.end_of_element(at)) is not None:
            yield from _told(block.close(), sections)
            yield from markup.blocks(at, end, sections)
            after = end
        elif _FOLD_ENDS.fullmatch(line):
            yield from _told(block.close(), sections)
            sections.close_last()
            after = at + 1
        else:
            found, after = list(_line(line, block)), at + 1
        yield from _told(found, sections)
        at = after
    yield from _told([*block.close(), *_notes_left(block)], sections)


def _notes_left(block: _Open) -> Iterator[Block]:
    """The notes that are told nowhere else, at the end."""
    for note in block.notes.left():
        text, left_out = block.inline.line(note)
        yield Block(BlockKind.PARAGRAPH, text)
        yield from left_out


def _told(blocks: Iterable[Block], sections: Sections) -> Iterator[Block]:
    """Blocks of Markdown below the headings of the text and of the HTML in it."""
    for block in blocks:
        if block.left_out is not None:
            yield block
            continue
        is_heading = block.kind is BlockKind.HEADING
        yield from sections.told([replace(block, level=sections.level(block.level)) if is_heading else block])


def _definitions(lines: list[str]) -> list[tuple[str, str]]:
    """What the labels of links stand for."""
    found = (_DEFINITION.fullmatch(line) for line in lines if "]:" in line)
    return [(each.group(1), each.group(2)) for each in found if each is not None][:_MOST_DEFINITIONS]


def _begins_table(lines: list[str], at: int, block: _Open) -> bool:
    """Two rows with pipes; behind text without a blank line only with a header and the line below it."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return is_pipe_row(lines[at]) and is_pipe_row(below) and (not block.lines or is_divider(below))


def _table(rows: list[str], block: _Open) -> list[Block]:
    """The table of rows with pipes, with its notes below. A row whose only cell is bold names the rows below it."""
    cells = pipe_table(rows)
    alone = {row for row, count in Counter(cell.row for cell in cells).items() if count == 1}
    told: list[Cell] = []
    below: list[Block] = []
    left_out: list[Block] = []
    for cell in cells:
        text, left = block.inline.line(block.notes.signed(cell.text))
        left_out.extend(left)
        if text:
            names = cell.row in alone and _BOLD.fullmatch(cell.text) is not None
            told.append(replace(cell, text=" ".join(text.split()), header=cell.header or names))
    for note in block.notes.below(rows):
        text, left = block.inline.line(note)
        below.append(Block(BlockKind.PARAGRAPH, text))
        left_out.extend(left)
    return [*tables.blocks(told), *below, *left_out]


def _lines_of_code(lines: Iterable[str]) -> list[Block]:
    return [Block(BlockKind.PARAGRAPH, line.strip()) for line in lines if line.strip()]


def _line(line: str, block: _Open) -> Iterator[Block]:
    if not line.strip() or _DEFINITION.fullmatch(line):
        yield from block.close()
    elif heading := _HEADING.fullmatch(line):
        yield from block.close()
        block.depth.end()
        title, left_out = block.title(_CLOSING.sub("", (heading.group(2) or "").rstrip()))
        if title:
            yield Block(BlockKind.HEADING, title, len(heading.group(1)))
        yield from left_out
    elif (under := _UNDERLINE.fullmatch(line)) and block.lines and block.kind is BlockKind.PARAGRAPH:
        title, left_out = block.title(" ".join(block.lines))
        yield Block(BlockKind.HEADING, title, 1 if "=" in under.group(1) else 2)
        yield from left_out
        block.lines = []
    elif _BREAK.fullmatch(line):
        yield from block.close()
    elif item := _ITEM.fullmatch(line):
        yield from block.close()
        block.kind = BlockKind.LIST_ITEM
        block.level = block.depth.of(len(item.group(1).expandtabs(_TAB)))
        block.prefix = f"{item.group(3)}. " if item.group(3) else ""
        block.lines = [_TASK.sub(lambda box: "☐" if box.group(1) == " " else "☑", item.group(5), count=1)]
    else:
        if not block.lines and not line[:1].isspace():
            block.depth.end()
        if (meant := _MEANT.fullmatch(line)) and block.lines and block.kind is BlockKind.PARAGRAPH:
            block.lines[-1] += f"{';' if block.is_defined else ':'} {meant.group(1)}"
            block.is_defined = True
            return
        block.lines.append(line.lstrip())
