"""When a person's answer is told in place of any page: where its own question is the one that was asked."""
