"""Sentence splitting in four languages, whole and streamed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.text.sentences import SentenceStream, split
from tests.growth import grows_no_faster_than_its_length

LANGUAGES = ("nl", "en", "fr", "it", "de")

WHOLE = [
    ("nl", "Dr. Peeters en prof. dhr. J. Janssens zien u om 8.30 uur."),
    ("nl", "Neem bv. uw identiteitskaart mee, o.a. voor de inschrijving."),
    ("nl", "Bel tel. 02 477 11 11 of ga naar nr. 5, d.w.z. Ingang Noord."),
    ("nl", "Mevr. A. Van den Berg werkt op de afd. Cardiologie."),
    ("nl", "Het onderzoek duurt max. 30 min. en kost ca. 12,50 euro."),
    ("en", "See e.g. Smith et al. (2020) for details."),
    ("en", "Mr. J. R. Smith lives at No. 5, cf. the map."),
    ("en", "The dose is approx. 2.5 mg, i.e. Half a tablet."),
    ("fr", "M. Dupont et Mme. Martin viennent, p. ex. Lucie, à 9.15 h."),
    ("fr", "Le Pr. Durand, c.-à-d. Le chef de service, répond à l'art. 5."),
    ("fr", "« Venez demain ! » dit la secrétaire."),
    ("it", "Il dott. Rossi, la dott.ssa Verdi e la sig.ra Bianchi arrivano."),
    ("it", "Portare i documenti, ad es. Carta d'identità, all'U.O. Cardiologia."),
    ("nl", "Zie https://www.uz.be/a.b?x=1. of mail naar info@uz.be voor meer."),
    ("nl", "1. Meld u aan aan het onthaal."),
    ("en", "Version 3.2.1 runs on Node.js with 1.000,50 items."),
    ("nl", "Wacht... en kijk dan nog eens."),
    ("nl", "Op 3. 5. 2024 was het zover."),
    ("nl", "Het ontbijt kost Fr. 9.50 per dag."),
    ("it", "Per importi superiori a Fr. 2'000.– si paga in dodici rate."),
]

PARTS = [
    ("nl", ["Patiënten met MS komen.", "Volg route B.", "Neem de lift."]),
    ("nl", ["Vaccins tegen hepatitis B.", "Vraag raad aan uw arts."]),
    ("nl", ["Neem 5 mg.", "Daarna 2 L.", "Drink veel, brood enz.", "Rust uit."]),
    ("nl", ["U kunt bellen.", "'s Avonds zijn we dicht."]),
    ("nl", ["Is het dringend?", "Bel 112!", "Nu."]),
    ("nl", ["Het kost 12 euro.", "2 uur is gratis."]),
    ("nl", ["(Dit mag niet.)", "Dat wel."]),
    ("nl", ['Hij zei: "Kom binnen."', "Daarna ging hij zitten."]),
    ("en", ["We open at 9 a.m.", "The shop closes at 5 p.m.", "Come early."]),
    ("en", ["So do I.", "The answer is no.", "Go home."]),
    ("en", ["It costs five euro. [1]", "Parking is free.[2]", "Ask [3].", "Done."]),
    ("en", ["**Note.**", "Bring your card."]),
    ("en", ["Then he came…", "She left."]),
    ("fr", ["Avez-vous mal ?", "Oui !", "Venez à l'entrée C.", "Prenez l'ascenseur, etc.", "Merci."]),
    ("it", ["Pane, latte ecc.", "Poi si va al gruppo A.", "Attendere lì."]),
    ("xx", ["Dr. No lives here.", "Prof. Yes does not."]),
]


@pytest.mark.parametrize(("language", "sentence"), WHOLE)
def test_what_looks_like_an_end_and_is_none_does_not_split(language: str, sentence: str) -> None:
    assert split(sentence, language) == [sentence]


@pytest.mark.parametrize(("language", "sentences"), PARTS)
def test_sentences_end_where_a_reader_ends_them(language: str, sentences: list[str]) -> None:
    assert split(" ".join(sentences), language) == sentences


def test_items_of_a_list_and_rows_of_a_table_are_sentences_of_their_own() -> None:
    text = "Breng mee:\n- kaart\n- brief van dr. Peeters\n\nDag | Uur\nma | 8.30\nEinde."
    expected = ["Breng mee:", "- kaart", "- brief van dr. Peeters", "Dag | Uur", "ma | 8.30", "Einde."]
    assert split(text, "nl") == expected


def test_running_text_that_was_wrapped_stays_one_sentence() -> None:
    text = "De patiënt wordt verwacht aan het onthaal van het ziekenhuis met\nzijn identiteitskaart. Daarna wacht hij."
    assert len(split(text, "nl")) == 2


def test_a_regional_language_code_is_understood() -> None:
    assert split("Bv. Dit is er een. Klaar.", "nl-BE") == ["Bv. Dit is er een.", "Klaar."]


def test_empty_text_has_no_sentences() -> None:
    assert split("", "nl") == split(" \n ", "nl") == []


@pytest.mark.parametrize(
    ("piece", "most", "end"),
    [("dr. ", 60_000, ""), ("\n", 300_000, "a"), ("a", 500_000, ""), ("x.", 150_000, ""), ("[1] ", 50_000, "")],
)
def test_strange_text_takes_no_more_steps_than_its_length_allows(piece: str, most: int, end: str) -> None:
    grows_no_faster_than_its_length(lambda count: split(piece * count + end, "nl"), 1_000)
    split(piece * most + end, "nl")


TEXTS = st.text(
    alphabet=st.sampled_from(list("abAB12.,!?…»«\"') ([]\n \t-'’s")) | st.characters(codec="utf-8"), max_size=120
)
WORDY = st.lists(
    st.sampled_from(
        [s for _, s in WHOLE] + [s for _, parts in PARTS for s in parts] + ["\n- item", "« Oui ! »", "[1]", "dr."]
    ),
    max_size=6,
).map(" ".join)


def _streamed(text: str, cuts: list[int], language: str) -> list[str]:
    stream, out, start = SentenceStream(language), list[str](), 0
    for cut in sorted({cut % (len(text) + 1) for cut in cuts}):
        out += stream.push(text[start:cut])
        start = cut
    return [*out, *stream.push(text[start:]), *stream.flush()]


@settings(max_examples=300, deadline=None)
@given(TEXTS | WORDY, st.lists(st.integers(min_value=0, max_value=2000), max_size=40), st.sampled_from(LANGUAGES))
def test_a_stream_breaks_where_the_whole_text_breaks_however_it_is_cut(
    text: str, cuts: list[int], language: str
) -> None:
    whole = _streamed(text, [], language)
    assert _streamed(text, cuts, language) == whole
    assert _streamed(text, list(range(len(text))), language) == whole
    assert [sentence.strip() for sentence in whole if sentence.strip()] == split(text, language)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.lists(st.integers(min_value=0, max_value=200), max_size=20))
def test_a_stream_gives_back_exactly_what_it_was_given(text: str, cuts: list[int]) -> None:
    assert "".join(_streamed(text, cuts, "fr")) == text


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(LANGUAGES))
def test_splitting_loses_nothing_but_white_space(text: str, language: str) -> None:
    assert "".join("".join(split(text, language)).split()) == "".join(text.split())


def test_a_sentence_is_emitted_as_soon_as_the_next_one_begins() -> None:
    stream = SentenceStream("nl")
    assert stream.push("Parkeren kost 2.") == []
    assert stream.push("50 euro.") == []
    assert stream.push(" ") == []
    assert stream.push("D") == ["Parkeren kost 2.50 euro. "]
    assert stream.flush() == ["D"]


def test_a_stream_can_be_used_again_after_it_was_flushed() -> None:
    stream = SentenceStream("en")
    assert stream.push("One. T") == ["One. "]
    assert stream.flush() == ["T"]
    assert [*stream.push("Two. Three."), *stream.flush()] == ["Two. ", "Three."]
