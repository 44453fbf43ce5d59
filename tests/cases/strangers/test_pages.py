"""Web pages as other people build them: what is told of them, and that the rest is kept with its reason."""

from __future__ import annotations

import pytest

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.model import LeftOut

CLIPPED = "<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style>"


def told(body: str, head: str = "") -> list[tuple[str, str]]:
    """Kind and text of every block of a page that is told."""
    page = f"<!doctype html><html lang='en'><head>{head}</head><body>{body}</body></html>"
    blocks = clean(read("a.html", page.encode())).pages[0].blocks
    return [(block.kind.value, block.text) for block in blocks if block.left_out is None]


def texts(body: str, head: str = "") -> list[str]:
    return [text for _, text in told(body, head)]


def left_out(body: str, head: str = "") -> list[tuple[LeftOut, str]]:
    page = f"<!doctype html><html lang='en'><head>{head}</head><body><p>Welcome.</p>{body}</body></html>"
    blocks = clean(read("a.html", page.encode())).pages[0].blocks
    return [(block.left_out, block.text) for block in blocks if block.left_out is not None]


@pytest.mark.parametrize(
    ("old", "head"),
    [
        ("<del>€ 7</del>", ""),
        ("<s>€ 7</s>", ""),
        ("<strike>€ 7</strike>", ""),
        ("<span style='text-decoration: line-through red'>€ 7</span>", ""),
        ("<span style='color:red;text-decoration-line:underline line-through'>€ 7</span>", ""),
        ("<span role='deletion'>€ 7</span>", ""),
        ("<span class='line-through'>€ 7</span>", ""),
        ("<b class='was'>€ 7</b>", "<style>p .was, em{text-decoration:line-through}</style>"),
    ],
)
def test_f04_what_a_page_strikes_through_is_not_told_and_is_kept_as_struck(old: str, head: str) -> None:
    page = f"<p>A visit costs {old} <ins>€ 9</ins> today.</p>"
    assert texts(page, head) == ["A visit costs € 9 today."]
    assert left_out(page, head) == [(LeftOut.STRUCK, "€ 7")]


def test_f04_a_rule_that_takes_the_line_away_again_goes_before_the_one_that_drew_it() -> None:
    rules = "<style>.was{text-decoration:line-through} .list .was{text-decoration:none}</style>"
    assert texts("<div class='list'><p>Ask for <b class='was'>soup</b>.</p></div>", rules) == ["Ask for soup."]


def test_f04_cells_and_rows_of_a_table_that_are_struck_through_are_not_told() -> None:
    page = """<table><tr><th>Ward</th><th>Hour</th></tr><tr><td>East</td><td><s>€ 1</s> € 2</td></tr>
    <tr style="text-decoration:line-through"><td>Old</td><td>€ 3</td></tr><tr><td>West</td><td>€ 4</td></tr></table>"""
    assert told(page) == [("table", "Ward | Hour\nEast | € 2\nWest | € 4")]
    assert left_out(page) == [(LeftOut.STRUCK, "Old € 3"), (LeftOut.STRUCK, "€ 1")]


QUESTION, ANSWER = ("heading", "May I smoke?"), ("paragraph", "Only at gate 2.")
OPENED = [
    '<h3><button aria-controls="a">May I smoke?</button></h3><div id="a"><p>Only at gate 2.</p></div>',
    '<h3><button>May I smoke?</button></h3><div><p>Only at gate 2.</p></div>',
    '<button data-bs-target="#a">May I smoke?</button><div id="a">Only at gate 2.</div>',
    '<div><button aria-expanded="false">May I smoke?</button></div><div>Only at gate 2.</div>',
    '<a data-toggle="collapse" href="#a">May I smoke?</a><div id="a">Only at gate 2.</div>',
    '<div role="tab" id="t">May I smoke?</div><div aria-labelledby="t">Only at gate 2.</div>',
    "<details><summary>May I smoke?</summary>Only at gate 2.</details>",
    '<input type="checkbox" id="q"><label for="q">May I smoke?</label><div>Only at gate 2.</div>',
    '<dl><dt><button aria-controls="a">May I smoke?</button></dt><dd id="a">Only at gate 2.</dd></dl>',
    '<button popovertarget="a">May I smoke?</button><div popover id="a">Only at gate 2.</div>',
    '<button onclick="rules.showModal()">May I smoke?</button><dialog id="rules">Only at gate 2.</dialog>',
]


