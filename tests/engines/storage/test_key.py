"""The installation's secret: made once, for its owner alone, and the same for every process."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from careline import bootstrap
from careline.engines.embedded.key import kept_key
from careline.engines.embedded.key_check import fits, holds_records, proven, set_aside
from careline.engines.embedded.table import SqliteTable
from careline.errors import SettingsInvalid
from careline.privacy.redaction.keyed_digest import KEY_BYTES, digest, read_key
from careline.records.record_kind import KINDS, NOTHING
from careline.records.record_table import Item, Put
from careline.settings import Settings
from careline_local.cli.records import form
from tests.fakes import KEY, SettableClock


def test_a_key_is_made_at_the_first_start_and_is_the_same_from_then_on(tmp_path: Path) -> None:
    made = kept_key(tmp_path / "privacy.key")
    assert len(made) == KEY_BYTES
    assert kept_key(tmp_path / "privacy.key") == made
    assert kept_key(tmp_path / "other.key") != made


def test_only_its_owner_can_read_it_and_no_draft_is_left(tmp_path: Path) -> None:
    kept_key(tmp_path / "privacy.key")
    assert stat.S_IMODE((tmp_path / "privacy.key").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["privacy.key"]


def test_processes_that_start_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        keys = list(pool.map(lambda _: kept_key(tmp_path / "privacy.key"), range(64)))
    assert len(set(keys)) == 1


@pytest.mark.parametrize("content", ["", "00" * 31, "not hexadecimal", "é"])
def test_a_file_that_holds_no_key_is_told_and_never_replaced(tmp_path: Path, content: str) -> None:
    file = tmp_path / "privacy.key"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(SettingsInvalid, match="backup") as raised:
        kept_key(file)
    assert file.read_text(encoding="utf-8") == content
    assert not content or content not in raised.value.message


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid):
        kept_key(tmp_path / "nowhere" / "privacy.key")


def test_a_key_that_is_needed_and_missing_is_not_made_up(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"privacy\.key is missing.*backup.*new-key --i-lost-it"):
        kept_key(tmp_path / "privacy.key", is_needed=True)
    assert list(tmp_path.iterdir()) == []


def test_the_records_know_their_key_from_any_other(tmp_path: Path) -> None:
    records = tmp_path / "records.sqlite"
    assert not holds_records(records)
    assert proven(KEY, records, "it") == KEY
    assert holds_records(records)
    assert fits(KEY, records)
    for other in (KEY[::-1], KEY[:-1] + b"x", bytes(32)):
        with pytest.raises(SettingsInvalid, match="is not the key") as raised:
            proven(other, records, "it")
        assert other.hex() not in raised.value.message
    assert fits(KEY, records), "a wrong key leaves no trace"


def test_records_that_cannot_be_read_prove_nothing_and_are_not_taken_for_none(tmp_path: Path) -> None:
    records = tmp_path / "records.sqlite"
    records.write_bytes(b"this is no database at all, whatever its name says" * 100)
    assert holds_records(records)
    assert proven(KEY, records, "it") == KEY


async def test_what_nobody_can_read_goes_with_the_key_and_nothing_else(tmp_path: Path) -> None:
    records = tmp_path / "records.sqlite"
    table = SqliteTable(records, SettableClock())
    for kind in KINDS.values():
        await table.write(Put(Item(*form(kind), {"question_encrypted": "…"})))
    set_aside(records, tmp_path / "outbox.sqlite", KEY, "now")
    left = {name for name, kind in KINDS.items() if await table.get(*form(kind)) is not None}
    table.close()
    moved = {"audit_entry"}
    assert set(KINDS) - left - moved == {name for name, kind in KINDS.items() if kind.goes_with_key}
    assert not {name for name in left if KINDS[name].encrypted != NOTHING} - {"turn"}, "a turn's question alone goes"


def test_processes_that_start_an_installation_at_once_prove_one_key(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: bootstrap.engines(settings).key, range(16)))
    assert len(set(made)) == 1


def test_a_key_is_read_from_hexadecimal_digits() -> None:
    assert read_key(f" {KEY.hex().upper()}\n") == KEY
    for wrong in ("", "0f" * 31, "x" * 64):
        with pytest.raises(SettingsInvalid, match="CARELINE_PRIVACY_KEY"):
            read_key(wrong)


def test_digests_of_different_purposes_and_keys_are_apart() -> None:
    digests = {digest("a", KEY, "x"), digest("a", KEY, "y"), digest("b", KEY, "x"), digest("a", bytes(32), "x")}
    assert len(digests) == 4
    assert all(len(one) == 64 for one in digests)


def test_nothing_is_digested_without_a_key() -> None:
    with pytest.raises(SettingsInvalid):
        digest("a", b"", "x")
