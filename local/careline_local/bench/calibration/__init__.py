"""What was found for questions whose answers are known, and the weights that it asks for with one embedding model."""
