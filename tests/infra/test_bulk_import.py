"""Documents by the thousand: a list, an execution of its own for each, and what becomes of those that are no good.

moto runs the state machine on the real handlers, from a prefix and from a CSV manifest. It knows no manifest of JSON
Lines, writes no result files, redrives nothing and ends no map that fails too often: the first is left out of what it
runs, and of the others what they are reckoned from is looked at, the template and the counts of a map.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from careline.errors import EmbedderUnavailable
from careline.knowledge import catalogue
from careline.knowledge.ingestion.retry_policy import INGESTION
from careline_functions.ingestion.events import Imported, read
from careline_functions.ingestion.uploaded import stored_file
from infra.state_machines.bulk_import import READERS, bulk_import_definition
from infra.state_machines.ingestion import ingestion_definition, tasks
from tests.infra.conftest import Templates
from tests.infra.ingestion_stack import BUCKET, EVENTS, TENANT, IngestionStack, open_stack
from tests.infra.permissions import STAGES
from tests.infra.test_template import actions, flat, statements

PAGE = "# Dienst {0}\n\nDienst nummer {0} is open van 8 tot {0} uur, elke dag van de week.\n"


class Importing:
    """The bulk import in moto's AWS, over the functions of the ingestion."""

    def __init__(self, stack: IngestionStack) -> None:
        self.stack, self.runs = stack, 0
        definition = bulk_import_definition()
        del definition["States"]["JsonLines"]
        listed = definition["States"]["Listed?"]
        listed["Choices"] = [one for one in listed["Choices"] if one["Next"] != "JsonLines"]
        text = json.dumps(definition).replace("${Bucket}", BUCKET).replace("${Results}", "import-results")
        for name in STAGES:
            arn = f"arn:aws:lambda:eu-west-1:123456789012:function:{name}"
            text = text.replace("${" + name.title() + "Function}", arn)
        made = stack.stepfunctions.create_state_machine(
            name="bulk-import", definition=text, roleArn="arn:aws:iam::123456789012:role/states"
        )
        self.machine = made["stateMachineArn"]

    def put(self, name: str, content: str | bytes, folder: str = f"imports/{TENANT}") -> None:
        body = content.encode() if isinstance(content, str) else content
        self.stack.s3.put_object(Bucket=BUCKET, Key=f"{folder}/{name}", Body=body)

    def run(self, order: dict[str, Any]) -> dict[str, Any]:
        self.runs += 1
        started = self.stack.stepfunctions.start_execution(
            stateMachineArn=self.machine, name=f"import-{self.runs}", input=json.dumps(order)
        )
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            shown: dict[str, Any] = self.stack.stepfunctions.describe_execution(executionArn=started["executionArn"])
            if shown["status"] != "RUNNING":
                return shown
            time.sleep(0.02)
        raise AssertionError("the import did not end")


    def counted(self, execution: dict[str, Any]) -> dict[str, int]:
        """How many objects of an import succeeded and failed, as its map counts them."""
        (run,) = self.stack.stepfunctions.list_map_runs(executionArn=execution["executionArn"])["mapRuns"]
        shown = self.stack.stepfunctions.describe_map_run(mapRunArn=run["mapRunArn"])
        counts: dict[str, int] = shown["itemCounts"]
        return counts


@pytest.fixture
def importing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Importing]:
    with open_stack(monkeypatch) as stack:
        yield Importing(stack)


async def test_everything_below_a_prefix_is_taken_in_and_one_bad_document_stops_nothing(importing: Importing) -> None:
    for number in range(1, 7):
        importing.put(f"map/dienst {number}.md", PAGE.format(number))
    importing.put("kapot.pdf", b"%PDF-1.7 this is not really one")
    importing.put("leeg/", b"")
    ended = importing.run({"prefix": f"imports/{TENANT}/"})
    assert ended["status"] == "SUCCEEDED", ended
    jobs = {job.file_name: (job.state, job.error_type) for job in await importing.stack.jobs()}
    assert jobs.pop("kapot.pdf") == ("failed", "corrupt")
    assert jobs == {f"map/dienst {number}.md": ("completed", None) for number in range(1, 7)}
    assert (counted := importing.counted(ended))["failed"] == 0, counted
    assert counted["succeeded"] == 8
    assert any("nummer 5" in text for text in await importing.stack.find("dienst nummer 5"))


async def test_the_same_import_again_doubles_nothing_and_takes_in_what_was_mended(importing: Importing) -> None:
    importing.put("a.md", PAGE.format(1))
    importing.put("b.md", b"")
    order = {"prefix": f"imports/{TENANT}/"}
    importing.run(order)
    importing.put("b.md", PAGE.format(2))
    importing.run(order)
    importing.run(order)
    live = [document async for document in catalogue.documents(importing.stack.engines.table, TENANT)]
    assert [(one.file_name, one.state, one.version) for one in live] == [("a.md", "live", 1), ("b.md", "live", 2)]


