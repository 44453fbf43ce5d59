"""Every JSON shape that crosses a boundary."""
