"""Makes of pages what a training step takes: a question, a piece that answers it, and pieces near by that do not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from careline.engines.embedded.embedder import E5Embedder
from careline.ports import Matrix
from training.reader.pages import Piece, Question, TrainingPage, is_answer, is_cell

NEIGHBOURS = 12
"""Nearest windows of other pages that a question is told apart from."""
OTHER_SUBJECT = 0.9
"""Cosine of titles from which pages of different hospitals are of one subject: a question that names no hospital is
answered by both, and neither may count as wrong."""
SHORT = 3
"""Words of a question that names no page."""
OWN_LANGUAGE = 0.5
"""Share of the questions asked in the language of their page."""
GREETINGS = {
    "nl": ("Goedemiddag, met {name}. ", "hallo euh ik had een vraagje ", "Dag mevrouw, ik bel voor mijn moeder. "),
    "en": ("Hello, this is {name} speaking. ", "hi um quick question ", "Good morning, I'm calling for my father. "),
    "fr": ("Bonjour, ici {name}. ", "allô euh j'aurais une question ", "Bonjour, j'appelle pour ma mère. "),
    "it": ("Buongiorno, sono {name}. ", "pronto ehm volevo sapere ", "Salve, chiamo per mia mamma. "),
}
NAMES = ("Peeters", "Martin", "Rossi", "O'Brien", "de Vries", "Lambert", "Bianchi", "Walsh", "Aydin", "Novak")


@dataclass(frozen=True)
class Group:
    """A question with what answers it (none where nothing does) and what is near and does not."""

    question: Question
    language: str
    right: tuple[Piece, ...]
    own: tuple[Piece, ...]
    near: tuple[Piece, ...]


def groups_of(pages: Sequence[TrainingPage], embedder: E5Embedder) -> list[Group]:
    """For each question a group of windows, and one of small pieces where those tell more."""
    windows = [piece for page in pages for piece in page.windows]
    vectors = embedder.embed("passage: ", [f"{one.context}\n{one.text}" for one in windows])
    titles = embedder.embed("passage: ", [page.title for page in pages])
    allowed = _may_be_wrong(pages, titles)
    found: list[Group] = []
    for page in pages:
        asked = embedder.embed("query: ", [one.ask[page.language] for one in page.questions])
        for question, vector in zip(page.questions, asked, strict=True):
            order = np.argsort(-(vectors @ vector))
            near = [windows[n] for n in order if allowed[page.number, windows[n].page]][:NEIGHBOURS]
            if len(question.ask[page.language].split()) <= SHORT:
                # "And on Sundays?" asks about any page.
                near = []
            found += _groups(page, question, near, pages)
    return found


def _may_be_wrong(pages: Sequence[TrainingPage], titles: Matrix) -> np.ndarray:
    """Of which pages the windows are wrong for a question of a page, whatever they say; shape (pages, pages)."""
    same = np.asarray([[one.hospital == other.hospital for other in pages] for one in pages])
    allowed = np.asarray(same | (titles @ titles.T < OTHER_SUBJECT))
    np.fill_diagonal(allowed, False)
    return allowed


def _groups(
    page: TrainingPage, question: Question, near: Sequence[Piece], pages: Sequence[TrainingPage]
) -> list[Group]:
    family = [other for other in pages if other.family == page.family and other is not page]
    found: list[Group] = []
    for pieces, beside, is_right in (
        (page.windows, [one for other in family for one in other.windows], is_answer),
        (page.parts, [one for other in family for one in other.parts], is_cell),
    ):
        right = tuple(one for one in pieces if is_right(one, question))
        if question.answer is not None and not right:
            continue
        own = tuple(one for one in pieces if one not in right and not (question.answer and one.holds(question.answer)))
        # What a page does not say, one of its family may.
        other = tuple(beside) if question.answer is not None else ()
        if own or other:
            found.append(Group(question, page.language, right, own + other, tuple(near)))
    return found


def drawn(group: Group, size: int, rng: random.Random) -> tuple[str, list[Piece], list[float]]:
    """A question as somebody asks it, `size` pieces, and 1.0 for the piece that answers."""
    language = group.language if rng.random() < OWN_LANGUAGE else rng.choice([*group.question.ask])
    pieces = [rng.choice(group.right)] if group.right else []
    labels = [1.0] * len(pieces)
    while len(pieces) < size:
        pool = group.own if group.own and (not group.near or rng.random() < 0.65) else group.near
        pieces.append(rng.choice(pool or group.own))
    return asked(group.question.ask[language], language, rng), pieces, labels + [0.0] * (size - len(labels))


def asked(text: str, language: str, rng: random.Random) -> str:
    """The question as it was written, or without capitals and stops, behind a greeting, or mistyped."""
    chance = rng.random()
    if chance < 0.2:
        text = text.lower().replace("?", "").replace(",", "")
    elif chance < 0.3:
        text = rng.choice(GREETINGS[language]).format(name=rng.choice(NAMES)) + text
    elif chance < 0.36 and len(text) > 12:
        at = rng.randrange(2, len(text) - 2)
        text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text
