"""What documents say that the directory could hold: proposals that a person decides about, and contradictions."""
