"""The phone worker: one job per call, between LiveKit, the speech vendors and the orchestrator."""
