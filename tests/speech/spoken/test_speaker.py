"""An answer for the ear: no markdown, links or markers, two sentences at most."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from careline.speech.spoken.speaker import Speaker
from careline.text.sentences import SentenceStream, split

MARKDOWN = re.compile(r"\*|`|__|~~|\[\^?\d+(?:\s?[,;–-]\s?\d+)*\]|\[[^\]]+\]\([^)]*\)|^\s*#|\|", re.MULTILINE)
URL = re.compile(r"https?://|www\.\w", re.IGNORECASE)
LANGUAGES = ("nl", "en", "fr", "it")

pieces = st.sampled_from(
    [
        "Kom nuchter. ",
        "**Let op.** ",
        "Zie [de folder](https://x.be/a_b). ",
        "https://www.uz.be/bezoek?x=1. ",
        "[1]",
        "[2, 3] ",
        "Neem mee:\n",
        "- uw **identiteitskaart**\n",
        "- een lijst; \n",
        "* `medicatie`!\n",
        "1. eerst\n",
        "\n\n",
        "# Kop\n",
        "| a | b |\n",
        "|---|:-:|\n",
        "> citaat ",
        "Bel 016 33 22 11. ",
        "Het kost € 2,50 [1]. ",
        "_cursief_ ",
        "*",
        "**",
        "`",
        "(www.uz.be) ",
        "![foto](http://x/y.png)",
        "dr. Peeters ",
        "Waarom? ",
        "Ja! ",
        "…",
        "~~oud~~ ",
        "[^1]",
        "<https://a.b> ",
    ]
)


@given(st.lists(pieces, max_size=12).map("".join), st.sampled_from(LANGUAGES))
def test_spoken_text_never_has_markdown_addresses_or_markers(text: str, language: str) -> None:
    spoken = Speaker(language).say(text)
    assert not MARKDOWN.search(spoken), spoken
    assert not URL.search(spoken), spoken


SIGNS = st.text("[]()*_`~|^#!-:.,0123ab \n", max_size=40)


@given(st.text(max_size=200) | SIGNS, st.sampled_from(LANGUAGES))
@example("[:]*(0)", "nl")
@example("[*1]", "en")
@example("*0*~*~", "nl")
@example("0~_*_~", "nl")
@example("[[1](x)](y)", "fr")
def test_whatever_the_text_is_it_can_be_said(text: str, language: str) -> None:
    spoken = Speaker(language).say(text)
    assert spoken == spoken.strip()
    assert not MARKDOWN.search(spoken)


@given(st.lists(pieces, max_size=12).map("".join), st.sampled_from(LANGUAGES))
@example(".1. 1e.", "nl")
def test_an_answer_that_is_repeated_is_said_as_before(text: str, language: str) -> None:
    spoken = Speaker(language).say(text)
    assert Speaker(language).say(spoken) == spoken


@given(st.lists(pieces, max_size=12).map("".join), st.sampled_from(LANGUAGES))
def test_an_answer_is_said_without_figures(text: str, language: str) -> None:
    assert not any(character.isdigit() for character in Speaker(language).say(text))


SENTENCES = [
    "Kom nuchter.",
    "Neem uw kaart mee.",
    "Bel eerst het secretariaat.",
    "Parkeren kost € 2,50 [1].",
    "Mag het?",
]
ITEMS = ["uw kaart", "een lijst met medicatie;", "geld!", "een pyjama."]
paragraphs = st.one_of(
    st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5).map(" ".join),
    st.tuples(
        st.sampled_from(["Neem mee:", "Let op [2]:"]), st.lists(st.sampled_from(ITEMS), min_size=1, max_size=6)
    ).map(lambda pair: "\n".join([pair[0], *(f"- {item}" for item in pair[1])])),
)


@given(st.lists(paragraphs, min_size=1, max_size=4).map("\n\n".join), st.sampled_from(LANGUAGES))
def test_an_answer_is_at_most_two_sentences_and_at_least_one(text: str, language: str) -> None:
    spoken = Speaker(language).say(text)
    assert 1 <= len(split(spoken, language)) <= 2
    assert spoken[-1] in ".!?…"


@given(st.lists(paragraphs, min_size=1, max_size=4).map("\n\n".join), st.integers(1, 9), st.sampled_from(LANGUAGES))
def test_an_answer_that_arrives_in_pieces_is_said_like_the_whole_one(text: str, size: int, language: str) -> None:
    stream, speaker = SentenceStream(language), Speaker(language)
    said = ""
    for start in range(0, len(text), size):
        said += "".join(speaker.push(sentence) for sentence in stream.push(text[start : start + size]))
    said += "".join(speaker.push(sentence) for sentence in stream.flush()) + speaker.flush()
    assert said.strip() == Speaker(language).say(text)


@pytest.mark.parametrize(
    ("language", "spoken"),
    [
        ("nl", "Neem mee: onder andere kaart en lijst."),
        ("en", "Neem mee: among others kaart and lijst."),
        ("fr", "Neem mee: entre autres kaart et lijst."),
        ("it", "Neem mee: tra l'altro kaart e lijst."),
    ],
)
def test_a_long_list_is_cut_short_and_a_short_one_is_one_sentence(language: str, spoken: str) -> None:
    assert Speaker(language).say("Neem mee:\n- kaart\n- lijst\n- geld\n- pyjama") == spoken
    assert Speaker("nl").say("Neem mee:\n- kaart;\n- lijst.") == "Neem mee: kaart en lijst."
    assert Speaker("nl").say("- kaart") == "Kaart."


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Zie [de folder](https://uz.be/a). [1]", "Zie de folder."),
        ("Kom nuchter [1, 2].", "Kom nuchter."),
        ("**Let op. Kom nuchter.**", "Let op. Kom nuchter."),
        ("Zie www.uz.be.", "Zie."),
        ("Kijk (https://uz.be).", "Kijk."),
        ("A | B | C", "A, B, C."),
        ("", ""),
        ("Neem mee:", "Neem mee."),
    ],
)
def test_what_only_eyes_can_use_is_left_out(text: str, spoken: str) -> None:
    assert Speaker("nl").say(text) == spoken


@pytest.mark.parametrize("rule", ["-" * 4000, "| --- " * 600 + "|", "|" + ":--:|" * 900, "=" * 4000, "--" * 1500 + "x"])
def test_a_rule_however_long_is_read_once_and_not_said(rule: str) -> None:
    said = Speaker("en").say(f"{rule}\nThe shuttle bus leaves at nine.")
    assert said.endswith("The shuttle bus leaves at nine.")
    assert rule.endswith("x") or said == "The shuttle bus leaves at nine."


@pytest.mark.parametrize(
    ("language", "answer", "heard"),
    [
        ("nl", "Mag de hond mee? Nee. Alleen geleidehonden.", "Nee: Alleen geleidehonden."),
        ("en", "Not sure? Ask at desk 3. It is open now. Every day.", "Not sure: Ask at desk three. It is open now."),
        ("en", "How do I pay? Ask at desk 3. It is open all day.", "Ask at desk three. It is open all day."),
        ("fr", "Est-ce gratuit ? Oui. Le dimanche aussi.", "Oui: Le dimanche aussi."),
        ("it", "Posso venire in treno? Sì.", "Posso venire in treno? Sì."),
    ],
)
def test_a_question_that_the_page_answers_takes_no_place_and_yes_or_no_goes_with_its_reason(
    language: str, answer: str, heard: str
) -> None:
    assert Speaker(language).say(answer) == heard


def test_an_english_time_of_the_24_hour_clock_says_its_half_of_the_day() -> None:
    assert Speaker("en").say("Open from 20:00 to 06:00.") == "Open from eight p.m. to six a.m."
    assert Speaker("en").say("Start at 03:00 with dose 1.") == "Start at three a.m. with dose one."
    assert Speaker("en").say("Open 9:00-17:00.") == "Open nine a.m. to five p.m."
    assert Speaker("en").say("Come at 9:00.") == "Come at nine o'clock."
    assert (
        Speaker("en").say("Morning (before 13:00) – Dose 1: at home.")
        == "Morning, before one p.m. – Dose one: at home."
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Vandaag is dr. Rahimi er (van 9:00 tot 12:00, Noord) en dr. Aerts (Zuid).",
         "Vandaag is dokter Rahimi er, van negen uur tot twaalf uur, Noord, en dokter Aerts, Zuid."),
        ("Vrijdag is een feestdag (Kerstmis); bel ons.", "Vrijdag is een feestdag, Kerstmis; bel ons."),
        ("Vraag het formulier(en) aan.", "Vraag het formulier(en) aan."),
        ("(Enkel op afspraak.)", "(Enkel op afspraak.)"),
        ("Kom (echt waar?) langs aan lokaal (b).", "Kom (echt waar?) langs aan lokaal (b)."),
    ],
)  # fmt: skip
def test_an_aside_is_said_between_commas(text: str, said: str) -> None:
    assert Speaker("nl").say(text) == said
