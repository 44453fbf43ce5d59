"""Everything that holds figures as a caller hears it, in four languages; no digit is lost or added."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from careline.speech.spoken.numbers import spoken_numbers
from tests.growth import grows_no_faster_than_its_length
from tests.speech.reading_back import digits, figures

LANGUAGES = ("nl", "en", "fr", "it")
languages = st.sampled_from(LANGUAGES)


def test_a_telephone_number_is_said_in_its_groups_in_pairs_or_one_by_one() -> None:
    said = [spoken_numbers("016 33 22 11", language) for language in LANGUAGES]
    assert said == [
        "nul één zes, drieëndertig, tweeëntwintig, elf",
        "zero one six, three three, two two, one one",
        "zéro un six, trente-trois, vingt-deux, onze",
        "zero uno sei, tre tre, due due, uno uno",
    ]


@pytest.mark.parametrize(
    ("written", "groups"),
    [
        ("Bel 02/555.12.34", "02 555 12 34"),
        ("Bel (016) 33 22 11", "016 33 22 11"),
        ("Bel 0800 12 345!", "0800 12 345"),
        ("020 7946 0958.", "020 7946 0958"),
        ("06 1234 5678", "06 1234 5678"),
        ("0470-12-34-56", "0470 12 34 56"),
        ("0470/123456", "0470 12 34 56"),
        ("016332211", "016 33 22 11"),
        ("+3216332211", "32 16 33 22 11"),
        ("+32 (0)16 33 22 11", "32 16 33 22 11"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_groups_are_those_written_or_else_the_countrys(written: str, groups: str, language: str) -> None:
    said = spoken_numbers(written, language).removeprefix("Bel ")
    assert ["".join(figures(group, language)) for group in said.split(", ")] == groups.split()


@pytest.mark.parametrize(
    ("written", "nl", "en", "fr", "it"),
    [
        ("€ 2,50", "twee euro vijftig", "two euros fifty", "deux euros cinquante", "due euro e cinquanta"),
        ("1.20 EUR", "één euro twintig", "one euro twenty", "un euro vingt", "un euro e venti"),
        ("€1", "één euro", "one euro", "un euro", "un euro"),
        (
            "€ 12,5.",
            "twaalf euro vijftig.",
            "twelve euros fifty.",
            "douze euros cinquante.",
            "dodici euro e cinquanta.",
        ),
        (
            "1 250 €",
            "twaalfhonderdvijftig euro",
            "one thousand two hundred and fifty euros",
            "mille deux cent cinquante euros",
            "milleduecentocinquanta euro",
        ),
        ("€ 0,05", "vijf cent", "five cents", "cinq centimes", "cinque centesimi"),
        ("€ 5-10", "vijf tot tien euro", "five to ten euros", "cinq à dix euros", "da cinque a dieci euro"),
        (
            "€ 2,50 - € 3",
            "twee euro vijftig tot drie euro",
            "two euros fifty to three euros",
            "deux euros cinquante à trois euros",
            "da due euro e cinquanta a tre euro",
        ),
        ("€ 2/h", "twee euro per uur", "two euros per hour", "deux euros par heure", "due euro per ora"),
    ],
)
def test_a_price_is_said_as_one_pays_it(written: str, nl: str, en: str, fr: str, it: str) -> None:
    assert [spoken_numbers(written, code) for code in LANGUAGES] == [nl, en, fr, it]


@pytest.mark.parametrize(
    ("language", "written", "spoken"),
    [
        ("nl", "van 14:00 tot 20:30.", "van veertien uur tot twintig uur dertig."),
        ("nl", "om 14u30, niet later", "om veertien uur dertig, niet later"),
        ("nl", "van 14.00 tot 20.00 uur", "van veertien uur tot twintig uur"),
        ("nl", "van 8-20u", "van acht tot twintig uur"),
        ("nl", "8:00-12:00", "acht uur tot twaalf uur"),
        ("nl", "8.30-12.00 uur", "acht uur dertig tot twaalf uur"),
        ("nl", "ma-vr 9-17u", "maandag tot en met vrijdag negen tot zeventien uur"),
        ("fr", "de 14h à 20h30.", "de quatorze heures à vingt heures trente."),
        ("fr", "à 1h00, à 21 h", "à une heure, à vingt et une heures"),
        ("fr", "24h/24, 7j/7", "vingt-quatre heures sur vingt-quatre, sept jours sur sept"),
        ("it", "dalle 14.30 alle 20.00", "dalle quattordici e trenta alle venti"),
        ("it", "alle ore 9:05.", "alle ore nove e cinque."),
        ("it", "8:00-12:00", "dalle otto alle dodici"),
        ("it", "8.30-17.00", "dalle otto e trenta alle diciassette"),
        ("nl", "0.25-0.50 mg", "nul punt vijfentwintig tot nul punt vijftig milligram"),
        ("it", "dalle 8-20", "dalle otto alle venti"),
        ("en", "from 14:00 to 20:30.", "from two p.m. to eight thirty p.m."),
        ("en", "at 2.30 pm. Then", "at two thirty p.m. Then"),
        ("en", "2-4 pm", "two to four p.m."),
        ("en", "9:00 to 12:00", "nine o'clock to twelve noon"),
        ("en", "at 9:05", "at nine oh five"),
    ],
)
def test_a_time_is_said_as_people_say_it(language: str, written: str, spoken: str) -> None:
    assert spoken_numbers(written, language) == spoken


@pytest.mark.parametrize(
    ("language", "written", "spoken"),
    [
        ("nl", "op 12/03/2026", "op twaalf maart tweeduizend zesentwintig"),
        ("nl", "12-14 maart", "twaalf tot veertien maart"),
        ("nl", "2026-05-12", "twaalf mei tweeduizend zesentwintig"),
        ("en", "on 12/03/2026", "on the twelfth of March, twenty twenty-six"),
        ("en", "the 3rd of May", "the third of May"),
        ("en", "March 12, 2026", "March twelfth, twenty twenty-six"),
        ("en", "since 1985", "since nineteen eighty-five"),
        ("fr", "le 1er mars", "le premier mars"),
        ("fr", "le 7 sept. 2026", "le sept septembre deux mille vingt-six"),
        ("it", "il 1 marzo 2026", "il primo marzo duemilaventisei"),
        ("it", "il 12.3.2026", "il dodici marzo duemilaventisei"),
    ],
)
def test_a_date_is_said_with_its_month(language: str, written: str, spoken: str) -> None:
    assert spoken_numbers(written, language) == spoken


@pytest.mark.parametrize(
    ("language", "written", "spoken"),
    [
        ("nl", "2,5 ml", "twee komma vijf milliliter"),
        ("nl", "1.25 mg", "één punt vijfentwintig milligram"),
        ("nl", "1.250 mg", "twaalfhonderdvijftig milligram"),
        ("nl", "0,05 mg", "nul komma nul vijf milligram"),
        ("nl", "38,5 °C", "achtendertig komma vijf graden Celsius"),
        ("nl", "15 min. wandelen", "vijftien minuten wandelen"),
        ("nl", "het duurt 15 min. Daarna", "het duurt vijftien minuten. Daarna"),
        ("nl", "10-15%", "tien tot vijftien procent"),
        ("nl", "bloeddruk 120/80", "bloeddruk honderdtwintig op tachtig"),
        ("nl", "3 x 500 mg, 2x per dag", "drie maal vijfhonderd milligram, twee keer per dag"),
        ("nl", "verdieping -1", "verdieping min één"),
        ("fr", "2 1000", "deux, mille"),
        ("en", "1 kg, 2 kg", "one kilo, two kilos"),
        ("en", "1.25 mg", "one point two five milligrams"),
        ("en", "120 km/h", "one hundred and twenty kilometres per hour"),
        ("fr", "20 m²", "vingt mètres carrés"),
        ("fr", "1,5 l", "un virgule cinq litre"),
        ("fr", "1 min", "une minute"),
        ("fr", "2 j'ai", "deux j'ai"),
        ("it", "1 h, 2 h", "un'ora, due ore"),
        ("it", "2-3 giorni", "da due a tre giorni"),
    ],
)
def test_a_quantity_is_said_with_its_unit(language: str, written: str, spoken: str) -> None:
    assert spoken_numbers(written, language) == spoken


@pytest.mark.parametrize(
    ("language", "written", "spoken"),
    [
        (
            "nl",
            "Waterpoortlaan 120, 3695 Elzenvoorde",
            "Waterpoortlaan honderdtwintig, zesendertig vijfennegentig Elzenvoorde",
        ),
        ("nl", "kamer 12, route 140, kamer 1204", "kamer twaalf, route honderdveertig, kamer twaalf nul vier"),
        ("nl", "lokaal A1.05", "lokaal A één punt nul vijf"),
        ("nl", "P1 en COVID-19", "P één en COVID-negentien"),
        ("nl", "Bel nu meteen 112.", "Bel nu meteen één één twee."),
        ("nl", "route 112", "route honderdtwaalf"),
        ("nl", "de 1e en 21ste verdieping", "de eerste en eenentwintigste verdieping"),
        ("fr", "1000 Bruxelles, 1000 personnes", "mille Bruxelles, mille personnes"),
        ("fr", "le 2e étage, 1re visite", "le deuxième étage, première visite"),
        ("it", "Via Roma 3, 00185 Roma", "Via Roma tre, zero zero uno otto cinque Roma"),
        ("it", "1° piano, 3a visita", "primo piano, terza visita"),
        ("en", "call 112, room 2204", "call one one two, room twenty-two zero four"),
    ],
)
def test_a_number_that_names_something_is_said_as_such(language: str, written: str, spoken: str) -> None:
    assert spoken_numbers(written, language) == spoken


@pytest.mark.parametrize(
    ("language", "written", "spoken"),
    [
        ("nl", "Prof. dr. Dens en Dr. An Peeters", "Professor Dens en Dokter An Peeters"),
        ("nl", "bv. o.a. nr. 5 t.e.m. 7", "bijvoorbeeld onder andere nummer vijf tot en met zeven"),
        ("nl", "kleren, enz. Breng ook geld", "kleren, enzovoort. Breng ook geld"),
        ("nl", "kleren enz. zijn nodig", "kleren enzovoort zijn nodig"),
        (
            "en",
            "Dr Smith, e.g. no. 5. The answer is no. Next",
            "Doctor Smith, for example number five. The answer is no. Next",
        ),
        ("en", "MS is a disease, Ms Lee", "MS is a disease, Miss Lee"),
        ("fr", "M. Dupont et Mme Lee, p.ex. ici", "Monsieur Dupont et Madame Lee, par exemple ici"),
        ("it", "la dott.ssa Rossi, il sig. Neri, ecc. Poi", "la dottoressa Rossi, il signor Neri, eccetera. Poi"),
        (
            "nl",
            "mail an.de-wit@uz.example vandaag",
            "mail an punt de streepje wit apenstaartje uz punt example vandaag",
        ),
    ],
)
def test_titles_and_abbreviations_are_said_in_full(language: str, written: str, spoken: str) -> None:
    assert spoken_numbers(written, language) == spoken


def test_a_language_without_data_is_left_as_it_is() -> None:
    assert spoken_numbers("Tel. 016 33 22 11", "de") == "Tel. 016 33 22 11"


SALAD = st.text(alphabet="0123456789 .,:/-+()huåme€%°²x\n", max_size=40)
PIECES = st.sampled_from(
    [
        "Bel 016 33 22 11. ",
        "om 14u30 ",
        "8-20u ",
        "€ 2,50 ",
        "12/03/2026 ",
        "1 mei ",
        "12-14 maart ",
        "3 mg ",
        "38,5 °C, ",
        "1e ",
        "kamer 1204 ",
        "3695 Elzenvoorde ",
        "dr. Peeters ",
        "bv. ",
        "enz. ",
        "10-15% ",
        "2.30 pm ",
        "at 9:05 ",
        "nr. 7 ",
        "COVID-19 ",
        "info@x.be ",
        "7j/7 ",
        "1.250,75 ",
        "- ",
        "\n",
        "0471234567 ",
        "€ 1,2 miljoen ",
        "ma-vr ",
        "mars ",
        "5 min. ",
    ]
)


@given(SALAD, languages)
@example("24:00", "nl")
@example("+32 (0)1", "fr")
def test_no_figure_is_left_over_and_saying_twice_changes_nothing(text: str, language: str) -> None:
    said = spoken_numbers(text, language)
    assert not any(c in "0123456789" for c in said)
    assert spoken_numbers(said, language) == said


@given(st.lists(PIECES, max_size=8).map("".join), languages)
def test_whole_sentences_said_twice_stay_as_they_are(text: str, language: str) -> None:
    said = spoken_numbers(text, language)
    assert not any(c.isdigit() for c in said if c not in "²³")
    assert spoken_numbers(said, language) == said


ALWAYS = re.compile(r"24 ?\.?/(?:24|7)")
"""Said with its figures twice in some languages: "vingt-quatre heures sur vingt-quatre"."""


@given(st.text(alphabet="0123456789 .,/()+", max_size=30), st.sampled_from(["nl", "fr", "it"]))
def test_every_digit_is_said_and_none_is_added(text: str, language: str) -> None:
    if "(0)" not in text and not ALWAYS.search(text):
        said = digits(spoken_numbers(text, language), language)
        dates_apart = "".join(c for c in text if c in "123456789")
        assert sorted(said) == sorted(dates_apart), said


@given(st.integers(0, 99_999), st.integers(0, 99), languages)
def test_every_price_keeps_its_euros_and_cents(euros: int, cents: int, language: str) -> None:
    said = figures(spoken_numbers(f"Het kost € {euros},{cents:02d} per dag", language), language)
    expected = f"{euros}{cents}" if euros and cents else str(cents or euros)
    assert "".join(said).replace("0", "") == expected.replace("0", "")


@given(st.integers(0, 23), st.integers(0, 59), st.sampled_from(["nl", "fr", "it"]))
def test_every_time_keeps_its_hour_and_minutes(hour: int, minute: int, language: str) -> None:
    said = figures(spoken_numbers(f"om {hour}:{minute:02d}", language), language)
    assert said == [str(hour), *([str(minute)] if minute else [])]


@given(st.integers(1, 9_999_999), languages)
def test_every_telephone_number_keeps_its_digits_and_zeros(number: int, language: str) -> None:
    written = f"011{number:06d}"[:9]
    said = spoken_numbers(f"{written[:3]} {written[3:5]} {written[5:7]} {written[7:]}", language)
    assert "".join(figures(said, language)) == written


@pytest.mark.parametrize(
    "unit",
    [
        "016 33 22 11, ",
        "8-20u ",
        "€ 2,50 ",
        "1.000.",
        "12-",
        "1/",
        "a.b.",
        "9" * 8,
        "0",
        "€",
        "(",
        "12 maart ",
        "x@x.",
        "dr. ",
    ],
)
def test_a_long_text_takes_time_in_proportion(unit: str) -> None:
    grows_no_faster_than_its_length(lambda count: spoken_numbers(unit * count, "nl"), 200)


@pytest.mark.parametrize(
    ("written", "nl", "en", "fr", "it"),
    [
        ("CHF 34.–", "vierendertig frank", "thirty-four francs", "trente-quatre francs", "trentaquattro franchi"),
        ("Fr. 2.50", "twee frank vijftig", "two francs fifty", "deux francs cinquante", "due franchi e cinquanta"),
        ("Fr. 2'000.–", "tweeduizend frank", "two thousand francs", "deux mille francs", "duemila franchi"),
        ("16.–", "zestien", "sixteen", "seize", "sedici"),
    ],
)
def test_francs_are_said_as_one_pays_them(written: str, nl: str, en: str, fr: str, it: str) -> None:
    said = [spoken_numbers(written, language) for language in ("nl", "en", "fr", "it")]
    assert said == [nl, en, fr, it]


@pytest.mark.parametrize(
    ("written", "language", "said"),
    [
        ("open van 8.30 tot 12.00", "nl", "open van acht uur dertig tot twaalf uur"),
        ("open from 7.30 to 11.00 a.m.", "en", "open from seven thirty to eleven a.m."),
        ("ouvert de 8.00 à 12.00", "fr", "ouvert de huit heures à douze heures"),
        ("van 2.50 tot 5.00 euro", "nl", "van twee punt vijftig tot vijf euro"),
        ("from 2.50 mg", "en", "from two point five zero milligrams"),
        ("een hoogte van 2.10 m", "nl", "een hoogte van twee punt tien meter"),
        ("van 1.50 tot 2.10 meter", "nl", "van één punt vijftig tot twee punt tien meter"),
        ("à une distance de 2.30 km", "fr", "à une distance de deux point trente kilomètres"),
        ("from 1.25 to 2.50 tablets", "en", "from one point two five to two point five zero tablets"),
        ("INR 2.00–3.00", "en", "INR two point zero zero to three point zero zero"),
        ("open 10.00–12.00", "en", "open ten o'clock to twelve noon"),
    ],
)
def test_a_point_stands_between_hours_and_minutes_where_hours_are_told(written: str, language: str, said: str) -> None:
    assert spoken_numbers(written, language) == said
