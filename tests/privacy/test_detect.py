"""The detector on marked lines of four languages, on what is settled where finds overlap, and on any input at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.errors import SettingsInvalid
from careline.model import LANGUAGES, Span, SpanType
from careline.privacy.detect import Detector, settled
from tests.growth import grows_no_faster_than_its_length
from tests.privacy.marked import Score, parse, read

WITHOUT_NAMES = [kind for kind in SpanType if kind is not SpanType.PERSON]
PIECES = st.sampled_from(
    (
        "nul vier zeven 0478 12 34 56 3 mei 12/03/1961 née le geboren kerkstraat via roma rue de la loi 14 be68 5390 "
        "apenstaartje @ punt . be at dot com iban patiëntnummer dossier 61.03.12-123.43 double four quatre vingt dix "
        "0754 +32 (0) é e\u0301 \u200b ° € İ 中 [PERSON_1] \n www. https:// :: 192.168.1.1 - / , mille novecento sept"
    ).split(" ")
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map(" ".join))
TONGUES = st.sampled_from([None, *LANGUAGES])


@pytest.mark.parametrize("hint", ["told", "not told"])
@pytest.mark.parametrize("name", [f"{code}{part}" for code in LANGUAGES for part in ("", "_1", "_2", "_3")])
def test_marked_lines_are_found_whether_or_not_the_language_is_told(name: str, hint: str) -> None:
    detector, score = Detector(types=WITHOUT_NAMES), Score()
    for line in read(name):
        score.add(line, detector.find(line.text, name[:2] if hint == "told" else None))
    assert score.recall >= 0.97, score.missed
    assert score.precision >= 0.95, score.invented


@pytest.mark.parametrize(
    "name",
    [
        *(f"{code}_{part}" for code in LANGUAGES for part in ("callers", "spoken", "told", "rows", "dictated")),
        "nl_hard",
        "en_hard",
        "en_frames",
        "it_hard",
        "it_frames",
    ],
)
def test_callers_are_found_and_what_bears_their_names_is_not(name: str) -> None:
    detector, score = Detector(), Score()
    for line in read(name):
        score.add(line, detector.find(line.text, name[:2]))
    assert score.recall >= 0.97, score.missed
    assert score.precision >= 0.95, score.invented


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("<PERSON>tom harris</PERSON>, <DATE_OF_BIRTH>14/06/2008</DATE_OF_BIRTH>", "en"),
        ("<PERSON>tom harris</PERSON>, <DATE>14/06/2098</DATE>", "en"),
        ("my wife gave birth on <DATE>2 august</DATE>", "en"),
        ("mijn nhs-nummer uit engeland is <NHS>613 204 5872</NHS>", "nl"),
        ("<NHS>943 476 5919</NHS>", "fr"),
        ("ambulance naar <ADDRESS>molenweg zeventien drieëntwintighonderd turnhout</ADDRESS>", "nl"),
        ("<ADDRESS>12 rue du 11 novembre</ADDRESS>", "fr"),
        ("près de la place du 8 mai 1945", "fr"),
        ("à la place du <DATE>3 mai</DATE>", "fr"),
        ("<EMAIL>fleur soixante deux underscore bxl chez yahoo point fr</EMAIL>", "fr"),
        ("het <MRN>50118832</MRN> als patiëntnummer", "nl"),
        ("my son's file has number <MRN>411 209 8</MRN>", "en"),
        ("hi it's <PERSON>john lewis</PERSON>", "en"),
        ("is the john lewis cafe open", "en"),
        ("mijn kat minoes en een merel", "nl"),
        ("<PERSON>roos</PERSON> is mijn dochter", "nl"),
    ],
)
def test_what_stands_beside_a_value_says_what_it_is(line: str, language: str) -> None:
    marked = parse(line)
    found = Detector().find(marked.text, language)
    assert [(each.start, each.end, each.type) for each in found] == [(s.start, s.end, s.type) for s in marked.spans]


@pytest.mark.parametrize(
    "line",
    [
        "mijn nummer is <PHONE>nul vier zeven acht twaalf vierendertig vijfenzestig</PHONE>",
        "c'est le <PHONE>zéro quatre cent soixante dix huit douze trente quatre cinquante six</PHONE> voilà",
        "bel <PHONE>+32 478 12 34 56</PHONE>, mail <EMAIL>jan@telenet.be</EMAIL>",
        "né\u200be\u0301e le <DATE_OF_BIRTH>12/0\u200b3/1961</DATE_OF_BIRTH> ici",
        "<NISS>61.03.12-123.43</NISS>",
        "j'habite <ADDRESS>14 rue de la Loi 1000 Bruxelles</ADDRESS>",
        "mijn patiëntnummer is <MRN>4471902</MRN> hoor",
    ],
)
def test_spans_cover_the_value_and_nothing_else(line: str) -> None:
    marked = parse(line)
    found = Detector(types=WITHOUT_NAMES).find(marked.text, None)
    assert [(each.start, each.end, each.type) for each in found] == [(s.start, s.end, s.type) for s in marked.spans]


@pytest.mark.parametrize(
    "text",
    [
        "mijn rijksregisternummer is 61.03.12-123.44",
        "iban BE68 5390 0754 7035",
        "my nhs number is 943 476 5918",
        "codice fiscale RSSMRA61C12H501X",
    ],
)
def test_an_announced_number_with_a_wrong_checksum_is_found_in_strict_mode_only(text: str) -> None:
    assert Detector("strict", WITHOUT_NAMES).find(text, None)
    assert not Detector("lenient", WITHOUT_NAMES).find(text, None)


def test_lenient_mode_keeps_what_is_proven_or_announced() -> None:
    text = "op 3 mei in de kerkstraat 12, geboren op 12/03/1961, niss 61.03.12-123.43, jan@telenet.be, 0478 12 34 56"
    kept = {span.type for span in Detector("lenient", WITHOUT_NAMES).find(text, "nl")}
    assert kept == {SpanType.DATE_OF_BIRTH, SpanType.NISS, SpanType.EMAIL}


def test_a_birth_date_that_only_its_year_gives_away_is_found_in_strict_mode_only() -> None:
    text = "peeters jan 04/07/1958"
    assert [span.rule for span in Detector("strict", WITHOUT_NAMES).find(text, "nl")] == ["birth/year"]
    assert Detector("lenient", WITHOUT_NAMES).find(text, "nl") == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("surname;dob\nPrice;1/2/1980", ["Price", "1/2/1980"]),
        ("| naam | dossier |\n| De Wit, Jan | 0044182 |", ["De Wit, Jan", "0044182"]),
        (
            "cognome,nome,telefono\nRe,Anna,06 5540 2198\nRosa,Vera,06 5540 2199",
            "Re,Anna,06 5540 2198,Rosa,Vera,06 5540 2199".split(","),
        ),
        ("nom;prénom\nsans lien avec la liste", []),
        ("name | ward\nbright sunny | b4", ["bright sunny"]),
        ("title, forename, town", []),
    ],
)
def test_cells_below_column_names_are_found_and_the_names_of_columns_are_not(text: str, found: list[str]) -> None:
    for mode in ("strict", "lenient"):
        spans = Detector(mode).find(text, None)
        assert [text[span.start : span.end] for span in spans] == found


@pytest.mark.parametrize("behind", ["\nPolizza: annuale", "\nTel. 011 4479 203", ", IBAN: volgt"])
def test_an_address_ends_with_its_line_and_before_the_next_field(behind: str) -> None:
    address = "Via Sarpi 33, 20154 Milano"
    (span,) = Detector(types=("address",)).find(address + behind, None)
    assert span.end == len(address)


@pytest.mark.parametrize(
    "listed",
    [
        "patient;chart;discharge\nWren Tallis;00731188;01/04/2025\n\nTendai Gjoni;00731190;02/04/2025\n",
        "patient | chart | discharge\nWren Tallis | 00731188 | 01/04/2025\ncalled back\nTendai Gjoni | 00731190 | -\n",
        "patient\tchart\tdischarge\n\t00731188\t01/04/2025\nTendai Gjoni\t00731190\t\n",
        "| patient | chart | discharge |\n|---|---|---|\n|  | 00731188 | 01/04/2025 |\n| Gjoni | 00731190 |  |\n",
        "patient;chart;discharge\nWren Tallis;00731188;01/04/2025;extra\nTendai Gjoni;00731190;02/04/2025\n",
        'surname,forename,chart\n"Okafor, Jr",Elira,00731188\nGjoni,Tendai,00731190\n',
        'surname,forename,chart\n"Okafor,Elira,00731188\nGjoni,Tendai,00731190\n',
    ],
    ids=["blank line", "note", "empty cells, tabs", "empty cells, bars", "a cell too many", "quoted", "never closed"],
)
def test_a_row_that_is_odd_hides_no_other_row_of_a_list(listed: str) -> None:
    found = {listed[span.start : span.end]: span.type for span in Detector().find(listed, "en")}
    assert (found["00731188"], found["00731190"]) == (SpanType.MRN, SpanType.MRN)


def test_a_sentence_below_a_list_with_commas_is_no_row_of_it() -> None:
    listed = "surname,forename,chart\nGjoni,Tendai,00731190\nThat is all of them.\nHours, prices, 12345 cards\n"
    assert [listed[each.start : each.end] for each in Detector().find(listed, "en")] == ["Gjoni", "Tendai", "00731190"]


def test_off_mode_finds_nothing() -> None:
    assert Detector("off").find("jan@telenet.be", "nl") == ()


def test_only_the_kinds_that_are_asked_for_are_found() -> None:
    found = Detector(types=("email",)).find("jan@telenet.be of 0478 12 34 56", "nl")
    assert [span.type for span in found] == [SpanType.EMAIL]


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(SettingsInvalid, match="CODICE_FISCALE"):
        Detector(types=("SHOE_SIZE",))


def test_a_language_that_is_not_spoken_here_means_all_of_them() -> None:
    assert Detector(types=WITHOUT_NAMES).find("né le 12 mars 1961", "ja")


def test_a_checksum_wins_over_a_form_and_the_longer_find_over_the_shorter() -> None:
    phone = Span(0, 14, SpanType.PHONE, "phone/plan")
    niss = Span(2, 13, SpanType.NISS, "niss/checksum")
    short, long = Span(20, 24, SpanType.DATE, "date/month"), Span(20, 29, SpanType.DATE, "date/month")
    assert settled([phone, short, long, niss]) == (niss, long)


@settings(max_examples=300, deadline=None)
@given(TEXTS, TONGUES)
def test_spans_are_in_order_within_the_text_and_never_overlap(text: str, language: str | None) -> None:
    spans = Detector().find(text, language)
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(span.start < span.end for span in spans)
    assert all(0 <= edge <= len(text) for edge in edges)


@pytest.mark.parametrize(
    "piece",
    [
        "1 ",
        "0 ",
        "1.",
        "1/2/",
        "nul vier ",
        "double four ",
        "kerkstraat 12 ",
        "a at b dot ",
        "naam,dob\n",
        "alpha bravo 12 ",
        "3 no sorry ",
        "emme come milano 4 ",
        "w w w dot a dot be slash ",
        "um wait ",
        "i t 60 x ",
        "apgar 9/10 ",
    ],
)
def test_steps_grow_with_the_text_and_not_with_its_square(piece: str) -> None:
    detector = Detector(types=WITHOUT_NAMES)
    grows_no_faster_than_its_length(lambda count: detector.find(piece * count, None), 250)
    detector.find((piece * 50_000)[:50_000], None)
