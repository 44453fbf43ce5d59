"""Moments and days as bodies have them: text in the form of ISO 8601."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
