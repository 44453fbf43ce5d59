"""Tells where a language model's text stops being an answer: it says that it cannot answer, writes tokens that control
it, calls a tool that nobody offered, repeats itself, or changes into another language.

What comes after such a place is not read: a model that has lost its way does not find it again.
"""

from __future__ import annotations

import re
from typing import Literal

from careline.ports import LanguageIdentifier
from careline.text.bounded_re2 import compile_bounded
from careline.text.languages import telling_words

NO_ANSWER = "NO_ANSWER"
"""What a prompt has the model write, and nothing else, when the sources do not answer the question."""
End = Literal["declined", "control_token", "loop", "language"]
LONGEST_PERIOD = 20
"""Words of the longest run whose repetition is looked for; a longer one is a sentence that was said before."""
REPEATED_WORDS, REPEATED_TIMES = 12, 3
"""A run is a loop once it stands there three times in a row and fills twelve words."""
LONGEST_WORD = 60
"""Characters by which a word is told from others: one that never ends is read no further."""
WHOLE = 4
"""Words from which a sentence that was said before is not said again; shorter ones may be items of a list."""
CERTAIN = 3
"""Frequent words of one language alone from which a sentence is of it, where it has two more than of any other."""
SURE = 0.9
"""Confidence from which a sentence that has hardly a word of the turn's own language is believed to be of another."""
TELLING = 6
"""Words of such a sentence at least; names and items of a list are shorter."""
FOREIGN_LETTERS = 8

_DECLINED = compile_bounded(r"\bNO[_ ]ANSWER\b")
_OPENING = compile_bounded(
    r"(?i)^\s*(?:<s>|<bos>|<\|(?:begin_of_text|assistant|end_header_id)\|>"
    r"|<\|(?:im_start|start_header_id)\|>\s*assistant\b)\s*"
)
"""What a template puts before an answer; it is passed over there, and ends the answer anywhere else."""
_CONTROL = compile_bounded(
    r"(?i)<[|｜][^|｜<>]{1,40}[|｜]>|</?s>|</?(?:bos|eos|pad|unk)>|<(?:start|end)_of_turn>|\[/?INST\]|<</?SYS>>"
    r"|\[/?(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\]"
    r"|</?(?:tool_call|tool_response|function_call|function|think|thinking|assistant|user|system|sources)\b[^<>]{0,80}>"
    r"|\{\s*\"(?:name|function|tool|tool_name|tool_calls|arguments|parameters|recipient_name|action)\"\s*:"
    r"|^\s*(?:```|\{|\[\s*\{)|^\s*#{1,4} (?:instruction|response|human|user|assistant|system)\s*(?::|\n|$)"
)
"""Tokens of the common chat templates, and the beginning of a call of a tool. RE2 reads them in one pass."""
_MARKERS = re.compile(r"\[[\d,; –-]{1,40}\]")
_QUOTED = re.compile(r"“[^“”]{1,300}”|«[^«»]{1,300}»|\"[^\"]{1,300}\"")
"""A title or a sentence that is quoted may be in its document's language."""
_WORD = re.compile(r"[^\W_]+")


class CompletionEnd:
    """Watches over one answer as it is written. `language` is that of the turn."""

    def __init__(self, language: str, identify: LanguageIdentifier) -> None:
        self._language = language
        self._identify = identify
        self._begun = False
        self._said: set[tuple[str, ...]] = set()
        self._tail: list[str] = []
        self._unfinished = ""

    def loops(self, piece: str) -> bool:
        """Whether the text runs in a circle of words once this piece of it has come."""
        text = self._unfinished + piece
        found = _WORD.findall(_MARKERS.sub(" ", text))
        # A piece may end within a word.
        self._unfinished = found.pop()[:LONGEST_WORD] if found and text[-1:].isalnum() else ""
        for word in found:
            self._tail = [*self._tail[1 - LONGEST_PERIOD * REPEATED_TIMES :], word[:LONGEST_WORD].casefold()]
            if _is_circle(self._tail):
                return True
        return False

    def answering(self, sentence: str, *, quoted: bool) -> tuple[str, End | None]:
        """The part of the next sentence that belongs to the answer, and why the answer ends behind it, if it does.

        `quoted` where a source says the sentence word for word: it may be in the source's language.
        """
        if not self._begun:
            while opening := _OPENING.search(sentence):
                sentence = sentence[opening.end() :]
        self._begun = self._begun or bool(sentence.strip())
        if _DECLINED.search(sentence):
            return "", "declined"
        if control := _CONTROL.search(sentence):
            return sentence[: control.start()], "control_token"
        if self._was_said(sentence):
            return "", "loop"
        if not quoted and in_another_language(sentence, self._language, self._identify):
            return "", "language"
        return sentence, None

    def _was_said(self, sentence: str) -> bool:
        words = tuple(word.casefold() for word in _WORD.findall(_MARKERS.sub(" ", sentence)))
        if len(words) < WHOLE:
            return False
        known = words in self._said
        self._said.add(words)
        return known


def _is_circle(words: list[str]) -> bool:
    """Whether the last words are a run that stands there several times in a row."""
    for period in range(1, min(LONGEST_PERIOD, len(words) // REPEATED_TIMES) + 1):
        length = period * max(REPEATED_TIMES, -(-REPEATED_WORDS // period))
        if length <= len(words) and words[-length + period :] == words[-length:-period]:
            return True
    return False


def in_another_language(sentence: str, language: str, identify: LanguageIdentifier) -> bool:
    """Whether a sentence is certainly not in `language`; one of few words, of names or of figures never is."""
    text = _QUOTED.sub(" ", _MARKERS.sub(" ", sentence))
    letters = [character for character in text if character.isalpha()]
    if len(letters) >= FOREIGN_LETTERS and sum(_is_latin(one) for one in letters) < len(letters) / 2:
        return True
    counts = telling_words(text)
    own = counts.get(language, 0)
    if max(counts.values()) >= max(CERTAIN, own + 2):
        return True
    if own > 1 or len(_WORD.findall(text)) < TELLING:
        return False
    code, confidence = identify.identify(text, of_any=True)
    return code != language and confidence >= SURE


def _is_latin(letter: str) -> bool:
    """Latin letters, with and without accents, end before Greek begins; those of other alphabets lie behind."""
    return letter < "\u0370" or "\u1e00" <= letter <= "\u1eff"
