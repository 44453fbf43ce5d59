"""What the screen of tails that nobody wrote is trained on: made-up tails, and ordinary lines that look odd."""
