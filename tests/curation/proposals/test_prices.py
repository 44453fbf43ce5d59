"""A price is of its row under the heading above it, is found in the directory, and changes there what the row says."""

from __future__ import annotations

from typing import Any

import pytest

from careline.curation import editions
from careline.curation.proposals import decide
from careline.curation.proposals.contradictions import contradictions
from careline.curation.proposals.proposal import Proposal
from careline.directory.entries import Tariff
from careline.errors import BadRequest
from careline.ports import Engines
from careline.text.figure_words import plain
from tests.builders import some_engines
from tests.curation.proposals.ingested import ANN, TENANT, ingest, keep_hospital, proposed

CAMPUSES = [
    {"id": "dunes", "names": {"nl": "Campus Duinen", "en": "Campus Dunes", "fr": "Site des Dunes", "it": "Sede Dune"}},
    {"id": "mill", "names": {"nl": "Campus Molen", "en": "Campus Mill", "fr": "Site du Moulin", "it": "Sede Mulino"}},
]
PRICES = {"nl": "Tarieven", "en": "Prices", "fr": "Tarifs", "it": "Tariffe"}
HEAD = {"nl": "Wat | Prijs", "en": "What | Price", "fr": "Quoi | Prix", "it": "Cosa | Prezzo"}
PARKING = {"nl": "Parkeren", "en": "Parking", "fr": "Parking", "it": "Parcheggio"}
FRIDGE = {"nl": "Koelkast", "en": "Fridge", "fr": "Réfrigérateur", "it": "Frigorifero"}
TARIFFS: list[dict[str, Any]] = [
    {"id": "park-mill", "subject": PARKING, "campus": "mill", "amount": "2.40", "unit": "visit"},
    {"id": "fridge", "subject": FRIDGE, "amount": "1.30", "unit": "day"},
    {
        "id": "single", "subject": {"nl": "Eenpersoonskamer", "en": "Single room"}, "amount": "61.00", "unit": "day",
        "condition": {"nl": "supplement", "en": "supplement"},
    },
]  # fmt: skip


@pytest.fixture
async def engines() -> Engines:
    made = some_engines()
    await keep_hospital(made, campuses=CAMPUSES, departments=[], tariffs=TARIFFS)
    return made


def page(title: str, heading: str, head: str, *rows: str) -> str:
    """A document of a title, a heading below it, and a table."""
    above = f"# {title}\n\nUitgave 3.\n\n## {heading}\n\n" if heading else f"# {title}\n\n"
    return above + "\n".join((f"| {head} |", "|---|---|", *(f"| {row} |" for row in rows), ""))


async def tariff(engines: Engines, entry: str) -> Tariff:
    found = (await editions.current(TENANT, engines)).directory.entry("tariffs", entry)
    assert isinstance(found, Tariff)
    return found


def subject(one: Proposal) -> str:
    (said,) = one.entry["subject"].values()
    return str(said)


@pytest.mark.parametrize(
    ("language", "title", "heading", "row", "said"),
    [
        ("nl", "Bezoek en tarieven 2031", "Tarieven", "Sleutel van een locker | € 1,50", "Sleutel van een locker"),
        ("nl", "Onthaalgids", "Onze prijzen vanaf 1 maart", "Badhanddoek | € 2,00", "Badhanddoek"),
        ("en", "Practical guide", "Prices", "Bath towel | € 2.00", "Bath towel"),
        ("fr", "Guide pratique", "Tarifs", "Serviette de bain | 2,00 €", "Serviette de bain"),
        ("it", "Guida pratica", "Tariffe", "Asciugamano | 2,00 €", "Asciugamano"),
        ("nl", "Guide", "Televisie en koelkast", "Televisie | € 2,00", "Televisie"),
        ("en", "Parking at Campus Dunes", "Prices", "Ten visits | € 20.00", "Parking: Ten visits"),
        ("en", "Maternity: your stay", "Prices", "Double bed | € 20.00", "Maternity: Double bed"),
        ("nl", "Parkeren en tarieven 2031", "Tarieven", "Tien beurten | € 20,00", "Parkeren: Tien beurten"),
        ("nl", "Bezoek en tarieven 2031", "Kamers", "Tweepersoonskamer | € 20,00", "Tweepersoonskamer"),
        ("fr", "Cafétéria et boutique", "Nos tarifs", "Tasse de thé | 2,10 €", "Tasse de thé"),
        ("en", "Prices 2031", "", "Bath towel | € 2.00", "Bath towel"),
    ],
)
async def test_the_subject_is_the_row_under_its_heading_and_no_title_of_many_things(
    engines: Engines, language: str, title: str, heading: str, row: str, said: str
) -> None:
    await ingest(engines, "prices.md", page(title, heading, HEAD[language], row), language=language)
    (found,) = await proposed(engines)
    assert subject(found) == said
    assert found.entry["id"].rpartition("-")[0] == plain(said).replace(": ", "-").replace(" ", "-")


