"""What somebody wants: a small classifier, and what its label needs of what the question names."""