async def test_a_manifest_says_what_each_document_is(importing: Importing) -> None:
    importing.put("2026/a.md", PAGE.format(1))
    importing.put("2026/b.md", PAGE.format(2))
    lines = [
        "key,doc_key,title,audience",
        f"imports/{TENANT}/2026/a.md,brochure-een,Dienst een,clinician",
        f"imports/{TENANT}/2026/b.md,,,",
        f"imports/{TENANT}/2026/weg.md,,,",
    ]
    importing.put("lijst.csv", "\n".join(lines) + "\n", "imports")
    assert importing.run({"manifest": "imports/lijst.csv", "at_once": 1})["status"] == "SUCCEEDED"
    first = await catalogue.version(importing.stack.engines.table, TENANT, "brochure-een", 1)
    assert (first.document.facts.title, first.document.facts.audience) == ("Dienst een", "clinician")
    jobs = {job.file_name: (job.state, job.error_type) for job in await importing.stack.jobs()}
    assert jobs == {
        "2026/a.md": ("completed", None), "2026/b.md": ("completed", None), "2026/weg.md": ("failed", "not_found"),
    }  # fmt: skip


async def test_what_fails_by_itself_counts_and_is_taken_in_when_it_is_run_again(importing: Importing) -> None:
    """Step Functions ends an import by this count, and runs again what is in it when an import is redriven."""
    importing.put("a.md", PAGE.format(1))
    tries = INGESTION.retries + 1
    importing.stack.embedder.failures = [EmbedderUnavailable("the embedding model does not answer")] * tries
    order = {"prefix": f"imports/{TENANT}/"}
    assert importing.counted(importing.run(order))["failed"] == 1
    again = importing.counted(importing.run({**order, "tolerated_percent": 50, "at_once": 2}))
    assert (again["failed"], again["succeeded"]) == (0, 1)
    assert sorted(job.state for job in await importing.stack.jobs()) == ["completed", "superseded"]


def test_an_order_that_lists_nothing_says_what_to_give(importing: Importing) -> None:
    for order in ({}, {"manifest": "imports/lijst.txt"}):
        ended = importing.run(order)
        assert (ended["status"], ended["error"]) == ("FAILED", "Ingestion.NothingListed")


def test_a_line_of_a_manifest_and_what_s3_lists_are_read(importing: Importing) -> None:
    told = read(Imported, json.loads((EVENTS / "ingestion_import.json").read_text()))
    file = stored_file(told)
    assert file is not None
    assert (file.key, file.doc_key) == (f"imports/{TENANT}/2026/bezoekuren.md", "brochure-bezoekuren")
    assert file.facts == {"title": "Bezoekuren", "audience": "public"}
    listed = {"Etag": '"1e1a"', "Key": f"imports/{TENANT}/a.md", "LastModified": 1, "Size": 3}
    file = stored_file(read(Imported, {"item": listed, "time": "2026-03-02T09:30:15Z"}))
    assert file is not None
    assert (file.facts, file.doc_key, file.event) == ({}, None, 'import "1e1a"')


def test_each_object_takes_the_way_of_an_upload() -> None:
    definition = bulk_import_definition()
    ours = set(ingestion_definition()["States"]) | {"SetAside?", "SetAside"}
    for name in READERS:
        each = definition["States"][name]
        assert set(each["ItemProcessor"]["States"]) == ours
        assert each["ItemProcessor"]["ProcessorConfig"] == {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}
        assert all("Retry" in task for task in tasks(each["ItemProcessor"]))
        assert each["ResultWriter"]["Parameters"] == {"Bucket": "${Bucket}", "Prefix": "${Results}"}


def test_it_may_read_its_own_prefix_write_its_results_and_start_itself(stage: Templates) -> None:
    (machine,) = [
        one for one in stage.of("AWS::StepFunctions::StateMachine").values()
        if one["StateMachineName"].endswith("-bulk-import")
    ]  # fmt: skip
    role = machine["RoleArn"]["Fn::GetAtt"][0]
    granted: dict[str, str] = {}
    for owner, one in statements(stage):
        if owner == role:
            for action in actions(one):
                granted[action] = granted.get(action, "") + flat(one["Resource"]) + flat(one.get("Condition", {}))
    logs = {name for name in granted if name.startswith(("logs:", "xray:"))}
    assert set(granted) - logs == {
        "lambda:InvokeFunction", "s3:ListBucket", "s3:GetObject", "s3:PutObject", "s3:ListMultipartUploadParts",
        "s3:AbortMultipartUpload", "kms:Decrypt", "kms:GenerateDataKey", "states:StartExecution",
        "states:DescribeExecution", "states:StopExecution", "states:RedriveExecution",
    }  # fmt: skip
    assert "/imports/*" in granted["s3:GetObject"]
    assert "/documents/" not in granted["s3:GetObject"] + granted["s3:PutObject"]
    assert "/imports/*" not in granted["s3:PutObject"]
    assert '"imports/*"' in granted["s3:ListBucket"]
    assert "-bulk-import" in granted["states:StartExecution"]
