"""What programs made for Careline to read: weights, compiled rules and lists of names; `manifest.json` says what made
each of them, and of what."""

from pathlib import Path

FOLDER = Path(__file__).parent
