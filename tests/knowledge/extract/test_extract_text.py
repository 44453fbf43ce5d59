"""Plain text, Markdown and ready records."""

from __future__ import annotations

import json
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from careline.errors import DocumentRejected
from careline.knowledge.extract import read
from careline.knowledge.extract.records import doc_key, lines
from careline.tables.extracted import Block, BlockKind, Extracted
from tests.growth import grows_no_faster_than_its_length

HEADING, PARAGRAPH, ITEM, TABLE = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE


def blocks_of(name: str, text: str) -> list[tuple[BlockKind, str, int]]:
    return [(block.kind, block.text, block.level) for block in extracted(name, text).pages[0].blocks]


def extracted(name: str, text: str) -> Extracted:
    return read(name, text.encode())


def test_plain_text_headings_are_found_by_number_capitals_and_underline() -> None:
    text = (
        "Brochure\n========\n\n1. Parkeren\n\nGratis.\n\n1.2 Tarieven\nDuur.\n\n"
        "OPENINGSUREN\n\nMa tot vr.\n\nContact\n-------\nBel ons."
    )
    assert blocks_of("a.txt", text) == [
        (HEADING, "Brochure", 1),
        (HEADING, "1. Parkeren", 1),
        (PARAGRAPH, "Gratis.", 0),
        (HEADING, "1.2 Tarieven", 2),
        (PARAGRAPH, "Duur.", 0),
        (HEADING, "OPENINGSUREN", 1),
        (PARAGRAPH, "Ma tot vr.", 0),
        (HEADING, "Contact", 2),
        (PARAGRAPH, "Bel ons.", 0),
    ]


def test_wrapped_lines_form_a_paragraph_and_short_lines_stay_apart() -> None:
    wrapped = (
        "De patiënt meldt zich aan het onthaal van het ziekenhuis en neemt\n"
        "zijn kaart mee voor de inschrijving op de dienst van\nopname."
    )
    address = "UZ Voorbeeld\nKerkstraat 1\n1000 Brussel"
    blocks = blocks_of("a.txt", f"{wrapped}\n\n{address}")
    assert [text for _, text, _ in blocks] == [wrapped, "UZ Voorbeeld", "Kerkstraat 1", "1000 Brussel"]


def test_lists_and_tables_of_plain_text_are_recognised() -> None:
    text = "Mee te brengen:\n- kaart\n- brief\n1) eerst\n\nDag\tUur\nma\t8\ndi\t9\n\na | b | c\n1 | 2 | 3"
    assert blocks_of("a.txt", text) == [
        (PARAGRAPH, "Mee te brengen:", 0),
        (ITEM, "kaart", 0),
        (ITEM, "brief", 0),
        (ITEM, "1) eerst", 0),
        (TABLE, "Dag | Uur\nma | 8\ndi | 9", 0),
        (TABLE, "a | b | c\n1 | 2 | 3", 0),
    ]


MARKDOWN = """---
title: Parkeren
authors: [An Peeters, Jan Maes]
language: nl
valid_until: 2027-01-31
doi: https://doi.org/10.1000/xyz123
secret: nobody reads this
---
# Parkeren bij **ons**

Zie [de site](https://uz.be) en `P1`.
Ook *gratis* op zon\\-dag.

Setext
------
- eerste
- tweede
  gaat door
3. derde

| Parking | Prijs |
|---------|------:|
| P1 | **2** euro |

```
code = 1
```
> Let op!<br>
<!-- weg -->
"""


def test_markdown_is_read_with_its_structure_and_without_its_marks() -> None:
    assert blocks_of("a.md", MARKDOWN) == [
        (HEADING, "Parkeren bij ons", 1),
        (PARAGRAPH, "Zie de site en P1.\nOok gratis op zon-dag.", 0),
        (HEADING, "Setext", 2),
        (ITEM, "eerste", 0),
        (ITEM, "tweede\ngaat door", 0),
        (ITEM, "3. derde", 0),
        (TABLE, "Parking | Prijs\nP1 | 2 euro", 0),
        (PARAGRAPH, "code = 1", 0),
        (PARAGRAPH, "Let op!", 0),
    ]


def test_front_matter_states_facts_of_the_document_and_nothing_else() -> None:
    assert extracted("a.md", MARKDOWN).stated == {
        "title": "Parkeren",
        "authors": ("An Peeters", "Jan Maes"),
        "language": "nl",
        "valid_until": date(2027, 1, 31),
        "doi": "10.1000/xyz123",
    }


