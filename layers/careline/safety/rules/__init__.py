"""Reviewed patterns (RE2) in files that people write, one rule set for each language, and what is compiled of them."""
