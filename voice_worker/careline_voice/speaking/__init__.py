"""What a caller hears besides answers: the line's own sentences, recordings, fillers."""
