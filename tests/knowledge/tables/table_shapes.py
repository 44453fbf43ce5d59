"""Makes tables of many shapes, and for every value the labels that a reader of the table would tell it with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from hypothesis import strategies as st

from careline.tables.extracted import Block, Cell
from careline.tables.read import read

WORDS = {
    "nl": [
        "Parkeren",
        "Kamer",
        "Raadpleging",
        "Maaltijd",
        "Spoed",
        "Bezoek",
        "Opname",
        "Scanner",
        "Vervoer",
        "Wasgoed",
    ],
    "en": ["Parking", "Room", "Visit", "Meal", "Emergency", "Ward", "Admission", "Scanner", "Transport", "Laundry"],
    "fr": ["Parking", "Chambre", "Visite", "Repas", "Urgences", "Étage", "Séjour", "Scanner", "Trajet", "Linge"],
    "it": ["Parcheggio", "Camera", "Visita", "Pasto", "Urgenza", "Piano", "Ricovero", "Scanner", "Trasporto", "Perché"],
}
SECOND = ["kort", "long", "jour", "notte", "extra", "adulte", "bambini", "child", "avond", "week"]
HEADERS = ["Tarief", "Price", "Durée", "Orario", "Maximum", "Bedrag", "Délai", "Code", "Lunedì", "Dosage"]
GROUPS = ["Campus Noord", "Building West", "Site Sud", "Reparto Est"]


@dataclass(frozen=True)
class Shape:
    """A table as it was made. `values` are the value cells of each row; `paths` the header labels above each column."""

    paths: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    header_rows: int
    corner: str
    signs: dict[str, str] = field(default_factory=dict)
    beside: bool = False
    """Groups stand in a column of their own, each in one cell beside its rows."""

    @property
    def width(self) -> int:
        return len(self.paths) + 1 + self.beside

    @property
    def is_grouped(self) -> bool:
        return all(len(labels) > 1 for labels, _ in self.rows)

    def told(self) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
        """Every value with the labels of its row and of its column."""
        return [
            (labels, path, value)
            for labels, values in self.rows
            for path, value in zip(self.paths, values, strict=True)
            if value
        ]

    def cells(self) -> Iterator[Cell]:
        """The cells as a document draws them: the header on top, a row for each group, then its rows."""
        if self.corner:
            yield Cell(self.corner, 0, 0, self.header_rows, 1, header=True)
        if self.beside:
            yield Cell("Dienst", 0, 1, self.header_rows, 1, header=True)
        for level in range(self.header_rows):
            column = 1 + self.beside
            for _, same in groupby(self.paths, key=lambda path: path[: level + 1]):
                paths = list(same)
                text = paths[0][level]
                yield Cell(text, level, column, 1, len(paths), header=True)
                column += len(paths)
        row, group = self.header_rows, ""
        for labels, values in self.rows:
            if len(labels) > 1 and labels[0] != group:
                group = labels[0]
                same = sum(other[:1] == labels[:1] for other, _ in self.rows)
                yield Cell(group, row, 0, *((same, 1) if self.beside else (1, self.width)), header=True)
                row += not self.beside
            yield Cell(labels[-1], row, int(self.beside), header=self.beside)
            for column, value in enumerate(values, 1 + self.beside):
                if value:
                    yield Cell(value, row, column)
            row += 1


def told_of(block: Block) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """Every value that is read from a table's cells, with the labels that it is told with."""
    table = read(block.cells)
    return [
        (row.labels, path, value)
        for row in table.rows
        for path, value in zip(table.columns, row.values, strict=True)
        if value
    ]


