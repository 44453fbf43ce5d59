"""What differs between the stages dev and prod."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Name = Literal["dev", "prod"]
PLACEHOLDER_ACCOUNT = "111111111111"
"""An account that does not exist, so that a template can be made without one."""


@dataclass(frozen=True, slots=True)
class StageSettings:
    """One stage. Capacities are OpenSearch compute units; with a minimum of 0 the collection sleeps after ten idle
    minutes and costs nothing then, but the first request waits 10 to 30 s."""

    name: Name
    region: str
    search_units: tuple[int, int]
    indexing_units: tuple[int, int]
    log_days: int
    keep_data: bool
    orchestrator_memory: int
    vector_dimensions: int = 1024
    document_screen_model: str | None = None
    """Model that looks for planted text when documents are taken in (`CARELINE_OPENAI_DOCUMENT_SCREEN_MODEL`)."""
    account: str = PLACEHOLDER_ACCOUNT

    @property
    def prefix(self) -> str:
        """Starts every name."""
        return f"careline-{self.name}"


DEV = StageSettings(
    name="dev",
    region="eu-west-1",
    search_units=(0, 4),
    indexing_units=(0, 4),
    log_days=14,
    keep_data=False,
    orchestrator_memory=1024,
)

PROD = StageSettings(
    name="prod",
    region="eu-west-1",
    search_units=(2, 16),
    indexing_units=(0, 8),
    log_days=365,
    keep_data=True,
    orchestrator_memory=1769,
)
"""A caller on the phone cannot wait for a search that wakes up, so two units stay awake; indexing may sleep. At
1,769 MB Lambda gives a whole processor (Lambda developer guide, memory)."""

STAGES: dict[Name, StageSettings] = {"dev": DEV, "prod": PROD}
