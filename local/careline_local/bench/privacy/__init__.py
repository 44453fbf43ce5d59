"""Personal data, against another detector."""
