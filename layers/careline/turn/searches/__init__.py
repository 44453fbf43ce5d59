"""What a turn searches for, the names that a hospital publishes, and the pages that come closest where none answers."""
