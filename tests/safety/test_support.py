"""A claim that no figure gives away is held to what the sources speak of, by its words and by the reader."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from careline.errors import ReaderUnavailable
from careline.model import Hit
from careline.ports import ReaderText, ReadingPace, Source
from careline.safety.grounding.support import READ, ClaimSupport
from tests.builders import a_passage
from tests.fakes import KeywordReader

PAGES = {
    "nl": "Kinderen onder twaalf jaar komen met een volwassene. De cafetaria verkoopt broodjes.",
    "en": "Children under twelve come with an adult. The cafeteria sells sandwiches.",
    "fr": "Les enfants de moins de douze ans viennent avec un adulte. La cafétéria vend des sandwichs.",
    "it": "I bambini sotto i dodici anni vengono con un adulto. La caffetteria vende panini.",
}
IN_ITS_WORDS = {
    "nl": "De kinderen komen samen met een volwassene [1].",
    "en": "Young children come with an adult [1].",
    "fr": "Les enfants viennent accompagnés d'un adulte [1].",
    "it": "I bambini vengono insieme a un adulto [1].",
}
OF_SOMETHING_ELSE = {
    "nl": "De kapel beschikt over een orgel [1].",
    "en": "The chapel has an organ [1].",
    "fr": "La chapelle possède un orgue [1].",
    "it": "La cappella possiede un organo [1].",
}


class DownReader:
    """Fails whenever it is asked."""

    async def pace(self) -> ReadingPace:
        return ReadingPace()

    async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
        raise ReaderUnavailable("the reader's weights are not installed")


def a_source(language: str = "nl", number: int = 1, text: str = "") -> Source:
    page = a_passage(text or PAGES[language], facts={"title": "Info", "language": language})
    return Source(number, "Info", language, Hit(page, 0.9))


@pytest.mark.parametrize("reader", [None, DownReader(), KeywordReader("nothing")])
@pytest.mark.parametrize("language", PAGES)
async def test_words_tell_a_claim_about_the_matter_of_a_source_from_one_about_another(
    language: str, reader: KeywordReader | None
) -> None:
    support = ClaimSupport([a_source(language)], language, reader)
    assert await support.supports(IN_ITS_WORDS[language], [1])
    assert not await support.supports(OF_SOMETHING_ELSE[language], [1])


async def test_the_reader_supports_what_is_said_in_other_words() -> None:
    told = "Jongeren hebben begeleiding nodig [1]."
    assert not await ClaimSupport([a_source()], "nl", None).supports(told, [1])
    assert await ClaimSupport([a_source()], "nl", KeywordReader("volwassene")).supports(told, [1])


async def test_of_a_source_in_another_language_the_reader_decides_and_without_it_it_is_believed() -> None:
    told, source = IN_ITS_WORDS["nl"], a_source("fr")
    assert await ClaimSupport([source], "nl", KeywordReader("enfants")).supports(told, [1])
    assert not await ClaimSupport([source], "nl", KeywordReader("nothing")).supports(told, [1])
    assert await ClaimSupport([source], "nl", None).supports(told, [1])


async def test_only_the_sources_that_a_sentence_names_support_it() -> None:
    sources = [a_source(), a_source(number=2, text="De kapel beschikt over een orgel uit Gent.")]
    support = ClaimSupport(sources, "nl", None)
    assert not await support.supports(OF_SOMETHING_ELSE["nl"], [1])
    assert await support.supports(OF_SOMETHING_ELSE["nl"], [2])
    assert await support.supports(OF_SOMETHING_ELSE["nl"], [])


@pytest.mark.parametrize("said", ["Kan ik u nog helpen met de kapel?", "Ja [1].", "14 [1]."])
async def test_what_claims_nothing_needs_no_support(said: str) -> None:
    assert await ClaimSupport([a_source()], "nl", KeywordReader("nothing")).supports(said, [1])


async def test_no_more_windows_are_read_for_a_sentence_than_are_worth_the_time() -> None:
    reader = KeywordReader("nothing")
    long = " ".join(
        f"Afdeling {n} ligt op verdieping {n} van het gebouw, achter de lift en de trap." for n in range(60)
    )
    await ClaimSupport([a_source(text=long)], "nl", reader).supports(OF_SOMETHING_ELSE["nl"], [1])
    assert [len(texts) for texts in reader.asked] == [READ]
