"""Writes a formula of a DOCX (Office Math) on one line: "½", "(a + b)/c", "√x", "10³".

The elements are those of ECMA-376, 22.1.2; the line follows Unicode Technical Note 28, with characters that are read as
they look. A formula of which a piece is missing or unknown has no line, because a line with a hole says something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from careline.knowledge.extract.characters.superscripts import raised
from careline.knowledge.extract.docx.names import M, W, is_on

_FRACTIONS = {
    "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "2/5": "⅖", "3/5": "⅗", "4/5": "⅘",
    "1/6": "⅙", "5/6": "⅚", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞",
}  # fmt: skip
_RAISED = frozenset("0123456789+-−=()")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_PASSED_OVER = frozenset(("ctrlPr", "rPr"))
_AROUND = frozenset(("ins", "moveTo", "sdt", "sdtContent", "smartTag", "hyperlink"))
"""Elements of the text that pieces of a formula stand in."""


class UnreadFormula(Exception):
    """A piece of the formula is empty, or of a kind that no line is known for."""


def line_of(formula: Any) -> str | None:
    """The formula of a `m:oMath` or `m:oMathPara`; None where it cannot be written on a line."""
    try:
        return " ".join(_WRITTEN[formula.tag.removeprefix(M)](formula).split()) or None
    except UnreadFormula:
        return None


def _line(element: Any) -> str:
    """What the pieces inside an element say, one behind the other."""
    said = ""
    for each in element:
        tag = each.tag if isinstance(each.tag, str) else ""
        name = tag.removeprefix(M)
        if name.endswith("Pr") or name in _PASSED_OVER:
            continue
        if tag.startswith(M) and name not in _WRITTEN:
            raise UnreadFormula
        piece = _WRITTEN[name](each) if tag.startswith(M) else _of_the_text(each)
        said += f" {piece}" if said[-1:].isdecimal() and piece[:1].isdecimal() and name == "f" else piece
    return said


def _formulas(element: Any) -> Iterator[str]:
    """What the formulas of a paragraph of them say, those inside another with it."""
    for each in element:
        name = _name(each)
        if each.tag == M + "oMath":
            yield _line(each)
        elif name in _AROUND:
            yield from _formulas(each)
        else:
            _marked(name)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _of_the_text(element: Any) -> str:
    """Pieces between those of the formula: bookmarks, and around inserted ones."""
    name = _name(element)
    return _line(element) if name in _AROUND else _marked(name)


def _marked(name: str) -> str:
    if name in ("r", "drawing", "pict", "object"):
        raise UnreadFormula
    return ""


def _run(run: Any) -> str:
    """The letters of a run; none of one that is struck through or hidden."""
    if any(is_on(run.find(f"{W}rPr/{W}{name}")) for name in ("strike", "dstrike", "vanish")):
        return ""
    return "".join(each.text or "" for each in run.iter(M + "t"))


def _part(element: Any, name: str) -> str:
    """What a piece says that a formula cannot do without. Raises: UnreadFormula where it is empty."""
    found = element.find(M + name)
    said = _line(found).strip() if found is not None else ""
    if not said:
        raise UnreadFormula
    return said


def _optional(element: Any, name: str) -> str:
    found = element.find(M + name)
    return _line(found).strip() if found is not None else ""


def _property(element: Any, kind: str, name: str, default: str) -> str:
    found = element.find(f"{M}{kind}/{M}{name}")
    return default if found is None else found.get(M + "val", "")


def _switch(element: Any, kind: str, name: str) -> bool:
    found = element.find(f"{M}{kind}/{M}{name}")
    return found is not None and found.get(M + "val", "1") not in ("0", "off", "false")


def _grouped(said: str) -> str:
    """A piece that stands for one thing beside a sign, in brackets where it is more than that."""
    return said if _is_one(said) or _is_bracketed(said) else f"({said})"


def _is_one(said: str) -> bool:
    """Whether a piece is a number or a name: "2a" is two things."""
    letters = said.replace(" ", "").replace("²", "").replace("³", "")
    return letters.isalpha() or _is_decimal(said) or said.isalpha()


def _is_decimal(said: str) -> bool:
    return said.replace(",", "", 1).replace(".", "", 1).isdecimal()


def _is_bracketed(said: str) -> bool:
    return said.startswith("(") and said.endswith(")") and said.count("(") == 1


def _fraction(element: Any) -> str:
    above, below = _part(element, "num"), _part(element, "den")
    kind = _property(element, "fPr", "type", "bar")
    if kind == "noBar":
        return f"({above} {below})"
    return fraction(above, below)


def fraction(above: str, below: str) -> str:
    """Two pieces as a fraction on a line, as one character where there is one."""
    return _FRACTIONS.get(f"{above}/{below}") or f"{_grouped(above)}/{_grouped(below)}"


def root(degree: str, base: str) -> str:
    """A root on a line."""
    sign = _ROOTS.get(degree)
    return f"{sign}{_grouped(base)}" if sign else f"{superscript(degree)}√{_grouped(base)}"


def superscript(said: str) -> str:
    """What stands above the line, on it."""
    return raised(said) if set(said) <= _RAISED else f"^{_grouped(said)}"


def subscript(said: str) -> str:
    """What stands below the line, on it."""
    return said.translate(_LOWERED) if set(said) <= _RAISED else f"_{_grouped(said)}"


def _raised_base(element: Any) -> str:
    return _grouped(_part(element, "e")) + superscript(_part(element, "sup"))


def _lowered_base(element: Any) -> str:
    return _grouped(_part(element, "e")) + subscript(_part(element, "sub"))


def _both(element: Any) -> str:
    return _grouped(_part(element, "e")) + subscript(_part(element, "sub")) + superscript(_part(element, "sup"))


def _before(element: Any) -> str:
    return subscript(_part(element, "sub")) + superscript(_part(element, "sup")) + _part(element, "e")


def _radical(element: Any) -> str:
    degree = "" if _switch(element, "radPr", "degHide") else _optional(element, "deg")
    return root(degree, _part(element, "e"))


def _operator(element: Any) -> str:
    sign = _property(element, "naryPr", "chr", "∫")
    low = "" if _switch(element, "naryPr", "subHide") else _optional(element, "sub")
    high = "" if _switch(element, "naryPr", "supHide") else _optional(element, "sup")
    limits = (f"_{_grouped(low)}" if low else "") + (f"^{_grouped(high)}" if high else "")
    return f"{sign}{limits} {_part(element, 'e')}"


def _delimited(element: Any) -> str:
    begin, end = _property(element, "dPr", "begChr", "("), _property(element, "dPr", "endChr", ")")
    inside = [_line(each).strip() for each in element.iterchildren(M + "e")]
    if not inside or not all(inside):
        raise UnreadFormula
    return begin + _property(element, "dPr", "sepChr", "|").join(inside) + end


def _function(element: Any) -> str:
    return f" {_part(element, 'fName')} {_grouped(_part(element, 'e'))}"


def _limit(sign: str) -> Callable[[Any], str]:
    return lambda element: f"{_part(element, 'e')}{sign}{_grouped(_part(element, 'lim'))}"


def _matrix(element: Any) -> str:
    rows = [[_line(each).strip() for each in row.iterchildren(M + "e")] for row in element.iterchildren(M + "mr")]
    return "; ".join(", ".join(row) for row in rows)


def _equations(element: Any) -> str:
    lines = [_line(each).strip() for each in element.iterchildren(M + "e")]
    return "; ".join(line for line in lines if line).replace("&", "")


def _accented(element: Any) -> str:
    return _part(element, "e") + _property(element, "accPr", "chr", "\u0302")


def _bar(element: Any) -> str:
    below = _property(element, "barPr", "pos", "bot") == "bot"
    return _part(element, "e") + ("\u0332" if below else "\u0305")


def _boxed(element: Any) -> str:
    """A formula in a frame; one that is struck through no longer holds."""
    struck = ("strikeH", "strikeV", "strikeBLTR", "strikeTLBR")
    return "" if any(_switch(element, "borderBoxPr", each) for each in struck) else _part(element, "e")


def _phantom(element: Any) -> str:
    """A piece that takes its room; it is seen where nothing says otherwise."""
    shown = element.find(f"{M}phantPr/{M}show")
    return _optional(element, "e") if shown is None or shown.get(M + "val", "1") not in ("0", "off", "false") else " "


def _grouped_below(element: Any) -> str:
    return _part(element, "e")


_WRITTEN: dict[str, Callable[[Any], str]] = {
    "oMath": _line, "oMathPara": lambda element: "; ".join(filter(None, _formulas(element))),
    "r": _run, "e": _line, "f": _fraction, "sSup": _raised_base, "sSub": _lowered_base, "sSubSup": _both,
    "sPre": _before, "rad": _radical, "nary": _operator, "d": _delimited, "func": _function,
    "limLow": _limit("_"), "limUpp": _limit("^"), "m": _matrix, "eqArr": _equations, "acc": _accented, "bar": _bar,
    "box": _grouped_below, "borderBox": _boxed, "groupChr": _grouped_below, "phant": _phantom,
}  # fmt: skip
"""How each element of a formula is written."""
