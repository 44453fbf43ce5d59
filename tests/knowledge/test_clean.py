"""Cleaning: what goes, what is put right, and what must stay."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.knowledge.clean.clean import clean
from careline.knowledge.clean.left_out import counts
from careline.model import LeftOut, LeftOutCount
from careline.tables.extracted import Block, BlockKind, Extracted, Page
from tests.growth import grows_no_faster_than_its_length

HEADING, PARAGRAPH, ITEM, TABLE = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE


def paragraph(text: str) -> Block:
    return Block(PARAGRAPH, text)


def heading(text: str, level: int = 1) -> Block:
    return Block(HEADING, text, level)


def a_document(*pages: list[Block], paged: bool = True) -> Extracted:
    return Extracted(tuple(Page(number, tuple(blocks)) for number, blocks in enumerate(pages, 1)), paged=paged)


def cleaned(text: str, kind: BlockKind = PARAGRAPH) -> str:
    return clean(a_document([Block(kind, text)], paged=False)).pages[0].text


def texts_of(document: Extracted) -> list[list[str]]:
    return [[block.text for block in page.blocks if block.left_out is None] for page in clean(document).pages]


def left_out_of(document: Extracted) -> list[tuple[str, str]]:
    blocks = [block for page in clean(document).pages for block in page.blocks]
    return [(block.left_out, block.text) for block in blocks if block.left_out is not None]


def test_running_headers_and_footers_go_and_the_text_between_stays() -> None:
    pages = [
        [
            paragraph("UZ Voorbeeld | Patiënteninformatie"),
            paragraph(f"Tekst {word} over iets."),
            paragraph(f"Brochure 812 - pagina {number} van 5"),
        ]
        for number, word in enumerate(("een", "twee", "drie", "vier", "vijf"), 1)
    ]
    assert texts_of(a_document(*pages)) == [
        [f"Tekst {word} over iets."] for word in ("een", "twee", "drie", "vier", "vijf")
    ]


def test_running_lines_are_kept_as_left_out_and_counted() -> None:
    pages = [[paragraph("UZ Voorbeeld"), paragraph(f"Alinea nummer {n * 7}."), paragraph(str(n))] for n in range(1, 5)]
    document = a_document(*pages)
    assert left_out_of(document) == [(LeftOut.RUNNING, text) for n in range(1, 5) for text in ("UZ Voorbeeld", str(n))]
    assert counts(clean(document)) == (LeftOutCount(LeftOut.RUNNING, 8, 4 * len("UZ Voorbeeld") + 4),)


def test_what_a_reader_left_out_stays_on_its_page_behind_what_is_told_and_joins_no_paragraph() -> None:
    struck = Block(PARAGRAPH, "costs 8 euros and", left_out=LeftOut.STRUCK)
    document = a_document([paragraph("The room with a view on the park"), struck], [paragraph("costs 9 euros.")])
    assert texts_of(document) == [["The room with a view on the park costs 9 euros."], []]
    assert left_out_of(document) == [(LeftOut.STRUCK, "costs 8 euros and")]


def test_headers_that_differ_on_left_and_right_pages_go() -> None:
    pages = [
        [paragraph("Links" if number % 2 else "Rechts"), paragraph(f"Alinea nummer {number * 7}.")]
        for number in range(1, 9)
    ]
    assert all(len(texts) == 1 for texts in texts_of(a_document(*pages)))


def test_a_header_that_stands_in_one_block_with_the_text_goes_alone() -> None:
    pages = [[paragraph(f"UZ Voorbeeld\n{word} alinea van de tekst.")] for word in ("Eerste", "Tweede", "Derde")]
    assert texts_of(a_document(*pages)) == [[f"{word} alinea van de tekst."] for word in ("Eerste", "Tweede", "Derde")]


def test_a_way_to_reach_somebody_in_a_footer_stays_once_at_the_end() -> None:
    footer = "UZ Voorbeeld, Kerkstraat 1, tel. 02 477 11 11"
    pages = [[paragraph(f"{word} alinea."), paragraph(footer)] for word in ("Eerste", "Tweede", "Derde")]
    assert texts_of(a_document(*pages)) == [["Eerste alinea."], ["Tweede alinea."], ["Derde alinea.", footer]]


def test_what_is_repeated_inside_the_pages_stays() -> None:
    pages = [
        [
            paragraph("UZ Voorbeeld"),
            heading(f"Onderzoek {word}"),
            heading("Wat brengt u mee?", 2),
            paragraph(f"Uw kaart en formulier {word}."),
        ]
        for word in ("een", "twee", "drie")
    ]
    assert texts_of(a_document(*pages))[2] == ["Onderzoek drie", "Wat brengt u mee?", "Uw kaart en formulier drie."]


def test_the_title_stays_where_it_is_repeated_as_a_header() -> None:
    pages = [
        [heading("Parkeren"), paragraph("Een.")],
        *[[paragraph("Parkeren"), paragraph(word)] for word in ("Twee.", "Drie.", "Vier.")],
    ]
    assert texts_of(a_document(*pages)) == [["Parkeren", "Een."], ["Twee."], ["Drie."], ["Vier."]]


@pytest.mark.parametrize("line", ["Kamer {}", "Stap {}"])
def test_numbered_lines_at_the_top_of_pages_stay_when_their_numbers_are_not_those_of_the_pages(line: str) -> None:
    pages = [
        [paragraph(line.format(number * number + 100)), paragraph(f"Uitleg {'abcdef'[number]}.")] for number in range(6)
    ]
    assert all(len(texts) == 2 for texts in texts_of(a_document(*pages)))


def test_numbered_headings_stay_even_when_they_count_with_the_pages() -> None:
    pages = [[heading(f"Dag {number}"), paragraph(f"Uitleg {'abcdef'[number]}.")] for number in range(1, 6)]
    assert all(len(texts) == 2 for texts in texts_of(a_document(*pages)))


@pytest.mark.parametrize(
    "form", ["{}", "- {} -", "Pagina {}", "p. {} / 9", "Page {} sur 9", "{} van 9", "Pag. {} di 9"]
)
def test_page_numbers_go(form: str) -> None:
    pages = [
        [paragraph(f"Alinea {'abcd'[number]} van de tekst."), paragraph(form.format(number + 3))] for number in range(4)
    ]
    assert all(len(texts) == 1 for texts in texts_of(a_document(*pages)))


def test_a_number_that_is_no_page_number_stays() -> None:
    pages = [
        [paragraph("Bij nood belt u altijd dit nummer."), paragraph("112")],
        [paragraph("Ander blad."), paragraph("2000")],
    ]
    assert texts_of(a_document(*pages)) == [["Bij nood belt u altijd dit nummer.", "112"], ["Ander blad.", "2000"]]


def test_nothing_runs_in_a_document_without_pages() -> None:
    assert clean(a_document([paragraph("Pagina 1")], paged=False)).pages[0].text == "Pagina 1"


def test_a_paragraph_that_goes_on_over_a_page_is_whole_on_the_page_where_it_begins() -> None:
    pages = [
        [paragraph("U betaalt het parkeer-")],
        [paragraph("tarief aan de automaat, die in de hal van het ziekenhuis")],
        [paragraph("staat. Daarna vertrekt u."), paragraph("Nieuwe alinea.")],
    ]
    whole = "U betaalt het parkeertarief aan de automaat, die in de hal van het ziekenhuis staat. Daarna vertrekt u."
    assert texts_of(a_document(*pages)) == [[whole], [], ["Nieuwe alinea."]]


def test_a_sentence_goes_on_with_an_amount_behind_a_preposition() -> None:
    page = [paragraph("If you stay away without a word, you pay a fee of"), paragraph("€60.00, which nobody refunds.")]
    assert texts_of(a_document(page)) == [
        ["If you stay away without a word, you pay a fee of €60.00, which nobody refunds."]
    ]
    items = [paragraph("What it costs differs by ward and by campus"), paragraph("2. Bring your card.")]
    assert len(texts_of(a_document(items))[0]) == 2


def test_a_finished_paragraph_and_a_new_sentence_stay_apart() -> None:
    pages = [
        [paragraph("Dit is een volledige zin met een punt.")],
        [paragraph("En dit een nieuwe")],
        [paragraph("Hoofdletter begint.")],
    ]
    assert [len(texts) for texts in texts_of(a_document(*pages))] == [1, 1, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("het parkeer-\ntarief", "het parkeertarief"),
        ("een X-\nRay van de long", "een X-Ray van de long"),
        ("een HIV-\nNegative patient", "een HIV-Negative patient"),
        ("het UZ-\nLeuven is open", "het UZ-Leuven is open"),
        ("neem de B-\nIngang links", "neem de B-Ingang links"),
        ("bloed van groep B-\nPlaatjes ook", "bloed van groep B- Plaatjes ook"),
        ("bloed en een X-\nRay", "bloed en een X-Ray"),
        ("een niet-\nroker", "een niet-roker"),
        ("de MRI-\nscan", "de MRI-scan"),
        ("COVID-\n19", "COVID-19"),
        ("in-\nen uitgang", "in- en uitgang"),
        ("prenez rendez-\nvous", "prenez rendez-vous"),
        ("a follow-\nup visit", "a follow-up visit"),
        ("zuurstof\u00ad\ntherapie", "zuurstoftherapie"),
        ("zuur\u00adstof", "zuurstof"),
        ("5-\n10 dagen", "5-10 dagen"),
        ("l'après-\nmidi", "l'après-midi"),
        ("regel een\nregel twee", "regel een regel twee"),
    ],
)
def test_words_broken_at_the_end_of_a_line_are_mended(text: str, expected: str) -> None:
    assert cleaned(text) == expected


def test_the_document_itself_decides_how_a_broken_word_is_written() -> None:
    document = a_document([paragraph("De x-ray is klaar. De x-\nray dus. Een e-mail naar e-\nmail.")], paged=False)
    assert clean(document).pages[0].text == "De x-ray is klaar. De x-ray dus. Een e-mail naar e-mail."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("patiÃ«nt", "patiënt"),
        ("lâ€™hÃ´pital coÃ»te 5 â‚¬", "l’hôpital coûte 5 €"),
        ("perchÃ© no", "perché no"),
        ("eﬀect en ﬁets", "effect en fiets"),
        ("a\u200bb\ufeff\x07c", "abc"),
        ("e\u0301e\u0301n", "één"),
        ("gewoon één café à 5 €", "gewoon één café à 5 €"),
        ("SÃO PAULO, Ångström", "SÃO PAULO, Ångström"),
    ],
)
def test_broken_characters_are_repaired_and_good_ones_left_alone(text: str, expected: str) -> None:
    assert cleaned(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Neem 5mg of 2,5mg per dag", "Neem 5 mg of 2,5 mg per dag"),
        ("500ml, 80kg", "500 ml, 80 kg"),
        ("bloeddruk 120 / 80", "bloeddruk 120/80"),
        ("op 12 / 03 of 1 / 2", "op 12 / 03 of 1 / 2"),
        ("tel. 02 / 477 11 11", "tel. 02 / 477 11 11"),
        ("B12g, 3D, 5G, 8h30, 10m", "B12g, 3D, 5G, 8h30, 10m"),
        ("te   veel\u00a0 ruimte , hier .", "te veel ruimte, hier."),
        ("Comment ça va ? Bien : oui", "Comment ça va ? Bien : oui"),
    ],
)
def test_units_and_spaces_are_made_readable(text: str, expected: str) -> None:
    assert cleaned(text) == expected


def test_rows_of_a_table_stay_rows() -> None:
    assert cleaned("Dosis | Duur\n5mg  | 120 / 80\n-\nx", TABLE) == "Dosis | Duur\n5 mg | 120/80\n-\nx"


REFERENCES = [
    "1. Smith J, Maes A. Heart failure. N Engl J Med. 2020;382:1-10.",
    "2. Peeters K et al. Cardiologie. 2018. doi:10.1000/x",
    "https://www.kce.fgov.be",
]


@pytest.mark.parametrize(
    "title", ["Referenties", "References", "Références bibliographiques", "Bibliografia", "5. Bronnen", "LITERATUUR:"]
)
def test_references_at_the_end_go_and_an_annex_after_them_stays(title: str) -> None:
    blocks = [
        heading("Inleiding"),
        paragraph("Tekst van de brochure. " * 20),
        heading(title),
        *map(paragraph, REFERENCES),
    ]
    assert texts_of(a_document(blocks))[0] == ["Inleiding", ("Tekst van de brochure. " * 20).strip()]
    annex = [heading("Bijlage"), paragraph("Formulier.")]
    assert texts_of(a_document([*blocks, *annex]))[0][2:] == ["Bijlage", "Formulier."]


def test_sources_that_are_no_references_stay() -> None:
    blocks = [
        heading("Leiding"),
        paragraph("Tekst. " * 30),
        heading("Bronnen"),
        paragraph("Water komt uit twee bronnen in de berg."),
    ]
    assert len(texts_of(a_document(blocks))[0]) == 4


def test_references_in_the_beginning_stay() -> None:
    blocks = [heading("References"), *map(paragraph, REFERENCES), heading("Inleiding"), paragraph("Tekst. " * 100)]
    assert len(texts_of(a_document(blocks))[0]) == 6


BLOCKS = st.builds(
    Block,
    st.sampled_from([PARAGRAPH, ITEM, HEADING, TABLE]),
    st.text(alphabet=st.sampled_from(list("ab 0189.,/-\n\u00adéÃ«mgl|")), min_size=1, max_size=60),
    st.just(2),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(BLOCKS, max_size=8))
def test_no_digit_is_ever_changed(blocks: list[Block]) -> None:
    before = "".join(re.findall(r"\d", "".join(block.text for block in blocks)))
    after = "".join(re.findall(r"\d", clean(a_document(blocks, paged=False)).pages[0].text))
    assert after == before


@settings(max_examples=200, deadline=None)
@given(st.lists(BLOCKS, max_size=8))
def test_what_is_clean_stays_as_it_is(blocks: list[Block]) -> None:
    once = clean(a_document(blocks, paged=False))
    assert clean(once) == once


def a_long_document(count: int, sentences: int) -> Extracted:
    sentence = "De patiënt van kamer {} betaalt het parkeer-\ntarief van 5mg aan de automaat van het ziekenhuis. "
    pages = [
        [
            paragraph("UZ Voorbeeld"),
            paragraph((sentence * sentences).format(*range(number * 31, number * 31 + sentences))),
            paragraph(f"Pagina {number}"),
        ]
        for number in range(1, count + 1)
    ]
    return a_document(*pages)


def test_a_thousand_pages_are_cleaned_in_steps_that_grow_with_their_number() -> None:
    grows_no_faster_than_its_length(lambda count: clean(a_long_document(count, 2)), 100)
    last = clean(a_long_document(1_000, 25)).pages[999]
    assert last.text.startswith("De patiënt van kamer 31000 betaalt het parkeertarief van 5 mg")


@pytest.mark.parametrize(
    ("piece", "most", "end"),
    [
        ("a", 300_000, "\nb"),
        ("a-\n", 60_000, ""),
        ("1", 200_000, ""),
        ("1.", 100_000, ""),
        ("é ", 150_000, ""),
        ("Ã«", 60_000, ""),
    ],
)
def test_strange_text_takes_no_more_steps_than_its_length_allows(piece: str, most: int, end: str) -> None:
    grows_no_faster_than_its_length(lambda count: cleaned(piece * count + end), 1_000)
    cleaned(piece * most + end)


def test_many_titles_of_references_take_no_more_steps_than_their_number_allows() -> None:
    def work(count: int) -> Extracted:
        return clean(a_document([paragraph("Bronnen")] * count, paged=False))

    grows_no_faster_than_its_length(work, 1_000)
    work(50_000)


@pytest.mark.parametrize("text", [" Ã 0", "voilÃ  0", "x  Ã 0"])
def test_spaces_do_not_hide_a_letter_that_was_decoded_wrongly(text: str) -> None:
    once = clean(a_document([Block(BlockKind.PARAGRAPH, text)], paged=False))
    assert "à 0" in once.pages[0].blocks[0].text
    assert clean(once) == once
