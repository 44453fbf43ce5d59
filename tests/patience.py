"""Time enough for the models and the search: what a busy machine leaves out of an answer is no fault of the answer."""

from __future__ import annotations

from careline.settings import Settings

PATIENCE = 60.0
"""Seconds for the search and for the screens' sentence embedding."""

PATIENT = {"CARELINE_READER_MILLISECONDS": "0", "CARELINE_SOURCE_SECONDS": f"{PATIENCE:g}"}
"""The same as `patient` for a process of its own, by its environment."""


def patient(settings: Settings) -> Settings:
    """The settings with no limit for the reader and `PATIENCE` for the search."""
    return settings.with_changes(engines={"reader_milliseconds": 0.0}, limits={"source_seconds": PATIENCE})
