"""The outbox queue with its dead letters in moto, and what Lambda does between it and the function."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from careline.engines.aws.outbox import SqsOutbox
from careline.records.outbox_message import OutboxEntry
from careline_functions.telemetry import app

REGION = "eu-west-1"
BATCH = 10
Json = dict[str, Any]


class Queue:
    """A FIFO queue; a message that was taken and not deleted comes back with the next batch, without a wait."""

    def __init__(self, boto3: Any) -> None:
        self.sqs = boto3.client("sqs", region_name=REGION)
        self.dead = self._made("dead.fifo")
        arn = self.sqs.get_queue_attributes(QueueUrl=self.dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        redrive = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": app.TRIES})
        self.url = self._made("turns.fifo", RedrivePolicy=redrive)
        self.outbox = SqsOutbox(self.url, self.sqs)
        self.answers: list[Json] = []

    def _made(self, name: str, **attributes: str) -> str:
        fifo = {"FifoQueue": "true", "VisibilityTimeout": "180", **attributes}
        return str(self.sqs.create_queue(QueueName=name, Attributes=fifo)["QueueUrl"])

    async def put(self, *entries: OutboxEntry) -> None:
        for entry in entries:
            await self.outbox.put(entry)

    def put_text(self, text: str, tenant: str, mark: str) -> None:
        """A message that no program of ours has written."""
        self.sqs.send_message(
            QueueUrl=self.url, MessageBody=text, MessageGroupId=tenant, MessageDeduplicationId=mark
        )  # fmt: skip

    def batch(self) -> Json:
        """The event that Lambda makes of the next messages."""
        got = self.sqs.receive_message(
            QueueUrl=self.url, MaxNumberOfMessages=BATCH, MessageSystemAttributeNames=["All"]
        )
        return {"Records": [record(message) for message in got.get("Messages", [])]}

    async def deliver(self, handler: Callable[[Json, object], Json] = app.handler, *, lose_answer: bool = False) -> int:
        """One batch: what the answer does not name is deleted, nothing is when the call does not end."""
        event = self.batch()
        if not event["Records"]:
            return 0
        failed = {one["messageId"] for one in event["Records"]}
        try:
            answer = await asyncio.to_thread(handler, json.loads(json.dumps(event)), None)
            self.answers.append(answer)
            failed = failed if lose_answer else {one["itemIdentifier"] for one in answer["batchItemFailures"]}
        finally:
            for one in event["Records"]:
                self._end(one["receiptHandle"], comes_back=one["messageId"] in failed)
        return len(event["Records"])

    def _end(self, receipt: str, *, comes_back: bool) -> None:
        if comes_back:
            self.sqs.change_message_visibility(QueueUrl=self.url, ReceiptHandle=receipt, VisibilityTimeout=0)
        else:
            self.sqs.delete_message(QueueUrl=self.url, ReceiptHandle=receipt)

    async def drain(self, most: int = 60) -> None:
        """Deliver until nothing is left; `most` batches."""
        for _ in range(most):
            if not await self.deliver():
                return
        raise AssertionError("the queue does not become empty")

    def dead_letters(self) -> list[str]:
        """Bodies of the messages that were given up."""
        found: list[str] = []
        while got := self.sqs.receive_message(QueueUrl=self.dead, MaxNumberOfMessages=BATCH).get("Messages"):
            found += [message["Body"] for message in got]
            for message in got:
                self.sqs.delete_message(QueueUrl=self.dead, ReceiptHandle=message["ReceiptHandle"])
        return found


def record(message: Json) -> Json:
    """A message as it stands in Lambda's event, whose names begin small."""
    return {
        "messageId": message["MessageId"], "receiptHandle": message["ReceiptHandle"], "body": message["Body"],
        "md5OfBody": message["MD5OfBody"], "attributes": message["Attributes"], "messageAttributes": {},
        "eventSource": "aws:sqs", "awsRegion": REGION,
    }  # fmt: skip
