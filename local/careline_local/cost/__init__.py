"""What a stage costs a month: resources counted in its templates, what is used, and a dated list of prices."""