@st.composite
def shapes(draw: st.DrawFn, most_rows: int = 8, most_columns: int = 6, long_cells: bool = False) -> Shape:
    """Tables with 1 to `most_columns` value columns, 1 to 3 header rows, groups, gaps and notes."""
    language = draw(st.sampled_from(sorted(WORDS)))
    columns = draw(st.integers(2, most_columns))
    height = draw(st.integers(2, most_rows))
    header_rows = draw(st.sampled_from([1, 1, 2, 3])) if columns > 2 else 1
    paths = tuple(_paths(draw, columns, header_rows))
    numeric = draw(st.booleans())
    labels = [
        f"{number * 5} - {number * 5 + 4}" if numeric else f"{WORDS[language][number % 10]} {SECOND[number // 10 % 10]}"
        for number in range(height)
    ]
    units = draw(st.lists(st.sampled_from(["€ {}", "{} mg", "{}", "{} min"]), min_size=columns, max_size=columns))
    grouped = height >= 4 and draw(st.booleans())
    rows = []
    for number, label in enumerate(labels):
        values = [_value(draw, units[column], number * 10 + column, long_cells) for column in range(columns)]
        if not any(values):
            values[draw(st.integers(0, columns - 1))] = units[0].format("77")
        full = number % 12 - 1
        if full < columns and not values[full]:
            # Where nothing is drawn, a column is seen by what stands in it on each page.
            values[full] = units[full].format(f"{number + 21}")
        named = (GROUPS[min(3, number * 2 // height)], label) if grouped else (label,)
        rows.append((named, tuple(values)))
    corner = draw(st.sampled_from(["", "", "Dienst", "Âge"]))
    return Shape(paths, tuple(rows), header_rows, corner)


def _paths(draw: st.DrawFn, columns: int, header_rows: int) -> Iterator[tuple[str, ...]]:
    """Labels above each column: each level divides the one above it, and the last names every column by itself."""
    cuts = [set(range(1, columns))]
    for _ in range(header_rows - 1):
        kept = draw(st.sets(st.sampled_from(sorted(cuts[0])), max_size=columns // 2)) if cuts[0] else set()
        if kept and len(kept) == len(cuts[0]):
            kept.discard(max(kept))
        cuts.insert(0, kept)
    if header_rows > 1 and not cuts[0]:
        # One label above everything is a title; a header divides.
        cuts[0] = {1}
    for level in range(1, header_rows):
        cuts[level] |= cuts[level - 1]
    for column in range(columns):
        path = []
        for level in range(header_rows):
            index = sum(cut <= column for cut in cuts[level])
            last = level == header_rows - 1
            path.append(f"{HEADERS[column]}" if last else f"Blok {'ABCDEFGH'[index]}{'xyz'[level]}")
        yield tuple(path)


def _value(draw: st.DrawFn, unit: str, seed: int, long_cells: bool) -> str:
    kind = draw(st.integers(0, 9))
    if kind < 2:
        return ""
    if kind == 2 and long_cells:
        return f"enkel op afspraak na {seed + 3} dagen wachten en met een brief van de arts"
    figure = f"{seed * 7 % 90 + 10},{seed * 3 % 90 + 10}"
    return unit.format(figure) + ("¹" if kind == 3 else "")


def _under(paths: str, rows: str, corner: str = "") -> Shape:
    """A table from its header labels ("A/x A/y") and its rows ("label | value | value"), groups as "group > label"."""
    lines = [[cell.strip() for cell in line.split("|")] for line in rows.splitlines()]
    columns = tuple(tuple(path.replace("_", " ").split("/")) for path in paths.split())
    read_rows = tuple((tuple(line[0].split(" > ")), tuple(line[1:])) for line in lines)
    return Shape(columns, read_rows, len(columns[0]), corner)


BETWEEN_HEADERS = (
    _under(
        "Blok_Ax/Tarief Blok_Bx/Price Blok_Cx/Durée Blok_Cx/Orario",
        "Parking kort||€ 17,13||€ 21\nRoom kort|€ 80,40||€ 94,46|",
        "Dienst",
    ),
    _under(
        "Blok_Ax/Tarief Blok_Bx/Price Blok_Bx/Durée",
        "Noord > Parkeren kort||17,13 mg|24,16\nNoord > Kamer kort|€ 80,40||\nNoord > Visite kort|€ 60,70|67,73 mg¹|\n"
        "West > Maaltijd kort||47,13 mg|54,16\nWest > Spoed kort|€ 20,40||34,46\nWest > Bezoek kort|€ 90,70||",
        "Dienst",
    ),
    _under(
        "Blok_Ax/Blok_Ay/Tarief Blok_Bx/Blok_By/Price Blok_Bx/Blok_Cy/Durée",
        "Parking kort||€ 17,13|24,16 mg\nChambre kort|22 min|€ 87,43|\nVisite kort|60,70 min|€ 67,73|\n"
        "Repas kort|40,10 min||24 mg\nUrgences kort||€ 27,43|34,46 mg¹",
        "Âge",
    ),
    _under(
        "Blok_Ax/Tarief Blok_Ax/Price Blok_Bx/Durée Blok_Cx/Orario Blok_Cx/Maximum",
        "0 - 4|10,10||24,16 mg¹|€ 31,19|€ 38,22\n5 - 9|80,40|87,43 mg|94,46 mg¹|€ 11,49¹|€ 18,52\n"
        "10 - 14|60,70|67,73 mg|74,76 mg|€ 81,79|€ 88,82\n15 - 19|40,10|47,13 mg¹|54,16 mg|€ 61,19|€ 68,22",
    ),
    _under(
        "Tarief Price Durée Orario",
        "Parkeren kort|10,10 mg¹||24,16|31,19 mg\nKamer kort|80,40 mg||94,46|11,49 mg¹",
    ),
    _under(
        "Blok_Ax/Tarief Blok_Bx/Price Blok_Bx/Durée",
        "0 - 4|10,10 min|17,13|24,16 min\n5 - 9|80,40 min|87,43¹|",
        "Dienst",
    ),
    _under("Tarief Price Durée", "0 - 4|77 mg||21 mg\n5 - 9|80,40 mg||94,46 mg"),
    _under(
        "Tarief Price Durée Orario Maximum Bedrag Délai Code",
        "Parking kort|€ 77|||||||€ 21\nRoom kort|€ 22||€ 94,46|€ 11,49|€ 18,52|€ 25,55|€ 32,58|€ 39,61",
    ),
)
"""Values that stand nearer to a neighbour's header than to their own, in one way of setting or another."""


@dataclass(frozen=True)
class SideBySide:
    """Tables with the same headers that are set side by side to save paper: "Clinic, Ext., Clinic, Ext."."""

    corner: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    sets: int

    @property
    def height(self) -> int:
        """Rows of a set; the last one may have fewer."""
        return -(-len(self.rows) // self.sets)

    def told(self) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
        """Every value with the labels of its row and of its column, set after set."""
        return [
            ((label,), (header,), value)
            for label, values in self.rows
            for header, value in zip(self.headers, values, strict=True)
            if value
        ]

    def lines(self) -> Iterator[list[str]]:
        """The rows as they are drawn, the header first."""
        yield [self.corner, *self.headers] * self.sets
        for at in range(self.height):
            line: list[str] = []
            for start in range(0, self.sets * self.height, self.height):
                row = self.rows[start + at] if start + at < len(self.rows) else ("", ("",) * len(self.headers))
                line += [row[0], *row[1]]
            yield line


@st.composite
def sets_side_by_side(draw: st.DrawFn) -> SideBySide:
    """Two or three sets of one or two value columns, the last set shorter than the others."""
    words = WORDS[draw(st.sampled_from(sorted(WORDS)))]
    sets, columns, height = draw(st.integers(2, 3)), draw(st.integers(1, 2)), draw(st.integers(2, 5))
    count = sets * height - draw(st.integers(0, 1))
    labels = [f"{words[n % 10]} {SECOND[n // 10]}" for n in range(count)]
    rows = tuple(
        (label, tuple(f"{n * 37 % 90 + 10}{column}" for column in range(columns))) for n, label in enumerate(labels)
    )
    corner = draw(st.sampled_from(["Dienst", "Clinic", "Consultation", "Ambulatorio"]))
    return SideBySide(corner, tuple(HEADERS[:columns]), rows, sets)
