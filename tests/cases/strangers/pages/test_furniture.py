"""Furniture of a page is not told, but how somebody is reached is, where furniture alone says it."""

from __future__ import annotations

import pytest

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.model import LeftOut
from tests.cases.strangers.pages.page_texts import left_out, texts

READ = [
    '<div class="shared-room"><p>A bed costs € 14.</p></div>',
    '<section id="social-service"><p>Room 12, from 9:10.</p></section>',
    '<div class="sociale-dienst"><p>Kamer 12.</p></div>',
    '<section id="cookie-policy"><h2>Cookies</h2><p>The kitchen bakes them at 15:00.</p></section>',
    '<div class="box"><p>Our dietitian bakes cookies with children.</p><a href="/more">More</a></div>',
    '<div class="box"><p>The bakery of our dietitian.</p><a href="/a">Bread</a><a href="/b">Cookies</a></div>',
    '<div class="box"><p>Cookies and bread of our bakery.</p><a href="/a">Bread</a> <a href="/b">More</a></div>',
    '<div class="sidebar"><h3>Prices</h3><p>A day costs € 8.</p></div>',
    '<div class="share"><h3>Two in a room</h3><p>It costs € 30.</p></div>',
    '<div class="navigation-help"><p>Volunteers walk with you.</p></div>',
    '<div role="alert">Visits end at 19:00 this week.</div>',
    '<article><p>Soup.</p><footer><p>Prices hold until June.</p></footer></article>',
    "<aside><p>The kiosk is open from 9:00 to 17:00.</p></aside>",
    "<header><h1>Bathing</h1><p>The pool is open from 9:00.</p></header>",
    '<div id="HEADER"><ul><li><a href="1">Cardiology</a></li><li><a href="2">Radiology</a></li></ul></div>',
    '<button class="phone">Call 011 90 44 63</button>',
    '<div class="pager">Pager 445: the midwife</div>',
    '<div class="pager">The midwife carries one.</div>',
    '<div class="social">Social worker: room 4</div>',
    '<div class="share">Urgent: 112</div>',
    '<div class="consent"><p>You sign before the scan.</p><label><input type="checkbox"> Signed</label></div>',
    '<section id="consent-message"><p>You sign before the scan.</p></section>',
    '<div class="sidebar"><a href="mailto:scan@brook.example">Scans</a> <a href="tel:+3211904463">Births</a></div>',
    '<div class="links social"><a href="mailto:scan@brook.example">scan@brook.example</a></div>',
    '<article><p>Soup.</p><footer><a href="tel:1733">1733</a></footer></article>',
]
NOT_READ = [
    '<div class="share-buttons"><a href="f">Facebook</a> <a href="m">Mail</a></div>',
    '<p class="social">Share this page</p>',
    '<div class="cookie-banner"><p>We keep cookies for 12 months.</p><button>Accept</button></div>',
    '<div id="cookieConsent">We use cookies.</div>',
    '<div class="cc-window"><p>This site keeps cookies for 12 months.</p><a>Refuse</a><a>Accept</a></div>',
    '<div id="iubenda-cs-banner"><p>We use cookies of 9 partners.</p><button>Refuse</button></div>',
    '<ol class="breadcrumb"><li><a href="/">Home</a></li><li>Visiting</li></ol>',
    '<div class="sidebar"><ul><li><a href="1">Opening of the new wing</a></li><li><a href="2">Jobs</a></li></ul></div>',
    '<nav><a href="/">Home</a></nav>',
    '<div role="navigation"><a href="/">Home</a></div>',
    '<a class="skip-link" href="#main">Skip to the content</a>',
    '<ul class="pagination"><li><a href="?2">2</a></li></ul>',
    "<footer><p>© The hospital</p></footer>",
    '<form role="search"><label>Search</label></form>',
    '<div class="consent-banner"><p>We value your privacy.</p><button>Accept</button></div>',
    '<div class="share-buttons"><a href="mailto:?subject=Soup">Mail</a></div>',
    '<div class="pager">Page 2 of 10 <a href="?3">Next</a></div>',
]


@pytest.mark.parametrize("section", READ)
def test_f12_a_section_is_not_taken_for_furniture_by_how_its_name_begins(section: str) -> None:
    assert len(texts(f"<h1>Stay</h1>{section}")) > 1
    assert left_out(section) == []


