"""Makes the lists of names and words behind the recogniser of personal names: `python -m training.build_names`.

Joins the lists under `training/names`, which were written for this, with those of Faker and mimesis (both
MIT; name lists of the countries in `FAKER` and `MIMESIS`), and takes the frequent words of each language from
pyspellchecker (MIT). `requirements/training.txt` has the three, and `test.txt` for the rebuild.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.resources import files
from itertools import chain
from math import log
from pathlib import Path

import yaml

import careline_artefacts
from careline.model import LANGUAGES
from careline.privacy.names.lists import files as person_lists
from careline.privacy.names.lists.files import Spelling, fold

OURS = Path(__file__).parent / "names"
DOCUMENTS = Path(__file__).parents[1] / "local" / "careline_local" / "demo"
MEDICINES = Path(person_lists.__file__).parents[3] / "safety" / "data" / "medicines.yaml"
CALLS = Path(__file__).parent / "lines"
TARGET = careline_artefacts.FOLDER / "names"
FAKER = (
    "de_DE en_GB en_IE en_IN en_NG en_NZ en_PK en_US es_ES fr_BE fr_CH fr_DZ fr_FR hi_IN it_IT nl_BE nl_NL pl_PL pt_PT "
    "ro_RO tr_TR tw_GH yo_NG ig_NG"
)
FARTHER = "az_AZ cs_CZ en_KE ha_NG hr_HR hu_HU lt_LT pt_BR sl_SI sw uz_UZ vi_VN zu_ZA"
"""Faker lists of countries farther off; what is a frequent word of ours in them is no name."""
MIMESIS = "nl nl-be fr it en-gb tr pl pt es"
COMMON = "en_GB fr_BE fr_FR it_IT nl_BE"
"""The Faker lists of the most common surnames; these count as surnames after a first name even if they are words."""

WORDS = 25_000
FARTHER_WORDS = {"en": 45_000, "it": 45_000, "nl": 45_000}
"""Up to where rarer words are taken too, unless spelled like a name; there an unlisted word is believed sooner."""

FEW = {False: (8, 25), True: (2, 7)}
"""One word in so many that is no name counts as a likely and as a sure name, by whether rarer words are known."""

COUNTED = {"answers": "o", "injections": "k", "utterances": "p"}
"""The last file of each kind of lines whose words are counted. The models were trained with these lists: words of later
lines wait for the next training."""

SHORT = 3
"""Letters of a name from farther off that are too few."""

SEEN = 20
"""Occurrences from which a piece of spelling is weighed."""

SLIGHT = 25
"""Weights up to this say nothing and are left out."""
_LATIN = re.compile(r"[a-z][a-z' -]*[a-z]")
_ORDINARY = re.compile(r"[a-z'-]+[a-rt-z]|[a-z]+s")
_WORD = re.compile(r"[^\W\d_]{2,}")


def ours(file: str) -> set[str]:
    """The entries of one of our lists, folded; `_` stands for a space."""
    lines = (OURS / file).read_text(encoding="utf-8").splitlines()
    return {fold(entry).replace("_", " ") for line in lines if not line.startswith("#") for entry in line.split()}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _strings(
            list(value) if not any(isinstance(v, list) for v in value.values()) else list(value.values())
        )
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


def faker_names(locales: str, kind: str) -> Iterator[str]:
    """Names of the `first_names` or `last_names` kind in the given Faker locales."""
    for locale in locales.split():
        provider = import_module(f"faker.providers.person.{locale}").Provider
        for attribute in dir(provider):
            if attribute.startswith(kind):
                yield from _strings(getattr(provider, attribute))


def mimesis_names(kind: str) -> Iterator[str]:
    """Names of the `names` or `surnames` kind in the mimesis data sets."""
    for locale in MIMESIS.split():
        content = (files("mimesis") / "datasets" / locale / "person.json").read_text(encoding="utf-8")
        yield from _strings(json.loads(content).get(kind, []))


def cleaned(names: Iterable[str]) -> set[str]:
    """Folded names in Latin letters; those of two letters are left to our own lists."""
    folded = {fold(name).strip() for name in names}
    return {name for name in folded if len(name) > 2 and _LATIN.fullmatch(name)}


def farther(kind: str, spoken: set[str]) -> set[str]:
    """Names of the countries farther off, without those that are also words or too short to tell."""
    return {name for name in cleaned(faker_names(FARTHER, kind)) if len(name) > SHORT} - spoken


@cache
def frequent(language: str) -> list[str]:
    """Words of a language, folded, most frequent first."""
    packed = (files("spellchecker") / "resources" / f"{language}.json.gz").read_bytes()
    counts: Counter[str] = Counter()
    for word, count in json.loads(gzip.decompress(packed)).items():
        counts[fold(word)] += count
    return [word for word, _ in counts.most_common() if _ORDINARY.fullmatch(word)]


def of_the_documents(language: str) -> set[str]:
    """Lower-case words of the demonstration documents, which are the words of the trade."""
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted(DOCUMENTS.glob(f"*/{language}/*.md")))
    return {fold(word) for word in _WORD.findall(text) if word.islower()}


def of_the_calls(language: str, ranked: Iterable[str]) -> set[str]:
    """Lower-case words of the lines for training, which hold hardly any name: known, or said twice; and medicines.

    Eponyms, which are said of illnesses there, are surnames of callers too.
    """
    said: Counter[str] = Counter()
    for path in (each for each in sorted(CALLS.glob(f"{language}/*.tsv")) if _is_counted(each)):
        for line in path.read_text(encoding="utf-8").splitlines():
            said.update({fold(word) for word in _WORD.findall(line.partition("\t")[2]) if word.islower()})
    known = set(ranked)
    eponyms = set(person_lists.content("shared")["eponyms"].split())
    held = yaml.safe_load(MEDICINES.read_text(encoding="utf-8"))
    listed = " ".join((*held["same"], held["substances"], held["brands"]))
    medicines = {fold(word) for word in _WORD.findall(listed)}
    return {word for word, lines in said.items() if lines > 1 or word in known} - eponyms | medicines


def _is_counted(file: Path) -> bool:
    kind, letter = file.stem.split("_")
    return letter <= COUNTED[kind]


def rarer(language: str, ranked: list[str], weights: dict[str, object]) -> list[str]:
    """The words of a language after the frequent ones, without those that are spelled most like a name."""
    found = [word for word in ranked[WORDS : FARTHER_WORDS[language]] if word.isalpha()]
    found.sort(key=Spelling(**weights).score)  # type: ignore[arg-type]
    return found[: len(found) - len(found) // FEW[False][1]]


def pieces(word: str) -> list[str]:
    """Runs of two and three letters of a word, both ends marked, as in `Spelling.score`."""
    marked = f"^{word}$"
    return [marked[at : at + length] for length in (2, 3) for at in range(len(marked) - length + 1)]


def spelling(names: set[str], language: str) -> dict[str, object]:
    """How a name is spelled as against a word: a weight for each piece, hundredths of the logarithm of its odds."""
    ranked = frequent(language)
    usual = set(ranked[:WORDS])
    parts = sorted({part for name in names for part in re.split("[ '-]", name) if len(part) > 2 and part not in usual})
    others = [word for word in ranked[:150_000] if word.isalpha() and len(word) > 2 and word not in names]
    of_names, of_words = (Counter(chain.from_iterable(map(pieces, listed))) for listed in (parts, others))
    kept = [piece for piece in {*of_names, *of_words} if of_names[piece] + of_words[piece] >= SEEN]
    in_names, in_words = of_names.total() + len(kept) / 2, of_words.total() + len(kept) / 2
    weights = {
        piece: round(100 * (log((of_names[piece] + 0.5) / in_names) - log((of_words[piece] + 0.5) / in_words)))
        for piece in sorted(kept)
    }
    likely, surely = FEW[language in FARTHER_WORDS]
    scores = sorted((sum(weights.get(piece, 0) for piece in pieces(word)) / len(word) for word in others), reverse=True)
    return {
        "likely": round(scores[len(scores) // likely]),
        "surely": round(scores[len(scores) // surely]),
        "weights": {piece: weight for piece, weight in weights.items() if abs(weight) > SLIGHT},
    }


def write(name: str, words: Iterable[str]) -> None:
    """One entry a line, sorted, so that a change can be read in a diff."""
    (TARGET / f"{name}.json").write_text(
        json.dumps(sorted(words), ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
    )


def main() -> None:
    """Write the lists."""
    TARGET.mkdir(parents=True, exist_ok=True)
    spoken = {word for language in LANGUAGES for word in frequent(language)[:WORDS]}
    spoken = spoken.union(*(ours(f"words_{each}.txt") for each in (*LANGUAGES, "shared")))
    usual = ours("first.txt") - ours("not_names.txt")
    first = usual | cleaned([*faker_names(FAKER, "first_names"), *mimesis_names("names")])
    first |= farther("first_names", spoken)
    common = (cleaned(faker_names(COMMON, "last_names")) | ours("last.txt")) - ours("not_names.txt")
    last = common | cleaned([*faker_names(FAKER, "last_names"), *mimesis_names("surnames")])
    last |= farther("last_names", spoken)
    places = ours("places.txt")
    first -= ours("not_names.txt")
    last -= ours("not_names.txt")
    write("first", first - usual)
    write("common_first", usual)
    write("last", last - common)
    write("common_last", common)
    write("places", places)
    for language in LANGUAGES:
        ordinary = ours(f"ordinary_{language}.txt")
        words = set(frequent(language)[:WORDS]) | of_the_documents(language)
        words |= ours("words_shared.txt") | ours(f"words_{language}.txt")
        weights = spelling(first | last, language)
        if language in FARTHER_WORDS:
            ranked = frequent(language)
            words |= of_the_calls(language, ranked).union(rarer(language, ranked, weights))
        write(f"words_{language}", (words - first - last - places) | ordinary)
        (TARGET / f"spelling_{language}.json").write_text(
            json.dumps(weights, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
