"""The keys of records are what they always were, and are written in one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from careline.records import keys
from careline.records.record_kind import KINDS
from careline_local.cli.main import main
from careline_local.cli.records import form

ROOT = Path(__file__).parent.parent.parent
KEYS = ROOT / "layers" / "careline" / "records" / "keys.py"
STORED = {
    "key_check": ("installation", "key"),
    "chain_break": ("installation", "break/{tenant}"),
    "circuits": ("installation", "circuits"),
    "token": ("tokens", "{digest}"),
    "session": ("sessions", "{digest}"),
    "rate_window": ("{tenant}/rate/{limit}/{digest}", "{minute}"),
    "tenant": ("tenants", "{tenant}"),
    "conversation": ("{tenant}/conversations", "{conversation_id}"),
    "pending": ("{tenant}/pending", "{conversation_id}"),
    "message": ("{tenant}/messages/{conversation_id}", "{message_id}"),
    "forgotten": ("{tenant}/forgotten", "{conversation_id}"),
    "speculative_turn": ("{tenant}/decisions", "{turn_id}"),
    "subject_conversation": ("{tenant}/subjects/{pseudonym}", "conversation/{conversation_id}"),
    "subject_turn": ("{tenant}/subjects/{pseudonym}", "turn/{turn_id}"),
    "subject_audit": ("{tenant}/subjects/{pseudonym}", "audit/000000000000"),
    "subject_erased": ("{tenant}/subjects/{pseudonym}", "erased"),
    "turn": ("{tenant}/turns", "{turn_id}"),
    "bill": ("{tenant}/billing", "{turn_id}"),
    "spending": ("{tenant}/spending", "{month}"),
    "counted": ("{tenant}/spent", "{turn_id}"),
    "idempotent_change": ("{tenant}/idempotency", "{digest}"),
    "audit_entry": ("{tenant}/audit", "000000000000"),
    "former_audit_entry": ("{tenant}/audit before {stamp}", "000000000000"),
    "audit_head": ("{tenant}/audit_head", "head"),
    "audit_id": ("{tenant}/audit_ids", "{entry_id}"),
    "document": ("{tenant}/documents", "{doc_key}"),
    "version": ("{tenant}/versions", "{doc_key}#000000"),
    "job": ("{tenant}/jobs", "{job_id}"),
    "offered_upload": ("{tenant}/uploads", "{upload_id}"),
    "promised_job": ("{tenant}/promised", "{event_job}"),
    "document_contacts": ("{tenant}/contacts", "{doc_key}"),
    "held_passage": ("{tenant}/quarantine", "{doc_key}#000000#{passage_id}"),
    "passage_decision": ("{tenant}/quarantine_decisions", "{passage_id}"),
    "part_decision": ("{tenant}/quarantine_decisions", "{passage_id}#{part_id}"),
    "answer": ("{tenant}/answers", "{doc_key}"),
    "answered_question": ("{tenant}/answered_questions", "{digest}"),
    "directory_head": ("{tenant}/directory", "head"),
    "directory_edition": ("{tenant}/directory_editions", "000000000000"),
    "directory_piece": ("{tenant}/directory_pieces", "{edition_id}#0000"),
    "document_statements": ("{tenant}/statements", "{doc_key}"),
    "proposal_decision": ("{tenant}/proposal_decisions", "{proposal_id}"),
    "corpus": ("passages#{tenant}", "corpus"),
    "edition": ("passages#{tenant}#0", "edition#{doc_key}#00000000"),
    "live_edition": ("passages#{tenant}#0", "live#{doc_key}"),
    "edition_sums": ("passages#{tenant}#0", "sum#{doc_key}"),
    "edition_group": ("passages#{tenant}#0", "group#{name}"),
    "hidden_edition": ("passages#{tenant}#0", "hidden#{edition_name}"),
    "edition_change": ("passages#{tenant}#0", "change#000000000000"),
}
"""What installations hold: a key that changed would lose their records."""
PARTITIONS = {partition.partition("/")[2].partition("/")[0] for partition, _ in STORED.values() if "/" in partition}
"""What stands behind the tenant in a partition."""
SORTS = {sort[: sort.index("{")] for _, sort in STORED.values() if re.match(r"\w+[/#]\{", sort)}
"""What the sort keys of several kinds begin with."""
TAKE_A_PARTITION = {"Item", "Delete"}
ASK_A_TABLE = {"get", "query"}


def test_every_kind_has_the_key_under_which_installations_hold_it() -> None:
    assert {name: tuple(form(kind)) for name, kind in KINDS.items()} == STORED


def test_numbers_stand_in_keys_in_the_order_of_numbers() -> None:
    assert keys.version("h", "brochure-1", 12) == ("h/versions", "brochure-1#000012")
    assert keys.audit_entry("h", 7).sort == "000000000007"
    assert keys.edition("h", 3, "brochure-1", 2) == ("passages#h#3", "edition#brochure-1#00000002")
    assert keys.held_passage("h", "brochure-1", 2, "ab").sort == "brochure-1#000002#ab"
    assert keys.chain_break("h").sort == keys.CHAIN_BREAKS + "h"
    assert keys.past_versions_of("a") > keys.version("h", "a", 999_998).sort


def test_messages_of_a_turn_stand_in_the_order_they_were_said() -> None:
    said = [keys.brought_message("t1", 0), keys.brought_message("t1", 9), keys.asked_message("t1")]
    assert [*said, keys.answered_message("t1")] == ["t1-00", "t1-09", "t1-50-user", "t1-60-assistant"]


def test_every_kind_says_what_becomes_of_it() -> None:
    for kind in KINDS.values():
        assert all((kind.what, kind.encrypted, kind.expires, kind.written_by, kind.erased_by)), kind.name
        assert kind.what.endswith("."), kind.name


def modules() -> Iterator[Path]:
    for folder in ("layers", "functions", "local", "voice_worker"):
        yield from (file for file in (ROOT / folder).rglob("*.py") if file != KEYS)


def written(tree: ast.AST) -> Iterator[str]:
    """Every literal that is a key of a record, or is used as the partition of one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and is_key(node):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and is_pattern(node.value):
            yield node.value
        elif isinstance(node, ast.Call) and node.args and takes_a_partition(node.func):
            first = node.args[0]
            if isinstance(first, ast.JoinedStr) or (isinstance(first, ast.Constant) and isinstance(first.value, str)):
                yield ast.unparse(node)


