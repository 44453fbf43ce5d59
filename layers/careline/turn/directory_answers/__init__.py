"""What the hospital's directory says to a turn: whether it may, to which of several asks, with which cites."""
