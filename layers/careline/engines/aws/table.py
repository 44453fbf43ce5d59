"""Keeps records in one DynamoDB table; its keys are `pk` and `sk`.

A record's body is a JSON string, so that floats come back as they went in (DynamoDB's numbers are decimals of 38
digits). Time-to-live deletes an expired record within days, so readers and conditions look at the expiry themselves.
"""

from __future__ import annotations

import json
import math
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from careline.engines.aws.connect import client, code_of, in_thread, translated
from careline.errors import BadRequest, Conflict, RecordDamaged, TableUnavailable, TooLarge
from careline.ports import Clock
from careline.records.record_table import Delete, Item, Put

MAX_CHANGES = 100
"""What one TransactWriteItems takes."""
CONTENDED_TRIES = 5
"""DynamoDB refuses a write while another transaction holds the record; that passes in milliseconds."""
HIGHEST = chr(0x10FFFF)
"""Sorts after every other character, in UTF-8 bytes as in code points."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class DynamoTable:
    """The table port over DynamoDB."""

    def __init__(self, name: str, clock: Clock, dynamodb: Any = None) -> None:
        self._name = name
        self._clock = clock
        self._given = dynamodb

    @property
    def _dynamodb(self) -> Any:
        return self._given or client("dynamodb")

    async def get(self, partition: str, sort: str) -> Item | None:
        """See `record_table.RecordTable.get`. One strongly consistent read."""
        key = _key(partition, sort)
        with translated(TableUnavailable, "the table cannot be read"):
            answer = await in_thread(
                lambda: self._dynamodb.get_item(TableName=self._name, Key=key, ConsistentRead=True)
            )
        record = answer.get("Item")
        return _item(record) if record and not _expired(record, self._clock.now()) else None

    async def write(self, *changes: Put | Delete) -> None:
        """See `record_table.RecordTable.write`. One change is one request, several are one transaction."""
        if not changes:
            return
        if len(changes) > MAX_CHANGES:
            raise BadRequest(f"at most {MAX_CHANGES} changes can be written together")
        token = uuid.uuid4().hex
        requests = [_request(self._name, change, self._clock.now(), token) for change in changes]
        with translated(TableUnavailable, "the table cannot be written"):
            await in_thread(lambda: self._send(requests, token))

    def _send(self, requests: Sequence[dict[str, Any]], token: str) -> None:
        from botocore.exceptions import ClientError

        for attempt in range(1, CONTENDED_TRIES + 1):
            try:
                self._send_once(requests)
                return
            except ClientError as error:
                if _refused(error) and not (len(requests) == 1 and _written_by(error, token)):
                    raise Conflict("somebody else changed this record first; read it again") from None
                if _refused(error):
                    return
                if _too_large(error):
                    raise TooLarge("a record is larger than the 400 KB the table takes") from None
                if not _contended(error) or attempt == CONTENDED_TRIES:
                    raise
                time.sleep(0.02 * 2**attempt)

    def _send_once(self, requests: Sequence[dict[str, Any]]) -> None:
        if len(requests) > 1:
            self._dynamodb.transact_write_items(TransactItems=list(requests))
        elif "Delete" in requests[0]:
            self._dynamodb.delete_item(**requests[0]["Delete"])
        else:
            self._dynamodb.update_item(**requests[0]["Update"])

    async def query(
        self, partition: str, prefix: str = "", *, after: str = "", descending: bool = False
    ) -> AsyncIterator[Item]:
        """See `record_table.RecordTable.query`. Strongly consistent pages of at most 1 MB."""
        request = {
            "TableName": self._name,
            "ConsistentRead": True,
            "ScanIndexForward": not descending,
            **_condition(partition, prefix, after, descending),
        }
        while True:
            with translated(TableUnavailable, "the table cannot be read"):
                page = await in_thread(lambda request=dict(request): self._dynamodb.query(**request))  # type: ignore[misc]
            now = self._clock.now()
            for record in page["Items"]:
                if record["sk"]["S"] != after and not _expired(record, now):
                    yield _item(record)
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    async def purge(self) -> int:
        """See `record_table.RecordTable.purge`. Time-to-live deletes expired records, within days."""
        return 0

    async def sound(self) -> bool:
        """See `record_table.RecordTable.sound`. AWS looks after its storage."""
        return True

    async def scrub(self) -> None:
        """See `record_table.RecordTable.scrub`. Storage is encrypted and AWS's own; restore points keep records."""


def _key(partition: str, sort: str) -> dict[str, Any]:
    return {"pk": {"S": partition}, "sk": {"S": sort}}


