"""What every passage index does, whatever is behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import date
from typing import Any

import pytest

from careline.errors import BadRequest
from careline.model import DocumentFacts, Hit, Passage, Table, TableRow
from careline.ports import PassageIndex, PassageQuery
from careline.search.filters import FIELDS, MOST_VALUES
from tests.builders import a_passage, some_facts
from tests.fakes import FakeEmbedder

TODAY = date(2026, 3, 2)
EVERY_FACT: dict[str, Any] = {
    "title": "Verdoving bij kinderen", "source_type": "guideline", "language": "fr", "audience": "clinician",
    "specialty": "pediatrics", "authors": ("An Peeters", "Luc Maes"), "year": 2024, "publisher": "Elsevier",
    "organisation": "KCE", "doi": "10.1000/182", "pmid": "123456", "url": "https://example.org/a",
    "recommendation_class": "IIa", "evidence_level": "B", "drug_name": "ketamine", "drug_class": "anesthetica",
    "indication": "sedatie", "book_edition": "3e druk", "chapter": "Hoofdstuk 4",
    "last_updated": date(2025, 11, 3), "owner": "anesthesie",
    "valid_from": date(2025, 1, 1), "valid_until": date(2027, 1, 1), "review_date": date(2026, 6, 1),
}  # fmt: skip
UNLIKE: dict[str, Any] = {"text": "nothing like it", "number": 1871, "day": "1871-05-21"}
WRONG: dict[str, list[Any]] = {"text": [5], "number": ["veel", 2**31], "day": ["vandaag", 20260302]}
embedder = FakeEmbedder()


async def added(index: PassageIndex, *texts: str, **said: Any) -> list[Passage]:
    """The passages of one version, one a text."""
    passages = [a_passage(text, ordinal=n, **said) for n, text in enumerate(texts)]
    await index.add(passages, await embedder.embed_passages([p.chunk.text for p in passages]))
    return passages


async def live(index: PassageIndex, *texts: str, **said: Any) -> list[Passage]:
    passages = await added(index, *texts, **said)
    await index.activate(passages[0].tenant, passages[0].doc_key, passages[0].version)
    return passages


async def hits(index: PassageIndex, text: str, *, dense: bool = True, **more: Any) -> Sequence[Hit]:
    await index.settle()
    vector = embedder.vector(text) if dense else None
    return await index.find(PassageQuery(**{"tenant": "a", "text": text, "vector": vector, **more}))


async def found(index: PassageIndex, text: str, **more: Any) -> list[str]:
    return [hit.passage.chunk.text for hit in await hits(index, text, **more)]


async def test_nothing_is_found_in_an_empty_index(index: PassageIndex) -> None:
    assert await found(index, "parkeren") == []
    assert await found(index, "parkeren", dense=False) == []
    assert await index.corpus_version("a") == 0


async def test_passages_are_found_once_their_version_is_activated(index: PassageIndex) -> None:
    await added(index, "Parkeren kost twee euro.")
    assert await found(index, "parkeren") == []
    await index.activate("a", "brochure-1", 1)
    assert await found(index, "parkeren") == ["Parkeren kost twee euro."]


async def test_a_passage_comes_back_as_it_went_in(index: PassageIndex) -> None:
    passages = await live(index, "Een", "Tabel | twee", heading_path=("Prijzen", "Bezoek"), facts=EVERY_FACT)
    (first, *_) = await hits(index, "tabel twee", language="fr")
    assert first.passage == passages[1]
    assert list(await index.passages("a", "brochure-1", 1)) == passages


async def test_a_passage_comes_back_with_its_category_and_one_from_before_there_were_any_without(
    index: PassageIndex,
) -> None:
    older = a_passage("Parkeren kost twee euro.")
    newer = a_passage("Bezoek mag tot acht uur.", ordinal=1)
    newer = replace(newer, chunk=replace(newer.chunk, category="practical"))
    await index.add([older, newer], await embedder.embed_passages([p.chunk.text for p in (older, newer)]))
    await index.activate("a", "brochure-1", 1)
    categories = {hit.passage.chunk.text: hit.passage.chunk.category for hit in await hits(index, "parkeren bezoek")}
    assert categories == {"Parkeren kost twee euro.": None, "Bezoek mag tot acht uur.": "practical"}


@pytest.mark.parametrize("dense", [True, False])
async def test_the_best_passage_is_first_and_scores_lie_between_0_and_1(index: PassageIndex, dense: bool) -> None:
    await live(index, "De cafetaria sluit om zes uur.", "Parkeren kost twee euro per uur.", "Bezoek mag tot acht uur.")
    ranked = await hits(index, "Parkeren kost euro", dense=dense)
    assert ranked[0].passage.chunk.text == "Parkeren kost twee euro per uur."
    assert [hit.score for hit in ranked] == sorted((hit.score for hit in ranked), reverse=True)
    assert all(0 <= hit.score <= 1 and 0 <= hit.coverage <= 1.000001 for hit in ranked)
    assert ranked[0].coverage > 0.99


async def test_similarity_is_the_cosine_and_0_when_no_vector_was_asked(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.")
    question = embedder.vector("parkeren kost")
    (dense,) = await hits(index, "parkeren kost")
    (words,) = await hits(index, "parkeren kost", dense=False)
    assert dense.similarity == pytest.approx(float(question @ embedder.vector("Parkeren kost twee euro.")), abs=1e-5)
    assert words.similarity == 0


async def test_no_more_than_the_limit_are_found_and_a_limit_of_a_hundred_is_kept(index: PassageIndex) -> None:
    await live(index, *(f"Parkeren op plaats {n}" for n in range(120)))
    for dense in (True, False):
        assert len(await found(index, "parkeren", dense=dense, limit=3)) == 3
        assert len(await found(index, "parkeren", dense=dense, limit=100)) == 100


async def test_a_document_of_another_tenant_is_never_found(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.", tenant="b")
    assert await found(index, "parkeren") == []
    assert await index.corpus_version("a") == 0
    assert list(await index.passages("a", "brochure-1", 1)) == []


async def test_a_new_version_supersedes_the_old_one_which_stays_for_audit(index: PassageIndex) -> None:
    old = await live(index, "Parkeren kost twee euro.", "Bezoek tot acht uur.")
    await added(index, "Parkeren is gratis.", version=2)
    assert "Parkeren kost twee euro." in await found(index, "parkeren")
    await index.activate("a", "brochure-1", 2)
    assert await found(index, "parkeren bezoek") == ["Parkeren is gratis."]
    assert list(await index.passages("a", "brochure-1", 1)) == old


async def test_an_older_version_never_replaces_a_newer_one(index: PassageIndex) -> None:
    await live(index, "Parkeren is gratis.", version=2)
    before = await index.corpus_version("a")
    await live(index, "Parkeren kost twee euro.", version=1)
    assert await found(index, "parkeren") == ["Parkeren is gratis."]
    assert await index.corpus_version("a") == before


async def test_what_is_retired_is_gone_stays_gone_and_stays_for_audit(index: PassageIndex) -> None:
    passages = await live(index, "Parkeren kost twee euro.")
    await index.retire("a", "brochure-1", 1)
    assert await found(index, "parkeren") == []
    await index.activate("a", "brochure-1", 1)
    assert await found(index, "parkeren") == []
    assert list(await index.passages("a", "brochure-1", 1)) == passages


async def test_a_version_after_a_retirement_is_found_and_one_before_is_not(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.")
    await index.retire("a", "brochure-1", 2)
    await live(index, "Parkeren kost drie euro.", version=2)
    assert await found(index, "parkeren") == []
    await live(index, "Parkeren is gratis.", version=3)
    assert await found(index, "parkeren") == ["Parkeren is gratis."]


async def test_what_is_withdrawn_is_gone_until_it_is_activated_again(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.")
    await index.withdraw("a", "brochure-1", 2)
    before = await index.corpus_version("a")
    for _ in range(2):
        await index.withdraw("a", "brochure-1", 1)
        assert await found(index, "parkeren") == []
    assert await index.corpus_version("a") == before + 1
    await live(index, "Parkeren is gratis.")
    assert await found(index, "parkeren") == ["Parkeren is gratis."]
    await index.withdraw("a", "brochure-1", 1)
    await live(index, "Parkeren is gratis.")
    assert await found(index, "parkeren") == ["Parkeren is gratis."]


async def test_what_was_retired_is_withdrawn_without_effect_and_stays_gone(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.")
    await index.retire("a", "brochure-1", 1)
    await index.withdraw("a", "brochure-1", 1)
    await index.activate("a", "brochure-1", 1)
    assert await found(index, "parkeren") == []


async def test_retiring_an_older_version_leaves_the_newer_one_live(index: PassageIndex) -> None:
    await live(index, "Parkeren is gratis.", version=2)
    await index.retire("a", "brochure-1", 1)
    assert await found(index, "parkeren") == ["Parkeren is gratis."]


async def test_every_write_may_be_repeated_without_effect(index: PassageIndex) -> None:
    for _ in range(3):
        passages = await added(index, "Parkeren kost twee euro.", "Bezoek tot acht uur.")
    for _ in range(3):
        await index.activate("a", "brochure-1", 1)
        assert sorted(await found(index, "parkeren bezoek")) == ["Bezoek tot acht uur.", "Parkeren kost twee euro."]
    version = await index.corpus_version("a")
    await added(index, "Parkeren kost twee euro.", "Bezoek tot acht uur.")
    await index.activate("a", "brochure-1", 1)
    assert await index.corpus_version("a") == version
    assert list(await index.passages("a", "brochure-1", 1)) == passages
    assert len(await found(index, "parkeren bezoek")) == 2
    for _ in range(3):
        await index.retire("a", "brochure-1", 1)
        assert await found(index, "parkeren") == []
    assert await index.corpus_version("a") == version + 1


async def test_a_version_that_is_added_anew_is_found_as_it_was_added_last(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.", "Bezoek tot acht uur.")
    assert len(await found(index, "parkeren bezoek")) == 2
    await live(index, "Parkeren is gratis.")
    assert await found(index, "parkeren bezoek") == ["Parkeren is gratis."]


async def test_vectors_of_another_model_replace_the_ones_that_were_there(index: PassageIndex) -> None:
    passages = await live(index, "Parkeren kost twee euro.")
    other = [a_passage("Parkeren kost twee euro.", embedding_model="other")]
    await index.add(other, await embedder.embed_passages(["iets heel anders"]))
    await index.activate("a", "brochure-1", 1)
    (hit,) = await hits(index, "iets heel anders")
    assert hit.similarity == pytest.approx(1, abs=1e-5)
    assert (passages[0].embedding_model, hit.passage.embedding_model) == ("words", "other")


async def test_the_corpus_version_grows_with_every_activation_and_retirement(index: PassageIndex) -> None:
    seen = [await index.corpus_version("a")]
    await live(index, "Een")
    seen.append(await index.corpus_version("a"))
    await live(index, "Twee", version=2)
    seen.append(await index.corpus_version("a"))
    await index.retire("a", "brochure-1", 2)
    seen.append(await index.corpus_version("a"))
    assert seen == sorted(set(seen))


async def test_clearing_forgets_a_tenant_and_no_other(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.")
    await live(index, "Parkeren is gratis.", tenant="b")
    before = await index.corpus_version("a")
    await index.clear("a")
    assert await found(index, "parkeren") == []
    assert await found(index, "parkeren", tenant="b") == ["Parkeren is gratis."]
    assert list(await index.passages("a", "brochure-1", 1)) == []
    await live(index, "Parkeren kost twee euro.")
    assert await found(index, "parkeren") == ["Parkeren kost twee euro."]
    assert await index.corpus_version("a") > before


async def test_what_is_not_valid_today_is_never_found(index: PassageIndex) -> None:
    for name, start, end in (
        ("past", None, date(2026, 3, 1)),
        ("last-day", None, TODAY),
        ("first-day", TODAY, None),
        ("future", date(2026, 3, 3), None),
    ):
        await live(index, f"Parkeren {name}", doc_key=name, facts={"valid_from": start, "valid_until": end})
    assert sorted(await found(index, "parkeren", today=TODAY)) == ["Parkeren first-day", "Parkeren last-day"]
    assert len(await found(index, "parkeren")) == 4


async def test_every_fact_can_be_filtered_on(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.", doc_key="with", facts=EVERY_FACT)
    await live(index, "Parkeren is gratis.", doc_key="without", facts=some_facts())
    for name in (field.name for field in fields(DocumentFacts)):
        value = EVERY_FACT[name]
        value = value[1] if isinstance(value, tuple) else value.isoformat() if isinstance(value, date) else value
        for dense in (True, False):
            held = await found(index, "parkeren", dense=dense, where={name: (value,)})
            assert held == ["Parkeren kost twee euro."], name
        assert await found(index, "parkeren", where={name: (UNLIKE[FIELDS[name]],)}) == [], name
        assert await found(index, "parkeren", where={name: ()}) == [], name


async def test_what_names_a_passage_can_be_filtered_on(index: PassageIndex) -> None:
    named: dict[str, Any] = {"doc_key": "one", "document_id": "one-1", "version": 3, "kind": "table"}
    await live(index, "Parkeren: een", **named)
    await live(index, "Parkeren: twee", doc_key="two", document_id="two-1")
    for name, value in named.items():
        assert await found(index, "parkeren", where={name: (value,)}) == ["Parkeren: een"], name


async def test_filters_hold_together_and_their_values_are_alternatives(index: PassageIndex) -> None:
    for year, language in ((2023, "nl"), (2024, "nl"), (2024, "fr"), (2025, "nl")):
        doc_key = f"{year}-{language}"
        await live(index, f"Parkeren {doc_key}", doc_key=doc_key, facts={"year": year, "language": language})
    where = {"year": (2024, 2025), "language": ("nl",)}
    assert sorted(await found(index, "parkeren", where=where)) == ["Parkeren 2024-nl", "Parkeren 2025-nl"]


async def test_numbers_and_days_are_also_filtered_on_by_a_range_that_holds_both_its_ends(index: PassageIndex) -> None:
    for year in (2019, 2020, 2024, 2026):
        facts = {"year": year, "last_updated": date(year, 3, 2)}
        await live(index, f"Parkeren {year}", doc_key=str(year), facts=facts)
    await live(index, "Parkeren ooit", doc_key="ooit")

    async def years(name: str, *values: str | int) -> list[int]:
        return sorted(int(text.split()[1]) for text in await found(index, "parkeren", where={name: values}))

    assert await years("year", "2020..") == [2020, 2024, 2026]
    assert await years("year", "..2019", 2026) == [2019, 2026]
    assert await years("year", "2020..2024") == [2020, 2024]
    assert await years("last_updated", "2020-03-02..2024-03-01") == [2020]
    assert await years("last_updated", "..2019-12-31") == [2019]
    assert await years("year", "2025..2024") == []
    for wrong in ("..", "2020...2021", "zus..zo"):
        with pytest.raises(BadRequest, match=r"^filters: year takes .*ranges"):
            await found(index, "parkeren", where={"year": (wrong,)})


async def test_a_field_that_does_not_exist_is_a_bad_request(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.")
    with pytest.raises(BadRequest, match="colour"):
        await found(index, "parkeren", where={"colour": ("red",)})


async def test_a_value_of_another_type_than_the_field_is_a_bad_request_that_names_the_field(
    index: PassageIndex,
) -> None:
    await live(index, "Parkeren kost twee euro.")
    for name, kind in FIELDS.items():
        for value in WRONG[kind]:
            with pytest.raises(BadRequest, match=rf"^filters: {name} takes "):
                await found(index, "parkeren", where={name: (value,)})


async def test_a_number_may_be_written_as_text(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.", facts={"year": 2024}, version=3)
    assert await found(index, "parkeren", where={"year": ("2024",), "version": ("3",)}) == ["Parkeren kost twee euro."]


async def test_more_values_than_a_filter_takes_are_a_bad_request(index: PassageIndex) -> None:
    with pytest.raises(BadRequest, match="doc_key takes at most"):
        await found(index, "parkeren", where={"doc_key": tuple(f"document-{n}" for n in range(MOST_VALUES + 1))})
    assert await found(index, "parkeren", where={"doc_key": tuple(f"d-{n}" for n in range(MOST_VALUES))}) == []


async def test_a_passage_below_the_longest_of_headings_comes_back_whole(index: PassageIndex) -> None:
    """A keyword of OpenSearch holds 32,766 bytes, and one that is longer loses the whole passage."""
    passages = await live(index, "Parkeren kost twee euro.", heading_path=("Prijzen", "Bezoek " * 6000))
    (hit,) = await hits(index, "parkeren")
    assert hit.passage == passages[0]


async def test_a_passage_with_a_table_of_any_size_comes_back_with_it(index: PassageIndex) -> None:
    rows = tuple(TableRow(("Kind", f"{n} jaar"), (f"{n} mg", "")) for n in range(1500))
    table = Table("Dosis", ("Wie", ""), (("Per dag",), ("Nacht", "½")), rows, (("*", "niet bij koorts"),))
    passage = a_passage("Dosis per dag: 5 mg", kind="table")
    passage = replace(passage, chunk=replace(passage.chunk, table=table))
    await index.add([passage], await embedder.embed_passages([passage.chunk.text]))
    await index.activate("a", passage.doc_key, passage.version)
    (hit,) = await hits(index, "dosis")
    assert hit.passage == passage
    assert await found(index, "koorts", dense=False) == []


async def test_a_rare_document_behind_many_better_ones_is_found_when_the_filter_asks_for_it(
    index: PassageIndex,
) -> None:
    await live(index, *(f"Parkeren parkeren parkeren {n}" for n in range(300)), doc_key="many")
    await live(index, "Ergens in een lange zin staat ook nog parkeren.", doc_key="one", facts={"year": 2020})
    for dense in (True, False):
        assert len(await found(index, "parkeren", dense=dense, where={"year": (2020,)})) == 1


async def test_any_text_may_be_asked(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.")
    for text in ("", "   ", "???", "\x00", "🚑", "a" * 5000, 'AND OR NOT "parkeren', "title:parkeren^9"):
        assert len(await hits(index, text)) <= 1, text
        assert len(await hits(index, text, dense=False)) <= 1, text


@pytest.mark.parametrize(
    ("language", "text", "asked"),
    [
        ("nl", "De bezoekuren van de kinderafdeling", "bezoekuur kinderafdelingen"),
        ("fr", "Les heures d'accès à l'hôpital", "heure acces hopital"),
        ("it", "Orari delle visite ai pazienti", "orario visita paziente"),
        ("en", "Visiting hours of the wards", "visit hour ward"),
        ("de", "Besuchszeiten der Station für Kinder", "station fur kinder"),
    ],
)
@pytest.mark.parametrize("index", ["embedded", "aws", "aws-es", "aws-serverless"], indirect=True)
async def test_words_without_accents_or_endings_find_their_language(
    index: PassageIndex, language: str, text: str, asked: str
) -> None:
    await live(index, text, facts={"language": language, "title": "-"})
    (hit,) = await hits(index, asked, dense=False)
    assert hit.coverage > 0.99


@pytest.mark.parametrize("index", ["embedded", "aws", "aws-es", "aws-serverless"], indirect=True)
async def test_what_is_no_longer_live_does_not_change_how_a_passage_scores(index: PassageIndex) -> None:
    await live(index, "Parkeren kost twee euro.", "Bezoek tot acht uur.", "Parkeren en bezoek.", version=9)
    before = await hits(index, "parkeren bezoek euro")
    await live(index, *(f"Parkeren euro {n}" for n in range(40)), doc_key="gone")
    await index.retire("a", "gone", 1)
    after = await hits(index, "parkeren bezoek euro")
    assert [hit.passage.chunk_id for hit in after] == [hit.passage.chunk_id for hit in before]
    for one, other in zip(before, after, strict=True):
        measures = (one.score, one.similarity, one.relative_similarity, one.coverage)
        assert (other.score, other.similarity, other.relative_similarity, other.coverage) == pytest.approx(
            measures, abs=1e-4
        )
