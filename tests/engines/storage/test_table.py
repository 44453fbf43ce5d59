"""What every table does, whatever is behind it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from careline.engines.embedded.table import SqliteTable
from careline.errors import CarelineError, Conflict, RecordDamaged, TableUnavailable, TooLarge
from careline.records.record_table import Delete, Item, Put, RecordTable


def a_record(sort: str = "one", **body: Any) -> Item:
    return Item("tenant#a", sort, body or {"text": "hallo"})


async def sorts(table: RecordTable, prefix: str = "", **more: Any) -> list[str]:
    return [item.sort async for item in table.query("tenant#a", prefix, **more)]


def files_with(folder: Path, word: bytes) -> list[str]:
    """The files of a database, its log too, in whose bytes a word stands."""
    return [file.name for file in folder.iterdir() if word in file.read_bytes()]


async def test_a_record_that_was_never_written_is_none(table: RecordTable) -> None:
    assert await table.get("tenant#a", "nothing") is None


async def test_a_record_comes_back_as_it_went_in(table: RecordTable) -> None:
    body = {
        "price": 0.1 + 0.2,
        "tiny": 5e-324,
        "whole": 2**62,
        "none": None,
        "ja": True,
        "text": "crème 💊",
        "of": [{}, []],
    }
    await table.write(Put(a_record(**body)))
    found = await table.get("tenant#a", "one")
    assert found is not None
    assert (found.body, found.revision, found.expires_at) == (body, 1, None)
    assert isinstance(found.body["whole"], int)


async def test_a_counter_is_written_as_often_as_it_may_be_by_however_many_at_once(table: RecordTable) -> None:
    count = Put(Item("tenant#a", "counter", {}), below=5)

    async def counted() -> bool:
        try:
            await table.write(count)
        except Conflict:
            return False
        return True

    assert sum(await asyncio.gather(*(counted() for _ in range(12)))) == 5
    found = await table.get("tenant#a", "counter")
    assert found is not None
    assert found.revision == 5
    assert not await counted()


async def test_each_write_counts_the_revision(table: RecordTable) -> None:
    for _ in range(3):
        await table.write(Put(a_record()))
    found = await table.get("tenant#a", "one")
    assert found is not None
    assert found.revision == 3


async def test_only_one_writer_makes_a_record_that_must_be_absent(table: RecordTable) -> None:
    await table.write(Put(a_record(), expects=0))
    with pytest.raises(Conflict):
        await table.write(Put(a_record(), expects=0))


async def test_a_writer_who_read_an_older_revision_is_refused(table: RecordTable) -> None:
    await table.write(Put(a_record(n=1), expects=0))
    await table.write(Put(a_record(n=2), expects=1))
    with pytest.raises(Conflict):
        await table.write(Put(a_record(n=3), expects=1))
    found = await table.get("tenant#a", "one")
    assert found is not None
    assert (found.body, found.revision) == ({"n": 2}, 2)


async def test_a_revision_is_not_expected_of_a_record_that_is_absent(table: RecordTable) -> None:
    with pytest.raises(Conflict):
        await table.write(Put(a_record(), expects=1))


async def test_of_many_writers_at_once_exactly_one_wins(table: RecordTable) -> None:
    tries = await asyncio.gather(
        *(table.write(Put(a_record(n=n), expects=0)) for n in range(8)), return_exceptions=True
    )
    assert sum(result is None for result in tries) == 1
    assert sum(isinstance(result, Conflict) for result in tries) == 7


async def test_several_changes_are_kept_together_or_not_at_all(table: RecordTable) -> None:
    await table.write(Put(a_record("old")))
    with pytest.raises(Conflict):
        await table.write(Put(a_record("new")), Delete("tenant#a", "old"), Put(a_record("other"), expects=7))
    assert await sorts(table) == ["old"]
    await table.write(Put(a_record("new")), Put(a_record("newer"), expects=0), Delete("tenant#a", "old"))
    assert await sorts(table) == ["new", "newer"]


async def test_a_hundred_changes_go_together(table: RecordTable) -> None:
    await table.write(*(Put(a_record(f"{n:03d}")) for n in range(100)))
    assert len(await sorts(table)) == 100


async def test_removing_what_is_not_there_is_no_error(table: RecordTable) -> None:
    await table.write(Delete("tenant#a", "nothing"))
    await table.write()
    assert await table.get("tenant#a", "nothing") is None


async def test_records_are_listed_in_order_of_their_sort_key(table: RecordTable) -> None:
    names = ["job#2", "job#10", "job#1", "zone", "a", "job#é"]
    await table.write(*(Put(a_record(name)) for name in names))
    assert await sorts(table) == sorted(names)
    assert await sorts(table, "job#") == ["job#1", "job#10", "job#2", "job#é"]
    assert await sorts(table, "job#", descending=True) == ["job#é", "job#2", "job#10", "job#1"]


async def test_a_listing_goes_on_after_a_key(table: RecordTable) -> None:
    await table.write(*(Put(a_record(f"job#{n}")) for n in range(5)))
    assert await sorts(table, "job#", after="job#2") == ["job#3", "job#4"]
    assert await sorts(table, "job#", after="job#2", descending=True) == ["job#1", "job#0"]
    assert await sorts(table, after="job#3") == ["job#4"]
    assert await sorts(table, "job#", after="zzz") == []


async def test_a_listing_longer_than_a_page_is_complete(table: RecordTable) -> None:
    long = {"text": "x" * 300_000}
    for n in range(8):
        await table.write(Put(a_record(f"{n}", **long)))
    assert await sorts(table) == [str(n) for n in range(8)]


async def test_partitions_are_apart(table: RecordTable) -> None:
    await table.write(Put(Item("tenant#b", "one", {})))
    assert await sorts(table) == []


async def test_an_expired_record_is_gone_and_may_be_made_again(table: RecordTable, clock: Any) -> None:
    until = clock.now() + timedelta(seconds=60)
    await table.write(Put(Item("tenant#a", "one", {"n": 1}, expires_at=until)))
    found = await table.get("tenant#a", "one")
    assert found is not None
    assert found.expires_at == until
    clock.move(60)
    assert await table.get("tenant#a", "one") is None
    assert await sorts(table) == []
    with pytest.raises(Conflict):
        await table.write(Put(a_record(), expects=1))
    await table.write(Put(a_record(n=2), expects=0))
    found = await table.get("tenant#a", "one")
    assert found is not None
    assert (found.body, found.revision, found.expires_at) == ({"n": 2}, 1, None)


async def test_what_has_expired_is_deleted_for_good_and_the_rest_stays(
    table: RecordTable, clock: Any, request: Any
) -> None:
    until = clock.now() + timedelta(seconds=60)
    for sort, expires in (("old", until), ("older", until), ("young", until + timedelta(seconds=1)), ("kept", None)):
        await table.write(Put(Item("tenant#a", sort, {}, expires_at=expires)))
    assert await table.purge() == 0
    clock.move(60)
    by_itself = "aws" in request.node.name
    assert await table.purge() == (0 if by_itself else 2)
    assert await table.purge() == 0
    assert await sorts(table) == ["kept", "young"]


async def test_a_table_that_was_scrubbed_holds_what_it_held(table: RecordTable) -> None:
    await table.write(*(Put(a_record(f"{n:03d}", text="x" * 500)) for n in range(90)))
    await table.write(*(Delete("tenant#a", f"{n:03d}") for n in range(0, 90, 2)))
    await table.scrub()
    assert await sorts(table) == [f"{n:03d}" for n in range(1, 90, 2)]
    await table.write(Put(a_record("001"), expects=1))


async def test_a_table_in_order_is_sound(table: RecordTable) -> None:
    await table.write(Put(a_record()))
    assert await table.sound()


async def test_a_file_whose_order_was_broken_is_not_sound(tmp_path: Path, clock: Any) -> None:
    table = SqliteTable(tmp_path / "table.sqlite", clock)
    await table.write(*(Put(a_record(f"{n}")) for n in range(7)))
    await table.scrub()
    table.close()
    content = (tmp_path / "table.sqlite").read_bytes()
    (tmp_path / "table.sqlite").write_bytes(content.replace(b"tenant#a3", b"uenant#a3"))
    table = SqliteTable(tmp_path / "table.sqlite", clock)
    assert not await table.sound()
    table.close()


async def test_no_byte_of_a_deleted_record_is_in_the_files_after_a_scrub(tmp_path: Path, clock: Any) -> None:
    table = SqliteTable(tmp_path / "table.sqlite", clock)
    for n in range(300):
        # Records of many lengths, so that pages are split and filled again while the secret is among them.
        await table.write(Put(a_record(f"{n * 37 % 300:03d}", text=f"Godelieve-{n} " * (1 + n % 60))))
    assert files_with(tmp_path, b"Godelieve") != []
    for n in range(300):
        await table.write(Put(a_record(f"{n:03d}", text="kort")) if n % 3 else Delete("tenant#a", f"{n:03d}"))
    await table.scrub()
    assert files_with(tmp_path, b"Godelieve") == []
    table.close()


async def test_a_new_file_may_be_opened_by_several_at_once(tmp_path: Path, clock: Any) -> None:
    for n in range(40):
        tables = [SqliteTable(tmp_path / f"{n}.sqlite", clock) for _ in range(3)]
        await asyncio.gather(*(table.write(Put(a_record(f"{m}"))) for m, table in enumerate(tables)))
        assert await sorts(tables[0]) == ["0", "1", "2"]
        for table in tables:
            table.close()


async def test_a_scrub_waits_for_no_other_process_that_only_has_the_file_open(tmp_path: Path, clock: Any) -> None:
    first, second = (SqliteTable(tmp_path / "table.sqlite", clock) for _ in range(2))
    await first.write(Put(a_record(text="Godelieve")))
    assert await second.get("tenant#a", "one") is not None
    await second.write(Delete("tenant#a", "one"))
    await second.scrub()
    assert files_with(tmp_path, b"Godelieve") == []
    await first.write(Put(a_record("two")))
    assert [item.sort async for item in second.query("tenant#a")] == ["two"]
    first.close()
    second.close()


@pytest.mark.parametrize(
    "damage",
    [
        "body = '{\"text\":'", "body = CAST(x'7b22ff223a317d' AS TEXT)", "sort = CAST(x'746d77ff' AS TEXT)",
        "body = '[1]'", "revision = 'x'", "expires_at = 'soon'", "expires_at = 9e99",
    ],
)  # fmt: skip
async def test_a_record_whose_bytes_are_broken_is_told_and_not_passed_over(
    tmp_path: Path, clock: Any, damage: str
) -> None:
    table = SqliteTable(tmp_path / "table.sqlite", clock)
    await table.write(Put(a_record("one")), Put(a_record("two")))
    with closing(sqlite3.connect(tmp_path / "table.sqlite")) as behind, behind:
        behind.execute(f"UPDATE items SET {damage} WHERE sort = 'two'")
    with pytest.raises(RecordDamaged):
        await sorts(table)
    assert await table.get("tenant#a", "one") is not None
    table.close()


async def test_a_broken_record_of_dynamodb_is_told(dynamodb: Any, dynamo: Any) -> None:
    await dynamo.write(Put(a_record()))
    dynamodb.update_item(
        TableName="careline", Key={"pk": {"S": "tenant#a"}, "sk": {"S": "one"}},
        UpdateExpression="SET body = :body", ExpressionAttributeValues={":body": {"S": "{"}},
    )  # fmt: skip
    with pytest.raises(RecordDamaged):
        await sorts(dynamo)
    with pytest.raises(RecordDamaged):
        await dynamo.get("tenant#a", "one")


async def test_dynamodb_keeps_the_expiry_in_whole_seconds_for_its_own_deletion(
    aws: Any, clock: Any, dynamo: Any
) -> None:
    table = dynamo
    await table.write(Put(Item("tenant#a", "one", {}, expires_at=clock.now())))
    record = aws.client("dynamodb", region_name="eu-west-1").scan(TableName="careline")["Items"][0]
    assert record["expires_at"] == {"N": str(int(clock.now().timestamp()) + 1)}
    assert record["body"] == {"S": "{}"}


async def test_a_write_whose_answer_was_lost_is_not_taken_for_a_conflict(dynamodb: Any, dynamo: Any) -> None:
    """botocore sends again after a lost answer; then our own record is in the way of the condition."""
    table = dynamo
    update = dynamodb.update_item

    def twice(**request: Any) -> Any:
        update(**request)
        return update(**request)

    dynamodb.update_item = twice
    await table.write(Put(a_record(), expects=0))
    found = await table.get("tenant#a", "one")
    assert found.revision == 1


async def test_a_record_that_dynamodb_cannot_hold_is_too_large(dynamo: Any) -> None:
    with pytest.raises(TooLarge):
        await dynamo.write(Put(a_record(text="x" * 500_000)))


async def test_a_table_that_is_not_there_is_unavailable_and_says_nothing_of_its_content(aws: Any, clock: Any) -> None:
    from careline.engines.aws.table import DynamoTable

    table = DynamoTable("absent", clock, aws.client("dynamodb", region_name="eu-west-1"))
    failures: list[CarelineError] = []
    for work in (table.get("tenant#a", "one"), table.write(Put(a_record())), sorts(table)):
        with pytest.raises(TableUnavailable) as raised:
            await work
        failures.append(raised.value)
    assert {failure.message.split(": ")[1] for failure in failures} == {"ResourceNotFoundException"}
