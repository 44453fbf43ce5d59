"""The operational log: one catalogue of events, ids that every line carries, and lines that machines or people read."""
