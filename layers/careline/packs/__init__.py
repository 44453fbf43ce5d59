"""What an assistant is: its rules, replies, thresholds and routing, loaded from files and validated."""
