"""The directory as a bundle of FHIR R4, as IHE's Mobile Care Services Discovery has it."""
