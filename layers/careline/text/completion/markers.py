"""Writes the markers of a completion in one notation, `[1]` or `[1, 2]`, while the completion arrives piece by piece.

Language models cite as they have seen it done: 【1】, `[^1]`, `\\[1\\]`, `[source 1]`, `<sup>1</sup>`, a superscript,
"Source: [1]" on a line of its own. Markers that follow each other become one; a list of sources below the answer is
left out. What only looks like a marker, such as "(1)", is one where nothing else is likely: at the end of a sentence,
the number that of a source, and the same characters in no source. The exponent of a power and the end of an address on
the web are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from careline.text.bounded_re2 import compile_bounded
from careline.text.completion.notation import (
    CitableSources,
    Marker,
    citation_words,
    folded,
    is_label,
    marker_of,
    names_source,
)
from careline.text.completion.powers import is_power

LONGEST_MARKER = 80
"""Characters within brackets; what is longer is text."""
LONGEST_LINE = 160
"""Characters of a line that may be of a list of sources."""
LONGEST_UNIT = 512
"""Characters that are read at once, though no word has come that can be of no marker: keeps the time linear."""
_CLOSING = dict(zip("[【〔［⟦〖〈「{(（<", "]】〕］⟧〗〉」})）>", strict=True))
_CLOSERS = frozenset(_CLOSING.values())
_CERTAIN = frozenset("[【〔［⟦〖〈「")
_SUPERSCRIPT = "⁽⁰¹²³⁴⁵⁶⁷⁸⁹"
_CANDIDATE = compile_bounded(
    r"\x{e200}[^\x{e201}]{0,80}\x{e201}|:contentReference\[[^\[\]]{0,40}\]\{[^{}]{0,40}\}"
    r"|cite(?:turn\d{1,3}\pL{1,12}\d{1,3})+"
    r"|\$?\^\{?\[?\d{1,2}(?:,\d{1,2}){0,4}\]?\}?[\^$]{0,2}"
    r"|⁽?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}(?:[\x{02d2}⁻·,˒’ ]{1,2}[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}){0,4}⁾?|[①-⑳❶-❿⓵-⓾]"
    r"|(?:\\cite[pt]?|\\{0,2})[\[【〔［⟦〖〈「{(（<]"
)
_LINK = compile_bounded(r"\([^\s()]{1,200}\)")
_JOINING = compile_bounded(r"[\s,;&+/、，；]*(?:\pL{1,4}[\s,;&+/]*)?")
_EMPHASIS = compile_bounded(r"(?:\*{1,3}|_{1,3}|`{1,3}|~~)[ \t]*$")
_ELEMENT = compile_bounded(r"<\s*(\pL{2,12})\b([^<>]{0,80}?)(/?)>")
_ATTRIBUTE = compile_bounded(r"=\s*[\"']?(?:\pL{0,12}[-_ ]?)?(\d{1,2})[\"']?")
_LABEL = compile_bounded(r"(?:^|[\s.!?…»\"”)])(?:[*_]{0,2})(\pL{2,14})(?:[*_]{0,2})\s?([:：]?)\s?(?:[*_]{0,2})\s?$")
_LABEL_FIRST = compile_bounded(r"(\s*)[*_]{0,2}(\pL{2,14})\s?#?(\d{1,2})[*_]{0,2}\s?[:：][*_]{0,2}\s")
_LABEL_LINE = compile_bounded(r"[\s>*_#-]*(\pL{2,14})(?: \pL{2,14})?[\s*_]*[:：][\s*_]*$")
_WORD = compile_bounded(r"\s+[*_\"'“‘«(]{0,3}(\pL[\pL\d'’_-]*)[^\pL\d'’_-]")
_LINE_OF_SOURCES = compile_bounded(r"[\s>*_•-]{0,8}(?:\\?[\[【〔［⟦〖〈「]|\d{1,2}[.)]|(\pL{2,14})\b)")
_URL = compile_bounded(r"<?https?://\S{1,300}>?")
_ADDRESS_BEGUN = compile_bounded(r"(?:https?://|www\.)\S{1,300}$")
_OF_ADDRESS = frozenset("({^")
"""Signs of weak markers that an address has too."""
_BEFORE_LINE = re.compile(r"(?<=\S)(?=[ \t]*\n)")
_STOPS = (".", "!", "?", "…")
_COLONS = (":", "：")
_AFTER_NOTHING = (*_STOPS, ",", ";", ":", " ", "\n", "")


@dataclass(frozen=True, slots=True)
class _Placed:
    """A marker and where it stands."""

    start: int
    end: int
    numbers: tuple[int, ...]


class CompletionMarkers:
    """The markers of one completion. What `push` and `flush` give, put together, is its text with them in one notation.

    The text is read in units, each up to the next word that can be of no marker: what becomes of it does not depend on
    how it was cut into pieces.
    """

    __slots__ = ("_cited", "_line", "_pending", "_seen", "_sources")

    def __init__(self, sources: CitableSources) -> None:
        self._sources = sources
        self._pending = ""
        self._seen = 0
        self._line = ""
        """What was given of the line that the text has come to."""
        self._cited: set[int] = set()

    def push(self, piece: str) -> str:
        """The text that is certain by now."""
        told = ""
        for at in range(0, len(piece), LONGEST_UNIT):
            self._pending += piece[at : at + LONGEST_UNIT]
            while (end := self._unit_end()) is not None:
                unit, self._pending, self._seen = self._pending[:end], self._pending[end:], 0
                told += self._given(unit, self._pending)
        return told

    def flush(self) -> str:
        """The rest, when nothing more will come."""
        unit, self._pending, self._seen = self._pending, "", 0
        return self._given(unit, "") if unit else ""

    def _unit_end(self) -> int | None:
        """Where the unit ends that the text begins with; None as long as that is not known."""
        # The white space that a unit begins with is its own.
        begin = len(self._pending) - len(self._pending.lstrip())
        window = self._pending[:LONGEST_UNIT]
        while found := _WORD.search(window, max(self._seen, begin, 1)):
            at: int = found.start()
            if not self._may_go_on(window[:at], found[1], window[at : found.start(1)]):
                return at
            self._seen = found.end() - 1
        return LONGEST_UNIT if len(self._pending) >= LONGEST_UNIT + LONGEST_MARKER else None

    def _may_go_on(self, unit: str, word: str, gap: str) -> bool:
        """Whether a marker, or a line of a list of sources, that began in the unit may have this word."""
        if _is_open(unit[-LONGEST_MARKER:]):
            return True
        if word.casefold() in citation_words().joining and unit.rstrip()[-1:] in _CLOSERS:
            return "\n" not in gap
        line = unit.rpartition("\n")[2]
        starts_line = "\n" in unit or not self._line
        if not starts_line or "\n" in gap or len(line) > LONGEST_LINE:
            return False
        return self._is_of_list(line)

    def _is_of_list(self, line: str) -> bool:
        """Whether a line may be one of a list of sources: it begins with a bracket or a label."""
        found = _LINE_OF_SOURCES.match(line)
        return bool(found) and (found[1] is None or names_source(found[1]))

    def _given(self, unit: str, following: str) -> str:
        """The unit line by line, each with the line break before it."""
        lines, told = _BEFORE_LINE.split(unit), ""
        for number, line in enumerate(lines):
            written = self._written(line, "".join(lines[number + 1 :]) + following)
            self._line = (self._line + written).rpartition("\n")[2][-LONGEST_LINE:]
            told += written
        return told

    def _written(self, unit: str, following: str) -> str:
        """The unit, of one line, with its markers in one notation."""
        gap = unit[: len(unit) - len(unit.lstrip())]
        if (line := self._line_of_sources(unit, is_line="\n" in gap or not self._line)) is not None:
            return line
        told, at = "", 0
        first = _LABEL_FIRST.match(unit)
        if first is not None and names_source(first[2]) and int(first[3]) in self._sources.numbers:
            # "Source 1: Visits end at 20:00."
            told, at = f"{first[1]}{self._marker((int(first[3]),))} ", first.end()
        for placed in _runs(list(self._placed(unit, following)), unit):
            before, end = unit[at : max(at, placed.start)], placed.end
            if emphasis := self._emphasis(told + before, unit[end:]):
                before, end = before[: -len(emphasis)], end + len(emphasis.strip())
            told = self._before(told + before, unit[end:] + following)
            if not placed.numbers and unit[end : end + 1] in _AFTER_NOTHING:
                told = told.rstrip(" \t")
            before = self._line + told
            is_behind_stop = before.rstrip().endswith(_STOPS)
            is_first = bool(placed.numbers) and not before.rpartition("\n")[2].strip()
            told += self._marker(placed.numbers)
            # "uur. Source: [1]." has one stop too many, and "[1]: Visits end" a colon.
            at = end + (unit[end : end + 1] in (_STOPS if is_behind_stop else _COLONS if is_first else ()))
        return told + unit[at:]

    def _marker(self, numbers: tuple[int, ...]) -> str:
        if not numbers:
            return ""
        self._cited.update(numbers)
        return f"[{', '.join(map(str, numbers))}]"

    def _before(self, told: str, after: str) -> str:
        """What stands before a marker, without a label that belongs to it ("Source: [1]")."""
        found = _LABEL.search(told[-LONGEST_MARKER:])
        if found is None or not is_label(found[1]):
            return _attached(told, after)
        start = len(told) - len(told[-LONGEST_MARKER:]) + found.start(1)
        is_end = not after.strip() or after.lstrip(" \t")[:1] in ".\n"
        return _attached(told[:start].rstrip("*_"), after) if found[2] or is_end else told

    def _emphasis(self, before: str, after: str) -> str:
        """The signs of emphasis around a marker alone, as they stand before it."""
        found = _EMPHASIS.search(before)
        if found is None or not after.startswith(found[0].strip()):
            return ""
        sign = found[0].strip()
        opened = (self._line + before[: found.start()]).count(sign) % 2
        return "" if opened else str(found[0])

    def _placed(self, unit: str, following: str) -> Iterator[_Placed]:
        at = 0
        while found := _CANDIDATE.search(unit, at):
            placed = self._candidate(unit, found.start(), found[0], following)
            at = placed.end if placed is not None else found.end()
            if placed is not None:
                yield placed

    def _candidate(self, unit: str, start: int, found: str, following: str) -> _Placed | None:
        """The marker that begins at a place; None where what stands there is none."""
        if found[0] == "\ue200" or found.startswith((":content", "cite")):
            return _Placed(start, start + len(found), ())
        sign = found[-1]
        if sign not in _CLOSING:
            end, inside, sign = start + len(found), found, "("
            return self._weak(unit, start, end, marker_of(inside, self._sources), following)
        if sign == "<" and (element := self._element(unit, start)) is not None:
            return element
        end_of = _end_of_bracket(unit, start + len(found) - 1)
        if end_of is None:
            return None
        inside = unit[start + len(found) : end_of - 1].rstrip("\\")
        marker = marker_of(inside, self._sources)
        if marker is None and sign in _CERTAIN and _is_end(unit[:start], unit[end_of:] + following):
            # "[1-3]" of two sources, unless a source has a scale of these numbers.
            is_scale = any(self._is_of_source(inside.replace(dash, other)) for dash in "-–" for other in "-–")
            marker = None if is_scale else marker_of(inside, self._sources, may_go_beyond=True)
        if marker is None:
            return None
        if sign in _CERTAIN or "cite" in found or (marker.is_labelled and marker.numbers) or _has_bracket(inside):
            if sign not in _CERTAIN and self._is_of_source(unit[start:end_of]):
                return None
            link = _LINK.match(unit[end_of:]) if sign == "[" else None
            return _Placed(start, end_of + (link.end() if link else 0), marker.numbers)
        return self._weak(unit, start, end_of, marker, following)

    def _weak(self, unit: str, start: int, end: int, marker: Marker | None, following: str) -> _Placed | None:
        """What only looks like a marker, where nothing else is likely."""
        if marker is None or not marker.numbers or marker.is_range:
            return None
        told, before, after = unit[start:end], unit[:start], unit[end:] + following
        last_word = (before.split() or [""])[-1]
        is_raised = told[0] in _SUPERSCRIPT or told[0] in "$^"
        if is_raised and is_power(before, folded(told)):
            return None
        if told[0] in _OF_ADDRESS and _ADDRESS_BEGUN.search(before[-LONGEST_LINE:]):
            return None
        if any(one not in self._sources.numbers for one in _numbers(told)):
            return None
        if self._is_of_source(f"{last_word}{told}" if is_raised else told):
            return None
        is_placed = before.strip() and (_is_end(before, after) or is_raised)
        return _Placed(start, end, marker.numbers) if is_placed else None

    def _element(self, unit: str, start: int) -> _Placed | None:
        """An element of HTML or XML that holds the number of a source, or has it in an attribute."""
        opened = _ELEMENT.match(unit[start:])
        if opened is None or opened[1].casefold() not in citation_words().elements:
            return None
        end = start + opened.end()
        closing = f"</{opened[1]}>"
        until = unit.find(closing, end, end + LONGEST_MARKER)
        inside = unit[end:until] if until >= 0 and not opened[3] else ""
        if opened[1].casefold() == "sup" and is_power(unit[:start], folded(inside.strip())):
            return None
        marker = marker_of(inside, self._sources) if inside.strip() else None
        attribute = _ATTRIBUTE.search(opened[2])
        if marker is None and attribute is not None and not inside.strip():
            marker = marker_of(attribute[1], self._sources)
        if marker is None and opened[2].strip(" /").isdigit():
            marker = marker_of(opened[2].strip(" /"), self._sources)
        if marker is None:
            return None
        return _Placed(start, until + len(closing) if until >= 0 and not opened[3] else end, marker.numbers)

    def _is_of_source(self, text: str) -> bool:
        """Whether the characters stand in a source: the document's own are no marker."""
        return text in self._sources.text

    def _line_of_sources(self, unit: str, *, is_line: bool) -> str | None:
        """What is given of a line that names sources and says nothing; None where it is no such line.

        "Source: [1]", or the marker alone, is of the sentence before it. An entry of a list ("[1] Visiting hours") says
        of no sentence where it stands, and is left out.
        """
        body, rest = unit.strip(), unit[len(unit.rstrip()) :]
        opens = _LINE_OF_SOURCES.match(body)
        if opens is None or not (opens[1] is None or names_source(opens[1])):
            return None
        if not is_line and (opens[1] is None or not self._line.rstrip().endswith(_STOPS)):
            return None
        if _LABEL_LINE.match(body):
            return rest
        named = folded(_URL.sub(" ", body)).strip("-*•>_# ")
        marker = marker_of(named, self._sources)
        if marker is None or not (self._line or unit[:1].isspace()):
            return None
        is_entry = opens[1] is None and ("http" in body or _is_named(named, self._sources))
        if not marker.numbers or is_entry or self._cited.issuperset(marker.numbers):
            return rest
        return f" {self._marker(marker.numbers)}{rest}"


