"""HTML: what a reader sees of a page, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from careline.errors import DocumentRejected
from careline.knowledge.extract import read
from careline.model import LeftOut
from careline.tables.extracted import BlockKind
from tests.growth import grows_no_faster_than_its_length

PAGE = """<!doctype html><html lang="nl-BE"><head><title>Parkeren | UZ</title>
<meta name="author" content="An Peeters; Jan Maes"><meta name="description" content="Over parkeren">
<meta property="article:modified_time" content="2024-05-01T10:00"><link rel="canonical" href="https://uz.be/parkeren">
<style>p {color: red}</style><script>var geheim = "script";</script></head>
<body><header><a>Logo van ons</a></header><nav><ul><li>Menu</li></ul></nav>
<div class="cookie-banner">Wij gebruiken cookies</div>
<main><header><h1>Parkeren <em>bij ons</em></h1></header>
<p>De eerste <b>30 minuten</b> zijn&nbsp;gratis.<br>Daarna betaalt u.</p>
<p hidden>verborgen1</p><div style="display: none">verborgen2</div><span aria-hidden="true">verborgen3</span>
<ol start="3"><li>Neem een ticket</li><li>Betaal<ul><li>met kaart</li></ul></li></ol>
<table><caption>Tarieven 2024</caption><thead><tr><th>Parking</th><th colspan="2">Prijs</th></tr></thead>
<tr><td rowspan="2">P1</td><td>1 uur</td><td>2 | euro</td></tr><tr><td>2 uur</td><td>3 euro</td></tr></table>
<table><tr><td><p>Eén cel om te schikken</p></td></tr></table>
<dl><dt>Rolstoel</dt><dd>Aan het onthaal</dd></dl><pre>regel 1
regel 2</pre><noscript>geen script</noscript><form><label>Zoek</label><input value="x"></form>
</main><aside class="sidebar">Zijbalk</aside><footer>Copyright</footer></body></html>"""


def test_the_main_content_is_read_in_order_with_its_structure() -> None:
    found = read("a.html", PAGE.encode()).pages[0].blocks
    left_out = {block.text for block in found if block.left_out is LeftOut.FURNITURE}
    assert left_out == {"Logo van ons", "Menu", "Wij gebruiken cookies", "geen script", "Zijbalk", "Copyright"}
    blocks = [(block.kind.value, block.text) for block in found if block.left_out is None]
    assert blocks == [
        ("heading", "Parkeren bij ons"),
        ("paragraph", "De eerste 30 minuten zijn gratis."),
        ("paragraph", "Daarna betaalt u."),
        ("list_item", "3. Neem een ticket"),
        ("list_item", "4. Betaal"),
        ("list_item", "met kaart"),
        ("paragraph", "Tarieven 2024"),
        ("table", "Parking | Prijs | \nP1 | 1 uur | 2 / euro\nP1 | 2 uur | 3 euro"),
        ("paragraph", "Eén cel om te schikken"),
        ("paragraph", "Rolstoel: Aan het onthaal"),
        ("paragraph", "regel 1"),
        ("paragraph", "regel 2"),
        ("paragraph", "Zoek"),
    ]


def test_what_the_head_says_becomes_facts() -> None:
    assert read("a.html", PAGE.encode()).stated == {
        "title": "Parkeren | UZ",
        "authors": ("An Peeters", "Jan Maes"),
        "language": "nl",
        "year": 2024,
        "url": "https://uz.be/parkeren",
    }


def test_a_fragment_without_head_or_body_is_read() -> None:
    found = read("a.htm", b"<h2>Titel</h2>los <i>woord</i><p>alinea<p>nog een")
    assert [block.text for block in found.pages[0].blocks] == ["Titel", "los woord", "alinea", "nog een"]
    assert found.stated == {"title": "Titel"}


def test_headings_keep_their_level() -> None:
    found = read("a.html", b"<body><h1>a</h1><h3>b</h3><p>c</p></body>")
    assert [(block.kind, block.level) for block in found.pages[0].blocks] == [
        (BlockKind.HEADING, 1),
        (BlockKind.HEADING, 3),
        (BlockKind.PARAGRAPH, 0),
    ]


@pytest.mark.parametrize(
    "page", [b"<html><body><script>x()</script></body></html>", b"<!-- niets -->", b"<html></html>"]
)
def test_a_page_without_text_is_refused(page: bytes) -> None:
    with pytest.raises(DocumentRejected) as refused:
        read("a.html", page)
    assert refused.value.reason == "no_text"


def test_entities_that_would_expand_without_end_are_harmless() -> None:
    entities = b'<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">'
    bomb = b'<?xml version="1.0"?><!DOCTYPE html [' + entities + b"]><html><p>x &b; y</p></html>"
    assert len(read("a.xhtml", bomb).pages[0].text) < 100


def outcome(page: bytes) -> str:
    try:
        read("a.html", page)
    except DocumentRejected as refused:
        return refused.reason
    return "read"


@pytest.mark.parametrize(
    ("most", "page"),
    [
        (100_000, lambda count: b"<div>" * count + b"tekst"),
        (50_000, lambda count: b"<b>" * count + b"tekst"),
        (3_000, lambda count: b"<table><tr><td>" * count + b"tekst"),
        (20_000, lambda count: b"<ul><li>" * count + b"tekst"),
        (500, lambda count: b"<table><tr>" + b"<td rowspan=99999 colspan=99999>x" * count + b"</table>tekst"),
        (100_000, lambda count: b"<span>" * count + b"</p>" * count),
        (100_000, lambda count: b"<p>tekst" * count),
        (100_000, lambda count: b"<a href='" * count + b"'>tekst"),
    ],
    ids=range(8),
)
def test_deep_or_wide_pages_take_no_more_steps_than_their_length_allows(
    most: int, page: Callable[[int], bytes]
) -> None:
    def work(count: int) -> None:
        # A page that is too deep is refused early; few steps would then say nothing about its length.
        assert outcome(page(count)) in {"read", "no_text"}

    grows_no_faster_than_its_length(work, 200)
    assert outcome(page(most)) in {"read", "no_text", "corrupt"}


def test_tables_side_by_side_in_one_that_arranges_the_page_keep_their_cells() -> None:
    inner = "<table><caption>P{0}</caption><tr><th></th><th>Week</th></tr><tr><th>1 uur</th><td>€ {0}</td></tr></table>"
    page = f"<html><body><table><tr><td>{inner.format(1)}</td><td>{inner.format(2)}</td></tr></table></body></html>"
    blocks = [(block.kind.value, block.text) for block in read("a.html", page.encode()).pages[0].blocks]
    assert blocks == [
        ("paragraph", "P1"),
        ("table", " | Week\n1 uur | € 1"),
        ("paragraph", "P2"),
        ("table", " | Week\n1 uur | € 2"),
    ]