def is_key(node: ast.JoinedStr) -> bool:
    """Whether it reads `{…}/turns`, `passages#{…}` or `turn/{…}`."""
    parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
    if isinstance(parts[0], str):
        return parts[0] in SORTS or parts[0] == "passages#"
    return len(parts) > 1 and str(parts[1]).startswith("/") and str(parts[1])[1:].partition("/")[0] in PARTITIONS


def is_pattern(text: str) -> bool:
    """Whether it reads `%/turns` or `%/messages/%`, as SQL compares."""
    return text.startswith("%/") and text[2:].partition("/")[0] in PARTITIONS


def takes_a_partition(called: ast.expr) -> bool:
    """Whether the first argument of a call is a partition: of a record, or of a question to a table."""
    if isinstance(called, ast.Name):
        return called.id in TAKE_A_PARTITION
    return (
        isinstance(called, ast.Attribute)
        and called.attr in ASK_A_TABLE
        and ast.unparse(called.value).rpartition(".")[2] in {"table", "_table"}
    )


@pytest.mark.parametrize(
    "line",
    [
        'Item(f"{tenant}/turns", turn_id, {})', 'where = f"{a.tenant}/messages/{one}"', 'table.get("tokens", one)',
        'engines.table.query(f"{x}-{y}")', 'db.execute(sql, ("%/messages/%",))', 'sort = f"turn/{turn_id}"',
        'Delete("sessions", one)', 'place = f"passages#{tenant}"',
    ],
)  # fmt: skip
def test_a_key_that_is_written_elsewhere_is_seen(line: str) -> None:
    assert list(written(ast.parse(line)))


def test_keys_are_written_in_one_module_alone() -> None:
    found = {
        str(file.relative_to(ROOT)): sorted(literals)
        for file in modules()
        if (literals := set(written(ast.parse(file.read_text(encoding="utf-8")))))
    }
    assert found == {}


def test_the_page_of_records_is_what_the_command_prints() -> None:
    shown = CliRunner().invoke(main, ["records", "--markdown"])
    assert shown.output == (ROOT / "docs" / "records.md").read_text(encoding="utf-8"), "careline records --markdown"
