"""What a question names is found in the words of callers and clinicians, in each of the four languages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import LANGUAGES
from careline.understanding.terms.entries import Kind
from careline.understanding.terms.index import medical_terms
from careline.understanding.terms.lookup import find_terms, specialties_of

ANYTHING = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            "mijn knie doet pijn snurken hoofd HTN metformine, cardioloog mal au dos douleur œdème A\u0301 chest pain. "
            "blood pressure high A&E hartkloppngen l'hôpital dell'anca ½ ﷺ İ x-ray".split()
        ),
        max_size=12,
    ).map(" ".join),
)
LANGUAGE = st.sampled_from((*LANGUAGES, None, "de"))


def keys(text: str, language: str, kind: Kind | None = None) -> list[str]:
    return [term.key for term in find_terms(text, language) if kind in (None, term.kind)]


@pytest.mark.parametrize(
    ("language", "text", "key"),
    [
        ("nl", "mijn man snurkt elke nacht, bij wie kan hij terecht?", "snoring"),
        ("en", "who looks at snoring?", "snoring"),
        ("fr", "mon voisin de chambre ronfle", "snoring"),
        ("it", "mio padre russa ogni notte", "snoring"),
        ("nl", "ik heb last van mijn rug, rugpijn dus", "back_pain"),
        ("en", "my lower back hurts", "back_pain"),
        ("fr", "j'ai mal au dos depuis mardi", "back_pain"),
        ("it", "un forte mal di schiena", "back_pain"),
        ("nl", "wij hebben een kinderwens", "wish_for_child"),
        ("en", "we are trying for a baby", "wish_for_child"),
        ("fr", "nous avons un désir d'enfant", "wish_for_child"),
        ("it", "abbiamo il desiderio di un figlio", "wish_for_child"),
        ("nl", "uitleg over spataders graag", "varicose_veins"),
        ("en", "are varicose veins treated here?", "varicose_veins"),
        ("fr", "je prends du paracétamol", "paracetamol"),
        ("it", "la Tachipirina va bene?", "paracetamol"),
        ("en", "replacement of my left hip", "hip_replacement"),
        ("nl", "een nieuwe heup laten plaatsen", "hip_replacement"),
        ("fr", "une prothèse totale de hanche", "hip_replacement"),
        ("en", "where is the mammogram done", "mammogram"),
        ("nl", "waar is de dienst cardiologie", "cardiology"),
        ("en", "I'd like to see a heart doctor", "cardiology"),
        ("fr", "la cardiologue de ma mère", "cardiology"),
        ("it", "vorrei vedere una cardiologa", "cardiology"),
        ("en", "is A&E open?", "emergency"),
    ],
)
def test_what_people_say_is_found(language: str, text: str, key: str) -> None:
    assert key in keys(text, language)


@pytest.mark.parametrize(
    ("language", "text", "key", "part"),
    [
        ("nl", "hartkloppngen gehad", "palpitations", "hartkloppngen"),
        ("en", "I take lisinoprl", "lisinopril", "lisinoprl"),
        ("fr", "ma cataracet m'inquiète", "cataract", "cataracet"),
        ("it", "la gastrocopia di domani", "gastroscopy", "gastrocopia"),
    ],
)
def test_a_long_word_may_have_one_letter_wrong(language: str, text: str, key: str, part: str) -> None:
    found = [term for term in find_terms(text, language) if term.key == key]
    assert [text[term.start : term.end] for term in found] == [part]


@pytest.mark.parametrize("text", ["ik zoek parking in Torino", "mijn iphone is weg", "de kosten van een taxi"])
def test_a_name_is_no_slip_of_a_medical_word(text: str) -> None:
    assert all(find_terms(text, language) == [] for language in LANGUAGES)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "wat kost parkeren per dag?"),
        ("en", "when may we visit grandma on Sundays?"),
        ("en", "the contract of the contractor"),
        ("fr", "à quelle heure ouvre la cafétéria ?"),
        ("it", "da quale parte si entra, che taglia serve?"),
    ],
)
def test_a_question_that_names_nothing_medical_has_no_terms(language: str, text: str) -> None:
    assert find_terms(text, language) == []


def test_the_longest_wording_is_the_one_that_is_meant() -> None:
    assert keys("my gestational diabetes", "en") == ["gestational_diabetes"]
    assert keys("pijn op de borst", "nl") == ["chest_pain"]


def test_words_on_either_side_of_a_comma_are_not_one_wording() -> None:
    assert keys("mijn knie doet pijn", "nl") == ["knee_pain"]
    assert keys("een brace voor mijn knie, geen pijn", "nl") == []


def test_only_whole_words_are_found() -> None:
    assert keys("the embryology meeting of rashid", "en") == []


def test_a_wording_is_known_as_one_word_and_as_two() -> None:
    assert keys("hoofd pijn", "nl") == keys("hoofdpijn", "nl") == ["headache"]
    assert keys("bloodtest results", "en") == ["blood_test"]


def test_a_compound_names_what_it_begins_with() -> None:
    assert keys("de trombosedienst", "nl") == ["deep_vein_thrombosis"]


def test_a_medicine_is_one_in_all_languages_and_by_its_box() -> None:
    named = {"nl": "metformine", "en": "metformin", "fr": "metformine", "it": "metformina"}
    for language, name in named.items():
        assert keys(f"{name} 500", language) == keys("Glucophage", language) == ["metformin"]
        assert find_terms(name, language)[0].name(language) == name
        assert find_terms(name, language)[0].entry.drug_class == "glucose_lowering"


def test_what_is_a_danger_now_is_urgent() -> None:
    assert find_terms("pressure on the chest", "en")[0].is_urgent
    assert not find_terms("moedervlek", "nl")[0].is_urgent


def test_a_lay_wording_has_a_clinical_name() -> None:
    (term,) = find_terms("hoge bloeddruk", "nl")
    assert (term.is_lay, term.name("nl"), term.name("fr")) == (True, "hypertensie", "hypertension artérielle")


@pytest.mark.parametrize(
    ("language", "text", "specialties"),
    [
        ("en", "heart trouble at night", ["cardiology"]),
        ("en", "problems with insulin and the thyroid", ["endocrinology"]),
        ("en", "my kidney values", ["nephrology"]),
        ("en", "do I have an infection", ["infectious_disease"]),
        ("nl", "iets aan mijn hart", ["cardiology"]),
        ("fr", "un problème de rein", ["nephrology"]),
        ("it", "una visita per il cuore", ["cardiology"]),
        ("nl", "wat kost een parkeerkaart", []),
    ],
)
def test_words_tell_the_specialty(language: str, text: str, specialties: list[str]) -> None:
    assert list(specialties_of(text, language)) == specialties


def test_the_specialty_that_is_named_goes_before_those_of_a_complaint() -> None:
    assert specialties_of("duizelig, moet ik naar de neuroloog?", "nl")[0] == "neurology"
    assert specialties_of("duizelig", "nl")[0] == "ear_nose_throat"


@given(ANYTHING, LANGUAGE)
def test_terms_stand_in_the_text_in_order_and_apart(text: str, language: str | None) -> None:
    done = 0
    for term in find_terms(text, language):
        assert done <= term.start < term.end <= len(text)
        assert not text[term.start].isspace()
        assert not text[term.end - 1].isspace()
        done = term.end


@given(ANYTHING, LANGUAGE)
def test_the_same_is_found_whatever_the_case(text: str, language: str | None) -> None:
    if text.isascii():
        assert [term.key for term in find_terms(text, language)] == [
            term.key for term in find_terms(text.upper(), language)
        ]


@given(ANYTHING, LANGUAGE)
def test_specialties_are_those_of_the_vocabulary_each_once(text: str, language: str | None) -> None:
    found = specialties_of(text, language)
    assert len(set(found)) == len(found)
    assert set(found) <= set(medical_terms().specialties)


def test_a_question_is_read_in_a_few_milliseconds() -> None:
    text = "Ik heb al weken hartkloppingen en ben wat duizelig, moet ik naar de cardioloog of eerst een hartfilmpje?"
    find_terms(text, "nl")
    began = time.process_time()
    for _ in range(50):
        find_terms(text, "nl")
    assert (time.process_time() - began) / 50 < 0.01
