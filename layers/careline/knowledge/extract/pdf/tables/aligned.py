"""Finds tables without drawn cells: rows whose pieces stand below one another in columns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf
from statistics import median

from careline.knowledge.extract.bold_headers import with_headers
from careline.knowledge.extract.lists import is_marker
from careline.knowledge.extract.pdf.geometry import RuledLine, Segment, is_set_bold, rows_of, segment
from careline.knowledge.extract.pdf.tables.paired_columns import paired
from careline.knowledge.extract.pdf.tables.row_lines import middle_aligned
from careline.knowledge.extract.pdf.tables.ruled import in_lines
from careline.knowledge.extract.pdf.tables.spanning_headers import Column
from careline.knowledge.extract.pdf.tables.table_columns import apart, columns_of, named_in_order, placed
from careline.tables.extracted import Cell
from careline.tables.headers import is_figure
from careline.tables.read import block

_FEWEST_ROWS = 3
_FULL_COLUMN = 0.72
"""Share of a column that lines of running text fill; cells of a table mostly do not."""

_PROSE_WORDS = 4
_PROSE_CHARACTERS = 24
"""Lines of running text are this long in every column; of a table, at least the first column is shorter."""

_PROSE_SHARE = 0.25
"""Of the rows: so many with two long pieces are two columns of text, whatever stands between them."""

_COLUMN_LINES = 4
"""Lines of running text in each of two columns by which a page is set in them."""

_SAME_EDGE, _MARKER_WIDTH = 3.0, 10.0
"""Points that lines of one column of text begin apart at most, and those behind a bullet or number."""

_MOST_LINES = 300
"""Lines that are counted at most."""

_ITEM_SIGNS = "•◦▪▫‣●■□➢➤►▶❖"
_LONGEST_CELL = 160

_ROW_GAP = 2.2
"""In line heights: rows further apart than this belong to different tables."""

_LINE_GAP = 0.4
"""In line heights: lines of one cell are closer than this, where rows of the table are further apart."""

_CELL_GAP = 0.7
"""In font sizes: words of one cell are not further apart than this."""

_SAME_SIZE = 1.0
"""Points that the name of a group of rows is larger than these at most."""

_MOST_COLUMNS = 64
"""No row of a table that people read has more cells."""

_MOST_HEADERS = 4
_LONGEST_GROUP = 60
_LONGEST_HEADER = 40

_Row = list[Segment]


def take_aligned_tables(
    segments: Sequence[Segment], rules: Sequence[RuledLine] = ()
) -> tuple[list[Segment], list[Segment]]:
    """Tables found, and the segments that are in none of them. Columns of running text are not tables."""
    tables: list[Segment] = []
    rest: list[Segment] = []
    rows, pieces_of = middle_aligned(rows_of(segments))
    prose = _prose(segments)
    for run in _runs(rows):
        wrapped = [any(id(piece) in pieces_of for piece in row) for row in run]
        table = None if _is_set_in_columns(run, prose, rules) else _table(run, rules, wrapped)
        if table is None:
            rest.extend(piece for row in run for whole in row for piece in pieces_of.get(id(whole), [whole]))
        else:
            tables.append(table)
    return tables, rest


def _prose(pieces: Iterable[Segment]) -> list[tuple[float, float]]:
    """From where to where lines of running text reach, from left to right."""
    return sorted(
        (one.x0, one.x1) for one in pieces if sum(len(word.text) + 1 for word in one.words) > _PROSE_CHARACTERS
    )


def _is_set_in_columns(run: Sequence[_Row], prose: list[tuple[float, float]], rules: Sequence[RuledLine]) -> bool:
    """Whether rows are lines of a page that is set in two columns: short ones, such as a list and what stands under a
    heading beside it, look like a table. Nothing is drawn across."""
    full = [row for row in run if len(row) > 1]
    if not full or any(len(row) > 2 for row in full):
        return False
    start, edge = min(row[0].x0 for row in full), median(row[1].x0 for row in full)
    if any(abs(row[1].x0 - edge) > _SAME_EDGE for row in full):
        return False
    top, bottom = run[0][0].y0 - run[0][0].size, run[-1][0].y1
    if any(rule.x0 < edge < rule.x1 and top <= rule.y0 <= bottom for rule in rules):
        return False
    own = _prose(piece for row in run for piece in row)
    return all(
        _lines_at(prose, at, until) - _lines_at(own, at, until) >= _COLUMN_LINES
        for at, until in ((start, edge), (edge, inf))
    )


def _lines_at(prose: list[tuple[float, float]], at: float, until: float) -> int:
    """How many lines begin at a place, or a marker's width before it, and end before another."""
    first, last = bisect_left(prose, (at - _MARKER_WIDTH, -inf)), bisect_right(prose, (at + _SAME_EDGE, inf))
    return sum(x1 < until for _, x1 in prose[first : min(last, first + _MOST_LINES)])


