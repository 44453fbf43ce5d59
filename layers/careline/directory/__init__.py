"""The hospital as data."""