@pytest.mark.parametrize(
    "front", ["a: [", "a: &a [*a]", "[" * 5000, "- " * 3000, "a: !!python/object/apply:os.system [ls]", "title: {a: b}"]
)
def test_broken_or_hostile_front_matter_is_left_out(front: str) -> None:
    found = extracted("a.md", f"---\n{front}\n---\nTekst.")
    assert found.pages[0].blocks[-1] == Block(PARAGRAPH, "Tekst.")
    assert found.stated == {}


def test_aliases_in_front_matter_take_steps_by_their_number_and_not_by_what_they_would_unfold_to() -> None:
    def work(levels: int) -> Extracted:
        names = "abcdefghi"[: levels + 1]
        bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in pairwise(names)
        )
        return extracted("a.md", f"---\n{bomb}authors: *{names[-1]}\n---\nTekst.")

    grows_no_faster_than_its_length(work, 3, times=2)
    assert work(8).stated == {}


@pytest.mark.parametrize(
    ("begin", "piece", "most", "end"),
    [
        ("", "*", 100_000, ""),
        ("", "[", 100_000, ""),
        ("", "`a", 50_000, ""),
        ("", "_a ", 50_000, ""),
        ("", "<a", 50_000, ""),
        ("", "| ", 50_000, ""),
        ("", "#", 90_000, ""),
        ("", "> ", 50_000, ""),
        ("# ", " ", 100_000, "#x"),
        ("# ", " #", 50_000, ""),
    ],
)
def test_markdown_of_nothing_but_marks_takes_no_more_steps_than_its_length_allows(
    begin: str, piece: str, most: int, end: str
) -> None:
    def work(count: int) -> None:
        reasons = set()
        try:
            extracted("a.md", begin + piece * count + end)
        except DocumentRejected as refused:
            reasons.add(refused.reason)
        assert reasons <= {"no_text"}

    grows_no_faster_than_its_length(work, 1_000)
    work(most)


@pytest.mark.parametrize("line", ["kort\n", "a | b | c\n\n", "1. x\n", "A\tB\n", "TITEL\n", "-----\nab\n"])
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_hundreds_of_thousands_of_lines_take_no_more_steps_than_their_number_allows(name: str, line: str) -> None:
    grows_no_faster_than_its_length(lambda count: extracted(name, line * count), 500)
    extracted(name, line * 100_000)


@pytest.mark.parametrize(
    ("record", "asked"),
    [
        ({"question": "Wat kost parkeren?", "answer": "2 euro."}, ["Wat kost parkeren?"]),
        ({"vragen": ["Parkeren?", "Wat kost  parkeren?"], "antwoord": "2 euro."}, ["Parkeren?", "Wat kost parkeren?"]),
        ({"question": "A?", "variants": ["B?", "A?", 7, ""], "text": "Ja."}, ["A?", "B?"]),
        ({"title": "Parkeren", "text": "2 euro."}, None),
        ({"question": "Wat kost parkeren?", "text": "Veel. " * 200}, None),
    ],
)
def test_a_short_record_with_questions_is_an_answer_to_them(record: dict[str, object], asked: list[str] | None) -> None:
    assert extracted("a.jsonl", json.dumps(record)).stated.get("questions") == asked


def test_a_record_is_a_heading_and_a_text_with_facts() -> None:
    record = {
        "question": "Wat kost parkeren?",
        "text": "2 euro.\n\n- P1\n- P2",
        "doc_key": "faq-1",
        "year": "2024",
        "audience": "public",
    }
    found = extracted("a.jsonl", json.dumps(record))
    assert [block.text for block in found.pages[0].blocks] == ["Wat kost parkeren?", "2 euro.", "P1", "P2"]
    asked = {"title": "Wat kost parkeren?", "questions": ["Wat kost parkeren?"]}
    assert found.stated == {**asked, "year": 2024, "audience": "public"}
    assert doc_key(json.dumps(record).encode()) == "faq-1"