def _runs(rows: list[_Row]) -> list[list[_Row]]:
    """Rows one below the other that may be one table; every other row is a run of its own."""
    runs: list[list[_Row]] = []
    for index, row in enumerate(rows):
        following = rows[index + 1] if index + 1 < len(rows) else None
        if runs and _belongs(runs[-1], row, following):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _belongs(run: list[_Row], row: _Row, following: _Row | None) -> bool:
    previous = run[-1]
    if max(len(row), len(previous)) > _MOST_COLUMNS:
        return False
    height = max(previous[0].y1 - previous[0].y0, 1.0)
    gap = min(piece.y0 for piece in row) - max(piece.y1 for piece in previous)
    if gap > _ROW_GAP * height:
        return False
    first = run[0] if len(run[0]) > 1 else run[min(1, len(run) - 1)]
    if len(first) < 2:
        return len(row) >= 2 and gap < 1.2 * height and _is_header_alone(first[0], row)
    if len(row) >= 2:
        return True
    below = min(first, key=lambda piece: abs(piece.x0 - row[0].x0))
    starts_there = abs(below.x0 - row[0].x0) < 0.5 * height
    goes_on = starts_there and below is not first[0] and gap < 0.6 * height
    return goes_on or _is_inside(run, row[0], gap, height) or _names_rows(run, row[0], following)


def _is_header_alone(piece: Segment, row: _Row) -> bool:
    """Short, in the middle of the columns, alone on its line above an empty corner."""
    return len(piece.text) <= _LONGEST_HEADER and row[0].x1 < piece.x0 and piece.x1 < row[-1].x1 + 0.5 * piece.size


def _is_inside(run: list[_Row], piece: Segment, gap: float, height: float) -> bool:
    """The next line of a cell that is centred or stands in the first column, where rows are set apart."""
    return (
        gap < 0.6 * height
        and len(run) > 1
        and any(other.x0 - 2 <= piece.x0 and piece.x1 <= other.x1 + 0.5 * height for row in run[-3:] for other in row)
        and _has_wide_gaps(run)
    )


def _has_wide_gaps(run: list[_Row]) -> bool:
    gaps = [below[0].y0 - above[0].y1 for above, below in pairwise(run)]
    return max(gaps, default=0.0) > _LINE_GAP * max(run[0][0].y1 - run[0][0].y0, 1.0)


def _names_rows(run: list[_Row], piece: Segment, following: _Row | None) -> bool:
    """A short line at the left edge of the table, followed by a row of it."""
    left = min(row[0].x0 for row in run)
    height = max(piece.y1 - piece.y0, 1.0)
    if following is None or len(following) < 2 or abs(piece.x0 - min(left, following[0].x0)) > 0.8 * height:
        return False
    if piece.size > max(one.size for one in run[-1]) + _SAME_SIZE:
        return False  # A heading, below which another table stands.
    short = len(piece.text) <= _LONGEST_GROUP and not piece.text.endswith((".", ",", ";"))
    return short and following[0].y0 - piece.y1 < _ROW_GAP * height


