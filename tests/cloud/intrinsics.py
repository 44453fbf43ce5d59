"""Resolves CloudFormation's functions in what the tests read of a template, with names of the emulated account."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]
ACCOUNT, REGION = "111111111111", "eu-west-1"
PSEUDO = {
    "AWS::Partition": "aws", "AWS::AccountId": ACCOUNT, "AWS::Region": REGION, "AWS::URLSuffix": "amazonaws.com",
}  # fmt: skip


class Resolver:
    """`names` has what `Ref` (`Table`) and `Fn::GetAtt` (`Table.Arn`) of a resource are in the emulated account."""

    def __init__(self, stacks: Mapping[str, Json]) -> None:
        self._exports: dict[str, tuple[str, Any]] = {}
        for stack, template in stacks.items():
            for output in template.get("Outputs", {}).values():
                if "Export" in output:
                    self._exports[output["Export"]["Name"]] = (stack, output["Value"])
        self.names: dict[str, str] = {}

    def value(self, found: Any, stack: str) -> Any:
        """A value of a template. Raises: KeyError for a resource that the emulated account does not have."""
        if isinstance(found, list):
            return [self.value(one, stack) for one in found]
        if not isinstance(found, dict):
            return found
        if set(found) == {"Ref"}:
            return PSEUDO.get(found["Ref"]) or self.names[f"{stack}/{found['Ref']}"]
        if set(found) == {"Fn::GetAtt"}:
            resource, attribute = found["Fn::GetAtt"]
            return self.names[f"{stack}/{resource}.{attribute}"]
        if set(found) == {"Fn::ImportValue"}:
            return self.value(self._exports[found["Fn::ImportValue"]][1], self._exports[found["Fn::ImportValue"]][0])
        if set(found) == {"Fn::Join"}:
            between, parts = found["Fn::Join"]
            return between.join(str(self.value(part, stack)) for part in parts)
        if set(found) == {"Fn::Sub"}:
            return re.sub(r"\$\{([\w:.]+)\}", lambda name: str(self.value({"Ref": name[1]}, stack)), found["Fn::Sub"])
        return {name: self.value(one, stack) for name, one in found.items()}
