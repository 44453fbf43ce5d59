"""Small models behind the rules: lexical and semantic classifiers, and the detector of adversarial suffixes."""
