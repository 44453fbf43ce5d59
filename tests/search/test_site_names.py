"""The names of a hospital's sites are read from its documents, and so is which of them the other one is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import Hit, Table, TableRow
from careline.search.site_names import noun_of, renamed, sites_in
from tests.builders import a_passage


def hits(*texts: str, language: str = "nl") -> list[Hit]:
    passages = [a_passage(text, doc_key=f"page-{n}", facts={"language": language}) for n, text in enumerate(texts)]
    return [Hit(one, 0.5, 0.5) for one in passages]


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("Op campus Hoogveld parkeert u gratis.", "nl", "Hoogveld"),
        ("L'Hôpital du Grand-Pré · Chemin des Saules 9", "fr", "Grand-Pré"),
        ("La Clinica pediatrica Il Grillo, via alle Scuole", "it", "Il Grillo"),
        ("Ospedale Santa Chiara, Valmara", "it", "Santa Chiara"),
        ("L'ospedale Sant'Anna è aperto", "it", "Sant'Anna"),
        ("Parking at the Waterpoort site is free.", "en", "Waterpoort"),
        ("Le site « Les Tilleuls » ouvre à 7 h", "fr", "Les Tilleuls"),
    ],
)
def test_a_name_behind_the_noun_of_a_site_is_that_of_one(text: str, language: str, name: str) -> None:
    assert list(sites_in(hits(text, language=language)).counts) == [name]


@pytest.mark.parametrize("text", ["Uw ziekenhuis. Maandag open.", "campus in CHF 20", "de campus sluit om 20 uur"])
def test_a_day_a_currency_and_a_new_sentence_are_no_names(text: str) -> None:
    assert not sites_in(hits(text)).counts


def test_a_street_behind_a_name_is_no_part_of_it() -> None:
    sites = sites_in(hits("Campus Hoogveld Kerkstraat 9", "De campus Hoogveld is open."))
    assert list(sites.counts) == ["Hoogveld"]


def test_a_label_beside_the_name_of_a_site_is_one_too() -> None:
    rows = (TableRow(("Wifi",), ("gratis", "€ 2")),)
    table = Table("", ("Dienst",), (("Hoogveld",), ("Waterpoort",)), rows, ())
    found = [Hit(a_passage("campus Hoogveld", doc_key="page-a"), 0.5, 0.5)]
    found.append(Hit(a_passage("Wifi", doc_key="page-b", table=table), 0.5, 0.5))
    assert set(sites_in(found).counts) == {"Hoogveld", "Waterpoort"}


def test_the_other_campus_is_a_campus_and_no_clinic() -> None:
    sites = sites_in(hits("campus Hoogveld", "campus Waterpoort", "de polikliniek Molenrij", "de polikliniek Molenrij"))
    assert sites.other_than("Hoogveld") == "Waterpoort"
    assert sites.other_than("Hoogveld", noun_of("en in de andere kliniek?")) == "Molenrij"


def test_a_site_alone_has_no_other() -> None:
    assert sites_in(hits("campus Hoogveld")).other_than("Hoogveld") is None


@pytest.mark.parametrize("said", ["sint-walburge", "Walburge", "SINT WALBURGE"])
def test_a_question_names_a_site_by_part_of_its_name(said: str) -> None:
    sites = sites_in(hits("campus Sint-Walburge", "campus Sint-Godelieve"))
    assert sites.named_in(f"parkeren in {said} een dag") == ["Sint-Walburge"]


def test_one_name_stands_in_the_place_of_the_other_however_it_was_written() -> None:
    assert renamed("wat kost parkeren in les tilleuls?", "Les Tilleuls", "Hoogveld") == "wat kost parkeren in Hoogveld?"
    assert renamed("wat kost parkeren?", "Les Tilleuls", "Hoogveld") == "wat kost parkeren?"


@given(st.lists(st.text(max_size=200), max_size=4), st.text(max_size=60))
def test_any_text_has_sites_or_none(texts: list[str], question: str) -> None:
    sites = sites_in(hits(*texts))
    assert set(sites.named_in(question)) <= set(sites.counts)