@pytest.mark.parametrize("page", OPENED)
def test_f11_the_text_of_what_opens_a_part_of_the_page_is_its_heading(page: str) -> None:
    assert told(f"<h2>Rules</h2>{page}") == [("heading", "Rules"), QUESTION, ANSWER]


def test_f11_buttons_and_panels_that_follow_one_another_are_headings_without_a_name_that_ties_them() -> None:
    asked = (("Wifi", "Free."), ("Tv", "€ 3."))
    pairs = "".join(f'<button class="q">{label}</button><div class="a">{text}</div>' for label, text in asked)
    assert told(pairs) == [("heading", "Wifi"), ("paragraph", "Free."), ("heading", "Tv"), ("paragraph", "€ 3.")]


ROWS = [
    '<div class="tabs"><button>East</button><button>West</button></div>'
    '<div class="tab-pane">Gate 1</div><div class="tab-pane">Gate 2</div>',
    '<ul class="tab-nav"><li><button>East</button></li><li><button>West</button></li></ul>'
    "<div><section>Gate 1</section><section>Gate 2</section></div>",
    '<ul><li><a href="#e">East</a></li><li><a href="#w">West</a></li></ul>'
    '<div id="e">Gate 1</div><div id="w">Gate 2</div>',
]


@pytest.mark.parametrize("row", ROWS)
def test_f11_a_row_of_tabs_and_as_many_panels_behind_it_belong_together_by_their_order(row: str) -> None:
    assert texts(f"<h2>Gates</h2>{row}") == ["Gates", "East", "Gate 1", "West", "Gate 2"]


def test_f11_buttons_that_act_and_links_to_sections_with_titles_are_no_tabs() -> None:
    acts = '<div><button>Print</button><button>Share</button></div><div class="c">One</div><div class="c">Two</div>'
    assert texts(acts) == ["One", "Two"]
    links = '<ul><li><a href="#e">East</a></li><li><a href="#w">West</a></li></ul>'
    titled = '<section id="e"><h2>East</h2><p>Gate 1</p></section><section id="w"><h2>West</h2><p>Gate 2</p></section>'
    assert texts(links + titled) == ["East", "West", "East", "Gate 1", "West", "Gate 2"]


def test_f11_a_tab_names_its_own_panel_and_what_stands_behind_the_panels_is_of_the_page_again() -> None:
    page = """<h1>Sites</h1><ul role="tablist"><li><button role="tab" id="e" aria-controls="pe">East</button></li>
    <li><button role="tab" id="w" aria-controls="pw">West</button></li></ul>
    <div role="tabpanel" id="pe" aria-labelledby="e"><p>From 8:10.</p></div>
    <div role="tabpanel" id="pw" aria-labelledby="w"><h2>Desk</h2><p>From 9:20.</p></div><p>Closed on holidays.</p>"""
    blocks = read("a.html", page.encode()).pages[0].blocks
    assert [(block.text, block.level) for block in blocks] == [
        ("Sites", 1), ("East", 2), ("From 8:10.", 0), ("West", 2), ("Desk", 3), ("From 9:20.", 0), ("Sites", 1),
        ("Closed on holidays.", 0),
    ]  # fmt: skip


def levels(body: str, head: str = "") -> list[tuple[str, int]]:
    page = f"<!doctype html><html lang='en'><head>{head}</head><body>{body}</body></html>"
    return [(block.text, block.level) for block in read("a.html", page.encode()).pages[0].blocks]


FOLDED = "<details><summary>Towels?</summary>One a day.</details>{}<details><summary>Soap?</summary>Bring it.</details>"


@pytest.mark.parametrize("between", ["", "<p>Ask the ward.</p>"])
def test_f11_labels_that_no_heading_stands_above_stand_beside_one_another(between: str) -> None:
    found = dict(levels(FOLDED.format(between)))
    assert found["Towels?"] == found["Soap?"]


def test_f11_a_title_behind_a_part_that_no_heading_stands_above_does_not_stand_below_its_label() -> None:
    found = dict(levels(FOLDED.format("<h3>Laundry</h3><p>It takes a week.</p>")))
    assert found["Laundry"] < found["Towels?"]
    assert found["Laundry"] < found["Soap?"]


def test_f11_text_behind_a_part_that_no_heading_stands_above_stands_under_the_title_of_the_page() -> None:
    blocks = levels(FOLDED.format("<p>Ask the ward.</p>"), "<title>Your stay</title>")
    assert [text for text, _ in blocks][1:5] == ["One a day.", "Your stay", "Ask the ward.", "Soap?"]


