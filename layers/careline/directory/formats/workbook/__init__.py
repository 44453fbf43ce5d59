"""The workbook that people fill in: one sheet for each kind of thing, one row for each thing."""
