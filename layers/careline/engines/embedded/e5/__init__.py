"""multilingual-e5-small as a graph: weights, tokens, the model and its file."""