@pytest.mark.parametrize("label", ["Print", "Share", "Search", "Close"])
@pytest.mark.parametrize("attributes", ["", "onclick='window.print()'", "aria-controls='nowhere'", "type='submit'"])
def test_f11_a_button_that_only_acts_is_no_heading(label: str, attributes: str) -> None:
    button = f"<button {attributes}>{label}</button>"
    assert told(f"<h1>Tv</h1>{button}<p>It costs € 3.</p>") == [("heading", "Tv"), ("paragraph", "It costs € 3.")]
    assert left_out(button) == [(LeftOut.FURNITURE, label)]


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


@pytest.mark.parametrize("order", ["{eye}{ear}", "{ear}{eye}"])
@pytest.mark.parametrize(
    ("eye", "ear", "told"),
    [
        ("€4<sup>30</sup>", "€4.30", "€4.30"), ("<b>€4</b><sup><b>30</b></sup>", "4 euros 30", "4 euros 30"),
        ("<b>8</b>–<b>17</b>", "8 to 17 o'clock", "8–17"), ("€ 12", "€ 12", "€ 12"), ("0,5 mg", "05 mg", "0,5 mg"),
        ("0<sup>5</sup> mg", "05 mg", "0⁵ mg"), ("€4<sup>30</sup>", f"€4.30, {'which is said at length ' * 5}", "€4³⁰"),
        ("€4<sup>30</sup>", "per night", "€4³⁰"), ("→", "next: 4 beds", "next: 4 beds"),
    ],
)  # fmt: skip
def test_f13_a_raised_part_with_figures_is_told_as_it_is_said_for_the_ear(
    eye: str, ear: str, told: str, order: str
) -> None:
    twin = order.format(eye=f'<span aria-hidden="true">{eye}</span>', ear=f'<span class="visually-hidden">{ear}</span>')
    assert texts(f"<p>A bed: {twin}.</p>") == [f"A bed: {told}."]


@pytest.mark.parametrize("eye", ['<s aria-hidden="true">{}</s>', '<i aria-hidden="true"><b><del>{}</del></b></i>'])
def test_f13_what_is_struck_for_the_eye_is_not_told_for_the_ear(eye: str) -> None:
    was = f'{eye.format("€4<sup>30</sup>")}<span class="visually-hidden">€4.30</span>'
    assert texts(f"<p>A bed: {was} € 5.</p>") == ["A bed: € 5."]


def test_f13_a_text_for_the_eye_with_one_for_the_ear_is_told_once() -> None:
    twin = '<span aria-hidden="true">€ 5.40</span><span class="sr-only">five euros forty</span>'
    assert texts(f"<p>A parasol costs {twin} a day.</p>", CLIPPED) == ["A parasol costs € 5.40 a day."]
    assert texts(f"<p>A parasol costs {twin} a day.</p>") == ["A parasol costs € 5.40 a day."]


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ('<span aria-hidden="true">✓</span><span class="sr-only">yes</span>', "yes"),
        ('<i class="fa fa-check"></i><span class="sr-only">yes</span>', "yes"),
        ('<span aria-hidden="true">✓</span>', "✓"),
        ('<span aria-hidden="true">€ 2</span>', "€ 2"),
        ('<span aria-label="4 of 5">★★★★☆</span>', "4 of 5"),
        ('<img src="y.png" alt="yes">', "yes"),
        ('<svg role="img" aria-label="yes"><path/></svg>', "yes"),
        ("<svg><title>yes</title><path/></svg>", "yes"),
        ('<span class="icon" role="img" aria-label="yes"></span>', "yes"),
        ('<i class="fa fa-check" title="yes"></i>', "yes"),
        ("✅", "✅"),
        ('<input type="checkbox" checked disabled>', "☑"),
        ('<input type="checkbox" disabled>', "☐"),
    ],
)
@pytest.mark.parametrize("head", ["", CLIPPED])
def test_f13_f15_marks_of_a_table_are_told_as_readers_see_or_hear_them(mark: str, said: str, head: str) -> None:
    table = f"<table><tr><th>Item</th><th>There</th></tr><tr><td>Towels</td><td>{mark}</td></tr></table>"
    assert told(table, head) == [("table", f"Item | There\nTowels | {said}")]


