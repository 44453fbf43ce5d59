"""A person's answer on its way into the index: whose data it holds, and who changed it when."""
