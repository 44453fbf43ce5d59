"""Which windows are read, in which order what was read is, and what the best one's parts are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from careline.errors import ReaderUnavailable
from careline.model import Hit, ReadWindow
from careline.ports import LEAST_READ, ReaderText, ReadingPace
from careline.search.read_windows import READ, Preference, ReadHit, asked_last, read_windows
from careline.search.relevance import shipped_fit
from careline.search.select_windows import OF_ONE_PASSAGE, OF_OWN_LANGUAGE, select_windows
from tests.builders import a_passage
from tests.fakes import KeywordReader


def a_hit(text: str, number: int = 1, score: float = 0.5, language: str = "nl", windows: tuple[float, ...] = ()) -> Hit:
    passage = a_passage(text, doc_key=f"brochure-{number}", facts={"title": f"Blad {number}", "language": language})
    return Hit(passage, score, windows=windows)


async def test_the_passage_whose_window_answers_best_comes_first_whatever_the_search_said() -> None:
    hits = [a_hit("Bezoek is welkom.", 1, 0.9), a_hit("Parkeren kost twee euro.", 2, 0.4)]
    found = await read_windows(KeywordReader("euro"), hits, "wat kost parkeren", "nl")
    assert [one.hit for one in found] == hits[::-1]
    assert found[0].relevance > 0 > found[1].relevance


async def test_a_page_in_the_language_of_the_question_wins_only_where_it_answers_nearly_as_well() -> None:
    hits = [a_hit("Parking costs two euro.", 1, language="en"), a_hit("Parkeren kost twee euro.", 2)]
    assert 0 < shipped_fit().order.own_language < KeywordReader.YES
    found = await read_windows(KeywordReader("euro"), hits, "wat kost parkeren", "nl")
    assert found[0].hit is hits[1]
    found = await read_windows(KeywordReader("costs"), hits, "wat kost parkeren", "nl")
    assert found[0].hit is hits[0]


async def test_the_language_of_a_page_orders_and_does_not_decide() -> None:
    foreign, own = a_hit("Visiting from 14:00 to 20:00.", 1, 0.99, "en"), a_hit("Bezoek van 14:00.", 2, 0.4)
    found = await read_windows(KeywordReader(), [foreign, own], "kapel", "nl")
    without = replace(shipped_fit(), order=replace(shipped_fit().order, own_language_first=0.0))
    plain = await read_windows(KeywordReader(), [foreign, own], "kapel", "nl", fit=without)
    assert [one.hit for one in plain] == [foreign, own]
    assert found[0].relevance == plain[0].relevance
    assert found[0].hit is own


async def test_a_few_windows_in_the_language_of_the_question_are_read_whatever_others_promise() -> None:
    foreign = [a_hit(f"Chapel number {n} is open.", n, 0.9, "en") for n in range(1, READ + 5)]
    own = [a_hit(f"De stiltezaal {n} is er.", 100 + n, 0.1) for n in range(OF_OWN_LANGUAGE + 1)]
    chosen = select_windows([*foreign, *own], "chapel", "nl", READ)
    assert len(chosen) == READ
    assert sum(one.hit in own for one in chosen) == OF_OWN_LANGUAGE


def test_of_a_follow_up_the_last_question_alone_is_answered_unless_nothing_does() -> None:
    old, new = ReadWindow(0, 5.0, confidence=5.0), ReadWindow(1, 1.0, question=1, confidence=1.0)
    read = [ReadHit(a_hit("Eerst. Dan."), (old, new))]
    assert [one.read for one in asked_last(read, 0.0)] == [(new,)]
    assert [one.read for one in asked_last(read, 2.0)] == [(old, new)]


async def test_the_sentences_of_the_best_window_are_read_one_by_one() -> None:
    (found,) = await read_windows(
        KeywordReader("euro"), [a_hit("Parkeren kan hier. Het kost twee euro.")], "wat kost parkeren", "nl"
    )
    assert found.read[0].parts == (KeywordReader.NO, KeywordReader.YES)


async def test_no_more_windows_are_read_than_there_is_time_for() -> None:
    reader = KeywordReader("euro")
    text = "\n\n".join(f"Kop {n}\nZin {n} gaat over parkeren." for n in range(30))
    await read_windows(reader, [a_hit(text, n) for n in range(20)], "wat kost parkeren", "nl")
    assert len(reader.asked[0]) == READ


@pytest.mark.parametrize(
    ("window_ms", "budget_ms", "read"),
    [(5, 200, READ), (25, 200, 8), (90, 200, LEAST_READ), (90, 0, READ), (0, 200, READ)],
)
async def test_a_slow_processor_reads_fewer_windows_the_most_promising_ones(
    window_ms: float, budget_ms: float, read: int
) -> None:
    class Paced(KeywordReader):
        async def pace(self) -> ReadingPace:
            return ReadingPace(window_ms, budget_ms)

    quick, slow = KeywordReader(), Paced()
    text = "\n\n".join(f"Kop {n}\nZin {n} gaat over parkeren." for n in range(30))
    hits = [a_hit(text, n, 1 - n / 100) for n in range(20)]
    for reader in (quick, slow):
        await read_windows(reader, hits, "wat kost parkeren", "nl")
    assert len(slow.asked[0]) == read
    assert list(slow.asked[0]) == list(quick.asked[0])[:read]


def test_nearness_in_meaning_chooses_windows_and_one_passage_does_not_take_all_places() -> None:
    text = "\n\n".join(f"Kop {n}\nZin {n} gaat ergens over." for n in range(9))
    near = a_hit(text, 1, 0.5, windows=tuple(0.9 - n / 100 for n in range(9)))
    far = a_hit("Iets heel anders.", 2, 0.4, windows=(0.7,))
    chosen = select_windows([near, far], "vraag", "nl", 12)
    assert [one.number for one in chosen if one.hit is near] == list(range(OF_ONE_PASSAGE))
    assert any(one.hit is far for one in chosen)


async def test_without_a_reader_the_search_orders_the_windows_and_reads_no_parts() -> None:
    hits = [a_hit("Bezoek is welkom.", 1, 0.4), a_hit("Parkeren kost twee euro. Dat is niet duur.", 2, 0.4)]
    found = await read_windows(None, hits, "wat kost parkeren", "nl")
    assert [one.hit for one in found] == hits[::-1]
    assert found[0].read[0].parts == ()


async def test_a_reader_that_fails_says_so() -> None:
    class Broken:
        async def pace(self) -> ReadingPace:
            return ReadingPace()

        async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
            raise ReaderUnavailable("no weights")

    with pytest.raises(ReaderUnavailable):
        await read_windows(Broken(), [a_hit("Bezoek is welkom.")], "bezoek", "nl")


@pytest.mark.parametrize("reads", [True, False])
async def test_a_preference_orders_what_answers_about_as_well_and_decides_nothing(reads: bool) -> None:
    hits = [a_hit("Parkeren kost twee euro.", 1), a_hit("Laden kost twee euro.", 2)]
    reader = KeywordReader("euro") if reads else None

    async def read(chosen: str, by: Preference) -> list[ReadHit]:
        return await read_windows(
            reader, hits, "wat kost het", "nl", preferences=lambda one: by if chosen in one.chunk.text else Preference()
        )

    plain = await read("", Preference())
    for chosen, hit in (("Parkeren", hits[0]), ("Laden", hits[1])):
        for preference in (Preference(1.3), Preference(added=0.4)):
            found = await read(chosen, preference)
            assert found[0].hit is hit
            assert (found[0].relevance, found[0].confidence) == pytest.approx((plain[0].relevance, plain[0].confidence))
        assert (await read(chosen, Preference(0.55)))[0].hit is not hit


async def test_what_answers_clearly_better_stays_in_front_of_the_most_preferred() -> None:
    hits = [a_hit("Parkeren kost twee euro.", 1), a_hit("Laden kan aan de paal.", 2)]
    most = Preference(1.3, 0.6)
    found = await read_windows(
        KeywordReader("euro"), hits, "wat kost het", "nl",
        preferences=lambda one: most if "Laden" in one.chunk.text else Preference(0.55),
    )  # fmt: skip
    assert found[0].hit is hits[0]
