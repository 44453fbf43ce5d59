"""Spares what fails again and again, and whoever would wait for it."""
