"""Reads documents in a child process with limits of time and memory, so that a hostile one harms itself alone.

`reader` is the program of the child, `process` one child as the parent sees it, `pool` what the pipeline asks,
`frames` what the two say to each other, `restrictions` and `memory` what the operating system is asked for.
"""

from careline.knowledge.extract.child.pool import read_in_child

__all__ = ["read_in_child"]
