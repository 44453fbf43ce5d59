"""The stages that look at a question before anything answers it: by words, by its embedding, and with a model."""
