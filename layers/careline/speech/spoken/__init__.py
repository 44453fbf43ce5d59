"""Says figures, times, prices and telephone numbers as they are spoken."""
