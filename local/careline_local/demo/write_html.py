"""Renders a document as a whole page of a hospital's website, with the menus and notices that surround real text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from string import Template
from textwrap import shorten

from careline_local.demo.page_furniture import closing_lines, furniture_for, number_line
from careline_local.demo.parse_markdown import Block, Heading, InlineSpan, Listing, MarkdownTable, Paragraph, plain
from careline_local.demo.read_source import DocumentSource

DESCRIPTION_LENGTH = 155

PAGE = Template("""\
<!DOCTYPE html>
<html lang="$locale">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title | $hospital</title>
<meta name="description" content="$description">
<meta name="author" content="$author">
<style>
body { font: 1rem/1.5 Arial, sans-serif; margin: 0; color: #22313a; }
header, footer { background: #0f5e73; color: #fff; padding: 1rem 2rem; }
header a, footer a { color: #fff; margin-right: 1rem; }
.columns { display: grid; grid-template-columns: 3fr 1fr; gap: 2rem; padding: 1rem 2rem; }
table { border-collapse: collapse; } th, td { border: 1px solid #9fb4bd; padding: .3rem .6rem; text-align: left; }
.cookies { position: fixed; bottom: 0; background: #fff; border-top: 3px solid #0f5e73; padding: 1rem 2rem; }
</style>
<script>document.documentElement.className = "js";</script>
</head>
<body>
<a class="skip" href="#content">$skip</a>
<header>
<p class="logo">$hospital</p>
<form role="search"><label>$search <input type="search" name="q"></label></form>
<nav class="menu"><ul>
$menu
</ul></nav>
</header>
<nav class="breadcrumb"><ol><li><a href="/">$home</a></li><li><a href="#">$section</a></li><li>$title</li></ol></nav>
<div class="columns">
<main id="content">
<article>
$article
</article>
</main>
<aside>
<h2>$aside_title</h2>
<ul>
$aside
</ul>
<p class="share">$share</p>
</aside>
</div>
<footer>
<p>$closing</p>
<ul>
$footer
</ul>
<p>&copy; $hospital. $rights.</p>
</footer>
<div class="cookies" role="dialog"><p>$cookies</p><button>$accept</button> <button>$refuse</button></div>
</body>
</html>
""")


def write_html(source: DocumentSource, hospital: str) -> bytes:
    """Return the page in UTF-8; only the `article` element holds the document itself."""
    words = furniture_for(source)
    page = PAGE.substitute(
        {name: escape(str(getattr(words, name))) for name in (
            "locale", "skip", "search", "home", "section", "aside_title", "share", "cookies", "accept", "refuse",
            "rights",
        )},
        title=escape(source.title),
        hospital=escape(hospital),
        description=escape(_description(source)),
        author=escape(source.authors or hospital),
        menu="\n".join(f'<li><a href="#">{escape(item)}</a></li>' for item in words.menu),
        article="\n".join(_block(block) for block in source.blocks),
        aside="\n".join(f"<li>{escape(line)}</li>" for line in words.aside),
        closing=escape(" · ".join(filter(None, [source.campus, number_line(source), *closing_lines(source)]))),
        footer="\n".join(f'<li><a href="#">{escape(item)}</a></li>' for item in words.footer),
    )  # fmt: skip
    return page.encode()


def _description(source: DocumentSource) -> str:
    opening = next((plain(block.spans) for block in source.blocks if isinstance(block, Paragraph)), source.title)
    return shorten(opening, DESCRIPTION_LENGTH, placeholder="…")


def _block(block: Block) -> str:
    match block:
        case Heading(level, spans):
            return f"<h{level}>{_spans(spans)}</h{level}>"
        case Paragraph(spans, set_off):
            return f"<blockquote><p>{_spans(spans)}</p></blockquote>" if set_off else f"<p>{_spans(spans)}</p>"
        case Listing():
            return _listing(block)
        case MarkdownTable(header, rows):
            body = "\n".join(_row("td", row) for row in rows)
            return f"<table>\n<thead>\n{_row('th', header)}\n</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _listing(listing: Listing) -> str:
    tag = "ul" if listing.start is None else "ol"
    start = f' start="{listing.start}"' if listing.start not in (None, 1) else ""
    items = (
        "\n".join([f"<li>{_spans(entry.spans)}", *(_block(block) for block in entry.nested)]) + "</li>"
        for entry in listing.entries
    )
    return "\n".join([f"<{tag}{start}>", *items, f"</{tag}>"])


def _row(tag: str, cells: Sequence[Sequence[InlineSpan]]) -> str:
    return "<tr>" + "".join(f"<{tag}>{_spans(cell)}</{tag}>" for cell in cells) + "</tr>"


def _spans(spans: Sequence[InlineSpan]) -> str:
    return "".join(_span(span) for span in spans)


def _span(span: InlineSpan) -> str:
    text = escape(span.text).replace("\n", "<br>\n")
    text = f"<em>{text}</em>" if span.italic else text
    text = f"<strong>{text}</strong>" if span.bold else text
    return f'<a href="{escape(span.link)}">{text}</a>' if span.link else text
