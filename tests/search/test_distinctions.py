"""Which texts are of another case than the one that is asked about, and which words tell cases apart."""

from __future__ import annotations

import pytest

from careline.search.distinctions import is_for_entitled, is_of_another_case, names_of, telling


@pytest.mark.parametrize(
    ("language", "question", "row"),
    [
        ("it", "a che ora aprite durante la settimana", "Lunedì–venerdì"),
        ("fr", "pas d'assurance, combien pour une IRM", "Avec carte européenne"),
        ("fr", "combien pour un enfant de dix ans", "Enfant jusqu’à 16 ans"),
        ("nl", "wat rekenen ze op de spoed", "Emergency department"),
        ("en", "how soon does a doctor turn up", "A doctor sees you within"),
    ],
)
def test_a_row_of_the_same_case_is_not_passed_over(language: str, question: str, row: str) -> None:
    written_in = "en" if language == "nl" else language
    assert not is_of_another_case(question, language, [row], ["Page"], written_in, numbers=True)


@pytest.mark.parametrize(
    ("language", "question", "row"),
    [
        ("it", "a che ora aprite durante la settimana", "Sabato"),
        ("fr", "j'ai un bracelet vert, combien de temps", "Jaune"),
        ("en", "what do they charge for a replacement card", "Monday to Friday"),
        ("fr", "combien pour un gamin", "Adulte"),
    ],
)
def test_a_row_of_another_case_is_passed_over(language: str, question: str, row: str) -> None:
    assert is_of_another_case(question, language, [row], ["Page"], language, numbers=True)


@pytest.mark.parametrize(
    ("language", "question", "saturday", "weekdays"),
    [
        ("nl", "ben je in het weekend open", "zaterdag", "maandag tot vrijdag"),
        ("en", "are you there at the weekend", "Saturday", "Monday to Friday"),
        ("fr", "c'est ouvert le week-end", "samedi", "lundi au vendredi"),
        ("it", "siete aperti nel weekend", "sabato", "lunedì–venerdì"),
    ],
)
def test_what_tells_of_saturday_tells_of_the_weekend(
    language: str, question: str, saturday: str, weekdays: str
) -> None:
    assert not is_of_another_case(question, language, [saturday], ["Page"], language, numbers=True)
    assert is_of_another_case(question, language, [weekdays], ["Page"], language, numbers=True)


@pytest.mark.parametrize(
    ("language", "question", "asked", "other"),
    [
        ("nl", "wat betaalt men zonder een verwijsbrief", "Zonder verwijsbrief", "Met verwijsbrief van de tandarts"),
        ("en", "and what is it with breakfast", "Room with breakfast", "Room without breakfast"),
        ("fr", "le prix de l'examen sans produit", "Examen sans produit", "Examen avec produit de contraste"),
        ("it", "quanto viene la camera senza bagno", "Camera senza bagno", "Camera con bagno"),
    ],
)
def test_what_is_without_something_is_another_case_than_what_is_with_it(
    language: str, question: str, asked: str, other: str
) -> None:
    def is_other(*labels: str) -> bool:
        return is_of_another_case(question, language, labels, ["Page"], language, numbers=True)

    assert is_other(other)
    assert not is_other(asked)
    assert not is_other(asked, other)


@pytest.mark.parametrize(
    ("language", "plain", "entitled", "label"),
    [
        ("nl", "wat kost een cataract", "wat kost dat met verhoogde tegemoetkoming", "Met verhoogde tegemoetkoming"),
        ("en", "what is a cataract", "what is it on increased reimbursement", "Share with increased reimbursement"),
        ("fr", "combien coûte une cataracte", "j'ai droit à l'intervention majorée", "Avec l’intervention majorée"),
        ("it", "quanto costa la cataratta", "ho l'intervento maggiorato", "Quota con l'intervento maggiorato"),
    ],
)
def test_a_row_for_people_with_an_increased_reimbursement_is_for_who_asks_for_it(
    language: str, plain: str, entitled: str, label: str
) -> None:
    assert is_for_entitled(plain, language, label, language)
    assert not is_for_entitled(entitled, language, label, language)
    assert not is_for_entitled(plain, language, label.split()[0], language)


