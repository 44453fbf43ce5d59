"""A small library in four languages for the cases on relevance: tables, windows, an old version, and questions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from careline.engines.embedded.embedder import E5Embedder
from careline.knowledge.chunk.chunk import chunk
from careline.knowledge.embed import text_of, window_texts
from careline.knowledge.extract.markdown import markdown
from careline.limits import Limits
from careline.model import DocumentFacts, Passage
from careline.passages.window_vectors import packed
from careline.ports import Matrix, PassageIndex
from tests.fakes import NOW

TENANT = "default"
PAGES = {
    "parking-nl": ("nl", "Parkeren bij de Lindekliniek", """
# Tarieven

| Plaats | Eerste uur | Per dag |
|---|---|---|
| Parking Noord | € 1,40 | € 9,00 |
| Parking Zuid | gratis | € 4,50 |

# Personen met een handicap

Met een Europese parkeerkaart parkeert u gratis op de acht plaatsen naast de hoofdingang.
"""),
    "bezoek-nl": ("nl", "Bezoekuren", """
# Verblijfsafdelingen

Bezoek is welkom van 14 tot 20 uur. Per patiënt zijn er hoogstens drie bezoekers in de kamer.

# Intensieve zorg

Op intensieve zorg is bezoek mogelijk van 15 tot 16 uur en van 19 tot 19.30 uur.
"""),
    "bloed-nl": ("nl", "Bloedafname", """
# Zonder afspraak

U kunt van maandag tot vrijdag tussen 7.30 en 11 uur zonder afspraak bloed laten prikken, in lokaal B12.

# Wat brengt u mee

- uw identiteitskaart
- de aanvraag van uw arts
"""),
    "rooms-en": ("en", "Rooms and supplements", """
# Supplements

| Room | Supplement per night |
|---|---|
| Two-bed room | none |
| Single room | €62.00 |
| Family room | €75.00 |

# Choosing a room

You choose your room when you are admitted. A choice can be changed until noon of the day before.
"""),
    "interpreters-en": ("en", "Interpreters", """
# Asking for an interpreter

An interpreter comes to your appointment free of charge if you ask for one five working days before.
Interpreters work in eleven languages and in sign language.
"""),
    "naissance-fr": ("fr", "La maternité", """
# Visites

Le partenaire peut rester jour et nuit. Les autres visiteurs sont les bienvenus de 15 h à 19 h.

# Photographe

Un photographe passe chaque mercredi matin ; la séance est gratuite, le tirage coûte 18 €.
"""),
    "plainte-fr": ("fr", "Déposer une plainte", """
# Service de médiation

Vous pouvez écrire au service de médiation ou l'appeler au 02 555 01 44. Vous recevez une réponse dans les trente jours.
"""),
    "cartella-it": ("it", "Copia della cartella clinica", """
# Come chiederla

La copia della cartella clinica si chiede allo sportello 4 con un documento d'identità.
Costa 12,50 € e arriva entro venti giorni.
"""),
    "caffetteria-it": ("it", "Caffetteria", """
# Orari

| Giorno | Apertura | Chiusura |
|---|---|---|
| Lunedì - venerdì | 7.30 | 19.00 |
| Sabato | 9.00 | 17.00 |
| Domenica | chiuso | chiuso |
"""),
}  # fmt: skip
DEPARTMENTS = (
    "cardiologie dermatologie neurologie urologie gynaecologie oogheelkunde oncologie pneumologie reumatologie "
    "geriatrie pediatrie orthopedie endocrinologie nefrologie hematologie radiologie revalidatie tandheelkunde"
).split()
NOTES = (
    "De raadpleging {name} ligt op verdieping {floor}. Volg route {route} vanaf het onthaal.",
    "Voor een afspraak bij de raadpleging {name} belt u op werkdagen tussen 8 en 12 uur.",
    "De raadpleging {name} stuurt het verslag van uw onderzoek naar uw huisarts.",
    "In de wachtzaal van de raadpleging {name} staat een automaat voor water.",
)
"""More Dutch passages than either side of a search takes candidates: what another language says must not be lost."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a caller, and the document that must be among the first for it, where one must."""

    text: str
    language: str
    answers: str | None = None


