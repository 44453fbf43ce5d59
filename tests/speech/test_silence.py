"""A silent caller is asked twice and then let go; the call ends on a goodbye alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.speech.silence import SilenceWatch, is_goodbye


@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
def test_two_prompts_come_before_the_close_and_nothing_after(language: str) -> None:
    watch = SilenceWatch(language)
    assert watch.due(6.9) is None
    steps = [watch.due(7.0), watch.due(2.0), watch.due(7.1), watch.due(7.0), watch.due(99.0)]
    assert [None if step is None else step.closes for step in steps] == [False, None, False, True, None]


def test_a_caller_who_speaks_starts_the_count_again() -> None:
    watch = SilenceWatch("nl")
    first = watch.due(7.0)
    watch.due(7.0)
    watch.heard()
    assert watch.due(7.0) == first


GOODBYES = {
    "nl": [
        "Tot ziens!",
        "dank u wel, tot ziens",
        "ok bedankt daag",
        "Nee, dat was het. Tot ziens en nog een fijne dag.",
    ],
    "en": ["Goodbye.", "thanks a lot, bye", "That's all, thank you very much, bye bye"],
    "fr": ["Au revoir !", "merci beaucoup, au revoir madame", "d'accord, bonne journée, au revoir"],
    "it": ["Arrivederci.", "grazie mille, arrivederci", "va bene, è tutto, grazie, a presto"],
}
OTHERS = {
    "nl": [
        "bedankt",
        "dank u wel",
        "tot ziens zeggen ze dan maar waar is de uitgang",
        "tot ziens?",
        "dag",
        "",
        "tot ziens of wacht nog een vraag",
    ],
    "en": ["thank you", "how do I say goodbye to my father", "bye for now but one more question", "okay"],
    "fr": ["merci", "au revoir ? non attendez", "bonne journée", "salut"],
    "it": ["grazie", "ciao", "arrivederci ma prima una domanda", "buongiorno"],
}


@pytest.mark.parametrize(("language", "said"), [(code, said) for code, some in GOODBYES.items() for said in some])
def test_an_explicit_goodbye_ends_the_call(language: str, said: str) -> None:
    assert is_goodbye(said, language)


@pytest.mark.parametrize(("language", "said"), [(code, said) for code, some in OTHERS.items() for said in some])
def test_thanks_greetings_and_goodbyes_within_a_question_do_not(language: str, said: str) -> None:
    assert not is_goodbye(said, language)


@given(st.text(max_size=80), st.sampled_from(sorted(GOODBYES)))
def test_any_text_gets_a_verdict(said: str, language: str) -> None:
    assert is_goodbye(said, language) in {True, False}
