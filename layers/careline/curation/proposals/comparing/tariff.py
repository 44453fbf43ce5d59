"""Holds a price that a document names against the tariffs of the directory."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from careline.curation.proposals.comparing.names import DirectoryNames
from careline.curation.proposals.comparing.slug import slug
from careline.curation.proposals.proposal import Difference, Proposal, Statement
from careline.curation.proposals.reading.words import is_price_word, meaning, told
from careline.directory.entries import Tariff
from careline.records.record_table import Body

_MOST_SUBJECT, _MOST_CONDITION = 200, 900


def tariff_proposal(statement: Statement, names: DirectoryNames) -> Proposal | None:
    """A new tariff, another amount of one that is there, or None where the directory has it."""
    language, value = statement.language, statement.value
    campus = _campus(statement, names)
    subject, condition = _subject(statement, campus, names)
    missing = set(statement.missing)
    if not subject:
        subject = statement.context[0][:_MOST_SUBJECT] if statement.context else ""
        missing.add("subject")
    unit = value["unit"]
    fits = _of_then(f"{subject} {condition}", names.tariffs, statement, names)
    here = _of_unit([one for one in fits if names.is_same_campus(one.campus, campus)], unit)
    if len(here) == 1:
        return _changed(statement, here[0])
    # What the directory says for all campuses, or on a condition that the row does not name, it says of this as well.
    near = [one for one in _of_then(subject, names.tariffs_of_subject, statement, names) if _may_be(one, condition)]
    others = _of_unit([one for one in (*fits, *near) if _is_near(one.campus, campus, names)], unit)
    if any(_says_amount(one, value) for one in others):
        return None
    if here or any(_is_meant_of_several(one, campus, condition, names) for one in others):
        missing.add("entry")
    if (campus, language, subject, condition, Decimal(value["amount"])) in names.tariffs_as_written:
        return None
    entry: Body = {
        "id": slug(f"{subject} {condition}", statement.statement_id),
        "subject": {language: subject},
        **({"condition": {language: condition}} if condition else {}),
        **({"campus": campus} if campus else {}),
        "amount": value["amount"],
        "currency": value["currency"],
        "unit": value["unit"],
        **({"valid_from": statement.valid_from} if statement.valid_from else {}),
        **({"valid_until": statement.valid_until} if statement.valid_until else {}),
    }
    lacking = tuple(sorted(missing))
    share = round(5 / (5 + len(lacking)), 2)
    return Proposal(
        statement.statement_id, "tariff", "tariffs", None, entry, lacking, statement.source, confidence=share
    )


def _subject(statement: Statement, campus: str | None, names: DirectoryNames) -> tuple[str, str]:
    """Of what a price is, and for whom or when; without the campus where that is known."""
    language = statement.language
    labels, qualifiers = (_kept(said, names, language) for said in (statement.labels, statement.qualifiers))
    if campus is not None:
        labels = [names.without_place(label, language) for label in labels]
    return ": ".join(labels)[:_MOST_SUBJECT], "; ".join(qualifiers)[:_MOST_CONDITION]


def _kept(pieces: tuple[str, ...], names: DirectoryNames, language: str) -> list[str]:
    """Labels that say more than of which campus, that a campus follows, or that there are prices at one."""
    kept = []
    for piece in pieces:
        said = told(piece, language)
        if names.is_campus(piece, language) or (said and all(word.concepts == {"campus"} for word in said)):
            continue
        meant = names.meant(piece, language)
        if meant.campuses and not meant.entries and all(is_price_word(word, language) for word in meant.left):
            continue
        kept.append(piece)
    return kept


def _campus(statement: Statement, names: DirectoryNames) -> str | None:
    """The one campus that labels name, else the one of the nearest heading; None where several are named."""
    found = {
        one for piece in (*statement.labels, *statement.qualifiers)
        for one in names.meant(piece, statement.language).campuses
    }  # fmt: skip
    if found:
        return next(iter(found)) if len(found) == 1 else None
    return next((one for text in statement.context if (one := names.campus(text)) is not None), None)


def _of_then(
    text: str, known: Mapping[frozenset[str], tuple[Tariff, ...]], statement: Statement, names: DirectoryNames
) -> list[Tariff]:
    """The tariffs that are of the same thing, in the same words or in others of the same meaning, and that hold in a
    time of that in which the document does."""
    said = meaning(names.without_campus_names(text), statement.language)
    return [one for one in known.get(said, ()) if _is_of_time(one, statement)]


def _is_of_time(one: Tariff, statement: Statement) -> bool:
    since, until = (day.isoformat() if day else None for day in (one.valid_from, one.valid_until))
    starts, ends = max(since or "", statement.valid_from or ""), min(until or "9999", statement.valid_until or "9999")
    return starts <= ends


def _may_be(one: Tariff, condition: str) -> bool:
    """Whether a tariff and a row may be of the same: one of them names no condition."""
    return not one.condition or not condition


def _is_near(one: str | None, other: str | None, names: DirectoryNames) -> bool:
    return None in (one, other) or names.is_same_campus(one, other)


def _is_meant_of_several(one: Tariff, campus: str | None, condition: str, names: DirectoryNames) -> bool:
    """Whether a row may be of a tariff, and does not say so: it names no campus, or no condition."""
    is_here = names.is_same_campus(one.campus, campus)
    return (campus is None and not is_here) or (is_here and bool(one.condition) and not condition)


def _of_unit(tariffs: list[Tariff], unit: str) -> list[Tariff]:
    """Those that are of one of the same; where none is, those of which it is not said, or all where the row does not
    say it."""
    same = [one for one in tariffs if one.unit == unit]
    return same or [one for one in tariffs if "once" in (one.unit, unit)]


def _says_amount(one: Tariff, value: Body) -> bool:
    return one.amount == Decimal(value["amount"]) and one.currency == value["currency"]


def _changed(statement: Statement, held: Tariff) -> Proposal | None:
    """What a row says otherwise of a tariff: its amount, and what it is for one of where the directory does not say."""
    value = statement.value
    entry: Body = {}
    differs: list[Difference] = []
    if not _says_amount(held, value):
        entry["amount"] = value["amount"]
        said, now = f"{held.amount} {held.currency}", f"{value['amount']} {value['currency']}"
        differs.append(Difference("amount", said, now))
    if held.currency != value["currency"]:
        entry["currency"] = value["currency"]
    if value["unit"] not in ("once", held.unit):
        entry["unit"] = value["unit"]
        differs.append(Difference("unit", held.unit, value["unit"]))
    if not entry:
        return None
    missing = tuple(statement.missing)
    # What was not read whole contradicts nothing.
    told = () if missing else tuple(differs)
    return Proposal(statement.statement_id, "tariff", "tariffs", held.id, entry, missing, statement.source, told)
