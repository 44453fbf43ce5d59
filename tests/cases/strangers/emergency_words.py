"""An emergency in each language, and a question that is none."""

EMERGENCIES = {
    "nl": "mijn vader ademt niet meer",
    "en": "my father does not breathe any more",
    "fr": "mon beau-père ne respire plus du tout",
    "it": "mio padre non respira più",
}
SPOKEN = {"nl": "één één twee", "en": "one one two", "fr": "cent douze", "it": "uno uno due"}
"""112 as the phone says it."""
OTHER = "when is visiting"
