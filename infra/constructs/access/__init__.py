"""Who may do what: roles, who signs, who uploads, and who may call the model."""
