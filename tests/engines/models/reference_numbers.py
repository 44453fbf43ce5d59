"""What embedder and reader make of a few texts, kept; `python -m tests.engines.models.reference_numbers` computes it.

Whichever processor a test runs on, it must come to nearly the same (`test_reference_numbers`).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from careline.engines.embedded.e5.model import E5Model
from careline.engines.embedded.embedder import E5Embedder
from careline.engines.embedded.reader import E5Reader
from careline.ports import ReaderText

FILE = Path(__file__).parent / "golden" / "numbers.npz"
CONTEXT = "Ziekenhuis / Hospital"
TEXTS = (
    ("Wat kost parkeren?", "Parkeren kost twee euro per uur en nooit meer dan twaalf euro per dag."),
    ("Tot hoe laat mag ik op bezoek?", "De bezoekuren zijn elke dag van 14 tot 20 uur; op intensieve na afspraak."),
    ("Mag mijn hond mee naar de kamer?", "Huisdieren zijn alleen in de tuin toegelaten."),
    ("When may I visit the children's ward?", "Parents may stay day and night; others visit from two to seven."),
    ("How much is the car park?", "The first half hour is free; a lost ticket costs fifteen euros."),
    ("How long before the operation must I stop eating?", "Eat nothing from midnight; water is allowed until six."),
    ("Dois-je être à jeun ?", "Pour une prise de sang, vous devez être à jeun depuis huit heures."),
    ("Quand la cafétéria ouvre-t-elle ?", "La cafétéria est ouverte tous les jours de 8 à 18 heures."),
    ("Où puis-je louer un fauteuil roulant ?", "Le repas chaud coûte 11,40 euros et se paie par carte."),
    ("Devo essere a digiuno?", "Il paziente deve essere a digiuno da sei ore."),
    ("Quanto costa il parcheggio?", "La rete wifi per i pazienti si chiama Ospite e non richiede alcuna password."),
    ("A che ora finisce la visita?", "Le visite sono permesse ogni giorno dalle 14 alle 20."),
)  # fmt: skip
"""Questions, and a text that each is read with."""
Numbers = dict[str, npt.NDArray[np.float32]]


async def computed() -> Numbers:
    """By name, a row for each question: `sentence_embedding` with three parts of length 1, `question` and `passage`
    vectors, shape (texts, parts, 384), and `relevance` in logits, (texts,)."""
    model = E5Model()
    embedder, reader = E5Embedder(shared=model), E5Reader(model)
    questions, passages = ([pair[n] for pair in TEXTS] for n in (0, 1))
    found = {
        "sentence_embedding": embedder.sentence_embedding(questions),
        "question": embedder.embed("query: ", questions),
        "passage": embedder.embed("passage: ", passages),
    }
    read = [await reader.relevance(question, [ReaderText(CONTEXT, text)]) for question, text in TEXTS]
    vectors = {name: rows.reshape(len(TEXTS), -1, embedder.dimensions) for name, rows in found.items()}
    return {**vectors, "relevance": np.array(read, np.float32)[:, 0]}


def kept() -> Numbers:
    """The numbers in the file."""
    with np.load(FILE, allow_pickle=False) as file:
        return {name: file[name].astype(np.float32) for name in file.files}


if __name__ == "__main__":
    import asyncio

    # Half the size, and still a hundred times finer than what is compared.
    half = {name: rows.astype(np.float16) for name, rows in asyncio.run(computed()).items()}
    np.savez_compressed(FILE, allow_pickle=False, **half)
