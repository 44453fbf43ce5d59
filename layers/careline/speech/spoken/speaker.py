"""Makes an answer fit for the ear: no markdown, links or markers, two sentences, long lists cut short."""

from __future__ import annotations

import re
from dataclasses import dataclass

from careline.speech.spoken.numbers import spoken_numbers
from careline.text.answer_kind import is_open_question
from careline.text.sentences import split

MOST_SENTENCES = 2
MOST_ITEMS = 2
YES_OR_NO = frozenset(("ja", "nee", "yes", "no", "oui", "non", "sì", "si"))
"""What is said with the sentence behind it. The question before it, which the page asks itself, is left out."""
AMONG_OTHERS = {"nl": "onder andere", "en": "among others", "fr": "entre autres", "it": "tra l'altro"}
AND = {"nl": "en", "en": "and", "fr": "et", "it": "e"}

_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_LINK = re.compile(r"\[([^\[\]]+)\]\([^()]*(?:\([^()]*\)[^()]*)?\)")
_URL = re.compile(r"<?(?:https?://|www\.)(?:\S*[^\s.,;:!?)\]]|\S)", re.IGNORECASE)
_MARK = re.compile(r"(?<!\s)\s*\[\^?\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\]")
_BEGINNING = re.compile(r"^\s*+(?:(?!>[ \u00a0]?[0-9])[#>][#>\s]*|={3,}\s*$|(?:\|?\s*+:?-{2,}+:?\s*+)++\|?\s*$)")
"""A heading's or quotation's signs, and lines that only draw something. Before a figure a sign compares: "> 38,5"."""
_EMPHASIS = re.compile(r"(\*\*|__|~~|\*|`)(?=\S)(.{1,500}?)(?<=\S)\1")
_LEFT_OVER = re.compile(r"\*+|`+|~~+|__+|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)|!(?=\[)")
"""Signs whose other half stands in another sentence."""
_LOOSE = re.compile(r"^(?:[\s!?,;:]|\.(?![0-9]))+")
"""What is left at the start of a sentence of which a link or picture was taken away."""
_BRACKETS = str.maketrans("", "", "[]")
_OPEN_LINK = "]("
_CELL_WALL = re.compile(r"(?<!\s)\s+\|\s*|\|\s*")
_EMPTY = re.compile(r"(?<!\s)\s+(?:\(\s*\)|(?=[.,;:!?]))|\(\s*\)")

_ASIDE = re.compile(r"(?<=\S)\s\(([^()]{1,300}[^()\s?!…])\)(?=(\s\w)?)(?!\w)")
"""What stands in brackets behind a word; inside of one ("sheet(s)") brackets are a part of it, and a question or a
letter that counts stays in them."""