def _table(run: list[_Row], rules: Sequence[RuledLine], wrapped: Sequence[bool]) -> Segment | None:
    """The table that rows form; those with `wrapped` cells are whole, and no lines of one."""
    while run and len(run[-1]) < 2 and run[-1][0].x0 <= min(row[0].x0 for row in run) + 2 and not _has_wide_gaps(run):
        run = run[:-1]
    run = [[part for piece in row for part in apart(piece, _CELL_GAP)] for row in run]
    full = [row for row in run if len(row) >= 2]
    if len(full) < _FEWEST_ROWS or 2 * len(full) < len(run) or all(is_marker(row[0].text) for row in full):
        return None
    columns = _columns(full)
    if not 2 <= len(columns) <= _MOST_COLUMNS or _is_prose(full, columns):
        return None
    above = _above_values(run, columns)
    below = _columns([row for row in run[above:] if len(row) >= 2]) if above < len(run) - 1 else []
    # What stands in the middle of several columns makes none of them wider.
    columns = below if len(below) == len(columns) else columns
    lines = [placed(row, columns, rules, above_values=n < above) for n, row in enumerate(run)]
    if any(line is None for line in lines) or any(
        _is_two_cells(found) for line in lines if line for found in line.values()
    ):
        # Headers over several columns that fit others as well: no figure is told under a header that is guessed.
        return None
    cells = _cells(run, [line for line in lines if line is not None], wrapped)
    if any(len(cell.text) > _LONGEST_CELL for cell in cells) or _are_side_by_side(cells):
        return None
    pieces = [piece for row in run for piece in row]
    return Segment(
        (),
        min(piece.x0 for piece in pieces),
        min(piece.y0 for piece in pieces),
        max(piece.x1 for piece in pieces),
        max(piece.y1 for piece in pieces),
        block(cells, tuple(column.left for column in columns)),
    )


def _is_prose(rows: list[_Row], columns: Sequence[Column]) -> bool:
    first = [row[0] for row in rows]
    fill = median((piece.x1 - piece.x0) / max(1.0, columns[1].x0 - columns[0].x0) for piece in first)
    words = min(median(len(row[index].words) for row in rows) for index in (0, 1))
    characters = min(median(len(row[index].text) for row in rows) for index in (0, 1))
    lines = sum(sum(len(piece.text) >= _PROSE_CHARACTERS for piece in row) > 1 for row in rows)
    items = sum(any(piece.text[0] in _ITEM_SIGNS for piece in row) for row in rows)
    is_set_full = fill >= _FULL_COLUMN and words >= _PROSE_WORDS
    return is_set_full or characters >= _PROSE_CHARACTERS or max(lines, items) > _PROSE_SHARE * len(rows)


def _are_side_by_side(cells: Sequence[Cell]) -> bool:
    """Two tables beside each other: a later column says the labels of the first again, or rows have no label at all."""
    body = [cell for cell in cells if cell.row > 1]
    labels = {cell.row: cell.text for cell in body if cell.column == 0}
    rows = {cell.row for cell in body}
    again = Counter(cell.column for cell in body if cell.column and labels.get(cell.row) == cell.text)
    repeats = max(again.values(), default=0)
    return (repeats > 1 and 2 * repeats >= len(labels)) or (len(rows) > 1 and not labels)


_Placed = dict[tuple[int, int], list[Segment]]
"""Pieces by the first column and the number of columns that they cover."""


def _cells(run: list[_Row], lines: list[_Placed], wrapped: Sequence[bool]) -> list[Cell]:
    cells: list[Cell] = []
    bold: set[Cell] = set()
    for number, row in enumerate(_rows(run, lines, wrapped)):
        for (column, across), pieces in sorted(row.items()):
            words = [word for piece in pieces for word in piece.words]
            cell = Cell(in_lines(words), number, column, 1, across)
            cells.append(cell)
            if is_set_bold(words):
                bold.add(cell)
    return with_headers(cells, bold)


