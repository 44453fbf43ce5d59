"""The worker's way to the orchestrator, which answers the questions of a call."""