def test_a_sentence_says_for_itself_of_which_time_of_day_it_tells() -> None:
    asked = "wie blijft 's avonds bij mij", "nl"
    assert not is_of_another_case(*asked, ["Een nacht kost 165 euro."], ["Blad"], "nl", numbers=False, in_prose=True)
    assert is_of_another_case(*asked, ["Een nacht kost 165 euro."], ["Blad"], "nl", numbers=False)


def test_a_word_of_a_title_is_a_name_where_nobody_writes_it_small() -> None:
    titles = ["Orari di visita – sede di Rivalago", "Ambulatori: medici e numeri"]
    texts = ["Prenotate la visita.", "Gli orari cambiano, gli ambulatori no."]
    assert names_of(titles, texts) == {"rivalago"}


@pytest.mark.parametrize(
    ("language", "question", "told"),
    [
        ("en", "when is doctor Smith in", ["smith"]),
        ("en", "when does a doctor see me", []),
        ("it", "quanto costa per settimana", ["settimana"]),
    ],
)
def test_a_name_stands_behind_a_title_and_not_behind_an_article_with_one(
    language: str, question: str, told: list[str]
) -> None:
    assert [word.text for word in telling(question, language)] == told


def test_a_first_baby_is_a_first_child_where_children_are_born() -> None:
    question = "combien de nuits pour un premier bébé"
    assert not is_of_another_case(question, "fr", ["Premier enfant"], ["Maternité"], "fr", numbers=True)
    assert is_of_another_case(question, "fr", ["Enfant"], ["Vaccins"], "fr", numbers=True)


def test_a_duplicate_is_told_to_who_asks_for_one_however_it_is_typed() -> None:
    def is_other(question: str) -> bool:
        return is_of_another_case(
            question, "fr", ["Un duplicata coûte 6 €."], ["Imagerie"], "fr", numbers=False, in_prose=True
        )

    assert not is_other("combien coute un duplicatta du cd")
    assert is_other("combien coute le cd")


def test_a_row_for_those_without_insurance_is_told_below_a_title_that_says_whose_it_is() -> None:
    question = "wat kost een gipsverband als ik niet verzekerd ben"
    assert not is_of_another_case(question, "nl", ["Gipsverband"], ["Tarieven voor passanten"], "nl", numbers=False)
    assert is_of_another_case(question, "nl", ["Gipsverband"], ["Tarieven"], "nl", numbers=False)


@pytest.mark.parametrize(
    ("question", "language", "text", "is_other"),
    [
        ("how soon may I cycle after a hip replacement", "en", "Cycling: 9 weeks", False),
        ("what does a replacement ticket cost", "en", "Parking costs € 3 an hour", True),
        ("que coûte un ticket de remplacement", "fr", "Le parking coûte 3 € l'heure", True),
        ("quand puis-je rouler à vélo après un remplacement de la hanche", "fr", "Vélo : 9 semaines", False),
    ],
)
def test_a_joint_that_is_replaced_is_nothing_that_was_lost(
    question: str, language: str, text: str, is_other: bool
) -> None:
    assert is_of_another_case(question, language, (text,), ("",), language, numbers=False) == is_other


def test_what_is_lost_is_looked_for_under_lost_property() -> None:
    row, question = "Prothèses dentaires : 80 jours", "j'ai perdu mon dentier, il est gardé combien de temps"
    assert not is_of_another_case(question, "fr", (row,), ("Objets trouvés",), "fr", numbers=False)
    assert is_of_another_case(question, "fr", (row,), ("Tarifs",), "fr", numbers=False)


@pytest.mark.parametrize(
    ("question", "language", "label", "is_other"),
    [
        ("hoeveel is parkeren voor een week", "nl", "Weekkaart", False),
        ("what is parking for a week", "en", "Week pass", False),
        ("combien coûte le parking par mois", "fr", "Abonnement hebdomadaire", True),
        ("quanto costa il parcheggio", "it", "Abbonamento", True),
    ],
)
def test_a_subscription_is_meant_by_who_asks_for_its_length(
    question: str, language: str, label: str, is_other: bool
) -> None:
    assert is_of_another_case(question, language, [label], ["Parking"], language, numbers=True) is is_other
