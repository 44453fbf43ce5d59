"""A row is of another thing when the question names a label that is known and the row does not bear it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from careline.model import Hit, Table, TableRow
from careline.search.asked_cells import WholeTable, whole_tables
from careline.search.label_words import label_words, question_words, same
from careline.search.named_labels import NamedLabels
from tests.builders import a_passage


def a_table(column: str, *labels: str | tuple[str, ...], caption: str = "") -> Table:
    rows = tuple(
        TableRow((label,) if isinstance(label, str) else label, (f"{n + 11}",)) for n, label in enumerate(labels)
    )
    return Table(caption, ("",), ((column,),), rows, (), len(rows))


def wholes_of(language: str, *tables: Table, title: str = "Info", same: bool = True) -> list[WholeTable]:
    return whole_tables(
        [
            Hit(
                a_passage(
                    "",
                    doc_key="one" if same else f"doc-{n}",
                    ordinal=n,
                    table=table,
                    facts={"title": title, "language": language},
                ),
                0.9,
            )
            for n, table in enumerate(tables)
        ]
    )


def passed_over(question: str, language: str, wholes: Sequence[WholeTable]) -> list[str]:
    """Rows of the first table that are of another thing than is asked for."""
    named = NamedLabels(question, language, wholes)
    return [row.labels[-1] for row in wholes[0].table.rows if named.pass_over(wholes[0], row)]


@pytest.mark.parametrize(
    ("language", "question", "column", "here", "elsewhere"),
    [
        ("nl", "hoe lang wacht mijn kind op de longarts", "Weken", "Huidziekten", "Longarts"),
        ("en", "how long is the wait at the pain clinic for a child", "Weeks", "Dermatology", "Pain clinic"),
        ("fr", "quel délai pour un enfant en orthoptie", "Semaines", "Dermatologie", "Orthoptie"),
        ("it", "quanto si aspetta in logopedia per un bambino", "Settimane", "Dermatologia", "Logopedia"),
    ],
)
@pytest.mark.parametrize("same", [True, False])
def test_a_row_is_of_another_thing_when_the_label_stands_in_a_table_like_it(
    language: str, question: str, column: str, here: str, elsewhere: str, same: bool
) -> None:
    tables = a_table(column, here, caption="A"), a_table(column, here, elsewhere, caption="B")
    assert passed_over(question, language, wholes_of(language, *tables, same=same)) == [here]


@pytest.mark.parametrize(
    ("language", "question", "labels", "others"),
    [
        ("nl", "wat kost een echo schildklier", ("Echo schildklier", "Echo lies", "Pols"), ["Echo lies", "Pols"]),
        ("en", "price of a thyroid scan", ("Thyroid scan", "Bone scan", "Stress test"), ["Bone scan", "Stress test"]),
        ("fr", "prix de la scintigraphie osseuse", ("Scintigraphie osseuse", "Spirométrie"), ["Spirométrie"]),
        ("it", "quanto costa la spirometria", ("Spirometria semplice", "Audiometria"), ["Audiometria"]),
    ],
)  # fmt: skip
def test_the_rows_beside_the_one_that_is_named_are_of_other_things(
    language: str, question: str, labels: tuple[str, ...], others: list[str]
) -> None:
    assert passed_over(question, language, wholes_of(language, a_table("Prijs", *labels))) == others


def test_a_place_that_a_row_shares_with_the_question_makes_it_no_row_of_the_thing() -> None:
    asked = "logopedia a verona martedì"
    rows = ("Verona", "Allergologia"), ("Verona", "Otorino"), ("Lodi", "Logopedia")
    assert passed_over(asked, "it", wholes_of("it", a_table("Orario", *rows))) == [label for _, label in rows]
    both = *rows[:2], ("Verona", "Logopedia")
    assert passed_over(asked, "it", wholes_of("it", a_table("Orario", *both))) == ["Allergologia", "Otorino"]


@pytest.mark.parametrize(
    ("language", "question", "label", "other"),
    [
        ("fr", "horaire de la rumato", "Rhumatologie", "Urologie"),
        ("nl", "uren van de slaapkliniek", "Slaap", "Urologie"),
        ("nl", "uren van de slaap kliniek", "Slaapkliniek", "Urologie"),
        ("it", "orari delle allergologie", "Allergologia", "Urologia"),
        ("en", "hours of the alergology clinic", "Allergology", "Urology"),
    ],
)
def test_a_label_is_borne_by_what_is_a_compound_a_plural_cut_short_or_typed_wrong(
    language: str, question: str, label: str, other: str
) -> None:
    assert passed_over(question, language, wholes_of(language, a_table("A", label, other))) == [other]


@pytest.mark.parametrize(
    ("language", "question", "label"),
    [
        ("nl", "waar kan ik bloed laten prikken", "Bloedtransfusie"),
        ("nl", "hoeveel kost een kamer", "Kamerplanten"),
        ("nl", "wat kost een bed voor mijn man", "Bedlinnen"),
    ],
)
def test_a_word_does_not_name_a_compound_of_which_it_is_a_part(language: str, question: str, label: str) -> None:
    assert passed_over(question, language, wholes_of(language, a_table("A", "Laboratorium", label))) == []


@pytest.mark.parametrize("question", ["wat is het totaal op dinsdag voor volwassenen", "hoeveel kost dat per dag"])
def test_labels_of_everyday_words_name_nothing(question: str) -> None:
    tables = a_table("Prijs", "Endoscopie"), a_table("Prijs", "Totaal", "Volwassenen", "Dinsdag", "Per dag")
    assert passed_over(question, "nl", wholes_of("nl", *tables)) == []


def test_rows_of_days_are_of_whatever_their_table_tells_of() -> None:
    tables = a_table("Hours", "Weekdays", "Saturday"), a_table("Hours", "Dialysis")
    assert passed_over("when may I visit my father in dialysis", "en", wholes_of("en", *tables)) == []


def test_what_stands_above_a_row_is_borne_by_it() -> None:
    tables = a_table("Prix", "Première séance", caption="Orthoptie"), a_table("Prix", "Orthoptie")
    assert passed_over("prix d'une séance d'orthoptie", "fr", wholes_of("fr", *tables)) == []


def test_a_row_in_another_language_is_not_passed_over_for_a_label_in_that_of_the_question() -> None:
    dutch, english = a_table("Prijs", "Ademproef", "Botmeting"), a_table("Prijs", "Breath test")
    asked = "price of the breath test"
    assert passed_over(asked, "en", [*wholes_of("nl", dutch), *wholes_of("en", english)]) == []
    assert passed_over(asked, "en", wholes_of("nl", dutch)) == []


def test_a_label_of_a_table_of_something_else_is_no_rival() -> None:
    tables = a_table("Tarief", "Bezoekers", caption="Parkeren"), a_table("Toestel", "Dialyse")
    asked = "ik kom voor dialyse en wat kost parkeren"
    assert passed_over(asked, "nl", wholes_of("nl", *tables, same=False)) == []
    assert passed_over(asked, "nl", wholes_of("nl", *tables)) == []


def test_a_row_that_bears_one_of_two_things_that_are_asked_for_is_none_of_another() -> None:
    table = a_table("Prix", "Spirométrie", "Audiométrie", "Orthoptie")
    assert passed_over("prix spirométrie et audiométrie", "fr", wholes_of("fr", table)) == ["Orthoptie"]


def test_tables_call_one_thing_in_more_words_and_in_fewer() -> None:
    scheme = a_table("Dosis", "Rabiës en tetanus", caption="Schema")
    prices = a_table("Dosis", "Rabiës en tetanus gecombineerd", caption="Prijzen")
    assert passed_over("wanneer krijg ik de gecombineerde rabiës", "nl", wholes_of("nl", scheme, prices)) == []


@pytest.mark.parametrize(
    ("asked", "label", "is_same"),
    [
        ("carpaaltunnel", "carpaletunnel", True),
        ("reumatologische", "rheumatologische", True),
        ("hypothyreoidie", "hyperthyreoidie", False),
        ("liesbreuk", "littekenbreuk", False),
    ],
)
def test_a_long_name_may_be_spelt_otherwise_in_its_middle_alone(asked: str, label: str, is_same: bool) -> None:
    (word,) = question_words(asked, "nl")
    assert any(same(word, one, typed_wrong=True) for one in label_words(label, "nl")[:1]) is is_same
