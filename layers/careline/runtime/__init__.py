"""What a process of Careline does around its work."""