@pytest.mark.parametrize(
    ("language", "row", "unit"),
    [
        ("nl", "Badjas | € 4,00 per dag", "day"),
        ("en", "Bath robe | € 4.00 per week", "week"),
        ("fr", "Peignoir | 4,00 € par nuit", "night"),
        ("it", "Accappatoio | 4,00 € al giorno", "day"),
    ],
)
async def test_what_a_price_is_for_one_of_is_no_condition(
    engines: Engines, language: str, row: str, unit: str
) -> None:
    await ingest(engines, "prices.md", page("Gids", PRICES[language], HEAD[language], row), language=language)
    (found,) = await proposed(engines)
    assert (found.entry["unit"], found.entry.get("condition")) == (unit, None)


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        ("nl", ("Koelkast | € 1,30 per dag", "Parkeren Molen | € 2,40 per bezoek")),
        ("en", ("Fridge | € 1.30", "Parking, Campus Mill | € 2.40 per visit")),
        ("fr", ("Réfrigérateur, par jour | 1,30 €", "Parking (Site du Moulin) | 2,40 €")),
        ("it", ("Frigorifero | 1,30 € al giorno", "Parcheggio Sede Mulino | 2,40 €")),
        ("nl", ("Eenpersoonskamer | € 61,00 per dag", "Koelkast op Campus Duinen | € 1,30 per dag")),
    ],
)
async def test_a_price_that_the_directory_has_is_not_proposed(
    engines: Engines, language: str, rows: tuple[str, ...]
) -> None:
    await ingest(engines, "prices.md", page("Gids", PRICES[language], HEAD[language], *rows), language=language)
    assert await proposed(engines) == []


@pytest.mark.parametrize(
    ("language", "row"),
    [
        ("nl", "Parkeren Molen | € 3,10 per bezoek"),
        ("en", "Parking at Campus Mill | € 3.10"),
        ("fr", "Parking, Site du Moulin | 3,10 €"),
        ("it", "Parcheggio (Sede Mulino) | 3,10 €"),
    ],
)
async def test_a_price_that_differs_is_a_contradiction_and_changes_the_amount_alone(
    engines: Engines, language: str, row: str
) -> None:
    await ingest(engines, "prices.md", page("Gids", PRICES[language], HEAD[language], row), language=language)
    (differs,) = await contradictions(TENANT, engines)
    assert (differs.entry, differs.field, differs.directory, differs.document) == (
        "park-mill", "amount", "2.40 EUR", "3.10 EUR",
    )  # fmt: skip
    await decide.confirm(TENANT, [differs.proposal_id], engines, by=ANN)
    held = await tariff(engines, "park-mill")
    assert (held.subject, held.condition, held.campus, held.unit) == (PARKING, {}, "mill", "visit")
    assert str(held.amount) == "3.10"
    assert await proposed(engines) == []


async def test_a_price_of_one_hour_is_none_of_a_visit(engines: Engines) -> None:
    text = page("Gids", "Tarieven", HEAD["nl"], "Parkeren Molen | € 3,10 per uur")
    await ingest(engines, "prices.md", text, language="nl")
    (found,) = await proposed(engines)
    assert (found.target, found.entry["unit"], subject(found)) == (None, "hour", "Parkeren")


@pytest.mark.parametrize("row", ["Parkeren | € 3,10 per bezoek", "Eenpersoonskamer | € 66,00 per dag"])
async def test_a_row_that_may_be_of_an_entry_asks_which_is_meant(engines: Engines, row: str) -> None:
    await ingest(engines, "prices.md", page("Gids", "Tarieven", HEAD["nl"], row), language="nl")
    (found,) = await proposed(engines)
    assert (found.target, found.missing) == (None, ("entry",))
    assert await contradictions(TENANT, engines) == []
    with pytest.raises(BadRequest, match="set entry"):
        await decide.confirm(TENANT, [found.proposal_id], engines, by=ANN, as_read=True)


