"""What is quoted of what was read when the question asks for a kind of thing, or for no campus in particular."""

from __future__ import annotations

import pytest

from careline.engines.embedded.evidence_quotes import NEXT_BEST, evidence_quotes
from careline.engines.embedded.prose_quotes import OTHER_KIND, SPECIAL
from careline.engines.embedded.read_tables import FOR_SURE
from careline.model import ReadWindow, Table, TableRow
from careline.ports import PromptInput, Source
from tests.engines.test_evidence_quotes import a_source, quoted

TIMES = "Bezoek doet goed.\nUren\nBezoek is welkom van 14:00 tot 20:00 uur."


def a_tariff(campus: str, amount: str, *read: ReadWindow, number: int) -> Source:
    table = Table("", ("",), (("Tarief",),), (TableRow(("Eerste uur",), (amount,)), TableRow(("Dag",), ("9 €",))))
    return a_source("", *read, number=1, ordinal=number, table=table, heading_path=("Parkeren", campus))


def test_a_window_with_a_time_is_quoted_before_one_without_where_a_time_is_asked_for() -> None:
    near = a_source(TIMES, ReadWindow(0, 4.0), ReadWindow(1, 4.1 - OTHER_KIND))
    assert quoted("van wanneer tot wanneer mogen we komen", near) == ["Bezoek is welkom van 14:00 tot 20:00 uur."]
    assert quoted("mogen we langskomen", near)[0] == "Bezoek doet goed."
    far = a_source(TIMES, ReadWindow(0, 4.0), ReadWindow(1, 3.9 - NEXT_BEST))
    assert quoted("van wanneer tot wanneer mogen we komen", far) == ["Bezoek doet goed."]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("wat kost parkeren", "De parking kost 2 euro."),
        ("mag ik even stoppen", "Mag ik even stoppen? Ja. Dat is gratis."),
    ],
)
def test_a_yes_or_no_to_another_question_comes_behind_an_amount_where_an_amount_is_asked_for(
    question: str, told: str
) -> None:
    text = "Mag ik even stoppen?\nJa. Dat is gratis.\nTarief\nDe parking kost 2 euro."
    assert quoted(question, a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 3.5)))[0] == told


def test_a_yes_or_no_comes_behind_where_the_question_asks_where() -> None:
    text = "Mag mijn hond mee?\nNee. Honden blijven buiten.\nIngang\nDe ingang ligt aan het plein."
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 3.5))
    assert quoted("waar kom ik binnen met mijn hond", source) == ["De ingang ligt aan het plein."]
    assert quoted("mag mijn hond binnen", source)[0] == "Mag mijn hond mee? Nee. Honden blijven buiten."


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("wat kost een rolstoel", "Een rolstoel kost 3 euro per dag."),
        ("hoeveel waarborg betaal ik voor een rolstoel", "De waarborg is 25 euro."),
    ],
)
def test_a_deposit_is_told_before_the_price_only_to_who_asks_for_it(question: str, told: str) -> None:
    text = "Waarborg\nDe waarborg is 25 euro.\nHuren\nEen rolstoel kost 3 euro per dag."
    first, second = ReadWindow(0, 4.0), ReadWindow(1, 4.1 - SPECIAL)
    assert quoted(question, a_source(text, first, second, facts={"title": "Rolstoelen"}))[0] == told


def test_a_price_of_a_night_is_a_plain_price() -> None:
    text = "Partner\nEen bed voor de partner kost 17 euro per nacht.\nOntbijt\nHet ontbijt kost 6 euro."
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 3.5), facts={"title": "Kamers"})
    assert quoted("wat kost een bed voor de partner", source)[0] == "Een bed voor de partner kost 17 euro per nacht."


def test_a_sentence_of_the_kind_is_told_before_a_window_that_has_one_beside_what_would_be_said() -> None:
    text = (
        "Wachten\nDrukte is er van 9:00 tot 10:00. U wacht 25 minuten.\nUren\nDe balie is open van 8:15 tot 16:45 uur."
    )
    best = ReadWindow(0, 4.0, (-4.0, 1.0))
    assert quoted("hoe laat gaat de balie open", a_source(text, best, ReadWindow(1, 2.4))) == [
        "De balie is open van 8:15 tot 16:45 uur."
    ]
    assert quoted("hoe lang is het wachten", a_source(text, best, ReadWindow(1, 2.4))) == ["U wacht 25 minuten."]