def test_f13_a_sentence_has_no_hole_where_programs_that_read_aloud_pass_over_a_part() -> None:
    assert texts('<p>The bus costs <span aria-hidden="true">€ 2.70</span>.</p>') == ["The bus costs € 2.70."]


@pytest.mark.parametrize("value", ["until-found", "UNTIL-FOUND"])
def test_f14_what_a_search_in_the_page_finds_is_read(value: str) -> None:
    assert texts(f"<h1>Coins</h1><div hidden='{value}'><p>Take a 2 euro coin.</p></div>")[-1] == "Take a 2 euro coin."


def test_f14_what_a_button_unfolds_is_read_and_what_nothing_opens_is_kept_as_hidden() -> None:
    folded = "<div style='height:0;overflow:hidden' id='more'>Return them before nine in the evening.</div>"
    button = "<button onclick='x()' aria-controls='more'>More</button>"
    assert texts(f"<p>Borrow.</p>{button}{folded}")[-1] == "Return them before nine in the evening."
    assert left_out(folded) == [(LeftOut.HIDDEN, "Return them before nine in the evening.")]
    closed = "<dialog>Subscribe to the letter of the friends.</dialog>"
    assert left_out(closed) == [(LeftOut.HIDDEN, "Subscribe to the letter of the friends.")]


def test_f15_what_a_picture_says_is_told_and_one_without_words_is_kept_as_unread() -> None:
    assert texts('<p><img src="t.png" alt="Call 011 90 44 63"></p>') == ["Call 011 90 44 63"]
    assert left_out('<p><img src="plan.png"></p>') == [(LeftOut.UNREAD, "img plan.png")]
    assert left_out('<p><img src="line.png" alt=""></p>') == []
    lazy = '<p><img data-src="p.png"><noscript><img src="p.png" alt="Closed on Sunday"></noscript></p>'
    assert texts(lazy) == ["Closed on Sunday"]
    assert left_out('<iframe title="Route" src="https://maps.example/1"></iframe>') == [
        (LeftOut.UNREAD, "iframe Route https://maps.example/1")
    ]


def test_f15_what_a_rule_of_the_page_writes_beside_an_element_is_told_and_its_decorations_are_not() -> None:
    rules = r"""<style>.yes::before{content:"\2713"} .fee:after{content: " a day"} li::before{content:"›"}
    .icon::before{content:"\f00c"}</style>"""
    page = "<ul><li>Tv: <i class='yes'></i>, € 3<b class='fee'></b> <i class='icon'></i></li></ul>"
    assert texts(page, rules) == ["Tv: ✓, € 3 a day"]
    rows = "<tr><th>Item</th><th>There</th></tr><tr><td>Tv</td><td><i class='yes'></i></td></tr>"
    last = "<tr><td>Safe</td><td class='yes'></td></tr><tr><td>Bath</td><td><i class='icon'></i></td></tr>"
    assert texts(f"<table>{rows}{last}</table>", rules) == ["Item | There\nTv | ✓\nSafe | ✓\nBath | "]


def test_f15_a_formula_is_told_on_one_line_and_the_name_of_an_icon_is_not() -> None:
    formula = "<math><mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"
    assert texts(f"<p>Give {formula} tablet.</p>") == ["Give 1 1/2 tablet."]
    assert texts('<p>Open <i class="material-icons">schedule</i> 9:00</p>') == ["Open 9:00"]


def protected(address: str, key: int = 0x2A) -> str:
    return bytes([key, *(byte ^ key for byte in address.encode())]).hex()


ADDRESS = "desk@brook.example"
WRITTEN = [
    f'<a class="__cf_email__" data-cfemail="{protected(ADDRESS)}">[email&#160;protected]</a>',
    f'<a href="/cdn-cgi/l/email-protection#{protected(ADDRESS)}">[email protected]</a>',
    "desk [at] brook [dot] example",
    "desk(at)brook.example",
    "desk<span>[at]</span>brook<span>[punt]</span>example",
    "&#100;esk&#64;brook&#46;example",
    f'<span style="unicode-bidi:bidi-override;direction:rtl">{ADDRESS[::-1]}</span>',
    f'<bdo dir="rtl">{ADDRESS[::-1]}</bdo>',
    'desk<span style="display:none">no-robots</span>@brook.example',
]