async def test_a_price_of_another_time_is_an_entry_of_its_own(engines: Engines) -> None:
    fridge = {"id": "fridge", "subject": FRIDGE, "amount": "1.30", "unit": "day", "valid_until": "2030-12-31"}
    await keep_hospital(engines, campuses=CAMPUSES, departments=[], tariffs=[fridge])
    text = page("Gids", "Tarieven", HEAD["nl"], "Koelkast | € 1,45 per dag")
    await ingest(engines, "prices.md", text, language="nl", valid_from="2031-01-01")
    (found,) = await proposed(engines)
    assert (found.target, found.entry["amount"], found.entry["valid_from"]) == (None, "1.45", "2031-01-01")


async def test_a_row_confirmed_into_an_entry_leaves_what_it_is_of_in_every_language(engines: Engines) -> None:
    text = page("Bezoek en tarieven 2031", "Tarieven", HEAD["nl"], "Auto bij de molen, overdag | € 3,00")
    await ingest(engines, "prices.md", text, language="nl")
    (found,) = await proposed(engines)
    assert found.target is None
    await decide.confirm(TENANT, [found.proposal_id], engines, by=ANN, corrections={"entry": "park-mill"})
    held = await tariff(engines, "park-mill")
    assert (held.subject, held.condition, held.campus, held.unit) == (PARKING, {}, "mill", "visit")
    assert str(held.amount) == "3.00"


@pytest.mark.parametrize("row", ["Iets | € 3,00", "Parkeren Molen | € 3,00"], ids=["another row", "its own row"])
async def test_a_text_that_a_person_gives_is_in_the_language_of_the_document_and_the_others_stay(
    engines: Engines, row: str
) -> None:
    await ingest(engines, "prices.md", page("Gids", "Tarieven", HEAD["nl"], row), language="nl")
    (found,) = await proposed(engines)
    corrections = {"entry": "park-mill", "subject": "Wagen parkeren", "condition": "overdag"}
    await decide.confirm(TENANT, [found.proposal_id], engines, by=ANN, corrections=corrections)
    held = await tariff(engines, "park-mill")
    assert held.subject == {**PARKING, "nl": "Wagen parkeren"}
    assert held.condition == {"nl": "overdag"}
    assert str(held.amount) == "3.00"


async def test_the_same_price_in_two_documents_is_one_entry_and_two_prices_are_refused(engines: Engines) -> None:
    for name, amount in (("one", "4,00"), ("two", "4,00"), ("three", "4,50")):
        text = page(f"Gids {name}", "Tarieven", HEAD["nl"], f"Badjas | € {amount} per dag")
        await ingest(engines, f"{name}.md", text, language="nl")
    found = {one.source.doc_key: one for one in await proposed(engines)}
    everyone = [one.proposal_id for one in found.values()]
    with pytest.raises(BadRequest, match="prices of Badjas"):
        await decide.confirm(TENANT, everyone, engines, by=ANN)
    assert len(await proposed(engines)) == 3
    same = [found[name].proposal_id for name in ("one", "two")]
    await decide.confirm(TENANT, same, engines, by=ANN)
    directory = (await editions.current(TENANT, engines)).directory
    assert directory.tariffs[-1].subject == {"nl": "Badjas"}
    assert len(directory.tariffs) == len(TARIFFS) + 1
    assert [one.document for one in await contradictions(TENANT, engines)] == ["4.50 EUR"]


async def test_ids_that_begin_alike_are_told_apart(engines: Engines) -> None:
    rows = [f"Huur van een hulpmiddel voor thuis met alle toebehoren, soort {kind} | € 9,00" for kind in "abcdefghij"]
    await ingest(engines, "prices.md", page("Gids", "Tarieven", HEAD["nl"], *rows), language="nl")
    found = await proposed(engines)
    assert all(len(one.entry["id"]) <= 55 and "-toebehoren" not in one.entry["id"] for one in found)
    # A person may give all of them one id.
    await decide.confirm(TENANT, [one.proposal_id for one in found], engines, by=ANN, corrections={"id": "huur"})
    ids = [one.id for one in (await editions.current(TENANT, engines)).directory.tariffs]
    assert len(set(ids)) == len(ids) == len(TARIFFS) + 10
