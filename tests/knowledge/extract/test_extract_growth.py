"""Pages laid out to cost time: the work of reading them grows with what stands on them, not with its square."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from itertools import product

import pytest
from reportlab.pdfgen.canvas import Canvas

from careline.knowledge.extract import Limits, facts, read
from careline.knowledge.extract.pdf.blocks import Line, blocks_of, lines_of, typography
from careline.knowledge.extract.pdf.columns import gaps_between, reading_order
from careline.knowledge.extract.pdf.geometry import PageWord, RuledLine, Segment, segment
from careline.knowledge.extract.pdf.streams import check_streams
from careline.knowledge.extract.pdf.tables.banded import take_tables_without_grid
from careline.knowledge.extract.pdf.tables.ruled import take_ruled_tables
from tests.growth import grows_no_faster_than_its_length, steps


def a_word(x: float, y: float, *, width: float = 20.0, size: float = 10.0, text: str = "woord") -> PageWord:
    return PageWord(text, x, y, x + width, y + size, size, False)


def at_random(count: int) -> list[PageWord]:
    chance = random.Random(7)
    return [a_word(chance.uniform(0, 560), chance.uniform(0, 830)) for _ in range(count)]


def of_all_sizes(count: int) -> list[PageWord]:
    chance = random.Random(7)
    places = ((chance.uniform(0, 560), chance.uniform(0, 830), chance.lognormvariate(2, 2)) for _ in range(count))
    return [a_word(x, y, width=size, size=size) for x, y, size in places]


def in_one_heap(count: int) -> list[PageWord]:
    return [a_word(100, 100) for _ in range(count)]


def in_one_line_backwards(count: int) -> list[PageWord]:
    return [a_word(21.0 * number, 100) for number in reversed(range(count))]


def in_one_line_far_apart(count: int) -> list[PageWord]:
    return [a_word(50.0 * number, 100) for number in range(count)]


def below_one_another(count: int) -> list[PageWord]:
    return [a_word(100, 12.0 * number) for number in range(count)]


def a_wide_row_above_many_short_ones(count: int) -> list[PageWord]:
    wide = [a_word(40.0 * number, 100) for number in range(count)]
    return wide + [a_word(40.0 * (count - 1) - 1, 111.0 + 11 * number) for number in range(count)]


def stairs(count: int) -> list[PageWord]:
    found = ((a_word(0, 11.0 * number), a_word(50.0 + 30 * number, 11.0 * number)) for number in range(count // 2))
    return [word for pair in found for word in pair]


def three_wide_rows(count: int) -> list[PageWord]:
    return [a_word(40.0 * column, 11.0 * row) for row, column in product(range(3), range(count // 3))]


def one_tall_among_many(count: int) -> list[PageWord]:
    return [*at_random(count), a_word(0, 0, size=1e7)]


LAYOUTS: tuple[Callable[[int], list[PageWord]], ...] = (
    at_random, of_all_sizes, in_one_heap, in_one_line_backwards, in_one_line_far_apart, below_one_another,
    a_wide_row_above_many_short_ones, stairs, three_wide_rows, one_tall_among_many,
)  # fmt: skip


LINES = [RuledLine(0.0, 11.0 * number, 560.0, 11.0 * number) for number in range(60)]


def laid_out(words: list[PageWord]) -> int:
    """All that is done with the words of a page, in the order in which it is done."""
    tables, rest = take_tables_without_grid(words, LINES)
    regions = [lines_of(region) for region in reading_order(rest + tables)]
    style = typography([line for region in regions for line in region], {})
    return sum(len(list(blocks_of(region, style))) for region in regions)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_page_of_words_takes_time_as_there_are_words(layout: Callable[[int], list[PageWord]]) -> None:
    small = {count: layout(count) for count in (150, 300, 2400)}
    grows_no_faster_than_its_length(lambda count: laid_out(small[count]), 300)


def test_a_row_of_words_on_many_heights_takes_time_as_there_are_words() -> None:
    lines = [RuledLine(0.0, 300.0 * number, 560.0, 300.0 * number) for number in range(4)]
    tall = [a_word(280.0 * column, 300.0 * row + 20, size=200.0) for row in range(3) for column in range(2)]
    pages = {count: [*tall, *at_random(count)] for count in (150, 300, 2400)}
    grows_no_faster_than_its_length(lambda count: take_tables_without_grid(pages[count], lines), 300)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_gaps_of_a_page_are_found_without_comparing_every_pair(layout: Callable[[int], list[PageWord]]) -> None:
    pieces = {count: [segment([word]) for word in layout(count)] for count in (500, 1000, 8000)}
    grows_no_faster_than_its_length(lambda count: gaps_between(pieces[count]), 1000)


def gaps_by_every_pair(segments: list[Segment]) -> list[tuple[float, float]]:
    """What a gap is, said without regard to time."""
    found = []
    for left in segments:
        ends = []
        for right in segments:
            upper, lower = (left, right) if left.y0 <= right.y0 else (right, left)
            level = lower.y0 < upper.y1 - 0.3 * (upper.y1 - upper.y0)
            if level and right.x0 - left.x1 > 0.7 * max(left.size, right.size, 6.0):
                ends.append(right.x0)
        if ends:
            found.append((left.x1, min(ends)))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_gaps_are_those_that_comparing_every_pair_finds(seed: int) -> None:
    chance = random.Random(seed)
    places = ((chance.uniform(0, 560), chance.uniform(0, 830), chance.uniform(4, 40)) for _ in range(60))
    pieces = [segment([a_word(x, y, width=chance.uniform(2, 200), size=size)]) for x, y, size in places]
    pieces.append(Segment((), 300, 100, 500, 700, "een | tabel"))
    assert sorted(gaps_between(pieces)) == sorted(gaps_by_every_pair(pieces))


def test_lines_that_are_all_full_and_all_end_a_sentence_make_one_paragraph_in_time() -> None:
    lines = {
        count: [Line("vol en uit.", 0, 11.0 * n, 500, 11.0 * n + 10, 10, False, 60) for n in range(count)]
        for count in (500, 1000, 8000)
    }

    def work(count: int) -> None:
        style = typography(lines[count], {})
        assert len(list(blocks_of(lines[count], style))) == 1

    grows_no_faster_than_its_length(work, 1000)


def test_every_line_of_another_size_is_a_heading_in_time() -> None:
    lines = {
        count: [Line("Kop", 0, 900.0 * n, 500, 900.0 * n + 10, 10 + n / 2, False, 60) for n in range(count)]
        for count in (500, 1000, 8000)
    }
    grows_no_faster_than_its_length(lambda count: list(blocks_of(lines[count], typography(lines[count], {}))), 1000)


def test_rules_that_form_one_long_chain_are_compared_once_in_pairs() -> None:
    """At most 600 rules of each kind are looked at, so that the square of their number is bounded."""
    count = 400
    across = [RuledLine(20.0 * n, 20.0 * n, 20.0 * n + 20, 20.0 * n) for n in range(count)]
    down = [RuledLine(20.0 * n + 20, 20.0 * n, 20.0 * n + 20, 20.0 * n + 20) for n in range(count)]
    assert steps(lambda: take_ruled_tables([], across + down)) < 6 * count**2


def test_line_breaks_in_a_heading_take_time_as_there_are_breaks() -> None:
    pages = {count: b"<html><body><h1>" + b"a<br>" * count + b"</h1></body></html>" for count in (4000, 8000, 64_000)}
    read("a.html", pages[4000])
    assert len(read("a.html", pages[64_000]).pages[0].blocks) == 1
    grows_no_faster_than_its_length(lambda count: read("a.html", pages[count]), 8000)


ROW = "<div role=row><div role=cell>a</div><div role=cell>b</div></div><div role=row><div role=cell>"
NESTED: tuple[Callable[[int], str], ...] = (
    lambda count: f"<p>{'<b><i>x</i><i>y</i></b>' * count}</p>",
    lambda count: f"<div role=table>{'<div role=row><div role=cell>c</div><div role=cell>' * count}",
    lambda count: f"<div role=table>{ROW}" * (count // 2) + "end",
    lambda count: f"{'<div class=share>' * count}{'<p>room 12 and <a>more</a></p>' * count}",
    lambda count: f"{'<div role=button>When ' * count}{'<p>Now</p>' * count}",
    lambda count: f"{'<div><button>A</button><button>B</button>' * count}{'<p>Now</p>' * count}",
    lambda count: f"{'<span title=a>' * count}{'<i>x</i>' * count}",
)


@pytest.mark.parametrize("body", NESTED, ids=range(len(NESTED)))
def test_elements_in_one_another_are_read_in_time_as_there_are_elements(body: Callable[[int], str]) -> None:
    pages = {count: f"<html><body><p>Start.</p>{body(count)}</body></html>".encode() for count in (60, 120, 960)}
    grows_no_faster_than_its_length(lambda count: read("a.html", pages[count]), 120)


DEEP = ("<div role=button>x", "<div class=share>x", "<nav>", "<div><button>A</button><button>B</button>", "<i>")


@pytest.mark.parametrize("opening", DEEP)
def test_a_long_text_below_many_elements_is_not_read_for_each_of_them(opening: str) -> None:
    """The texts are put together in C and not counted: with the square of their length this would take minutes."""
    body = f"{opening * 1_900}{'word <b>no</b> ' * 8_000}"
    found = read("a.html", f"<html><body><p>Start.</p>{body}</body></html>".encode()).pages[0].blocks
    assert any("word" in block.text for block in found)


@pytest.mark.parametrize("piece", [b"stream\nx", b"stream\n\x78\x9c", b"stream\n\x78\x01\x00\x00\x00\xff\xff"])
@pytest.mark.parametrize("end", [b"", b"endstream"])
def test_a_file_of_nothing_but_beginnings_of_streams_is_gone_through(piece: bytes, end: bytes) -> None:
    """The search itself is done in C and not counted: with the square of its length this would not end."""
    check_streams(piece * 500_000 + end, Limits())


def test_a_page_of_100_000_words_at_random_places_is_read() -> None:
    chance, made = random.Random(7), io.BytesIO()
    canvas = Canvas(made)
    canvas.setFont("Helvetica", 8)
    for number in range(100_000):
        canvas.drawString(chance.uniform(0, 560), chance.uniform(0, 830), f"w{number % 997}")
    canvas.save()
    extracted = read("a.pdf", made.getvalue())
    assert len(extracted.pages[0].text) > 100_000


def test_authors_with_a_desert_of_spaces_between_them_are_read() -> None:
    assert facts.stated({"authors": "An" + " " * 40_000 + "and Bo"}) == {"authors": ("An", "Bo")}