@pytest.mark.parametrize("written", WRITTEN)
def test_f16_a_protected_address_is_told_as_its_readers_see_it(written: str) -> None:
    assert texts(f"<p>Write to {written} today.</p>") == [f"Write to {ADDRESS} today."]


@pytest.mark.parametrize("code", ["", "zz", protected("no address"), protected(ADDRESS)[:-3]])
def test_f16_an_address_that_cannot_be_read_is_not_told_as_a_note_that_it_is_protected(code: str) -> None:
    page = f'<p>Write to <a data-cfemail="{code}" href="/x">[email&#160;protected]</a> today.</p>'
    assert "protected" not in " ".join(texts(page))


def test_f16_what_a_link_leads_to_and_does_not_show_is_told_behind_it() -> None:
    page = '<p><a href="mailto:desk@brook.example?subject=x">Write</a>, <a href="tel:+3211904461">call</a> or wait.</p>'
    assert texts(page) == ["Write (desk@brook.example), call (+3211904461) or wait."]
    assert texts(f'<p><a href="mailto:{ADDRESS}">{ADDRESS}</a></p>') == [ADDRESS]
    assert texts('<p>open (at 9) daily</p>') == ["open (at 9) daily"]


@pytest.mark.parametrize(
    ("href", "shown", "said"),
    [
        ("tel:+3211904461", "Ward 120", "Ward 120 (+3211904461)"),
        ("tel:011904120", "Ward 120", "Ward 120 (011904120)"),
        ("tel:4120", "Ward 120", "Ward 120 (4120)"),
        ("tel:1733", "Open 24/24, 365 days", "Open 24/24, 365 days (1733)"),
        ("mailto:desk@brook.example", "Ward 120", "Ward 120 (desk@brook.example)"),
        ("tel:1733", "Call 1733", "Call 1733"),
        ("tel:+32-11-904461;ext=5", "011 90 44 61", "011 90 44 61"),
        ("tel:003211904461", "+32 (0)11 90 44 61", "+32 (0)11 90 44 61"),
        ("tel:+3211904461", "90 44 61", "90 44 61"),
        ("tel:+3211904461", "011&nbsp;90&nbsp;44&nbsp;61", "011 90 44 61"),
        ("tel:+3211904461", "011904461", "011904461"),
        ("tel:+3211904461", "011 90 44 62", "011 90 44 62"),
    ],
)
def test_f16_other_figures_in_a_link_do_not_stand_for_the_number_that_it_leads_to(
    href: str, shown: str, said: str
) -> None:
    assert texts(f"<p><a href='{href}'>{shown}</a></p>") == [said]


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ("<span class='d'>Monday</span><span class='h'>7:40-18:10</span>", "Monday 7:40-18:10"),
        ("<strong>Monday</strong><span>7:40</span>", "Monday 7:40"),
        ("<b>Phone</b><a href='/x'>011 90 44 67</a>", "Phone 011 90 44 67"),
        ("<span>Soup</span><span>€2.60</span><span>Bread</span><span>€1.20</span>", "Soup €2.60 Bread €1.20"),
        ("Soup<span>€2.60</span>Bread<span>€1.20</span>", "Soup €2.60 Bread €1.20"),
        ("<label>Day</label><output>€ 4.30</output>", "Day € 4.30"),
        ("<my-day>Monday</my-day><my-hour>7:40</my-hour>", "Monday 7:40"),
        ("<span style='display:inline-block'>Mon</span>day", "Mon day"),
        ("<i>Monday</i>7:40", "Monday 7:40"),
        # What belongs to one word stays one word.
        ("<b>V</b>isits", "Visits"),
        ("<b>un</b><i>believable</i>", "unbelievable"),
        ("tele<wbr>phone", "telephone"),
        ("H<sub>2</sub>O", "H2O"),
        ("2<b>nd</b> floor", "2nd floor"),
        ("<span>7</span><span>:40</span>", "7:40"),
        ("<span>Visits are </span><span>possi</span><span>ble</span>", "Visits are possible"),
        ("<span>W</span><span>e</span><span>l</span>", "Wel"),
        ("B<b>12</b>", "B12"),
        ("9.80<a href='#n1'>1</a> euro", "9.80¹ euro"),
    ],
)
def test_f17_labels_and_values_that_style_sheets_alone_set_apart_are_told_apart(markup: str, said: str) -> None:
    assert texts(f"<p>{markup}</p>") == [said]


