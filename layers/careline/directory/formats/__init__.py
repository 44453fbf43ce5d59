"""The files that a hospital's directory is kept in and handed over in: YAML, a workbook, a FHIR bundle."""
