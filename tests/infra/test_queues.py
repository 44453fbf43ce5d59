"""Nothing is put into a queue that nobody reads: each has a function behind it, or an alarm that tells a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from careline_functions.telemetry.app import TRIES
from tests.infra.conftest import Templates

Place = tuple[str, str]
"""A stack and the logical id of a resource in it."""


def resources(stage: Templates, kind: str) -> dict[Place, dict[str, Any]]:
    """Properties of every resource of a type; two stacks may call theirs the same."""
    return {
        (stack, name): resource.get("Properties", {})
        for stack, template in stage.stacks.items()
        for name, resource in template["Resources"].items()
        if resource["Type"] == kind
    }


def place(stage: Templates, stack: str, reference: dict[str, Any]) -> Place:
    """What a reference means, also one to another stack."""
    if "Fn::ImportValue" in reference:
        exporter, _, _ = reference["Fn::ImportValue"].partition(":")
        for output in stage.stacks[exporter]["Outputs"].values():
            if output.get("Export", {}).get("Name") == reference["Fn::ImportValue"]:
                return place(stage, exporter, output["Value"])
    return stack, reference["Fn::GetAtt"][0] if "Fn::GetAtt" in reference else reference["Ref"]


def read_queues(stage: Templates) -> dict[Place, tuple[dict[str, Any], dict[str, Any]]]:
    """Queues that call a function, each with the mapping and the function."""
    functions = resources(stage, "AWS::Lambda::Function")
    found = {}
    for (stack, _), mapping in resources(stage, "AWS::Lambda::EventSourceMapping").items():
        function = functions[place(stage, stack, mapping["FunctionName"])]
        found[place(stage, stack, mapping["EventSourceArn"])] = (mapping, function)
    return found


def dead_letters(stage: Templates) -> Iterator[Place]:
    """Queues that something names as the place for what it could not handle."""
    for (stack, _), queue in resources(stage, "AWS::SQS::Queue").items():
        if "RedrivePolicy" in queue:
            yield place(stage, stack, queue["RedrivePolicy"]["deadLetterTargetArn"])
    for (stack, _), function in resources(stage, "AWS::Lambda::Function").items():
        if "DeadLetterConfig" in function:
            yield place(stage, stack, function["DeadLetterConfig"]["TargetArn"])
    for (stack, _), rule in resources(stage, "AWS::Events::Rule").items():
        for target in rule["Targets"]:
            yield place(stage, stack, target["DeadLetterConfig"]["Arn"])


def watched(stage: Templates, metric: str) -> dict[Place, dict[str, Any]]:
    """Queues with an alarm on a metric that tells the topic."""
    (topic,) = resources(stage, "AWS::SNS::Topic")
    found = {}
    for (stack, _), alarm in resources(stage, "AWS::CloudWatch::Alarm").items():
        told = [place(stage, stack, action) for action in alarm["AlarmActions"]]
        if alarm.get("MetricName") == metric and told == [topic]:
            (dimension,) = alarm["Dimensions"]
            found[place(stage, stack, dimension["Value"])] = alarm
    return found


def test_every_queue_has_a_reader_or_is_a_dead_letter_queue_with_an_alarm(watched_stage: Templates) -> None:
    queues = set(resources(watched_stage, "AWS::SQS::Queue"))
    dead, read = set(dead_letters(watched_stage)), set(read_queues(watched_stage))
    assert len(queues) == 5
    assert queues == dead | read
    assert dead.isdisjoint(read)
    alarms = watched(watched_stage, "ApproximateNumberOfMessagesVisible")
    assert dead <= set(alarms)
    assert {alarm["Threshold"] for alarm in alarms.values()} == {1}


def test_a_queue_that_is_not_read_any_more_raises_an_alarm_long_before_its_messages_expire(
    watched_stage: Templates,
) -> None:
    queues = resources(watched_stage, "AWS::SQS::Queue")
    alarms = watched(watched_stage, "ApproximateAgeOfOldestMessage")
    for queue in read_queues(watched_stage):
        assert alarms[queue]["Threshold"] * 100 < queues[queue]["MessageRetentionPeriod"]


def test_a_reader_says_which_messages_failed_and_has_time_for_a_batch(stage: Templates) -> None:
    """AWS asks for a visibility of six times the function's time, so that no batch is taken by two at once."""
    for place_of, (mapping, function) in read_queues(stage).items():
        queue = resources(stage, "AWS::SQS::Queue")[place_of]
        assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        assert mapping["BatchSize"] == 10
        assert "MaximumBatchingWindowInSeconds" not in mapping, "a FIFO queue takes none"
        assert queue["VisibilityTimeout"] >= 6 * function["Timeout"]
        assert queue["RedrivePolicy"]["maxReceiveCount"] == TRIES


def test_the_dead_letters_of_an_ordered_queue_are_an_ordered_queue_that_keeps_them_as_long(stage: Templates) -> None:
    queues = resources(stage, "AWS::SQS::Queue")
    for (stack, _), queue in queues.items():
        if "RedrivePolicy" in queue:
            dead = queues[place(stage, stack, queue["RedrivePolicy"]["deadLetterTargetArn"])]
            assert dead.get("FifoQueue") == queue.get("FifoQueue")
            assert dead["MessageRetentionPeriod"] >= queue["MessageRetentionPeriod"]


def test_cloudwatch_may_use_the_key_of_the_topic_it_tells(stage: Templates) -> None:
    (((stack, _), topic),) = resources(stage, "AWS::SNS::Topic").items()
    key = resources(stage, "AWS::KMS::Key")[place(stage, stack, topic["KmsMasterKeyId"])]
    allowed = [
        one for one in key["KeyPolicy"]["Statement"] if one["Principal"].get("Service") == "cloudwatch.amazonaws.com"
    ]
    assert [set(one["Action"]) for one in allowed] == [{"kms:Decrypt", "kms:GenerateDataKey*"}]
