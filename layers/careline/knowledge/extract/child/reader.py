"""The program of the child: reads requests on standard input, one document each, and answers on standard output.

`python -m careline.knowledge.extract.child.reader PARENT`, where PARENT is the process that started it. It ends when
its input does, when nobody asks for a while, and with its parent.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from typing import BinaryIO

from careline.errors import DocumentRejected
from careline.knowledge.extract.child import frames
from careline.knowledge.extract.child.restrictions import die_with, leave_no_core, restrict
from careline.knowledge.extract.pdf import ocr
from careline.knowledge.extract.read import read

IDLE_SECONDS = 300.0


def main(parent: int) -> None:
    """Answer until there is nothing more to answer."""
    die_with(parent)
    leave_no_core()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = _only_ours()
    ocr.running.set(lambda begins: _say(answers, frames.frame(frames.PAUSED if begins else frames.RESUMED)))
    _say(answers, frames.frame(frames.READY))
    while select.select([requests], [], [], IDLE_SECONDS)[0]:
        head = requests.read(frames.REQUEST.size)
        if len(head) < frames.REQUEST.size:
            return
        said, content = (requests.read(size) for size in frames.REQUEST.unpack(head))
        _say(answers, frames.frame(frames.TAKEN))
        _say(answers, _answer(said, content))


def _only_ours() -> tuple[BinaryIO, BinaryIO]:
    """Input and output under numbers that no library writes to: what one prints is lost instead of taken for ours."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    return requests, answers


def _say(answers: BinaryIO, said: bytes) -> None:
    answers.write(said)
    answers.flush()


def _answer(said: bytes, content: bytes) -> bytes:
    try:
        file_name, limits = frames.read_request(said)
        restrict(limits)
        return frames.extracted(read(file_name, content, limits), limits)
    except DocumentRejected as error:
        return frames.refusal(error)
    except MemoryError:
        return frames.frame(frames.OUT_OF_MEMORY)
    except Exception as error:
        # The message may quote the document; the kind of error does not.
        return frames.frame(frames.BROKEN, type(error).__name__.encode("ascii", "replace"))


if __name__ == "__main__":
    main(int(sys.argv[1]))
