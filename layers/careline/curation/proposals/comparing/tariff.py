"""Holds a price that a document names against the tariffs of the directory."""

from __future__ import annotations

from decimal import Decimal

from careline.curation.proposals.comparing.names import DirectoryNames
from careline.curation.proposals.comparing.slug import slug
from careline.curation.proposals.proposal import Difference, Proposal, Statement
from careline.curation.proposals.reading.words import meaning, told
from careline.directory.entries import Tariff
from careline.records.record_table import Body

_MOST_SUBJECT, _MOST_CONDITION = 200, 900


def tariff_proposal(statement: Statement, names: DirectoryNames) -> Proposal | None:
    """A new tariff, another amount of one that is there, or None where the directory has it."""
    language, value = statement.language, statement.value
    campus = _campus(statement, names)
    subject = ": ".join(_kept(statement.labels, names, language))[:_MOST_SUBJECT]
    condition = "; ".join(_kept(statement.qualifiers, names, language))[:_MOST_CONDITION]
    missing = set(statement.missing)
    if not subject:
        subject = statement.context[0][:_MOST_SUBJECT] if statement.context else ""
        missing.add("subject")
    held = _held(f"{subject} {condition}", campus, value["unit"], language, names)
    if held is not None:
        return _changed(statement, held)
    if (campus, language, subject, condition, Decimal(value["amount"])) in names.tariffs_as_written:
        return None
    entry: Body = {
        "id": slug(f"{subject} {condition}"[:50], statement.statement_id),
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


def _kept(pieces: tuple[str, ...], names: DirectoryNames, language: str) -> list[str]:
    """Labels that say more than of which campus, or that a campus follows."""
    kept = []
    for piece in pieces:
        said = told(piece, language)
        if names.is_campus(piece, language) or (said and all(word.concepts == {"campus"} for word in said)):
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


def _held(text: str, campus: str | None, unit: str, language: str, names: DirectoryNames) -> Tariff | None:
    """The tariff of the directory that is of the same thing, in the same words or in others of the same meaning."""
    fits = names.tariffs.get((campus, unit, meaning(text, language)), ())
    return fits[0] if len(fits) == 1 else None


def _changed(statement: Statement, held: Tariff) -> Proposal | None:
    value = statement.value
    amount = Decimal(value["amount"])
    if held.amount == amount and held.currency == value["currency"]:
        return None
    entry: Body = {"amount": value["amount"]}
    if held.currency != value["currency"]:
        entry["currency"] = value["currency"]
    differs = (Difference("amount", f"{held.amount} {held.currency}", f"{value['amount']} {value['currency']}"),)
    return Proposal(
        statement.statement_id, "tariff", "tariffs", held.id, entry, tuple(statement.missing), statement.source, differs
    )
