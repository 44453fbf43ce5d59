"""Weighs what was found by whether it is of the category of facts that was asked for: a refund is no entrance."""
