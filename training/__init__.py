"""What the weights and lists in `careline_artefacts` are made of and made with; never installed, never deployed."""
