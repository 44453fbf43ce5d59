"""What was said: conversations and their messages, encrypted, under names that this installation made."""