def in_one_notation(text: str, sources: CitableSources) -> str:
    """A whole completion with its markers in one notation."""
    reading = CompletionMarkers(sources)
    return reading.push(text) + reading.flush()


def _runs(placed: list[_Placed], unit: str) -> Iterator[_Placed]:
    """The markers, those that nothing but a comma or "and" stands between as one."""
    run: _Placed | None = None
    for one in placed:
        if run is not None and _joins(unit[run.end : one.start]):
            run = _Placed(run.start, one.end, tuple(dict.fromkeys((*run.numbers, *one.numbers))))
            continue
        if run is not None:
            yield run
        run = one
    if run is not None:
        yield run


def _is_end(before: str, after: str) -> bool:
    """Whether a sentence ends where these texts meet."""
    stops = after.lstrip('*_"”») \t')[:1]
    return not stops or stops in (*_STOPS, "\n", "[", "【") or before.rstrip()[-1:] in _STOPS


def _joins(between: str) -> bool:
    found = _JOINING.fullmatch(between)
    word = "".join(filter(str.isalpha, between)).casefold()
    return found is not None and "\n" not in between and (not word or word in citation_words().joining)


def _attached(told: str, after: str) -> str:
    """The text before a marker that ends its line, which belongs behind the sentence before it."""
    body = told.rstrip()
    gap = told[len(body) :]
    is_line = "\n" in gap and (not after.strip() or after.lstrip(" \t.").startswith("\n"))
    return f"{body} " if is_line and body else told


def _is_named(text: str, sources: CitableSources) -> bool:
    """Whether the title of a source stands in a folded text."""
    return any(title and title in text for title in sources.titles)


def _has_bracket(inside: str) -> bool:
    return any(sign in _CERTAIN for sign in inside)


def _numbers(told: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", folded(told))]


def _is_open(text: str) -> bool:
    """Whether a bracket has opened in a text that has not closed."""
    depth = 0
    for sign in text:
        if sign in _CLOSING:
            depth += 1
        elif depth and sign in _CLOSERS:
            depth -= 1
        elif sign == "\n":
            depth = 0
    return depth > 0


def _end_of_bracket(text: str, at: int) -> int | None:
    """Behind the bracket that closes the one at a place."""
    open_ones: list[str] = []
    for end in range(at, min(len(text), at + LONGEST_MARKER)):
        sign = text[end]
        if sign in _CLOSING:
            open_ones.append(_CLOSING[sign])
        elif sign == open_ones[-1]:
            open_ones.pop()
            if not open_ones:
                return end + 1
        elif sign == "\n":
            return None
    return None
