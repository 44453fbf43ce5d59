"""Where the packages stand in a checkout, for processes that tests start."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHONPATH = os.pathsep.join(str(ROOT / root) for root in ("layers", "local", "functions", "voice_worker", "."))
