"""The stages of ingestion, one handler each, called by the state machine `infra/state_machines/ingestion.asl.json`."""