def test_of_a_window_the_sentence_with_the_amount_is_told_where_the_one_that_was_read_best_has_none() -> None:
    text = "Garage\nDe garage kost 2,10 euro per uur. In de garage betaalt u met de kaart."
    source = a_source(text, ReadWindow(0, 4.0, (-4.0, 2.0)))
    assert quoted("wat kost de garage", source)[0] == "De garage kost 2,10 euro per uur."
    assert quoted("hoe betaal ik in de garage", source) == ["In de garage betaalt u met de kaart."]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("wat kost de garage", "De garage kost 2,10 euro per uur."),
        ("wat kost een weekkaart voor de garage", "Een weekkaart kost 31 euro."),
    ],
)
def test_a_card_for_many_visits_is_told_before_the_price_only_to_who_asks_for_one(question: str, told: str) -> None:
    text = "Vaak hier\nEen weekkaart kost 31 euro.\nGarage\nDe garage kost 2,10 euro per uur."
    assert quoted(question, a_source(text, ReadWindow(0, 6.0), ReadWindow(1, 6.2 - SPECIAL)))[0] == told


def test_a_special_price_at_the_top_does_not_keep_the_plain_one_of_a_row_from_being_told() -> None:
    rows = (TableRow(("Garage",), ("2,10 €",)), TableRow(("Fietsen",), ("0,50 €",)))
    plain = a_source("", ReadWindow(0, 5.9 - NEXT_BEST), table=Table("", ("",), (("Tarief",),), rows), number=2)
    lost = a_source("Een verloren ticket voor de garage kost 18 euro.", ReadWindow(0, 6.0))
    assert "2,10 €" in quoted("wat kost de garage", lost, plain)[0]


def test_a_row_below_a_heading_of_deposits_holds_no_plain_price() -> None:
    rows = (TableRow(("Kamer alleen",), ("150 €",)), TableRow(("Gedeelde kamer",), ("75 €",)))
    deposits = a_source(
        "", ReadWindow(0, 4.0), table=Table("", ("",), (("Bedrag",),), rows), heading_path=("Kamers", "Voorschot")
    )
    prices = a_source("Een kamer alleen kost 61 euro per dag.", ReadWindow(0, 3.0), number=2)
    assert quoted("wat kost een kamer alleen", deposits, prices)[0] == "Een kamer alleen kost 61 euro per dag."


FOLDER = (
    "Over de scan\nEen scan maakt beelden.\nVooraf\nVanaf twee dagen vooraf geldt een dieet. Eet geen noten.\n"
    "Kostprijs\nU betaalt 9 euro.\nDe dag zelf\nBreng uw identiteitskaart mee."
)
READ_FOLDER = tuple(ReadWindow(n, relevance) for n, relevance in enumerate((5.0, 2.0, 3.0, 1.0)))


def test_who_asks_how_to_prepare_hears_the_directions_of_one_page_in_its_order_and_when_they_hold() -> None:
    told = quoted("hoe moet ik me voorbereiden op de scan", a_source(FOLDER, *READ_FOLDER))
    assert told == [
        "Vanaf twee dagen vooraf geldt een dieet.", "Eet geen noten.", "Breng uw identiteitskaart mee."
    ]  # fmt: skip
    assert quoted("wat doet een scan", a_source(FOLDER, *READ_FOLDER)) == ["Een scan maakt beelden."]


def test_a_page_in_the_callers_language_directs_before_a_better_one_in_another() -> None:
    english = a_source(
        "Before\nDo not eat nuts.\nOn the day\nBring your card.", ReadWindow(0, 6.0), ReadWindow(1, 6.0),
        number=2, document_id="brochure-2-1", facts={"language": "en"},
    )  # fmt: skip
    dutch = a_source(FOLDER, *READ_FOLDER)
    assert quoted("hoe bereid ik me voor op de scan", english, dutch)[-1] == "Breng uw identiteitskaart mee."
    far = a_source(FOLDER, *(ReadWindow(n, -1.0) for n in range(4)))
    assert quoted("hoe bereid ik me voor op de scan", english, far) == ["Do not eat nuts.", "Bring your card."]


