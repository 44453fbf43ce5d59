"""Reads what a file says: `read` takes a name and bytes and gives an `Extracted`, or says why it cannot.

One file per format; `admission` keeps out what should not be opened at all, `rejections` holds the reasons. `child`
does the same in a process of its own with limits, which is how the pipeline asks.
"""

from careline.knowledge.extract.read import EXTENSIONS, read
from careline.limits import Limits

__all__ = ["EXTENSIONS", "Limits", "read"]
