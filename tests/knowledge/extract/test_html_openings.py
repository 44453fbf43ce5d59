"""What readers of a web page can open is read like the rest of it; what nothing on the page opens stays hidden."""

from __future__ import annotations

import pytest

from careline.knowledge.extract import read
from careline.model import LeftOut

ANSWER = "The amount stands on the last sheet of your bill."
CLOSED = "<style>.a{display:none}%s</style>"
SHUT = "<style>.a{max-height:0;overflow:hidden}%s</style>"
OPENED = [
    (CLOSED % ".open .a{display:block}", f"<button>When?</button><div class='a'>{ANSWER}</div>"),
    (CLOSED % ".a.is-open{display:flex}", f"<a role=button>When?</a><div class='a'>{ANSWER}</div>"),
    (
        CLOSED % "details[open] .a,.x .a{display:block}",
        f"<details><summary>When?</summary><div class='a'>{ANSWER}</div></details>",
    ),
    (CLOSED % ".a:target{visibility:visible}", f"<a href='#when'>When?</a><div id=when class='a'>{ANSWER}</div>"),
    (
        SHUT % "input:checked ~ .a{max-height:40em}",
        f"<input type=checkbox id=q><label for=q>When?</label><div class='a'>{ANSWER}</div>",
    ),
    ("<script>1</script>", f"<button aria-controls='when'>When?</button><div id=when hidden>{ANSWER}</div>"),
    (
        "<script>1</script>",
        f"<button aria-controls='when'>When?</button><div id=when style='display:none'>{ANSWER}</div>",
    ),
    ("", f"<details><summary>When?</summary><p>{ANSWER}</p></details>"),
    ("", f"<button aria-controls='when'>When?</button><div id=when hidden>{ANSWER}</div>"),
    ("", f"<button id=b aria-expanded=false>When?</button><div hidden>{ANSWER}</div>"),
    ("", f"<h2><button aria-expanded=false>When?</button></h2><div style='display:none'>{ANSWER}</div>"),
    ("", f"<button aria-expanded=false>When?</button><script>1</script><style>b{{}}</style><div hidden>{ANSWER}</div>"),
    ("", f"<div role=button aria-expanded=false>When?</div> <!-- - --> <div hidden>{ANSWER}</div>"),
    ("", f"<h2><a href='#' aria-expanded=false>When?</a></h2><div hidden>{ANSWER}</div>"),
]
SHUT_FOR_GOOD = [
    (CLOSED % "", f"<button>When?</button><div class='a'>{ANSWER}</div>"),
    (CLOSED % ".a{display:block}", f"<button>When?</button><div class='a'>{ANSWER}</div>"),
    (CLOSED % ".open .b{display:block}", f"<button>When?</button><div class='a'>{ANSWER}</div>"),
    (CLOSED % ".open .a{display:block}", f"<div class='a'>{ANSWER}</div>"),
    (CLOSED % "details[open] .a{display:block}", f"<div class='a'>{ANSWER}</div>"),
    (CLOSED % ".a:target{display:block}", f"<a href='#other'>When?</a><div id=when class='a'>{ANSWER}</div>"),
    (CLOSED % ".a:checked{display:block}", f"<button>When?</button><div class='a'>{ANSWER}</div>"),
    (
        "<style>.a{display:none;font-size:0} .open .a{display:block}</style>",
        f"<button>When?</button><div class='a'>{ANSWER}</div>",
    ),
    ("<script>1</script>", f"<button aria-controls='other'>When?</button><div id=when hidden>{ANSWER}</div>"),
    ("", f"<button aria-expanded=false>When?</button> In spring. <div hidden>{ANSWER}</div>"),
    ("", f"<h2 aria-expanded=false>When?</h2><div hidden>{ANSWER}</div>"),
    ("", f"<h2>When?<span aria-expanded=false></span></h2><div hidden>{ANSWER}</div>"),
    ("", f"<a href='/when' aria-expanded=false>When?</a><div hidden>{ANSWER}</div>"),
    ("", f"<button aria-expanded=false disabled>When?</button><div hidden>{ANSWER}</div>"),
]


def hidden(head: str, body: str) -> list[bool]:
    page = f"<html lang='en'><head>{head}</head><body><p>Bills are sent in spring.</p>{body}</body></html>"
    found = (block for block in read("a.html", page.encode()).pages[0].blocks if ANSWER in block.text)
    return [block.left_out is LeftOut.HIDDEN for block in found]


@pytest.mark.parametrize(("head", "body"), OPENED)
def test_what_a_reader_can_open_is_not_hidden(head: str, body: str) -> None:
    assert hidden(head, body) == [False]


@pytest.mark.parametrize(("head", "body"), SHUT_FOR_GOOD)
def test_what_nothing_on_the_page_opens_is_hidden(head: str, body: str) -> None:
    assert hidden(head, body) == [True]