def test_directions_lean_on_nothing_that_stands_elsewhere() -> None:
    long = "Een scan maakt beelden " + "en nog wat woorden erbij " * 8 + "van het lichaam."
    text = f"{long} De arts leest ze. Deze blijven bewaard. Eet geen noten.\nDe dag zelf\nBreng uw kaart mee."
    told = quoted("hoe bereid ik me voor op de scan", a_source(text, ReadWindow(1, 3.0), ReadWindow(2, 2.0)))
    assert told == ["Deze blijven bewaard.", "Eet geen noten.", "Breng uw kaart mee."]


def test_a_sentence_that_leans_on_the_one_before_it_is_told_with_that() -> None:
    text = "De zone ligt vooraan. De kaart is geel. Deze kost 5 euro per maand."
    assert quoted("wat kost die kaart", a_source(text, ReadWindow(0, 3.0, (-3.0, -2.0, 3.0)))) == [
        "De kaart is geel.", "Deze kost 5 euro per maand."
    ]  # fmt: skip


def test_a_sentence_that_opens_a_window_is_told_with_what_ends_the_one_before_it() -> None:
    long = "De zone voor wie iemand afzet " + "en nog wat woorden erbij " * 8 + "ligt vooraan."
    source = a_source(f"{long} In dat geval betaalt u 5 euro.", ReadWindow(1, 3.0))
    assert quoted("hoeveel betaal ik dan", source) == [long, "In dat geval betaalt u 5 euro."]


def test_a_figure_is_told_with_the_campus_that_stands_only_above_it() -> None:
    text = "Campus Noord\nHet eerste uur kost 2 euro.\nCampus Zuid\nHet eerste uur is gratis."
    source = a_source(text, ReadWindow(0, 3.0), facts={"title": "Parkeren"})
    assert quoted("wat kost het eerste uur", source) == ["Campus Noord: Het eerste uur kost 2 euro."]
    assert quoted("wat kost het eerste uur op campus Noord", source) == ["Het eerste uur kost 2 euro."]
    both = a_source(text.replace("is gratis", "kost 1 euro"), ReadWindow(0, 3.0), ReadWindow(1, 2.0))
    assert quoted("wat kost het eerste uur", both) == [
        "Campus Noord: Het eerste uur kost 2 euro.", "Campus Zuid: Het eerste uur kost 1 euro."
    ]  # fmt: skip
    page = a_source("Het eerste uur kost 3 euro.", ReadWindow(0, 3.0), facts={"title": "Parkeren op campus West"})
    assert quoted("wat kost het eerste uur", page) == ["Parkeren op campus West: Het eerste uur kost 3 euro."]


def test_how_to_make_an_appointment_is_answered_with_how_to_reach_somebody() -> None:
    text = "Annuleren\nAnnuleren is gratis.\nMaken\nBel 011 90 12 34 of kom langs."
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 3.0))
    assert quoted("ik wil een afspraak maken", source) == ["Bel 011 90 12 34 of kom langs."]


def test_a_page_that_says_what_it_will_tell_is_not_quoted_for_it() -> None:
    text = "Deze brochure zegt wat u meebrengt.\nLijst\nBreng uw identiteitskaart mee."
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 3.0))
    assert quoted("wat breng ik mee", source) == ["Breng uw identiteitskaart mee."]


def test_what_is_told_of_one_campus_is_told_of_the_others_that_its_passage_names() -> None:
    campuses = ("Noord", "Zuid", "West")
    text = "\n".join(f"Deel {name}\nOp campus {name} kost parkeren {n} euro." for n, name in enumerate(campuses, 2))
    source = a_source(text, ReadWindow(0, 5.0), ReadWindow(1, 4.5), ReadWindow(2, 3.0))
    told = quoted("wat kost parkeren", source)
    assert told == [f"Op campus {name} kost parkeren {n} euro." for n, name in enumerate(campuses, 2)]
    assert quoted("wat kost parkeren op campus Zuid", source) == ["Op campus Zuid kost parkeren 3 euro."]


