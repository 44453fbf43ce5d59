"""Lines of public transport near a campus become proposals that are added to those that the directory has."""

from __future__ import annotations

import pytest

from careline.curation import editions
from careline.curation.proposals import decide
from careline.curation.proposals.contradictions import contradictions
from careline.ports import Engines
from tests.builders import some_engines
from tests.curation.proposals.ingested import ANN, TENANT, ingest, keep_hospital, proposed

TABLE = """# Bereikbaarheid Campus Noord

| Lijn | Halte | Te voet |
|---|---|---|
| Bus 12 | Hoofdingang | 2 min. |
| Tram 3 | Kerkplein | 8 minuten |
| Bus 4 en 5 | Markt | 9 min. |
"""


@pytest.fixture
async def engines() -> Engines:
    made = some_engines()
    await keep_hospital(made)
    return made


async def test_each_line_of_a_table_is_one_proposal_and_two_in_one_cell_are_two(engines: Engines) -> None:
    await ingest(engines, "bus.md", TABLE, language="nl")
    bus, tram, *both = await proposed(engines)
    assert (bus.kind, bus.section, bus.target) == ("transport", "campuses", "north")
    assert bus.entry == {
        "public_transport": [{"kind": "bus", "line": "12", "stop": "Hoofdingang", "walking_minutes": 2}]
    }
    assert (tram.entry["public_transport"][0]["kind"], tram.source.row) == ("tram", 2)
    assert [one.entry["public_transport"][0] for one in both] == [
        {"kind": "bus", "line": line, "stop": "Markt", "walking_minutes": 9} for line in ("4", "5")
    ]


async def test_what_is_confirmed_stands_beside_what_was_there_and_is_not_asked_again(engines: Engines) -> None:
    await ingest(engines, "bus.md", TABLE, language="nl")
    await decide.confirm(TENANT, [one.proposal_id for one in await proposed(engines)], engines, by=ANN)
    campus = (await editions.current(TENANT, engines)).directory.campuses[0]
    assert [(one.line, one.stop) for one in campus.public_transport] == [
        ("12", "Hoofdingang"), ("3", "Kerkplein"), ("4", "Markt"), ("5", "Markt"),
    ]  # fmt: skip
    await ingest(engines, "tram.md", TABLE.replace("8 minuten", "5 minuten"), language="nl")
    (changed,) = await proposed(engines)
    assert changed.entry["public_transport"][0]["walking_minutes"] == 5
    assert [one.field for one in await contradictions(TENANT, engines)] == ["public_transport"]
    await decide.confirm(TENANT, [changed.proposal_id], engines, by=ANN)
    campus = (await editions.current(TENANT, engines)).directory.campuses[0]
    assert [one.walking_minutes for one in campus.public_transport] == [2, 5, 9, 9]


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("Bus 21 : arrêt Hôpital, 3 minutes à pied", "fr", ("bus", "21", "Hôpital", 3)),
        ("Treno S10: fermata Stazione, 15 min a piedi", "it", ("train", "S10", "Stazione", 15)),
        ("Tram 7: stop Main entrance", "en", ("tram", "7", "Main entrance", None)),
    ],
)
async def test_a_line_of_text_names_a_line_and_its_stop(
    engines: Engines, text: str, language: str, found: tuple[str, str, str, int | None]
) -> None:
    await ingest(engines, "way.md", f"# Campus North\n\n- {text}\n", language=language)
    (one,) = await proposed(engines)
    (stop,) = one.entry["public_transport"]
    assert (stop["kind"], stop["line"], stop["stop"], stop.get("walking_minutes")) == found


@pytest.mark.parametrize(
    ("cell", "header", "language", "lines"),
    [
        ("4, 5 & 14", "Buslijn", "nl", [("bus", "4"), ("bus", "5"), ("bus", "14")]),
        ("Buses 31 and 33A", "Lines", "en", [("bus", "31"), ("bus", "33A")]),
        ("Tram 9 et bus 51", "Lignes", "fr", [("tram", "9"), ("bus", "51")]),
        ("Autobus 2/3", "Linee", "it", [("bus", "2"), ("bus", "3")]),
        ("Bus 4 tot 9", "Lijn", "nl", []),
        ("Bus 4 en de belbus", "Lijn", "nl", []),
    ],
)
async def test_a_cell_of_several_lines_proposes_each_or_none_where_it_says_more(
    engines: Engines, cell: str, header: str, language: str, lines: list[tuple[str, str]]
) -> None:
    page = f"# Campus North\n\n| {header} | Stop |\n|---|---|\n| {cell} | Kaai |\n"
    await ingest(engines, "way.md", page, language=language)
    stops = [one.entry["public_transport"][0] for one in await proposed(engines)]
    assert [(one["kind"], one["line"], one["stop"]) for one in stops] == [(*line, "Kaai") for line in lines]


@pytest.mark.parametrize(
    "page",
    [
        "# Campus North\n\n| Bus bay | Stop |\n|---|---|\n| 3 | Short stay |\n",
        "# Campus North\n\n- Bus 21: every 15 minutes, 3 euro\n",
        "# Campus West\n\n| Line | Stop |\n|---|---|\n| Bus 5 | Park Lane |\n",
    ],
    ids=["a bay", "no stop", "a campus that is not known"],
)
async def test_what_is_no_line_at_a_campus_that_is_known_proposes_nothing(engines: Engines, page: str) -> None:
    await ingest(engines, "way.md", page)
    assert [one for one in await proposed(engines) if one.kind == "transport"] == []
