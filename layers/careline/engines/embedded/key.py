"""Keeps a laptop installation's secret in a file that only its owner can read."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from careline.engines.embedded.unwritable import why
from careline.errors import SettingsInvalid
from careline.privacy.redaction.keyed_digest import KEY_BYTES, read_key

MISSING = (
    "{path} is missing, and the records in its folder were made with the key in it: restore it from a backup (or set "
    "CARELINE_PRIVACY_KEY). If it is lost for good, `careline audit new-key --i-lost-it` makes a new one; what people "
    "said can then never be read again, and a new audit chain begins that tells of the break"
)


def kept_key(path: Path, *, is_needed: bool = False) -> bytes:
    """The key in a file; made, for its owner alone, when there is none. Processes that start at once agree on one.

    `is_needed`: there were records before this was called, so that a missing key is lost and none is made instead.
    Raises: SettingsInvalid when the file is needed and missing, cannot be used, or holds no key.
    """
    if is_needed and not path.exists():
        raise SettingsInvalid(MISSING.format(path=path))
    try:
        if not path.exists():
            _make(path)
    except OSError as error:
        raise SettingsInvalid(f"{path} cannot be made: {why(path, error) or error.strerror}") from None
    try:
        written = path.read_text(encoding="ascii")
        return read_key(written)
    except (OSError, UnicodeError, SettingsInvalid):
        raise SettingsInvalid(f"{path} cannot be read as a key; restore it from a backup") from None


def _make(path: Path) -> None:
    """Write the whole file beside its place and link it there, which fails when another process was first."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
