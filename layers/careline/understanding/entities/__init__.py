"""What a question names: people and places of the hospital's directory, days, terms of medicine."""
