"""The function that notes heads starts from its package alone: nothing of the repository is importable there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import boto3
import pytest

PROGRAM = """
import sys
sys.path[:0] = {paths!r}
from careline_functions.notary.app import handler, notary
made, tenant = notary()
print(type(made.table).__name__, type(made.heads).__name__, tenant)
print(*sorted(name for name in sys.modules if name.partition(".")[0] in ("openai", "onnxruntime")))
"""
SETTINGS = {
    "CARELINE_STORAGE": "aws", "CARELINE_TABLE": "table", "CARELINE_BUCKET": "files", "CARELINE_HEADS_BUCKET": "heads",
    "CARELINE_PRIVACY_KEY": "ab" * 32, "CARELINE_SEARCH_ENDPOINT": "https://search.invalid", "HOME": "/nonexistent",
}  # fmt: skip


def test_it_starts_with_its_layer_and_loads_no_model(tmp_path: Path) -> None:
    pytest.importorskip("aws_cdk")
    from infra.constructs.packages import OURS, Copied

    layer, code = tmp_path / "layer", tmp_path / "code"
    Copied([(f"layers/{each}", each) for each in OURS]).try_bundle(str(layer))
    package = "functions/careline_functions"
    places = [(f"{package}/{part}", f"careline_functions/{part}") for part in ("notary", "__init__.py")]
    Copied(places).try_bundle(str(code))
    libraries = str(Path(boto3.__file__).parents[1])
    program = PROGRAM.format(paths=[str(code), str(layer), libraries])
    command = [sys.executable, "-I", "-S", "-W", "ignore", "-c", program]
    done = subprocess.run(command, env=SETTINGS, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["DynamoTable S3NotedHeads default", ""]
