"""What a turn asks, read in the light of the messages before it and of the hospital's directory."""
