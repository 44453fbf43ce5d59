"""What strangers' pages say on the telephone: times, dates, numbers, signs, days, abbreviations, in four languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from careline.installation import Installation
from careline.speech.spoken.numbers import spoken_numbers
from careline.speech.spoken.speaker import Speaker
from careline.text.sentences import SentenceStream, split
from tests.builders import a_passage
from tests.speech.reading_back import figures
from tests.turn.turns import TENANT, a_hospital, an_installation, answer, ask, with_passages

LANGUAGES = ("nl", "en", "fr", "it")
Case = tuple[str, str, str]


def said(language: str, written: str) -> str:
    return spoken_numbers(written, language)


HOURS: Sequence[Case] = (
    ("nl", "Open van 13.30-17.00 uur.", "Open van dertien uur dertig tot zeventien uur."),
    ("nl", "Visite: 14.00-20.00.", "Visite: veertien uur tot twintig uur."),
    ("en", "Visits: 10.00-11.30, 14.00-20.00.", "Visits: ten o'clock to eleven thirty, two p.m. to eight p.m."),
    ("fr", "Visites : 10.00-11.30.", "Visites : dix heures à onze heures trente."),
    ("it", "Visite: 14.00-20.00.", "Visite: dalle quattordici alle venti."),
    ("nl", "Bezoek 14.00 – 15.15, 18.30 – 20.00",
     "Bezoek veertien uur tot vijftien uur vijftien, achttien uur dertig tot twintig uur"),
    ("nl", "10.00-12.00/13.00-16.00 uur", "tien uur tot twaalf uur, dertien uur tot zestien uur"),
    ("nl", "13.30-17 uur", "dertien uur dertig tot zeventien uur"),
    ("nl", "om 8.00, 12.00 en 17.00", "om acht uur, twaalf uur en zeventien uur"),
    ("fr", "à 8.00, 12.00 et 18.00", "à huit heures, douze heures et dix-huit heures"),
    ("it", "alle ore 9.00, 13.00 e 18.00", "alle ore nove, tredici e diciotto"),
    ("en", "Visiting daily 7.40-18.10", "Visiting daily seven forty a.m. to six ten p.m."),
    ("it", "Orario: 8.00-13.00 / 14.30-18.00",
     "Orario: dalle otto alle tredici, dalle quattordici e trenta alle diciotto"),
    ("it", "lun-ven ore 8.00/12.00", "da lunedì a venerdì ore otto alle dodici"),
)  # fmt: skip


@pytest.mark.parametrize(("language", "written", "spoken"), HOURS)
def test_f25_hours_with_points_are_said_as_hours(language: str, written: str, spoken: str) -> None:
    assert said(language, written) == spoken


NO_HOURS: Sequence[Case] = (
    ("nl", "Bel 02.555.12.34", "Bel nul twee, vijf vijf vijf, twaalf, vierendertig"),
    ("fr", "au 06.12.34.56.78", "au zéro six, douze, trente-quatre, cinquante-six, septante-huit"),
    ("nl", "pH 7.35-7.45", "pH zeven punt vijfendertig tot zeven punt vijfenveertig"),
    ("en", "INR 2.00-3.00", "INR two point zero zero to three point zero zero"),
    ("nl", "0.25-0.50 mg", "nul punt vijfentwintig tot nul punt vijftig milligram"),
    ("nl", "versie 2.10-2.20", "versie twee punt tien tot twee punt twintig"),
    ("nl", "van 12.50-15.00 euro", "van twaalf euro vijftig tot vijftien euro"),
    ("fr", "Tarif : 12.50-15.00", "Tarif : douze point cinquante à quinze point zéro zéro"),
    ("nl", "van 1.50 tot 2.10 meter", "van één punt vijftig tot twee punt tien meter"),
    ("it", "versione 2.10", "versione due punto dieci"),
    ("nl", "24 uur na de ingreep", "vierentwintig uur na de ingreep"),
)


@pytest.mark.parametrize(("language", "written", "spoken"), NO_HOURS)
def test_f25_telephone_numbers_doses_prices_and_versions_with_points_stay_what_they_are(
    language: str, written: str, spoken: str
) -> None:
    assert said(language, written) == spoken


DATES: Sequence[Case] = (
    ("nl", "Gesloten op 25/12 en 01/01.", "Gesloten op vijfentwintig december en één januari."),
    ("fr", "le 25/12 et le 11/11", "le vingt-cinq décembre et le onze novembre"),
    ("fr", "le 3/4 à 9h05", "le trois avril à neuf heures cinq"),
    ("en", "Closed on 25/12 and 1/1.", "Closed on the twenty-fifth of December and the first of January."),
    ("it", "Chiuso il 25/12 e il 1/1.", "Chiuso il venticinque dicembre e il primo gennaio."),
    ("it", "dal 24/12 al 6/1, l'8/12", "dal ventiquattro dicembre al sei gennaio, l'otto dicembre"),
    ("nl", "van 24/12 tot en met 2/1", "van vierentwintig december tot en met twee januari"),
    ("nl", "24-26/12 en 24/12-02/01",
     "vierentwintig tot zesentwintig december en vierentwintig december tot twee januari"),
    ("fr", "le 1er/11", "le premier novembre"),
    ("fr", "les 24 et 25/12", "les vingt-quatre et vingt-cinq décembre"),
    ("nl", "op 25-12 en op 25.12.", "op vijfentwintig december en op vijfentwintig december."),
    ("nl", "op maandag 3/4 om 9 uur", "op maandag drie april om negen uur"),
    ("nl", "op 24/7 gesloten", "op vierentwintig juli gesloten"),
    ("nl", "feestdagen: 1/1, 1/5, 21/7 en 15/8",
     "feestdagen: één januari, één mei, eenentwintig juli en vijftien augustus"),
    ("it", "festivi: 1/1, 25/4, 1/5", "festivi: primo gennaio, venticinque aprile, primo maggio"),
    ("en", "on 1/1 and 1/5", "on the first of January and the first of May"),
    ("fr", "Noël (25/12)", "Noël (vingt-cinq décembre)"),
    ("en", "by 25/12/26", "by the twenty-fifth of December, twenty-six"),
    ("it", "entro il 01/09/26", "entro il primo settembre ventisei"),
)  # fmt: skip


@pytest.mark.parametrize(("language", "written", "spoken"), DATES)
def test_f26_a_day_and_a_month_in_figures_are_said_as_a_date(language: str, written: str, spoken: str) -> None:
    assert said(language, written) == spoken


NO_DATES: Sequence[Case] = (
    ("nl", "Neem 1/2 tablet", "Neem een halve tablet"),
    ("nl", "bloeddruk 12/8", "bloeddruk twaalf op acht"),
    ("nl", "bloeddruk 12/8, 13/9", "bloeddruk twaalf op acht, dertien op negen"),
    ("nl", "een score van 8/10", "een score van acht op tien"),
    ("nl", "Kerkstraat 12/3", "Kerkstraat twaalf op drie"),
    ("fr", "les 3/4 des patients", "les trois quarts des patients"),
    ("fr", "le 1/2 comprimé", "le demi-comprimé"),
    ("en", "on 3/4 of patients", "on three quarters of patients"),
    ("en", "pain 7/10, 120/80", "pain seven out of ten, one hundred and twenty over eighty"),
    ("it", "i 2/3 dei pazienti", "i due terzi dei pazienti"),
    ("nl", "op 2-3 plaatsen", "op twee tot drie plaatsen"),
    ("en", "Monday 9-5", "Monday nine to five"),
)


@pytest.mark.parametrize(("language", "written", "spoken"), NO_DATES)
def test_f26_fractions_scores_and_addresses_are_no_dates(language: str, written: str, spoken: str) -> None:
    assert said(language, written) == spoken


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("written", "groups"),
    [
        ("800 123 456", "800 123 456"),
        ("800.654.321", "800 654 321"),
        ("199 123 456", "199 123 456"),
        ("848 800 900", "848 800 900"),
        ("800-123456", "800 123 456"),
        ("800 123456", "800 123 456"),
        ("800123456", "800 123 456"),
        ("803 123 456", "803 123 456"),
        ("892 424", "892 424"),
        ("116 117", "116 117"),
        ("116117", "116 117"),
    ],
)
def test_f27_numbers_that_begin_with_no_zero_are_said_digit_by_digit(
    written: str, groups: str, language: str
) -> None:
    heard = said(language, f"numero verde {written}").removeprefix("numero verde ")
    assert ["".join(figures(group, language)) for group in heard.split(", ")] == groups.split()
    assert len(re.findall(r"\w+", heard)) == len(groups.replace(" ", "")), "a word for each digit"


CODES: Sequence[Case] = (
    ("it", "800.654.321 euro", "ottocento milioni seicentocinquantaquattromilatrecentoventuno euro"),
    ("it", "199 mg a 848 pazienti", "centonovantanove milligrammi a ottocentoquarantotto pazienti"),
    ("it", "850.000 euro", "ottocentocinquantamila euro"),
    ("nl", "Bel 1712, toestel 4455", "Bel zeventien twaalf, toestel vierenveertig vijfenvijftig"),
    ("fr", "Appelez le 3624", "Appelez le trente-six vingt-quatre"),
    ("en", "Dial 4455", "Dial four four five five"),
    ("it", "Chiami il 1500", "Chiami il uno cinque zero zero"),
    ("nl", "1500 bedden", "vijftienhonderd bedden"),
)


@pytest.mark.parametrize(("language", "written", "spoken"), CODES)
def test_f27_what_is_dialled_is_told_from_what_is_counted(language: str, written: str, spoken: str) -> None:
    assert said(language, written) == spoken


SIGNS: Sequence[Case] = (
    ("nl", "1½ uur", "anderhalf uur"),
    ("en", "1½ hours", "one and a half hours"),
    ("fr", "1½ heure", "une heure et demie"),
    ("it", "1½ ora", "una ora e mezza"),
    ("nl", "> 38,5", "meer dan achtendertig komma vijf"),
    ("en", "> 38.5", "more than thirty-eight point five"),
    ("fr", "> 38,5", "plus de trente-huit virgule cinq"),
    ("it", "> 38,5", "più di trentotto virgola cinque"),
    ("nl", "≥ 3 keer", "minstens drie keer"),
    ("en", ">= 3 times", "at least three times"),
    ("fr", "≥ 3 fois", "au moins trois fois"),
    ("it", "≥ 3 volte", "almeno tre volte"),
    ("nl", "± 20 min", "ongeveer twintig minuten"),
    ("en", "± 20 min", "about twenty minutes"),
    ("fr", "± 20 min", "environ vingt minutes"),
    ("it", "± 20 min", "circa venti minuti"),
    ("nl", "24/7", "vierentwintig uur per dag, zeven dagen per week"),
    ("en", "24/7", "twenty-four hours a day, seven days a week"),
    ("fr", "24/7", "vingt-quatre heures sur vingt-quatre, sept jours sur sept"),
    ("it", "24/7", "ventiquattro ore su ventiquattro, sette giorni su sette"),
    ("nl", "½ tablet, ¼ l, ¾ uur, 2 ½ glas", "een halve tablet, een kwart liter, driekwart uur, twee en een half glas"),
    ("en", "½ tablet, ¼ tablet, the ½ hour", "half a tablet, a quarter of a tablet, the half hour"),
    ("fr", "½ comprimé, ¾ d'heure, 2½ jours", "un demi-comprimé, trois quarts d'heure, deux jours et demi"),
    ("it", "½ compressa, ½ bicchiere, 2½ giorni", "mezza compressa, mezzo bicchiere, due giorni e mezzo"),
    ("nl", "1-1½ uur, ½-1 tablet, 1 1/2 tablet", "één tot anderhalf uur, een half tot één tablet, anderhalve tablet"),
    ("en", "1/2-1 tablet, 1 1/2–2 hours", "a half to one tablet, one and a half to two hours"),
    ("nl", "20 ± 5 mg, +/- 20 min", "twintig plus of min vijf milligram, ongeveer twintig minuten"),
    ("nl", "<5 jaar, CRP>5, ≤ 3, ≈ 7, 65+",
     "minder dan vijf jaar, CRP meer dan vijf, hoogstens drie, ongeveer zeven, vijfenzestig plus"),
    ("fr", "24h/24 et 7j/7", "vingt-quatre heures sur vingt-quatre et sept jours sur sept"),
    ("it", "Aperto H24, camera H24", "Aperto ventiquattro ore su ventiquattro, camera H ventiquattro"),
    ("nl", "3x/dag", "drie keer per dag"),
    ("en", "4 mmol/L, 0.5 mL/kg/h", "four millimoles per litre, zero point five millilitres per kilo per hour"),
    ("nl", "30 mL/min/1,73 m²", "dertig milliliter per minuut per één komma drieënzeventig vierkante meter"),
    ("nl", "1 beurt = € 5, zie x?id=5", "één beurt is gelijk aan vijf euro, zie x?id=vijf"),
    ("nl", "<td>5</td> -> 3", "<td>vijf</td> -> drie"),
    ("fr", "n° 5 & N° 6", "numéro cinq et numéro six"),
    ("nl", "kamer voor 1/2 personen, fase 1/2", "kamer voor één op twee personen, fase één op twee"),
)  # fmt: skip


@pytest.mark.parametrize(("language", "written", "spoken"), SIGNS)
def test_f28_signs_and_fractions_are_said_in_words(language: str, written: str, spoken: str) -> None:
    assert said(language, written) == spoken


def test_f28_a_sign_that_compares_is_no_sign_of_a_quotation_at_the_start_of_an_answer() -> None:
    assert Speaker("nl").say("> 38,5 °C: bel ons.").startswith("meer dan achtendertig komma vijf")
    assert Speaker("nl").say("> Een citaat.") == "Een citaat."


DAYS: Sequence[Case] = (
    ("nl", "ma 8-12u, wo 13-16u", "maandag acht tot twaalf uur, woensdag dertien tot zestien uur"),
    ("en", "Mon 9-12", "Monday nine to twelve"),
    ("fr", "lun. 9h-12h, mar. 13h-16h", "lundi neuf heures à douze heures, mardi treize heures à seize heures"),
    ("it", "lun 9-12, mar 14-16", "lunedì dalle nove alle dodici, martedì dalle quattordici alle sedici"),
    ("nl", "Ma-vr: 9-17u, za en zo gesloten",
     "Maandag tot en met vrijdag: negen tot zeventien uur, zaterdag en zondag gesloten"),
    ("nl", "ma/wo/vr 9-12u", "maandag, woensdag, vrijdag negen tot twaalf uur"),
    ("en", "Mon-Fri 9am-5pm, Sat & Sun closed", "Monday to Friday nine a.m. to five p.m., Saturday and Sunday closed"),
    ("fr", "lun.-ven. 8h-18h, dim. fermé", "du lundi au vendredi huit heures à dix-huit heures, dimanche fermé"),
    ("fr", "Lu 9h-12h, je 13h-16h", "Lundi neuf heures à douze heures, jeudi treize heures à seize heures"),
    ("it", "lun, mer e ven 9.00-12.00", "lunedì, mercoledì e venerdì dalle nove alle dodici"),
    ("nl", "wo 13 mei en do 25/12", "woensdag dertien mei en donderdag vijfentwintig december"),
    ("it", "3 mar 2026", "tre marzo duemilaventisei"),
)  # fmt: skip


@pytest.mark.parametrize(("language", "written", "spoken"), DAYS)
def test_f29_abbreviated_days_are_said_in_full(language: str, written: str, spoken: str) -> None:
    assert said(language, written) == spoken


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "zo en zo, de zon, wacht zo lang, do re mi"),
        ("en", "He sat in the sun. Sat down? The Sun is bright."),
        ("fr", "au bord de la mer, ma soeur et sa mère, je me dis"),
        ("it", "il mar Ligure, ma non sa, do una mano"),
    ],
)
def test_f29_words_that_are_also_days_stay_words(language: str, text: str) -> None:
    assert said(language, text) == text


ONE_SENTENCE: Sequence[tuple[str, str]] = (
    ("fr", "Tél. : 011 90 44 72."),
    ("fr", "Allez au niv. 3."),
    ("nl", "Het is in lok. C12."),
    ("nl", "Bel tst. 4455 of kom naar verd. 2."),
    ("nl", "Inschr. : loket 3."),
    ("nl", "Secr. 02 555 12 34."),
    ("en", "Go to rm. 12 in bldg. C4, lvl. 3."),
    ("fr", "Au bur. 12, esc. B, bât. C2."),
    ("it", "Salga al liv. 3, amb. B2, pal. 4."),
    ("it", "Pren. 0471 123456."),
)


@pytest.mark.parametrize(("language", "text"), ONE_SENTENCE)
def test_f30_a_sentence_does_not_end_at_the_point_of_an_abbreviation(language: str, text: str) -> None:
    assert split(text, language) == [text]
    stream = SentenceStream(language)
    assert [*(one for letter in text for one in stream.push(letter)), *stream.flush()] == [text]
    assert len(split(said(language, text), language)) == 1


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("fr", ["Allez au niv. 3.", "Suivez la route 52."]),
        ("nl", ["Bezoek het ziekenhuis van Lier.", "30 bedden zijn vrij."]),
        ("nl", ["Neem 5 mg.", "3 keer per dag."]),
        ("nl", ["kleren, enz.", "2 handdoeken"]),
        ("en", ["Use the tram.", "12 stops."]),
        ("nl", ["Neem lift B.", "P3 is dicht."]),
        ("fr", ["Il y a un toit.", "C12 est au fond."]),
    ],
)
def test_f30_a_sentence_still_ends_where_a_number_begins_the_next(language: str, sentences: list[str]) -> None:
    assert split(" ".join(sentences), language) == sentences


IN_FULL: Sequence[Case] = (
    ("fr", "Tél. : 011 90 44 72.", "Téléphone : zéro un un, nonante, quarante-quatre, septante-deux."),
    ("fr", "au niv. 3. Suivez la route", "au niveau trois. Suivez la route"),
    ("nl", "in lok. C12.", "in lokaal C twaalf."),
    ("nl", "Inschr. C2", "Inschr C twee"),
    ("it", "liv. 3, amb. B2", "livello tre, ambulatorio B due"),
    ("en", "rm. 12, lvl. B", "room twelve, level B"),
    ("nl", "Neem de bus. 3 haltes", "Neem de bus. drie haltes"),
    ("nl", "Prof. dr. Jo Dens en Dr. An Peeters", "Professor Jo Dens en Dokter An Peeters"),
    ("nl", "prof. em. dr. Jan Nys", "professor emeritus Jan Nys"),
    ("nl", "Prof.dr. Claes, prof. dr. ir. Nys", "Professor Claes, professor Nys"),
    ("en", "Prof. Dr. Smith", "Professor Smith"),
    ("fr", "le prof. Dr Dupont", "le professeur Dupont"),
    ("it", "la prof.ssa dott.ssa Rossi", "la professoressa Rossi"),
)


@pytest.mark.parametrize(("language", "written", "spoken"), IN_FULL)
def test_f30_abbreviations_of_places_and_titles_are_said_as_people_say_them(
    language: str, written: str, spoken: str
) -> None:
    assert said(language, written) == spoken


def test_f30_the_number_behind_an_abbreviation_is_heard_on_the_telephone() -> None:
    heard = Speaker("fr").say("Tél. : 011 90 44 72. Le service est au niv. 3. Fermé le lundi.")
    assert heard == "Téléphone: zéro un un, nonante, quarante-quatre, septante-deux. Le service est au niveau trois."


VISITS = {
    "nl": "wanneer is er bezoek", "en": "bezoek visiting hours", "fr": "bezoek heures de visite",
    "it": "bezoek orario di visita",
}  # fmt: skip


@pytest.mark.parametrize("channel", ["chat", "voice"])
@pytest.mark.parametrize(
    ("language", "heard"),
    [
        ("nl", ["ok", "oké", "prima", "Ja, goed.", "begrepen"]),
        ("en", ["ok", "right", "perfect", "I see.", "all right"]),
        ("fr", ["ok", "d'accord", "très bien", "c'est clair"]),
        ("it", ["ok", "va bene", "perfetto", "ho capito"]),
    ],
)
async def test_f31_ok_behind_an_answer_is_no_goodbye(language: str, heard: list[str], channel: str) -> None:
    installation = await a_hospital(["Bezoek mag van 14 tot 20 uur [1]."])
    about = {"channel": channel, "language": language, "conversation_id": "talk"}
    assert answer(await ask(installation, VISITS[language], **about)).disposition == "answered"
    for acknowledgement in heard:
        told = answer(await ask(installation, acknowledgement, **about))
        assert (told.disposition, told.reason) == ("answered", "ACKNOWLEDGED")
        assert told.text == installation.packs["hospital_line"].template("anything_else", language)


async def test_f31_thanks_and_goodbyes_are_still_what_they_are() -> None:
    installation = await a_hospital(["Bezoek mag van 14 tot 20 uur [1]."])
    await ask(installation, "wanneer is er bezoek", conversation_id="talk")
    assert answer(await ask(installation, "ok, tot ziens", conversation_id="talk")).reason == "FAREWELL"
    assert answer(await ask(installation, "ok dank u wel", conversation_id="talk")).reason == "FAREWELL"


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_f31_ok_to_a_person_who_was_offered_is_a_yes(channel: str) -> None:
    installation = an_installation()
    about = {"channel": channel, "conversation_id": "talk"}
    offered = answer(await ask(installation, "hoe laat vertrekt de helikopter", **about))
    assert offered.reason == "NO_EVIDENCE"
    assert answer(await ask(installation, "ok", **about)).reason == "HANDOFF_REQUEST"


async def test_f31_ok_before_anything_was_said_is_no_goodbye() -> None:
    told = answer(await ask(an_installation(), "ok", channel="voice"))
    assert (told.disposition, told.reason) == ("clarified", "ACKNOWLEDGED")


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_f31_two_requests_to_repeat_begin_once(channel: str) -> None:
    installation = await a_hospital(["Bezoek mag van 14 tot 20 uur [1]."])
    about = {"channel": channel, "conversation_id": "talk"}
    await ask(installation, "wanneer is er bezoek", **about)
    first = answer(await ask(installation, "kan u dat herhalen", **about)).text
    await ask(installation, "ok", **about)
    again = answer(await ask(installation, "kan u dat herhalen", **about)).text
    assert again == first
    assert first.count(installation.packs["hospital_line"].template("repeat", "nl")) == 1


async def a_hospital_that_quotes(text: str, language: str, title: str) -> Installation:
    installation = an_installation()
    installation = replace(installation, engines=replace(installation.engines, model=None))
    facts = {"title": title, "language": language}
    return await with_passages(installation, a_passage(text, tenant=TENANT, doc_key="sheet", facts=facts))


@pytest.mark.parametrize(
    ("line", "question", "page", "text", "heard"),
    [
        ("nl", "parking garage", "en", "The parking garage costs € 2.40 per hour.", "two euros forty per hour"),
        ("nl", "parking visiteurs", "fr", "Le parking visiteurs coûte € 2,40.", "deux euros quarante"),
        ("en", "parcheggio visitatori", "it", "Il parcheggio visitatori costa € 2,40.", "due euro e quaranta"),
        ("fr", "parkeren garage", "nl", "Parkeren in de garage kost € 2,40.", "twee euro veertig"),
    ],
)
@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_figures_of_a_page_in_another_language_are_said_in_the_language_of_its_words(
    line: str, question: str, page: str, text: str, heard: str, channel: str
) -> None:
    installation = await a_hospital_that_quotes(text, page, "Blad 12")
    told = answer(await ask(installation, question, language=line, channel=channel))
    assert heard in told.spoken
    assert not any(character.isdigit() for character in told.spoken)
    assert said(line, "Blad 12") in told.spoken, "the notice before it is in the caller's language"


PIECES = st.sampled_from(
    [
        "13.30-17.00 uur, ", "Visits: 10.00-11.30, ", "op 25/12 ", "le 3/4 à 9h05 ", "24-26/12, ", "800 123 456, ",
        "116 117 ", "½ tablet, ", "1½ uur ", "1-1½ heure ", "> 38,5 ", "± 20 min ", "24/7 ", "ma 8-12u, ", "Mon-Fri ",
        "lun. 9h-12h ", "Tél. : 011 90 44 72. ", "in lok. C12. ", "niv. 3. ", "Prof. dr. Dens ", "n° 5 ", "65+ ",
        "1/2 comprimé, ", "7/10 ", "120/80 ", "om 8.00, 12.00 en 17.00 ", "& ", "10.00-12.00/13.00-16.00 ", "- ", ", ",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=6).map("".join), st.sampled_from(LANGUAGES))
def test_no_figure_or_sign_is_left_and_saying_twice_changes_nothing(text: str, language: str) -> None:
    heard = spoken_numbers(text, language)
    assert not re.search(r"[0-9½¼¾±≥≤]", heard)
    assert spoken_numbers(heard, language) == heard


@given(
    st.integers(0, 23), st.sampled_from((0, 10, 15, 30, 45)), st.integers(0, 23), st.sampled_from((0, 20, 30)),
    st.sampled_from(["nl", "fr", "it"]),
)  # fmt: skip
def test_hours_with_points_keep_their_hours_and_minutes(
    hour: int, minute: int, until: int, until_minute: int, language: str
) -> None:
    assume((hour, minute) != (until, until_minute))
    word = {"nl": "Bezoek", "fr": "Visites", "it": "Visite"}[language]
    heard = figures(spoken_numbers(f"{word}: {hour}.{minute:02d}-{until}.{until_minute:02d}", language), language)
    pairs = ((hour, minute), (until, until_minute))
    assert heard == [str(one) for h, m in pairs for one in ((h, m) if m else (h,))]


PREPOSITIONS = st.sampled_from([("nl", "op"), ("fr", "le"), ("it", "il"), ("en", "on")])


@given(st.integers(1, 28), st.integers(1, 12), PREPOSITIONS)
def test_a_day_and_a_month_behind_a_preposition_keep_both(day: int, month: int, spoken_in: tuple[str, str]) -> None:
    language, preposition = spoken_in
    heard = figures(spoken_numbers(f"{preposition} {day}/{month}.", language), language)
    assert heard == [str(day), str(month)]


@given(st.lists(st.sampled_from(["Neem lok. C12", "Niv. 3", "Tel. 011 90 44 72", "Klaar"]), min_size=2, max_size=5))
def test_sentences_of_numbers_and_abbreviations_are_as_many_as_were_written(sentences: list[str]) -> None:
    assume(all(not (one == "Klaar" and other[0].isdigit()) for one, other in pairwise(sentences)))
    assert split(". ".join(sentences) + ".", "nl") == [f"{one}." for one in sentences]