@pytest.mark.parametrize("furniture", NOT_READ)
def test_f12_furniture_of_the_page_is_not_told_and_is_kept_as_furniture(furniture: str) -> None:
    assert texts(f"<h1>Stay</h1>{furniture}<p>Welcome.</p>") == ["Stay", "Welcome."]
    assert [reason for reason, _ in left_out(furniture)] == [LeftOut.FURNITURE]


@pytest.mark.parametrize("around", ["<div>{}{}</div>", "<section><div>{}<div>{}</div></div></section>"])
def test_f12_what_stands_around_a_notice_of_cookies_is_read(around: str) -> None:
    notice = '<div class="cc"><p>We use cookies.</p><a href="#">Accept</a></div>'
    assert texts(around.format("<p>The garden is open at 9:10.</p>", notice)) == ["The garden is open at 9:10."]


def test_f12_a_button_named_cookies_makes_no_notice_of_what_stands_beside_it() -> None:
    assert texts('<div class="box"><p>The bakery is shut.</p><button>Cookies</button></div>') == ["The bakery is shut."]


ONLY_PLACE = [
    "<footer><p>In an emergency call 112.</p></footer>",
    "<footer><p>At night: 1733</p></footer>",
    "<footer><h4>Reach us</h4><ul><li><a href='/a'>News</a></li></ul><p>011 90 44 63</p></footer>",
    "<footer><p>desk@brook.example</p></footer>",
    "<nav><a href='/'>Home</a> <a href='tel:+3211904463'>Call us</a></nav>",
    "<div role='dialog'><p>Poisoned? Call 070 24 52 45.</p></div>",
    "<header><a href='/'>Home</a> Desk: 011 90 44 63</header>",
]


@pytest.mark.parametrize("furniture", ONLY_PLACE)
@pytest.mark.parametrize("main", ["<main>{}</main>", "<article>{}</article>", "{}"])
def test_f12_how_somebody_is_reached_is_told_once_where_furniture_alone_says_it(furniture: str, main: str) -> None:
    page = f"{main.format('<h1>Stay</h1><p>Welcome to all.</p><h2>Soup</h2><p>Hot.</p>')}{furniture}{furniture}"
    found = texts(page)
    assert found[:5] == ["Stay", "Welcome to all.", "Soup", "Hot.", "Stay"]
    assert sum(any(map(str.isdecimal, text)) or "@" in text for text in found) == 1
    assert not {"Home", "News"} & set(found)


def test_f12_the_number_of_an_aside_beside_the_article_is_told_where_nothing_else_says_it() -> None:
    aside = "<aside><h3>Urgent?</h3><p>Call 112.</p></aside>"
    assert texts(f"<article><h1>Stay</h1><p>Welcome.</p></article>{aside}")[-2:] == ["Urgent?", "Call 112."]


def test_f12_what_the_page_says_itself_is_not_told_again_from_its_furniture() -> None:
    footer = "<footer><p>Call +32 11 90 44 63 or desk@brook.example</p></footer>"
    page = f"<h1>Stay</h1><p>Call 011/90.44.63 or Desk@brook.example.</p>{footer}"
    assert len(texts(page)) == 2
    for line in ("<p>BE 0403.019.261 © 2024, 9000 Brook</p>", "<s>011 90 44 63</s>"):
        assert texts(f"<h1>Stay</h1><footer>{line}</footer><p>Welcome.</p>") == ["Stay", "Welcome."]


def test_f12_without_a_title_how_somebody_is_reached_stands_before_the_first_heading() -> None:
    page = "<h2>Soup</h2><p>Hot.</p><h2>Tea</h2><p>Cold.</p><footer>Call 112.</footer>"
    assert texts(page)[:2] == ["Call 112.", "Soup"]


def test_f12_the_page_says_itself_what_its_main_part_is_and_what_is_beside_it_is_kept_as_furniture() -> None:
    page = "<div><h1>Kiosk</h1></div><main><p>Open from 8:00 to 12:00.</p></main><aside><p>News.</p></aside>"
    assert texts(page) == ["Kiosk", "Open from 8:00 to 12:00."]
    found = clean(read("a.html", page.encode())).pages[0].blocks
    assert [block.text for block in found if block.left_out is LeftOut.FURNITURE] == ["News."]


def test_f12_what_stands_beside_the_one_article_of_a_page_is_read_but_for_what_the_page_itself_sets_aside() -> None:
    article = "<article><h1>Wifi</h1><p>It is free.</p></article>"
    page = f"{article}<div><p>Ask at desk 4.</p></div><aside><p>News.</p></aside>"
    assert texts(page) == ["Wifi", "It is free.", "Ask at desk 4."]
