"""What `careline.knowledge.clean` does to a document, one file for each kind of dirt."""