QUESTIONS = (
    Asked("Hoeveel kost een dag parkeren op Parking Zuid?", "nl", "parking-nl"),
    Asked("tot hoe laat mag ik op bezoek komen op intensieve zorg", "nl", "bezoek-nl"),
    Asked("bloed laten prikken", "nl", "bloed-nl"),
    Asked("hoeveel betaal ik extra voor een eenpersoonskamer", "nl", "rooms-en"),
    Asked("How much is a single room per night?", "en", "rooms-en"),
    Asked("can somebody interpret for my mother", "en", "interpreters-en"),
    Asked("what does the car park cost for the first hour", "en", "parking-nl"),
    Asked("Les heures de visite a la maternite, quelles sont-elles ?", "fr", "naissance-fr"),
    Asked("je voudrais deposer plainte", "fr", "plainte-fr"),
    Asked("ou puis-je faire une prise de sang sans rendez-vous", "fr", "bloed-nl"),
    Asked("La caffetteria è aperta il sabato?", "it", "caffetteria-it"),
    Asked("quanto costa la copia della cartella", "it", "cartella-it"),
    Asked("posso avere un interprete", "it", "interpreters-en"),
    # Answered by one of three French pages, which the model places behind many Dutch notes.
    Asked("wanneer komt de fotograaf langs op de kraamafdeling", "nl"),
    Asked("hoe dien ik een klacht in", "nl"),
    # Answered by nothing, and near to a page.
    Asked("hoeveel kost een laadpaal voor de elektrische wagen", "nl"),
    # Answered by nothing.
    Asked("Is er een zwembad in de kliniek?", "nl"),
    Asked("Which floor is the helicopter pad on?", "en"),
    Asked("Est-ce que vous vendez des lunettes de soleil ?", "fr"),
    Asked("Fate tatuaggi in ospedale?", "it"),
    Asked("wie won de ronde van Frankrijk in 1998", "nl"),
)


@dataclass(frozen=True, slots=True)
class Version:
    """The passages of one version, with the vectors that the shipped embedding model makes of them."""

    passages: list[Passage]
    vectors: Matrix
    windows: list[bytes]


@cache
def embedder() -> E5Embedder:
    """The shipped embedding model."""
    return E5Embedder()


@cache
def versions() -> tuple[Version, ...]:
    """The library: the pages, notes of many departments, and an old version that is no longer live."""
    old = _version("bezoek-nl", 1, "nl", "Bezoekuren", "Bezoek bezoek bezoek is welkom van 10 tot 11 uur.")
    pages = [_version(key, 2, *page) for key, page in PAGES.items()]
    notes = [
        _version(f"raadpleging-{name}", 1, "nl", f"Raadpleging {name}", _notes(n)) for n, name in enumerate(DEPARTMENTS)
    ]
    return (old, *pages, *notes)


async def fill(index: PassageIndex) -> None:
    """Make the library live in an index."""
    for version in versions():
        await index.add(version.passages, version.vectors, version.windows)
        first = version.passages[0]
        await index.activate(TENANT, first.doc_key, first.version)
    await index.settle()


def _notes(number: int) -> str:
    said = {"name": DEPARTMENTS[number], "floor": number % 6, "route": 20 + number}
    return "\n\n".join(f"# Punt {place}\n\n{note.format(**said)}" for place, note in enumerate(NOTES, 1))


def _version(key: str, version: int, language: str, title: str, text: str) -> Version:
    facts = DocumentFacts(title=title, source_type="webpage", language=language)
    extracted = markdown.read(text.encode(), Limits())
    passages = [
        Passage(f"{key}:{version}:{one.ordinal}", TENANT, key, version, f"{key}-{version}", f"{key}.md", one, facts,
                embedder().name, NOW)
        for one in chunk(extracted, language, embedder().count_tokens)
    ]  # fmt: skip
    said = [window_texts(one.chunk, facts) for one in passages]
    texts = [text_of(one.chunk, facts) for one in passages] + [text for some in said for text in some]
    rows = embedder().embed("passage: ", texts)
    ends = np.cumsum([len(passages), *map(len, said)])
    windows = [packed(rows[start:end]) for start, end in pairwise(ends)]
    return Version(passages, rows[: len(passages)], windows)
