"""Curated answers: what a person wrote in answer to questions, taken in as a document like any other."""