def test_every_record_of_a_file_is_taken_by_itself() -> None:
    content = b'\xef\xbb\xbf{"text": "a"}\n\n{"text": broken\r\n{"text": "c"}'
    assert list(lines(content)) == [b'{"text": "a"}', b'{"text": broken', b'{"text": "c"}']


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"text": "a"}\n{"text": "b"}', "unsupported"),
        ('{"text": "a"', "corrupt"),
        ('["a"]', "corrupt"),
        ("[" * 100_000, "corrupt"),
        ('{"title": "a"}', "no_text"),
        ('{"text": ""}', "no_text"),
    ],
)
def test_what_is_not_one_record_is_refused(content: str, reason: str) -> None:
    with pytest.raises(DocumentRejected) as refused:
        extracted("a.jsonl", content)
    assert refused.value.reason == reason


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab A1.-|#\n\t:*=>`é"), max_size=300), st.sampled_from(["a.txt", "a.md"]))
def test_no_letter_of_a_text_is_lost(text: str, name: str) -> None:
    # What stands behind a fence names a language to programs.
    assume(name == "a.txt" or "```" not in text)
    try:
        found = extracted(name, text)
    except DocumentRejected:
        return
    kept = "".join(block.text for block in found.pages[0].blocks)
    for letter in "abAé":
        assert kept.count(letter) == text.count(letter)


def test_a_record_with_half_a_character_is_read_with_a_warning_and_the_rest_of_it_whole() -> None:
    extracted = read("a.jsonl", rb'{"title": "Caf\ud83d", "text": "Open \ud83d\ude00 tot \udc00 18 uur"}')
    assert [block.text for block in extracted.pages[0].blocks] == ["Caf\ufffd", "Open \U0001f600 tot \ufffd 18 uur"]
    assert extracted.stated["title"] == "Caf\ufffd"
    assert len(extracted.warnings) == 1
    assert read("a.jsonl", rb'{"text": "Open tot 18 uur"}').warnings == ()


def test_front_matter_with_half_a_character_is_text_that_can_be_stored() -> None:
    stated = read("a.md", b'---\ntitle: "Caf\\ud83d"\nauthor: ["\\udc00 An"]\n---\n\nOpen tot 18 uur.\n').stated
    assert stated == {"title": "Caf\ufffd", "authors": ("\ufffd An",)}


def test_a_short_line_that_ends_in_a_sign_is_not_one_with_the_line_below() -> None:
    wide = "Wie bloed geeft, brengt zijn identiteitskaart mee en eet vooraf iets."
    text = f"{wide}\n{wide}\nGevraagd: A-\nnegatief is welkom.\n{wide}"
    assert "negatief is welkom." in [block.text for block in read("a.txt", text.encode()).pages[0].blocks]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            """\
Middel         Dosis            Wanneer
Paracetamol    500 mg, hoogstens    om de 6 uur
               4 per dag
Ibuprofen      200 mg           om de 8 uur
Amoxicilline   500 mg           om de 8 uur
""",
            ["Middel | Dosis | Wanneer", "Paracetamol | 500 mg, hoogstens 4 per dag | om de 6 uur",
             "Ibuprofen | 200 mg | om de 8 uur", "Amoxicilline | 500 mg | om de 8 uur"],
        ),
        (
            """\
Dienst         Waar              Wanneer
Bloedafname    Gelijkvloers      8.00 tot 12.00
Dieet          Verdieping 3,     op afspraak
               bij de lift of    alleen
               de trap
Radiologie     Verdieping 1      8.00 tot 17.00
""",
            ["Dienst | Waar | Wanneer", "Bloedafname | Gelijkvloers | 8.00 tot 12.00",
             "Dieet | Verdieping 3, bij de lift of de trap | op afspraak alleen",
             "Radiologie | Verdieping 1 | 8.00 tot 17.00"],
        ),
        (
            """\
Dienst        Telefoon       Uren
Onthaal       011 90 44 60   8-20 u
Materniteit   011 90 44 62   14-20 u,
                             zondag
                             ook 10-12 u
Spoed         011 90 44 61   dag en nacht
""",
            ["Dienst | Telefoon | Uren", "Onthaal | 011 90 44 60 | 8-20 u",
             "Materniteit | 011 90 44 62 | 14-20 u, zondag ook 10-12 u", "Spoed | 011 90 44 61 | dag en nacht"],
        ),
    ],
    ids=["a cell wider than its column", "a cell of three lines beside one of two", "a cell of three lines"],
)  # fmt: skip
def test_the_lines_of_a_wrapped_cell_are_of_one_row(text: str, rows: list[str]) -> None:
    (block,) = read("a.txt", text.encode()).pages[0].blocks
    assert block.text.split("\n") == rows
