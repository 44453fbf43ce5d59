"""Engines over the OpenAI wire, for any base URL that speaks it."""
