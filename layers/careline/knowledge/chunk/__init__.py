"""What `careline.knowledge.chunk.chunk` is made of: sections and their sentences, windows over them, rows of tables."""
