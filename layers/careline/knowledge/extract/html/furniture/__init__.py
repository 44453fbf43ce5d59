"""What belongs to a web page and not to what it says, and which values are told nowhere else on it."""
