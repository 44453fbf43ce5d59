"""What is encrypted is read with its key, in its place, as it was; and in no other way."""

from __future__ import annotations

import base64

import pytest

from careline.conversation import names
from careline.errors import RecordDamaged, SettingsInvalid
from careline.privacy.redaction.encryption import VERSION, decrypt, encrypt
from tests.fakes import KEY

PLACE = ("message", "a", "talk", "turn-1-50-user")


@pytest.mark.parametrize("content", ["", "Godelieve", {"a": [1, None, "é\ud800"]}, None, "x" * 100_000])
def test_content_comes_back_as_it_was_and_never_looks_the_same(content: object) -> None:
    written = encrypt(content, KEY, *PLACE)
    assert decrypt(written, KEY, *PLACE) == content
    assert written != encrypt(content, KEY, *PLACE)
    assert "Godelieve" not in written


@pytest.mark.parametrize("at", range(4))
def test_it_is_read_in_its_own_place_alone(at: int) -> None:
    elsewhere = tuple(f"{part}x" if n == at else part for n, part in enumerate(PLACE))
    with pytest.raises(RecordDamaged):
        decrypt(encrypt("x", KEY, *PLACE), KEY, *elsewhere)


def test_parts_of_a_place_do_not_run_together() -> None:
    with pytest.raises(RecordDamaged):
        decrypt(encrypt("x", KEY, "a", "bc"), KEY, "ab", "c")


def test_another_key_or_a_changed_byte_anywhere_is_told() -> None:
    written = encrypt("Godelieve", KEY, *PLACE)
    with pytest.raises(RecordDamaged):
        decrypt(written, bytes(32), *PLACE)
    sealed = base64.b64decode(written.removeprefix(VERSION))
    for place in range(len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(RecordDamaged):
            decrypt(VERSION + base64.b64encode(changed).decode(), KEY, *PLACE)
    for wrong in (None, 7, "", "1.", "1.é", "Godelieve", written[2:], written[:-4]):
        with pytest.raises(RecordDamaged):
            decrypt(wrong, KEY, *PLACE)


def test_nothing_is_encrypted_without_a_key() -> None:
    with pytest.raises(SettingsInvalid):
        encrypt("x", b"", *PLACE)


def test_a_conversation_has_a_name_of_ours_whatever_a_client_calls_it() -> None:
    mine = names.made("0001", "a", KEY)
    assert names.ours(mine, "a", KEY) == mine
    for sent in ("Jan-Peeters", "talk", mine[:-1], mine.upper() + "-", "0001-" + "0" * 16):
        ours = names.ours(sent, "a", KEY)
        assert ours == names.ours(sent, "a", KEY) == names.ours(ours, "a", KEY)
        assert sent not in ours
    assert names.ours(mine, "b", KEY) != mine, "of another tenant"
    assert names.ours(mine, "a", bytes(32)) != mine