def _is_two_cells(pieces: Sequence[Segment]) -> bool:
    """Words so far apart that they stand in columns that were not told apart."""
    return len(apart(segment([word for piece in pieces for word in piece.words]), _CELL_GAP)) > 1


def _above_values(run: list[_Row], columns: Sequence[Column]) -> int:
    """How many rows on top may hold headers over several columns: down to the first that names every column, has
    figures behind a label, or has a label below another one."""
    labels = 0
    for number, row in enumerate(run[:_MOST_HEADERS]):
        behind = sum((piece.x0 + piece.x1) / 2 > columns[0].right for piece in row)
        labels += row[0].x0 < columns[0].x1
        if behind >= len(columns) - 1 or labels > 1 or _has_values(row, columns[0].right):
            return number
    return min(_MOST_HEADERS, len(run))


def _columns(rows: list[_Row]) -> list[Column]:
    columns = columns_of(rows)
    if not columns:
        return []
    body = max(1, _first_values(rows, columns))
    return named_in_order(rows, body) or paired(rows, columns, body)


def _first_values(rows: list[_Row], columns: Sequence[Column]) -> int:
    """The first row with figures behind a label."""
    return next((n for n, row in enumerate(rows) if _has_values(row, columns[0].right)), len(rows))


def _has_values(row: _Row, left: float) -> bool:
    """A label in front and figures behind it."""
    return row[0].x0 < left and any(is_figure(piece.text) for piece in row[1:])


def _rows(run: list[_Row], lines: list[_Placed], wrapped: Sequence[bool]) -> list[_Placed]:
    """Lines put together to rows. Where rows are set apart, lines that are close are one row; else one goes on when it
    has nothing in front and one piece of words only."""
    apart = _rows_are_apart(run)
    rows: list[_Placed] = []
    bottom = 0.0
    for n, (pieces, line) in enumerate(zip(run, lines, strict=True)):
        height = max(pieces[0].y1 - pieces[0].y0, 1.0)
        gap = min(piece.y0 for piece in pieces) - bottom
        is_whole = n > 0 and wrapped[n] and wrapped[n - 1]
        if rows and not is_whole and (_is_close(rows[-1], line, gap, height) if apart else _goes_on(rows[-1], line)):
            for place, found in line.items():
                rows[-1].setdefault(place, []).extend(found)
            bottom = max(bottom, *(piece.y1 for piece in pieces))
        else:
            rows.append(dict(line))
            bottom = max(piece.y1 for piece in pieces)
    return rows


def _rows_are_apart(run: list[_Row]) -> bool:
    """There is more room between rows than between the lines of a cell."""
    full = [row for row in run if len(row) >= 2]
    gaps = [
        min(p.y0 for p in below) - max(p.y1 for p in above) for above, below in pairwise(full) if below is not above
    ]
    height = median(piece.y1 - piece.y0 for row in full for piece in row)
    wide = sum(gap > _LINE_GAP * height for gap in gaps)
    return wide >= 1 and wide >= 0.25 * len(gaps)


def _is_close(row: _Placed, line: _Placed, gap: float, height: float) -> bool:
    if gap >= _LINE_GAP * height or any(across > 1 and (first, across) not in line for first, across in row):
        return False  # A line below a header over several columns names these one by one.
    if gap < -0.3 * height:
        return True
    begins_anew = any(place[0] == 0 for place in line) and any(place[0] == 0 for place in row)
    figures = any(
        place in row and _is_number(row[place]) and _is_number(found) for place, found in line.items() if place[0] > 0
    )
    return not (begins_anew and figures)


def _goes_on(row: _Placed, line: _Placed) -> bool:
    ((place, found),) = line.items() if len(line) == 1 else [((0, 0), [])]
    return place[0] > 0 and place in row and not (_is_number(found) and _is_number(row[place]))


def _is_number(pieces: Sequence[Segment]) -> bool:
    """Figures more than words."""
    texts = Counter(map(is_figure, (word.text for piece in pieces for word in piece.words)))
    return texts[True] > 0 and texts[True] >= texts[False]
