"""How many of a hospital's questions the input screens refuse before any search, of those that its documents answer.

`python -m careline_local.bench.refused_questions FOLDER …` reads what `careline bench answers --on` reads and needs no
documents. A question counts as it is asked, without what was asked before it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from careline.engines.embedded.embedder import E5Embedder
from careline.packs.packs import Pack, load_packs
from careline.ports import Vector
from careline.safety.terminal import IN_ANY_LANGUAGE
from careline.settings import Settings
from careline_local.bench.hospital.questions import HospitalQuestion, read_questions
from careline_local.bench.measures import Share

NAMES = {
    "answer": "answerable, refused",
    "decline": "unanswerable, refused",
    "refuse": "to be refused, refused",
}


def refused(question: HospitalQuestion, pack: Pack, embed: Callable[[str], Vector]) -> bool:
    """Whether a question is taken for an emergency or for advice, and not even searched for."""
    verdict = pack.terminal.classify(question.ask, question.language, embed(question.ask))
    return verdict.before_search in IN_ANY_LANGUAGE


def shares(questions: Sequence[HospitalQuestion], pack: Pack, embed: Callable[[str], Vector]) -> Iterator[Share]:
    """By what is expected of them, how many questions are refused."""
    for expected, name in NAMES.items():
        asked = [one for one in questions if one.expect == expected]
        yield Share(name, sum(refused(one, pack, embed) for one in asked), len(asked))


def main() -> None:
    """Print the shares of all folders together. Raises: BadRequest for one without questions."""
    embedder = E5Embedder()
    pack = load_packs(Settings().packs)["hospital_line"]
    questions = [one for folder in sys.argv[1:] for one in read_questions(Path(folder)).questions]
    for share in shares(questions, pack, lambda text: embedder.sentence_embedding([text])[0]):
        part = share.right / share.of if share.of else 0.0
        sys.stdout.write(f"{share.name}: {share.right}/{share.of} ({part:.1%})\n")


if __name__ == "__main__":
    main()
