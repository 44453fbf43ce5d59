"""What is dictated: numbers in any chunks, letters in any alphabet, with pauses and slips, is one find of its kind."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.model import SpanType
from careline.privacy.detect import Detector
from careline.privacy.dictation.hesitations import past
from careline.privacy.dictation.runs import runs
from careline.privacy.normalised_text import NormalisedText

SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NATO = (
    "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo "
    "sierra tango uniform victor whiskey xray yankee zulu"
).split()
BANKS = {"BE": "", "NL": "INGB", "GB": "BUKB", "IE": "AIBK"}
LENGTHS = {"BE": 12, "NL": 10, "GB": 14, "IE": 14}
CODES = st.sampled_from(("MRTMTT91D08F205J", "RSSMRA85T10A562S", "VRDGPP13R10B293P"))
SAYS = st.sampled_from(("bare", "word", "for"))
PAUSES = st.sampled_from(("", "", "", " um", " and then", " dash"))


def check_digits(country: str, rest: str) -> str:
    """The two digits after the country of an account number."""
    spelled = "".join(str(int(each, 36)) for each in f"{rest}{country}00")
    return f"{98 - int(spelled) % 97:02d}"


@st.composite
def accounts(draw: st.DrawFn) -> str:
    """Account numbers with a right checksum."""
    country = draw(st.sampled_from(sorted(BANKS)))
    length = LENGTHS[country]
    rest = BANKS[country] + draw(st.text("0123456789", min_size=length, max_size=length))
    return country + check_digits(country, rest) + rest


@st.composite
def dictated(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    """A value as an English caller dictates it: digits in ones and pairs, letters as they are or explained."""
    value, said, at = draw(values), "", 0
    while at < len(value):
        character = value[at]
        pair = value[at : at + 2]
        if character.isalpha():
            word = NATO[ord(character) - ord("A")]
            says = {"bare": character.lower(), "word": word, "for": f"{character.lower()} for {word}"}
            said += " " + says[draw(SAYS)]
        elif len(pair) == 2 and pair.isdigit() and pair[0] != "0" and draw(st.booleans()):
            small = int(pair) < len(SMALL)
            tens, unit = divmod(int(pair), 10)
            said += " " + (SMALL[int(pair)] if small else f"{TENS[tens - 2]} {SMALL[unit] if unit else ''}".strip())
            # "twenty" and "three" after it would be another number.
            said += " dash" if not unit and not small and value[at + 2 : at + 3].isdigit() else ""
            at += 1
        else:
            said += " " + (draw(st.sampled_from(("oh", "zero"))) if character == "0" else SMALL[int(character)])
        at += 1
        if at < len(value):
            said += draw(PAUSES)
    return said.strip()


@settings(max_examples=150, deadline=None)
@given(dictated(accounts()))
def test_a_dictated_account_number_is_one_find(said: str) -> None:
    text = f"the refund goes to {said} please"
    (span,) = Detector().find(text, "en")
    assert span.type is SpanType.IBAN
    assert text[span.start : span.end] == said


@settings(max_examples=100, deadline=None)
@given(dictated(CODES))
def test_a_dictated_tax_code_is_one_find(said: str) -> None:
    text = f"my tax code is {said}"
    (span,) = Detector().find(text, "en")
    assert span.type is SpanType.CODICE_FISCALE
    assert text[span.start : span.end] == said


@pytest.mark.parametrize(
    ("said", "digits"),
    [
        ("0 1 6 1 sorry 0 1 6 1 4 9 6", "0161496"),
        ("44 no sorry 45", "45"),
        ("12 34 wait 34 56", "123456"),
        ("5 5 5 hang on 2 1 2 5 5 5 0 1", "21255501"),
        ("12 um then 34 dash 56", "123456"),
        ("1 2 3 sorry 4 5 6", "123456"),
    ],
)
def test_what_was_taken_back_is_read_once(said: str, digits: str) -> None:
    (run,) = runs(said.encode("ascii"))[0]
    assert "".join(group.digits for group in run.groups) == digits
    assert (run.groups[0].start, run.groups[-1].end) == (0, len(said))


@pytest.mark.parametrize(
    ("text", "language", "figures"),
    [
        ("emme come milano effe tre quattro due", "it", "m f 3 4 2"),
        ("codice imola torino sei zero", "it", "codice i t 6 0"),
        ("code b comme berthe double vé nonante deux", "fr", "code b w 92"),
        ("de b van bernard vierenzestig", "nl", "de b 64"),
        ("tre volte zero sette", "it", "0 0 0 7"),
        ("drie keer nul vier", "nl", "0 0 0 4"),
        ("four zeros two", "en", "0 0 0 0 2"),
        ("ref echo delta one nine", "en", "ref e d 1 9"),
        ("quattromilaventuno", "it", "4021"),
        ("double s four four", "en", "s s 4 4"),
    ],
)
def test_letters_and_repetitions_become_figures(text: str, language: str, figures: str) -> None:
    assert NormalisedText(text, language).figures.decode("ascii") == figures


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("abito in via roma 12", "it"),
        ("da torino a milano alle 10", "it"),
        ("mio papà ha 81 anni", "it"),
        ("3 november 1948", "nl"),
        ("r. de ruiter 44", "nl"),
        ("charlie is 12", "en"),
        ("prendo due volte cinque gocce", "it"),
    ],
)
def test_words_that_are_also_letters_stay_words(text: str, language: str) -> None:
    letters = [
        word for word in NormalisedText(text, language).figures.decode("ascii").split() if word.strip(".").isalpha()
    ]
    assert all(len(word.strip(".")) > 1 or word in text.split() for word in letters)


@given(st.lists(st.sampled_from("um wait sorry no i mean it is the four a b".split()), max_size=30), st.integers(0, 30))
def test_a_pause_never_ends_before_it_starts_or_after_the_text(said: list[str], at: int) -> None:
    end, _ = past(said, min(at, len(said)))
    assert min(at, len(said)) <= end <= len(said)
