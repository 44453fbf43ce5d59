"""The packs as people wrote and reviewed them: rules, replies, prompts, policies; nothing here is made by a program."""

from pathlib import Path

FOLDER = Path(__file__).parent
