"""Says in a sentence why a file of the home cannot be written, and what to do: engines tell little or the wrong thing.

SQLite calls a full disk an I/O error and a read-only one a file that it is unable to open.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

LEAST_BYTES = 256 * 1024
"""Free bytes below which a disk counts as full: less than what one commit takes with its log."""
FULL = "the disk that CARELINE_HOME is on is full; make room on it, then try again"
READ_ONLY = "CARELINE_HOME is read-only; make it writable, or give another folder with --home"
NOT_OURS = "its rights do not let this user write it; run as its owner, or give another folder with --home"
_BY_CODE = {
    errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EFBIG: FULL, errno.EROFS: READ_ONLY, errno.EACCES: NOT_OURS,
    errno.EPERM: NOT_OURS,
}  # fmt: skip


def why(place: Path, error: Exception) -> str | None:
    """What keeps a file from being written and what to do; None where neither the error nor the disk tells.

    `place` may not be there yet. The sentence names no path, as people who only ask may read it.
    """
    if isinstance(error, OSError) and error.errno in _BY_CODE:
        return _BY_CODE[error.errno]
    return _by_disk(place)


def _by_disk(place: Path) -> str | None:
    folder = next((each for each in place.parents if each.is_dir()), None)
    if folder is None:
        return None
    try:
        found = os.statvfs(folder)
    except (AttributeError, OSError):
        # Windows has none, and a disk that is gone tells nothing.
        return None
    if found.f_flag & os.ST_RDONLY:
        return READ_ONLY
    if found.f_bavail * found.f_frsize < LEAST_BYTES or (found.f_files and not found.f_favail):
        return FULL
    writable = os.access(folder, os.W_OK | os.X_OK) and (not place.exists() or os.access(place, os.W_OK))
    return None if writable else NOT_OURS
