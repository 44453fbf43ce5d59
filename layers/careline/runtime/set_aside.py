"""Keeps what a process has loaded out of the collection of garbage."""

from __future__ import annotations

import gc


def set_aside() -> None:
    """What was loaded stays for good, and looking through two million objects again and again stops the event loop for
    a tenth of a second each time. Call it once, when all is loaded.
    """
    gc.collect()
    gc.freeze()
    # The oldest garbage is looked for when a quarter has been added to what was there the last time: without this, to
    # all that was loaded, so that hundreds of thousands of dead objects would wait.
    gc.collect()
