"""What `careline.knowledge.clean.clean` does to a document, one file for each kind of dirt."""
