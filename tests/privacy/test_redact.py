"""Tokens in place of personal data: the same ones through a conversation, and undone only where they were made."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.errors import SettingsInvalid
from careline.model import Span, SpanType
from careline.privacy.redaction.redact import Vault, without_overlaps

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
WORDS = st.one_of(
    st.text(min_size=1, max_size=8),
    st.sampled_from(
        ["[PERSON_1]", "[PERSON\\_1]", "[LITERAL_1]", "[PERSON_", "1]", "[", "]", "Jan", "jan", "0478 12", "\ud800"]
    ),
)
MARKED = st.lists(st.tuples(WORDS, st.one_of(st.none(), st.sampled_from(SpanType))), max_size=12)


def marked(pieces: list[tuple[str, SpanType | None]]) -> tuple[str, list[Span]]:
    text, spans = "", []
    for piece, kind in pieces:
        if kind is not None:
            spans.append(Span(len(text), len(text) + len(piece), kind, "marked"))
        text += piece
    return text, spans


def redacted(vault: Vault, *pieces: tuple[str, SpanType | None]) -> str:
    return vault.redact(*marked(list(pieces)))


def test_each_value_becomes_a_numbered_token_of_its_kind() -> None:
    text = redacted(
        Vault(KEY),
        ("Jan", SpanType.PERSON),
        (" en ", None),
        ("Els", SpanType.PERSON),
        (" op ", None),
        ("3 mei", SpanType.DATE),
    )
    assert text == "[PERSON_1] en [PERSON_2] op [DATE_1]"


@pytest.mark.parametrize(
    ("first", "again", "kind"),
    [
        ("Jan Peeters", "jan  PEETERS", SpanType.PERSON),
        ("0478/12.34.56", "0478 12 34 56", SpanType.PHONE),
        ("be68 5390 0754 7034", "BE68539007547034", SpanType.IBAN),
        ("61.03.12-123.43", "61031212343", SpanType.NISS),
    ],
)
def test_a_value_keeps_its_token_however_it_is_written(first: str, again: str, kind: SpanType) -> None:
    vault = Vault(KEY)
    assert redacted(vault, (first, kind)) == redacted(vault, (again, kind)) == f"[{kind}_1]"


def test_a_value_keeps_its_token_in_the_next_turn_though_it_was_not_stored() -> None:
    before = Vault(KEY)
    redacted(before, ("Jan", SpanType.PERSON), (" ", None), ("Els", SpanType.PERSON))
    stored = json.dumps(before.state())
    assert "Jan" not in stored
    after = Vault(KEY, json.loads(stored))
    assert redacted(after, ("els", SpanType.PERSON), (" ", None), ("Omar", SpanType.PERSON)) == "[PERSON_2] [PERSON_3]"


def test_another_installation_cannot_recognise_a_value() -> None:
    one, other = Vault(KEY), Vault(OTHER_KEY)
    redacted(one, ("Jan", SpanType.PERSON))
    redacted(other, ("Jan", SpanType.PERSON))
    assert one.state() != other.state()


def test_a_token_from_another_process_is_not_undone() -> None:
    before = Vault(KEY)
    text = redacted(before, ("Jan", SpanType.PERSON))
    assert Vault(KEY, before.state()).restore(text) == text


def test_a_token_is_undone_when_a_model_escaped_it() -> None:
    vault = Vault(KEY)
    redacted(vault, ("12/03/1961", SpanType.DATE_OF_BIRTH))
    assert vault.restore(r"u bent geboren op [DATE_OF_BIRTH\_1].") == "u bent geboren op 12/03/1961."


def test_a_token_that_somebody_types_does_not_reveal_a_value() -> None:
    vault = Vault(KEY)
    text = redacted(vault, ("Jan", SpanType.PERSON), (" wie is [PERSON_1] dan", None))
    assert text == "[PERSON_1] wie is [LITERAL_1] dan"
    assert vault.restore(text) == "Jan wie is [PERSON_1] dan"


def test_a_value_that_looks_like_a_token_is_put_back_as_it_was() -> None:
    vault = Vault(KEY)
    text = redacted(vault, ("[PERSON_2]", SpanType.PERSON), (" en ", None), ("Els", SpanType.PERSON))
    assert text == "[PERSON_1] en [PERSON_2]"
    assert vault.restore(text) == "[PERSON_2] en Els"


def test_nothing_is_redacted_without_a_key() -> None:
    with pytest.raises(SettingsInvalid):
        redacted(Vault(b""), ("Jan", SpanType.PERSON))


def test_a_vault_does_not_show_its_values() -> None:
    vault = Vault(KEY)
    redacted(vault, ("Jan", SpanType.PERSON))
    assert repr(vault) == "Vault(1 tokens)"


@settings(max_examples=400, deadline=None)
@given(MARKED)
def test_what_is_redacted_can_be_restored(pieces: list[tuple[str, SpanType | None]]) -> None:
    text, spans = marked(pieces)
    vault = Vault(KEY)
    restored = vault.restore(vault.redact(text, spans))
    if _written_one_way(text, spans):
        assert restored == text
    else:
        assert _folded(restored) == _folded(text)


@settings(max_examples=200, deadline=None)
@given(MARKED)
def test_redacting_twice_gives_the_same_text_and_the_same_state(pieces: list[tuple[str, SpanType | None]]) -> None:
    text, spans = marked(pieces)
    vault = Vault(KEY)
    first, state = vault.redact(text, spans), vault.state()
    assert Vault(KEY, state).redact(text, spans) == first
    assert (vault.redact(text, spans), vault.state()) == (first, state)


def _written_one_way(text: str, spans: list[Span]) -> bool:
    """Whether no value is written in two ways that share a token."""
    spellings: dict[str, set[str]] = {}
    for span in spans:
        value = text[span.start : span.end]
        spellings.setdefault(f"{span.type}{_folded(value)}", set()).add(value)
    return all(len(each) == 1 for each in spellings.values())


def _folded(text: str) -> str:
    import unicodedata

    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", text).casefold())


def test_a_value_that_was_redacted_is_found_again_letter_for_letter_the_longest_first() -> None:
    vault = Vault(KEY)
    vault.redact("Jan Maes en Jan, [PERSON_9]", [Span(0, 8, SpanType.PERSON), Span(12, 15, SpanType.PERSON)])
    text = "is Jan Maes er, of Jan? [PERSON_9] jan"
    assert [(text[one.start : one.end], one.type) for one in vault.found_again(text)] == [
        ("Jan Maes", SpanType.PERSON), ("Jan", SpanType.PERSON),
    ]  # fmt: skip
    assert vault.found_again("") == []


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 10)), max_size=12))
def test_of_spans_that_overlap_one_is_kept_and_none_is_lost_that_stands_alone(pairs: list[tuple[int, int]]) -> None:
    spans = [Span(start, start + length, SpanType.PERSON) for start, length in pairs]
    kept = without_overlaps(spans)
    assert all(before.end <= after.start for before, after in pairwise(kept))
    assert all(any(one.start < each.end and each.start < one.end for each in kept) for one in spans)
