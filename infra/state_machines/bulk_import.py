"""Many documents at once: every object below a prefix, or every line of a manifest, on the way that one upload takes.

A Distributed Map gives each object an execution of its own, made of the very states of the ingestion. Only where one
ends is it otherwise: what its sender has to mend is set aside with the reason in its result and counts for nothing, so
that no document stops the others; what failed by itself counts, and is what a redrive runs again.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from infra.state_machines.ingestion import ingestion_definition

AT_ONCE = 20
"""Documents under way at once, where the order does not say otherwise: as often as prod lets each function of the
ingestion run at once (`reserved_concurrency`). More wait for one another."""
TOLERATED_PERCENT = 5
"""Objects that may fail by themselves before the rest is not begun: more says that something is down."""
READERS: dict[str, dict[str, Any]] = {
    "Prefix": {
        "Resource": "arn:aws:states:::s3:listObjectsV2",
        "Parameters": {"Bucket": "${Bucket}", "Prefix.$": "$.prefix"},
    },
    "Csv": {
        "Resource": "arn:aws:states:::s3:getObject",
        "ReaderConfig": {"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW"},
        "Parameters": {"Bucket": "${Bucket}", "Key.$": "$.manifest"},
    },
    "JsonLines": {
        "Resource": "arn:aws:states:::s3:getObject",
        "ReaderConfig": {"InputType": "JSONL"},
        "Parameters": {"Bucket": "${Bucket}", "Key.$": "$.manifest"},
    },
}
"""Where the list of objects comes from."""
ENDINGS = {"Csv": "*.csv", "JsonLines": "*.jsonl"}
"""How the name of a manifest ends."""


def bulk_import_definition() -> dict[str, Any]:
    """The definition, with `${NameFunction}` where a function's ARN belongs, and `${Bucket}` and `${Results}`.

    It takes `{prefix}` or `{manifest}`, and if wanted `at_once` and `tolerated_percent`.
    """
    manifests = [
        {
            "And": [
                {"Variable": "$.manifest", "IsPresent": True},
                {"Variable": "$.manifest", "StringMatches": ending},
            ],
            "Next": name,
        }
        for name, ending in ENDINGS.items()
    ]
    return {
        "Comment": "Documents by the thousand. The result of each names its job, or why there is none.",
        "StartAt": "Defaults",
        "States": {
            "Defaults": {
                "Type": "Pass",
                "Result": {"at_once": AT_ONCE, "tolerated_percent": TOLERATED_PERCENT},
                "ResultPath": "$.default",
                "Next": "Ordered",
            },
            "Ordered": {
                "Type": "Pass",
                "Parameters": {"order.$": "States.JsonMerge($.default, $$.Execution.Input, false)"},
                "OutputPath": "$.order",
                "Next": "Listed?",
            },
            "Listed?": {
                "Type": "Choice",
                "Choices": [{"Variable": "$.prefix", "IsPresent": True, "Next": "Prefix"}, *manifests],
                "Default": "NothingListed",
            },
            **{name: _map(reader) for name, reader in READERS.items()},
            "Imported": {"Type": "Succeed"},
            "NothingListed": {
                "Type": "Fail",
                "Error": "Ingestion.NothingListed",
                "Cause": "give a prefix below imports/<tenant>/, or a manifest that ends in .csv or .jsonl",
            },
        },
    }


def _map(reader: dict[str, Any]) -> dict[str, Any]:
    return {
        "Type": "Map",
        "ItemReader": deepcopy(reader),
        "MaxConcurrencyPath": "$.at_once",
        "ToleratedFailurePercentagePath": "$.tolerated_percent",
        "ItemSelector": {"item.$": "$$.Map.Item.Value", "time.$": "$$.Execution.StartTime"},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, **_one_document()},
        "ResultWriter": {
            "Resource": "arn:aws:states:::s3:putObject",
            "Parameters": {"Bucket": "${Bucket}", "Prefix": "${Results}"},
        },
        "Next": "Imported",
    }


def _one_document() -> dict[str, Any]:
    """The states of the ingestion, with another end for what its sender has to mend."""
    states = ingestion_definition()["States"]
    states["Fail"]["Next"] = "SetAside?"
    states["SetAside?"] = {
        "Type": "Choice",
        "Choices": [{"Variable": "$.ended.rejected", "BooleanEquals": True, "Next": "SetAside"}],
        "Default": "Failed",
    }
    states["SetAside"] = {
        "Comment": "The reason stands in the result and in the document's job.",
        "Type": "Succeed",
    }
    return {"StartAt": "Register", "States": states}
