"""Makes ordinary lines as hands type them: slips, wrong keys, text messages and forms. For training alone."""

from __future__ import annotations

import string

from training.adversarial_suffixes.lines import Chance, Material, Others

TEXTED = {
    "nl": "2 4 u n ff k mss wrm idd ni eig gwn sgs mvg grtz iig nr vr dr".split(),
    "en": "2 4 u r n plz thx tmrw cuz bc idk gonna wanna dunno ur w8 appt hrs".split(),
    "fr": "2 g c ds tt bcp pk pcq stp svp mdr jsp tkt ct pr qd rdv vs".split(),
    "it": "2 x c nn cmq xke xò qnd grz tt sn dv qst ke msg nr app".split(),
}
"""What is typed for a word in a hurry."""
_KEYS = (("qwertyuiop", "asdfghjkl", "zxcvbnm"), ("azertyuiop", "qsdfghjklm", "wxcvbn"))
"""Letters as they lie side by side on keyboards."""


def slips(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """In every fourth word a letter left out, doubled, swapped or wrong, or a space too many or too few."""
    words = line.split()
    for _ in range(max(1, len(words) // 4)):
        n = chance.randrange(len(words))
        word = words[n]
        if n + 1 < len(words) and chance.random() < 0.15:
            words[n] += words.pop(n + 1)
        elif len(word) > 3:
            at = chance.randrange(1, len(word) - 1)
            words[n] = chance.choice(
                (
                    word[:at] + word[at + 1 :],
                    word[:at] + word[at] + word[at:],
                    word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                    word[:at] + chance.choice(string.ascii_lowercase) + word[at + 1 :],
                    word[:at] + " " + word[at:],
                )
            )
    return " ".join(words)


def shaking(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """Keys beside the right one, hit instead of it or with it, in most words."""
    rows = chance.choice(_KEYS)
    words = line.split()
    for n, word in enumerate(words):
        at = chance.randrange(len(word))
        row = next((row for row in rows if word[at].lower() in row), "")
        if row and chance.random() < 0.6:
            key = row.index(word[at].lower())
            beside = chance.choice(row[max(0, key - 1) : key] + row[key + 1 : key + 2])
            words[n] = chance.choice((word[:at] + beside + word[at + 1 :], word[: at + 1] + beside + word[at + 1 :]))
    return " ".join(words)


def filled_in(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """A form with its dots and boxes, copied with a question beside it."""
    labels = [
        word.upper() if chance.random() < 0.5 else word.title() for word in chance.choice(others[language]).split()
    ]
    blank = chance.choice(("......", "..........", "____", ": ", "/../....", "-", "n/a", "(*)"))
    fields = " ".join(f"{label}{chance.choice((' :', ':', ''))} {blank}" for label in labels[: chance.randint(1, 4)])
    box = chance.choice(("[ ]", "[x]", "( )", "☐", "o"))
    boxes = " ".join(f"{box} {word}" for word in line.split()[-chance.randint(1, 3) :])
    return chance.choice((f"{fields} {line}", f"{fields} {boxes} {line}", f"{line} {fields}", f"{boxes} - {line}"))


def texted(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """As short and as wrong as a text message can be, in most words."""
    made = []
    for word in line.split():
        way = chance.random()
        if len(word) > 3 and way < 0.15:
            word = word[0] + "".join(each for each in word[1:-1] if each not in "aeiou") + word[-1]
        elif len(word) > 3 and way < 0.4:
            at = chance.randrange(1, len(word))
            word = word[:at] + chance.choice(("", word[at] * 2, chance.choice("aeiou"))) + word[at + 1 :]
        elif way < 0.5:
            word = chance.choice(TEXTED[language])
        made.append(word)
    return " ".join(made)