def test_the_tables_below_the_names_of_other_campuses_are_told_beside_that_of_one() -> None:
    north = a_tariff("Campus Noord", "1 €", ReadWindow(0, 5.0), number=1)
    south = a_tariff("Campus Zuid", "2 €", ReadWindow(0, 3.0), number=2)
    far = a_tariff("Campus West", "3 €", ReadWindow(0, 4.9 - NEXT_BEST), number=3)
    told = " ".join(quoted("wat kost het eerste uur", north, south, far))
    assert "Noord" in told
    assert "2 €" in told
    assert "West" not in told


def test_a_column_that_a_follow_up_names_behind_another_is_told_beside_it() -> None:
    table = Table("", ("",), (("Wit gips",), ("Kunststof gips",)), (TableRow(("Hard na",), ("48 uur", "30 minuten")),))
    source = a_source("", ReadWindow(0, 5.0), table=table, facts={"title": "Gips"})
    told = " ".join(quoted("hoe lang tot het wit gips droog is, in kunststof", source))
    assert "30 minuten" in told


@pytest.mark.parametrize(("answers", "told"), [(1.4, "10 tot 17"), (-0.1, "9 tot 18")])
def test_a_row_that_surely_answers_is_told_though_a_word_of_the_question_stands_in_another(
    answers: float, told: str
) -> None:
    rows = (
        TableRow(("Florist Madelief",), ("10 tot 17 uur",)),
        TableRow(("Winkel met kranten en cadeaus",), ("9 tot 18 uur",)),
    )
    source = a_source(
        "",
        ReadWindow(0, 6.0, (), answers),
        ReadWindow(1, 1.0, (), answers - FOR_SURE),
        table=Table("", ("",), (("Zaterdag",),), rows),
        facts={"title": "Winkels"},
    )
    assert told in " ".join(quoted("wanneer sluit de winkel met bloemen op zaterdag", source))


def test_how_long_before_is_told_where_it_is_asked_and_how_long_it_lasts_where_that_is() -> None:
    text = "Verloop\nDe ingreep duurt 40 minuten.\nAankomst\nMeld u 25 minuten voor de ingreep."
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 2.0))
    assert quoted("hoe vroeg kom ik best voor mijn ingreep", source) == ["Meld u 25 minuten voor de ingreep."]
    assert quoted("hoelang duurt mijn ingreep", source) == ["De ingreep duurt 40 minuten."]


def test_what_is_silent_on_the_days_of_a_question_comes_behind_what_tells_of_them() -> None:
    text = "Drukte\nHet is druk tussen 8:00 en 9:00.\nUren\nOp zaterdag is het lab open tot 11:00."
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 3.0))
    assert quoted("tot hoe laat is het lab open op zaterdag", source) == ["Op zaterdag is het lab open tot 11:00."]
    assert quoted("tot hoe laat is het lab open", source)[0] == "Het is druk tussen 8:00 en 9:00."


def test_what_holds_every_day_is_not_silent_on_a_day() -> None:
    text = "Bezoek\nElke dag tot 19:00.\nZondag\nOp zondag is er mis om 10:00."
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 2.0))
    assert quoted("tot hoe laat is er bezoek op zondag", source)[0] == "Elke dag tot 19:00."


@pytest.mark.parametrize("name", ["Heidezicht", "heidezicht"])
def test_what_stands_under_the_name_of_another_campus_is_not_told_of_the_one_asked_about(name: str) -> None:
    oak = a_source("Parkeren is gratis op zondag.", ReadWindow(0, 4.0), heading_path=("Campus Bosrand",))
    heath = a_source("Parkeren kan er altijd.", ReadWindow(0, 3.0), number=2, heading_path=("Campus Heidezicht",))
    assert quoted(f"is parkeren in {name} gratis op zondag", oak, heath) == ["Parkeren kan er altijd."]


def test_who_works_somewhere_is_answered_with_people_or_not_at_all() -> None:
    text = "Team\nOns team: dr. Lies Maes en dr. Jan Wouters.\nBezoek\nBezoek is welkom op neurologie."
    best, behind = ReadWindow(1, 4.0), ReadWindow(0, 2.5)
    asked = "welke artsen werken er op neurologie"
    assert quoted(asked, a_source(text, best, behind)) == ["Ons team: dr. Lies Maes en dr. Jan Wouters."]
    assert quoted(asked, a_source(text, best)) == []
    assert quoted("mag ik op bezoek komen", a_source(text, best)) == ["Bezoek is welkom op neurologie."]


