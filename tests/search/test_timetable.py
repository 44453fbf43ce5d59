"""Of a timetable the run is told that is asked for: the first, the last, or that at a time, in the direction asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import Hit, Table, TableRow
from careline.search.asked_cells import WholeTable, whole_tables
from careline.search.timetable import run_of, runs_of, wish_of
from tests.builders import a_passage

TRIPS = [("1", "6.05", "6.14", "6.27"), ("2", "9.35", "9.44", "9.57"), ("3", "20.10", "–", "20.32")]
STOPS = ("Gare", "Hoogveld", "Waterpoort")


def a_timetable(
    trips: list[tuple[str, ...]] = TRIPS,
    stops: tuple[str, ...] = STOPS,
    *,
    stub: str = "Course",
    heading: str = "Du lundi au vendredi",
    title: str = "Navette",
    total: int = 0,
    name: str = "navette",
) -> WholeTable:
    rows = tuple(TableRow(trip[:1], trip[1:]) for trip in trips)
    table = Table("", (stub,), tuple((stop,) for stop in stops), rows, (), total)
    facts = {"language": "fr", "title": title}
    passage = a_passage("", table=table, heading_path=(title, heading), doc_key=f"page-{name}", facts=facts)
    (whole,) = whole_tables([Hit(passage, 0.9)])
    return whole


def told(question: str, *wholes: WholeTable, language: str = "fr") -> list[list[str]]:
    runs = runs_of(question, language, wholes or [a_timetable()])
    return [
        [whole.table.rows[row].values[column] for column in found.columns]
        for whole, found in runs
        for row in found.rows
    ]


@pytest.mark.parametrize(
    ("question", "language", "first"),
    [
        ("à quelle heure part la dernière navette de la gare ?", "fr", "20.10"),
        ("what time is the first shuttle from Hoogveld?", "en", "6.14"),
        ("hoe laat rijdt de laatste pendelbus vanuit Hoogveld?", "nl", "9.44"),
        ("a che ora parte l'ultima navetta da Hoogveld?", "it", "9.44"),
    ],
)
def test_the_first_or_last_run_is_told_from_the_stop_it_is_asked_of(question: str, language: str, first: str) -> None:
    ((departure, *_),) = told(question, language=language)
    assert departure == first


def test_a_run_is_told_as_far_as_it_is_asked() -> None:
    assert told("what is the first shuttle from Gare to Hoogveld", language="en") == [["6.05", "6.14"]]


def test_the_way_back_is_not_told_of_a_table_of_the_way_there() -> None:
    question = "what is the first shuttle from Waterpoort to Hoogveld"
    assert told(question, language="en") == []
    back = a_timetable([("1", "6.40", "6.53", "7.02"), *TRIPS[1:]], STOPS[::-1], name="back")
    assert told(question, a_timetable(), back, language="en") == [["6.40", "6.53"]]


def test_a_column_that_names_both_ends_is_of_one_direction() -> None:
    whole = a_timetable(
        [("1", "8h15", "9h30"), ("2", "11h00", "12h20"), ("3", "16h40", "17h55")],
        ("A-Hoogveld → Waterpoort", "Waterpoort → A-Hoogveld"),
    )
    assert told("la dernière navette de Waterpoort vers Hoogveld", whole) == [["17h55"]]
    assert told("la première navette de Hoogveld vers Waterpoort", whole) == [["8h15"]]


def test_times_that_label_the_rows_are_those_of_the_first_stop() -> None:
    whole = a_timetable(
        [("7h20", "7h58"), ("9h50", "10h28"), ("15h35", "16h13")], ("Waterpoort",), stub="Hoogveld, départ"
    )
    found = run_of("la dernière navette de Hoogveld", "fr", whole)
    assert found is not None
    assert (found.rows, found.columns) == ((2,), (0,))


@pytest.mark.parametrize(
    ("time", "departures"),
    [("9h35", ["9.35"]), ("9 h 00", ["9.35"]), ("9:40", ["9.35"]), ("14h", []), ("6:45 am", ["6.05"])],
)
def test_the_run_at_a_time_is_told_or_those_near_it(time: str, departures: list[str]) -> None:
    assert [run[0] for run in told(f"y a-t-il une navette à {time} de la gare ?")] == departures


@pytest.mark.parametrize(
    "question",
    [
        "la dernière navette de la gare le samedi",
        "la dernière navette N2 de la gare",
        "combien coûte la première heure",
        "quand passe la navette à la gare",
    ],
)
def test_another_day_another_line_a_price_and_no_run_are_not_told(question: str) -> None:
    assert told(question, a_timetable(heading="Ligne N1, du lundi au vendredi")) == []


@pytest.mark.parametrize(
    ("stops", "trips"),
    [
        (
            ("Premier départ", "Dernier départ"),
            [("a", "5h40", "22h20"), ("b", "6h10", "22h30"), ("c", "7h00", "22h40")],
        ),
        (("Gare", "Hoogveld"), [("lundi", "5h40", "6h00"), ("samedi", "6h10", "6h30"), ("dimanche", "7h00", "7h20")]),
        (
            ("Parking (CHF)", "Garage (CHF)"),
            [("1 h", "1.00", "1.20"), ("2 h", "2.00", "2.20"), ("3 h", "3.00", "3.20")],
        ),
        (("Gare", "Hoogveld"), [("1", "7h00–8h00", "8h00"), ("2", "9h00–10h00", "9h00"), ("3", "11h00", "7h30")]),
    ],
)
def test_a_table_of_first_departures_of_days_of_prices_or_of_hours_is_no_timetable(
    stops: tuple[str, ...], trips: list[tuple[str, ...]]
) -> None:
    assert told("la première navette de la gare à Hoogveld", a_timetable(trips, stops)) == []


def test_of_a_timetable_that_is_not_whole_no_run_is_told() -> None:
    assert told("la dernière navette de la gare", a_timetable(total=9)) == []


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("what is the latest I can visit at Hoogveld", "en"),
        ("what is the latest I can leave flowers at Hoogveld", "en"),
        ("hoe laat is het laatste bezoekuur in Hoogveld", "nl"),
        ("mon rendez-vous est à 9h35 à Hoogveld, où dois-je aller", "fr"),
    ],
)
def test_who_names_a_stop_and_asks_for_no_ride_is_told_no_run(question: str, language: str) -> None:
    assert told(question, language=language) == []


def test_what_a_question_names_nothing_of_tells_no_run() -> None:
    assert told("la dernière consultation de diabétologie", a_timetable()) == []


@given(st.text(max_size=120))
def test_any_question_has_a_wish_or_none(question: str) -> None:
    assert wish_of(question, "fr") is None or run_of(question, "fr", a_timetable()) is None or told(question)


WAYS = [
    TableRow(("1", "Gare vers Hoogveld"), ("06:40, 07:10, 18:50",)),
    TableRow(("1", "Hoogveld vers gare"), ("07:05, 08:10, 19:25",)),
    TableRow(("2", "Gare → campus Waterpoort"), ("07:00, 17:30",)),
    TableRow(("2", "Campus Waterpoort → gare"), ("07:40, 18:15",)),
]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("à quelle heure part la dernière navette de la gare vers Hoogveld ?", 0),
        ("à quelle heure part la dernière navette de Hoogveld vers la gare ?", 1),
        ("la première navette de la gare vers le campus Waterpoort en semaine", 2),
        ("y a-t-il une navette à 18h15 du campus Waterpoort à la gare ?", 3),
    ],
)
def test_where_rows_are_ways_the_one_that_is_asked_for_is_told(question: str, row: int) -> None:
    table = Table("", ("Ligne", "Trajet"), (("Départs",),), tuple(WAYS))
    facts = {"language": "fr", "title": "Navette"}
    passage = a_passage("", table=table, heading_path=("Navette", "Du lundi au vendredi"), facts=facts)
    (whole,) = whole_tables([Hit(passage, 0.9)])
    found = run_of(question, "fr", whole)
    assert found is not None
    assert (found.rows, found.columns) == ((row,), (0,))


DAYS = [
    ("Lundi au vendredi", "6h40", "7h20"),
    ("Lundi au vendredi", "12h55", "13h40"),
    ("Lundi au vendredi", "19h05", "19h50"),
    ("Samedi et dimanche", "9h30", "10h15"),
    ("Samedi et dimanche", "17h00", "17h45"),
]


def of_days(*stops: str, heading: str = "Ligne A") -> WholeTable:
    """A timetable of several days, whose first times are the labels of its rows."""
    rows = tuple(TableRow(trip[:2], trip[2:]) for trip in DAYS)
    table = Table("", ("", stops[0]), tuple((stop,) for stop in stops[1:]), rows)
    facts = {"language": "fr", "title": "Navette"}
    passage = a_passage("", table=table, heading_path=("Navette", heading), doc_key="page-days", facts=facts)
    (whole,) = whole_tables([Hit(passage, 0.9)])
    return whole


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("la dernière navette de Bellerive vers Montclair le mardi", [2]),
        ("la première navette de Bellerive vers Montclair le dimanche", [3]),
        ("la dernière navette de Bellerive vers Montclair", [2, 4]),
        ("la dernière navette de Bellerive vers Montclair du vendredi au dimanche", [2, 4]),
    ],
)
def test_of_a_timetable_of_several_days_the_run_of_the_day_is_told_or_of_each(question: str, rows: list[int]) -> None:
    ((_, found),) = runs_of(question, "fr", [of_days("Bellerive", "Montclair")])
    assert list(found.rows) == rows


def test_where_both_stops_are_called_departures_each_tells_its_own_way() -> None:
    whole = of_days("Départ Bellerive", "Départ Montclair")
    question = "la dernière navette de Montclair vers Bellerive le dimanche"
    assert told(question, whole) == [["17h45"]]
    assert told(question, of_days("Bellerive", "Montclair")) == []


def test_a_timetable_that_lacks_a_stop_which_another_has_is_of_another_line() -> None:
    other = a_timetable(
        [("8h00", "9h15"), ("13h15", "14h30"), ("18h10", "19h20")],
        ("Départ Rosiers",),
        stub="Départ Bellerive",
        heading="Ligne B",
        name="other",
    )
    question = "la dernière navette de Bellerive vers Montclair le mardi"
    found = runs_of(question, "fr", [of_days("Départ Bellerive", "Départ Montclair"), other])
    assert [whole.headings[-1] for whole, _ in found] == ["Ligne A"]
