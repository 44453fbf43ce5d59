"""Spans of the work that is done (OpenTelemetry), which hold codes and figures and nobody's words."""