def test_that_there_is_none_at_one_campus_is_told_behind_what_there_is() -> None:
    text = "Tuin\nIn de tuin van Campus Oost is er geen wifi.\nKamer\nOp de kamer gebruikt u onze gratis wifi."
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 3.0))
    assert quoted("is er wifi", source)[0] == "Op de kamer gebruikt u onze gratis wifi."
    assert quoted("is er wifi op campus Oost", source)[0] == "In de tuin van Campus Oost is er geen wifi."


def test_a_row_that_holds_no_time_is_not_told_to_who_asks_when_though_it_is_called_what_is_asked_for() -> None:
    rows = (
        TableRow(("Archief",), ("kelder, route 7", "onthaal, loket 2")),
        TableRow(
            ("Openingsuren",), ("maandag tot vrijdag van 9:10 tot 11:40 uur", "donderdag van 13:20 tot 17:50 uur")
        ),
        TableRow(("Telefoon",), ("018 52 70 10", "018 52 70 20")),
    )
    table = Table("", ("",), (("Campus Kade",), ("Campus Bos",)), rows)
    source = a_source("", ReadWindow(1, 5.0), ReadWindow(0, 3.5), table=table, facts={"title": "Uw dossier"})
    told = quoted("wanneer is het archief open op campus Bos", source)
    assert "donderdag" in told[0]
    assert "loket 2" in quoted("waar is het archief op campus Bos", source)[0]


DRINKS = Table(
    "",
    ("",),
    (("Kade",), ("Bos",)),
    (
        TableRow(("Dagschotel",), ("€ 12,30", "€ 11,10")),
        TableRow(("Koffie",), ("€ 2,30", "€ 2,10")),
        TableRow(("Soep",), ("€ 2,70", "–")),
        TableRow(("Soep met brood",), ("–", "€ 4,40")),
    ),
)


def eating(*read: ReadWindow) -> tuple[Source, Source]:
    facts = {"title": "Restaurant"}
    prose = a_source("De dagschotel kost € 12,30 op Campus Kade.", ReadWindow(0, 5.0), facts=facts)
    return prose, a_source("", *read, number=1, ordinal=1, table=DRINKS, facts=facts)


def after(earlier: str, question: str, *sources: Source) -> list[str]:
    prompt_input = PromptInput(question, f"{earlier}, {question}", None, "nl", "", sources)
    return [one.text(False) for quote in evidence_quotes(prompt_input, 3, 700) for one in quote.quotables]


def test_a_cell_that_is_named_by_row_and_column_is_told_before_the_price_of_something_else() -> None:
    prose, table = eating(ReadWindow(1, 1.0))
    (told,) = quoted("wat kost koffie op campus kade", prose, table)
    assert "€ 2,30" in told
    assert quoted("wat kost de dagschotel op campus kade", prose, table)[0].endswith("€ 12,30 op Campus Kade.")


@pytest.mark.parametrize(("follow_up", "told"), [("en soep?", "€ 2,70"), ("en de koffie?", "€ 2,30")])
def test_a_follow_up_that_names_a_row_is_told_that_row_and_not_the_one_before(follow_up: str, told: str) -> None:
    earlier = "wat kost koffie op campus kade" if "soep" in follow_up else "wat kost soep op campus kade"
    (said,) = after(earlier, follow_up, eating(ReadWindow(1, 4.0), ReadWindow(2, 3.5))[1])
    assert told in said


def test_where_a_number_is_asked_for_a_sentence_without_one_comes_behind() -> None:
    text = (
        "Let op\nDr. Maes van cardiologie is niet dr. Maes van orthopedie.\n"
        "Bereikbaar\nU belt dr. Maes van cardiologie op 018 52 61 10."
    )
    source = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 4.1 - OTHER_KIND), facts={"title": "Cardiologie"})
    assert quoted("telefoonnummer van dokter maes van cardiologie", source)[0].endswith("018 52 61 10.")