def _request(table: str, change: Put | Delete, now: datetime, token: str) -> dict[str, Any]:
    """One member of a transaction; its content is also the whole request of a single write."""
    if isinstance(change, Delete):
        return {"Delete": {"TableName": table, "Key": _key(change.partition, change.sort)}}
    item = change.item
    sets = ["body = :body", "written_by = :token"]
    values: dict[str, Any] = {
        ":body": {"S": json.dumps(item.body, ensure_ascii=False, separators=(",", ":"))},
        ":token": {"S": token},
    }
    if item.expires_at is None:
        removes = " REMOVE expires_at, expires_us"
    else:
        removes = ""
        sets += ["expires_at = :seconds", "expires_us = :micros"]
        values[":seconds"] = {"N": str(math.ceil(item.expires_at.timestamp()))}
        values[":micros"] = {"N": str(_micros(item.expires_at))}
    update: dict[str, Any] = {"TableName": table, "Key": _key(item.partition, item.sort)}
    if change.below is None:
        _expect(change.expects, now, sets, values, update)
    else:
        _count_up(change.below, sets, values, update)
    update["UpdateExpression"] = f"SET {', '.join(sets)}{removes}"
    update["ExpressionAttributeValues"] = values
    return {"Update": update}


def _expect(
    expects: int | None, now: datetime, sets: list[str], values: dict[str, Any], update: dict[str, Any]
) -> None:
    """Add the next revision and the condition on the present one. An expired record counts as absent."""
    if expects is None:
        sets.append("revision = if_not_exists(revision, :none) + :one")
        values |= {":none": {"N": "0"}, ":one": {"N": "1"}}
        return
    sets.append("revision = :next")
    values |= {":next": {"N": str(expects + 1)}, ":now": {"N": str(_micros(now))}}
    if expects == 0:
        update["ConditionExpression"] = "attribute_not_exists(pk) OR expires_us <= :now"
    else:
        update["ConditionExpression"] = "revision = :was AND (attribute_not_exists(expires_us) OR expires_us > :now)"
        values[":was"] = {"N": str(expects)}
    update["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"


def _count_up(below: int, sets: list[str], values: dict[str, Any], update: dict[str, Any]) -> None:
    """Add one to the revision unless it has reached the limit: one request, whoever else counts."""
    sets.append("revision = if_not_exists(revision, :none) + :one")
    values |= {":none": {"N": "0"}, ":one": {"N": "1"}, ":below": {"N": str(below)}}
    update["ConditionExpression"] = "attribute_not_exists(pk) OR revision < :below"
    update["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"


def _condition(partition: str, prefix: str, after: str, descending: bool) -> dict[str, Any]:
    low, high = prefix, prefix + HIGHEST
    if after:
        low, high = (low, min(high, after)) if descending else (max(low, after), high)
    values = {":pk": {"S": partition}, ":high": {"S": high}}
    if not low:
        return {"KeyConditionExpression": "pk = :pk AND sk <= :high", "ExpressionAttributeValues": values}
    if low > high:
        low = high
    values[":low"] = {"S": low}
    return {
        "KeyConditionExpression": "pk = :pk AND sk BETWEEN :low AND :high",
        "ExpressionAttributeValues": values,
    }


def _refused(error: Any) -> bool:
    """Whether a condition of ours did not hold."""
    if code_of(error) == "TransactionCanceledException":
        return any(reason.get("Code") == "ConditionalCheckFailed" for reason in _reasons(error))
    return code_of(error) == "ConditionalCheckFailedException"


def _written_by(error: Any, token: str) -> bool:
    """Whether the record in the way is our own write, whose answer was lost and which botocore sent again."""
    record = error.response.get("Item", {})
    return bool(record.get("written_by", {}).get("S") == token)


def _contended(error: Any) -> bool:
    if code_of(error) == "TransactionCanceledException":
        passing = {"None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
        return all(reason.get("Code") in passing for reason in _reasons(error))
    return code_of(error) in {"TransactionConflictException", "TransactionInProgressException"}


def _too_large(error: Any) -> bool:
    said = [error.response.get("Error", {}), *_reasons(error)]
    return any("size" in (one.get("Message") or "").lower() for one in said if one.get("Code") in _INVALID)


_INVALID = {"ValidationException", "ValidationError"}


def _reasons(error: Any) -> list[dict[str, Any]]:
    return list(error.response.get("CancellationReasons", []))


def _micros(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def _expired(record: dict[str, Any], now: datetime) -> bool:
    return "expires_us" in record and int(record["expires_us"]["N"]) <= _micros(now)


def _item(record: dict[str, Any]) -> Item:
    expires = EPOCH + timedelta(microseconds=int(record["expires_us"]["N"])) if "expires_us" in record else None
    partition, sort = record["pk"]["S"], record["sk"]["S"]
    try:
        body = json.loads(record["body"]["S"])
    except ValueError:
        raise RecordDamaged(sort) from None
    if not isinstance(body, dict):
        raise RecordDamaged(sort)
    return Item(partition, sort, body, int(record["revision"]["N"]), expires)
