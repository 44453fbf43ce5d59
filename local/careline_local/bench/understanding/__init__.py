"""What is measured of how questions are understood."""