_ENDS, _CLOSERS = ".!?…", "”»\"’)"
_QUOTED = "\ue000"
"""Where a quotation begins, in a text that is being shaped; documents and models have no such character."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """The language in which a sentence quotes from its character `start` on; None where it does not."""

    language: str | None
    start: int = 0


NOT_QUOTED = Quoted(None)


class Speaker:
    """Says one answer. `push` takes its sentences in order, `flush` gives what was held back for the end."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._said = 0
        self._lead = ""
        self._items: list[str] = []
        self._question = self._bare = ""

    def push(self, sentence: str, quoted: Quoted = NOT_QUOTED) -> str:
        """What can be said now: nothing while a list is still growing or enough was said.

        The figures of a quotation are said in its language."""
        if _ITEM.match(sentence):
            self._items.append(self._plain(_ITEM.sub("", sentence), Quoted(quoted.language)))
            return ""
        now = self._let_go()
        plain_text = self._plain(sentence, quoted)
        pieces = (_ITEM.sub("", _BEGINNING.sub("", piece)).strip() for piece in self._sentences(plain_text))
        *before, plain = [piece for piece in pieces if piece] or [""]
        now += "".join(map(self._say, before))
        if not plain:
            return now
        if plain.endswith(":"):
            self._lead = plain
            return now
        return now + self._say(plain)

    def flush(self) -> str:
        """What was held back."""
        now = self._let_go()
        left = [one for one in (self._question, self._bare) if one][-(MOST_SENTENCES - self._said) :]
        return now + "".join(map(self._spoken, left if self._said < MOST_SENTENCES else ()))

    def say(self, text: str) -> str:
        """A whole answer at once."""
        return ("".join(self.push(sentence) for sentence in split(text, self._language)) + self.flush()).strip()

    def _sentences(self, said: str) -> list[str]:
        """The sentences of what is said; "before one p.m. – dose one" is one, whatever stands behind the "p.m."."""
        found: list[str] = []
        for piece in split(said, self._language):
            if found and piece.startswith(("–", "- ")) and found[-1].rstrip(" )").endswith((" a.m.", " p.m.")):
                found[-1] = f"{found[-1].rstrip()} {piece}"
            else:
                found.append(piece)
        return found

    def _let_go(self) -> str:
        lead, items = self._lead, [item.rstrip(" .;,!?…") for item in self._items if item]
        self._lead, self._items = "", []
        if not items:
            return self._say(lead.rstrip(":") + ".") if lead else ""
        word = AND.get(self._language, AND["en"])
        if len(items) > MOST_ITEMS:
            others = AMONG_OTHERS.get(self._language, AMONG_OTHERS["en"])
            listed = f"{others} {', '.join(items[: MOST_ITEMS - 1])} {word} {items[MOST_ITEMS - 1]}"
        else:
            listed = f" {word} ".join(items)
        return self._say(f"{lead} {listed}.".strip() if lead else f"{listed[:1].upper()}{listed[1:]}.")

    def _say(self, sentence: str) -> str:
        if self._said >= MOST_SENTENCES:
            return ""
        if sentence.endswith("?"):
            self._question = sentence
            return ""
        if not self._bare and sentence.rstrip(".!…").casefold() in YES_OR_NO:
            self._bare = sentence
            return ""
        if self._bare:
            return self._spoken(f"{self._bare.rstrip('.!…')}: {sentence}")
        # "Something left in the bus?" says for whom the next sentence is.
        is_case = bool(self._question) and not is_open_question(self._question)
        return self._spoken(f"{self._question.rstrip(' ?!')}: {sentence}" if is_case else sentence)

    def _spoken(self, sentence: str) -> str:
        self._said += 1
        sentence = _ASIDE.sub(lambda match: f", {match[1]}{',' if match[2] else ''}", sentence)
        self._question = self._bare = ""
        gap = " " if self._said > 1 else ""
        ended = (sentence.rstrip(_CLOSERS) or sentence)[-1:] in _ENDS
        return gap + (sentence if ended else sentence + ".")

    def _plain(self, text: str, quoted: Quoted) -> str:
        if quoted.language is not None:
            text = f"{text[: quoted.start]}{_QUOTED}{text[quoted.start :].lstrip()}" if quoted.start else text
        text = _without_marks(_URL.sub("", _LINK.sub(r"\1", _BEGINNING.sub("", text))))
        for _ in range(2):
            text = _EMPHASIS.sub(r"\2", text)
        for _ in range(3):
            # What stood around a sign that goes may be one together: "~*~", "~_*_~".
            text = _LEFT_OVER.sub("", text)
        text = _without_marks(_BEGINNING.sub("", text)).strip().strip("|").strip()
        text = _CELL_WALL.sub(", ", text)
        text = _BEGINNING.sub("", _EMPTY.sub("", " ".join(text.split()))).strip()
        # A full stop before a digit may be a number's, and is none before the word that it becomes.
        return _LOOSE.sub("", self._in_words(_LOOSE.sub("", _ITEM.sub("", text)), quoted))

    def _in_words(self, text: str, quoted: Quoted) -> str:
        if quoted.language is None or not quoted.start:
            return spoken_numbers(text, quoted.language or self._language)
        own, _, quotation = text.partition(_QUOTED)
        return f"{spoken_numbers(own, self._language).rstrip()} {spoken_numbers(quotation, quoted.language)}".strip()


def _without_marks(text: str) -> str:
    """Without links and citation markers; brackets that would make one of what is left when signs go, go too."""
    text = _MARK.sub("", _LINK.sub(r"\1", text))
    return text.translate(_BRACKETS) if _MARK.search(text) or _OPEN_LINK in text else text