def test_f17_elements_that_a_rule_sets_apart_are_told_apart() -> None:
    rules = "<style>.line{display:block}.row{display:flex}</style>"
    assert texts("<div><span class='line'>Mon</span><span class='line'>7:40</span></div>", rules) == ["Mon", "7:40"]
    assert texts("<div class='row'><b>Mo</b><b>n</b></div>", rules) == ["Mo n"]


def test_f17_terms_stand_before_what_they_mean() -> None:
    terms = "<dl><dt>Lunch</dt><dd>11:50</dd><dd>12:30</dd><dt>Tea</dt><dt>Coffee</dt><dd>15:10</dd></dl>"
    assert texts(terms) == ["Lunch: 11:50", "Lunch: 12:30", "Tea, Coffee: 15:10"]


@pytest.mark.parametrize(
    "first",
    [
        "<dt>Blanket</dt><dd></dd>",
        "<dt>Blanket</dt><dd><s>€ 5</s></dd>",
        "<dt>Blanket</dt><dd hidden>Five euros and a half a night.</dd>",
        "<div><dt>Blanket</dt></div>",
    ],
)
def test_f17_a_term_of_which_nothing_is_told_stands_alone_and_takes_no_other_ones_price(first: str) -> None:
    assert texts(f"<dl>{first}<dt>Slippers</dt><dd>€ 7</dd></dl>") == ["Blanket", "Slippers: € 7"]
    assert texts(f"<dl>{first}<div><dt>Slippers</dt><dd>€ 7</dd></div></dl>") == ["Blanket", "Slippers: € 7"]


@pytest.mark.parametrize("struck", ["<dt hidden>Robe</dt>", "<dt class='line-through'>Robe</dt>"])
def test_f17_what_a_term_that_is_left_out_means_is_not_said_of_the_term_before(struck: str) -> None:
    assert texts(f"<dl><dt>Slippers</dt><dd>€ 7</dd>{struck}<dd>€ 15</dd></dl>") == ["Slippers: € 7", "€ 15"]


def test_f17_terms_in_what_a_term_means_stand_behind_it() -> None:
    inner = "<dl><dt>Day</dt><dd>€ 1</dd><dt>Night</dt><dd>€ 2</dd></dl>"
    page = f"<dl><dt>Fan</dt><dd>{inner}</dd><dt>Radio</dt><dd>€ 3</dd></dl>"
    assert texts(page) == ["Fan, Day: € 1", "Fan, Night: € 2", "Radio: € 3"]


def test_choices_of_names_are_told_and_choices_of_numbers_are_not() -> None:
    names = "<select><option value=''>Choose</option><option>Cardiology</option><option>Radiology</option></select>"
    assert told(f"<p>Clinics:</p>{names}")[1:] == [("list_item", "Cardiology"), ("list_item", "Radiology")]
    assert left_out("<select><option>1</option><option>2</option></select>") == [(LeftOut.FURNITURE, "1 2")]


def test_elements_with_the_roles_of_a_table_are_a_table() -> None:
    cells = [("columnheader", "Item", "Price"), ("cell", "Soup", "€ 2"), ("cell", "Tea", "€ 1")]
    rows = "".join(
        f"<div role='row'><span role='{role}'>{a}</span><span role='{role}'>{b}</span></div>" for role, a, b in cells
    )
    assert told(f"<div role='table'>{rows}</div>") == [("table", "Item | Price\nSoup | € 2\nTea | € 1")]


@pytest.mark.parametrize(
    "page",
    [
        "<dl>" + "<dt>" + "Wheelchair " * 15 + "<dd>x" * 40_000,
        "<dl>" + "<dt>Wheelchair" * 20_000 + "<dd>x" * 20_000,
        "<dl><dt>Wheelchair<dd>x" * 100 + "<dd>x" * 20_000,
        ("<dl><dt>" + "Wheelchair " * 15 + "<dd>") * 3 + "<dl>" + "<dt>a<dd>x" * 20_000,
    ],
)
def test_f4_terms_are_not_said_without_end(page: str) -> None:
    assert sum(map(len, texts(page))) < 4 * len(page)


def test_f4_the_terms_before_one_meaning_are_all_told() -> None:
    terms = [f"Room {number} on the ground floor of the east wing" for number in range(30)]
    told = texts(f"<dl>{''.join(f'<dt>{term}</dt>' for term in terms)}<dd>It is shut.</dd></dl>")
    assert all(any(term in text for text in told) for term in terms)
    assert told[-1].endswith(": It is shut.")
