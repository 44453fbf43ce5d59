"""Addresses and numbers of a page: protected ones as readers see them, and what links lead to."""

from __future__ import annotations

import pytest

from tests.cases.strangers.pages.page_texts import texts


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
