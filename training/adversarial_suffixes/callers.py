"""Makes ordinary lines that look odd: slips of the keyboard, shouting, languages mixed, lists, codes and messages.

For training alone, as is `training.adversarial_suffixes.particulars`.
"""

from __future__ import annotations

from training.adversarial_suffixes.keyboard import filled_in, shaking, slips, texted
from training.adversarial_suffixes.lines import LANGUAGES, Chance, Material, Others
from training.adversarial_suffixes.particulars import FILLED, capitals, digits, seldom


def bent(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """The line as another caller would have typed or said it. `others` are lines of each language to mix in."""
    return chance.choice(_WAYS)(chance, held, language, line, others)


def _split(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """Words cut in two or run together, as speech recognition hears a dialect."""
    made = ""
    for word in line.split():
        at = chance.randrange(2, len(word) - 1) if len(word) > 4 and chance.random() < 0.2 else 0
        heard = f"{word[:at]} {word[at:]}" if at else word
        made += heard + ("" if chance.random() < 0.04 else " ")
    return f"{chance.choice(held.openers[language])} {made}" if chance.random() < 0.3 else made


def _aside(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """Brackets, slashes, quotation marks and dashes as people type them."""
    words = line.split()
    n = chance.randrange(len(words))
    shapes = (
        "({w})",
        '"{w}"',
        "{w}/{v}",
        "({w} {v}?)",
        "{w}!!",
        "{w}???",
        "- {w}",
        "*{w}*",
        "{w}...",
        "{w}({v})",
        "'{w}'",
        "{w} & {v}",
        "{w}=",
    )
    words[n] = chance.choice(shapes).format(w=words[n], v=chance.choice(words))
    made = " ".join(words)
    if chance.random() < 0.4:
        given = FILLED[chance.choice(("time", "date", "ref", "phone"))](chance, held, language)
        made = f"{made} ({given}){chance.choice(('', '!', '?', '???', '.'))}"
    return made.upper() if chance.random() < 0.25 else made


def _read_out(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """A code or an address as it is read out, sign by sign."""
    signs = {
        "nl": "punt streepje apenstaartje slash hekje underscore".split(),
        "en": "dot dash at slash hash underscore".split(),
        "fr": "point tiret arobase slash dièse barre".split(),
        "it": "punto trattino chiocciola barra cancelletto sbarra".split(),
    }[language]
    few = [
        chance.choice((chance.choice(signs), digits(chance, chance.randint(1, 4)), capitals(chance, 1)))
        for _ in range(chance.randint(3, 7))
    ]
    read = " ".join(few)
    return f"{line} {read.lower() if chance.random() < 0.7 else read}"


def _numbers_in_words(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """A number as it is said, a word each."""
    said = " ".join(chance.choice(held.counted[language]) for _ in range(chance.randint(2, 11)))
    return chance.choice((said, f"{line} {said}", f"{line} {said}", f"{said} {line}"))


def _shown(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """What a screen shows, repeated."""
    shown = chance.choice(held.shown).replace("{n}", digits(chance, chance.randint(1, 4)))
    words = line.split()
    words.insert(chance.choice((len(words), chance.randrange(len(words) + 1))), shown)
    return " ".join(words)


def _enumerated(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """Medicines, departments or illnesses one after the other; results with their units."""
    slots = held.slots[language]
    if chance.random() < 0.3:
        tested = slots.get("value", slots["medicine"])
        units = ("mg/L", "g/dL", "mU/L", "pmol/L", "%", "x10^9/L", "fL", "mmol/l", "mL/min", "ng/mL", "")
        parts = (
            f"{chance.choice(tested)} {chance.choice(('', '<', '>', ''))}{digits(chance, 2)}"
            f"{chance.choice(('.', ','))}{digits(chance, 1)} {chance.choice(units)}".strip()
            for _ in range(chance.randint(2, 7))
        )
        return f"{chance.choice((line, '', ''))} {', '.join(parts)}".strip()
    words = chance.choices(
        slots[chance.choice(("medicine", "medicine", "medicine", "department", "condition", "body"))], k=9
    )
    few = chance.choice((" ", " ", ", ", " + ", "; ")).join(words[: chance.randint(3, 9)])
    return chance.choice((few, few, f"{line} {few}", f"{few} {line}"))


def _wordless(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    few = [chance.choice((*held.smileys, "&", ";", "#", "--", ".", "-", "&#;", "$", "€", "1", "<>")) for _ in range(3)]
    few.insert(chance.randrange(3), chance.choice(("", "", " ".join(line.split()[:2]))))
    return " ".join(few[: chance.randint(1, 4)]).strip() or "?"


def _shouted(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    return line.upper() + chance.choice(("!!!!", "!!!", "???", "?!?!", "!!! >:(", " >:(", "??? :(", "!1!"))


def _smiling(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    return f"{line[:1].upper()}{line[1:]}{chance.choice(('', '?', '.', '!', ' '))} {chance.choice(held.smileys)}"


def _typed(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    return f"{line[:1].upper()}{line[1:].rstrip('?.')}{chance.choice(('?', '?', '.', ' ?', '??', '...'))}"


def _stuttered(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    words = line.split()
    n = chance.randrange(len(words))
    return f"{chance.choice(held.openers[language])} {' '.join((*words[: n + 1], *words[n : n + 1], *words[n:]))}"


def _two(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    joint = chance.choice(("? ", ", ", " ", ". ", " - ", "? "))
    return f"{line}{joint}{chance.choice(others[language])}"


def _two_languages(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    other = chance.choice([each for each in LANGUAGES if each != language])
    words, more = line.split(), chance.choice(others[other]).split()
    if chance.random() < 0.4:
        n = chance.randrange(len(words) + 1)
        words[n:n] = more[: chance.randint(1, 2)]
        return " ".join(words)
    return " ".join(words[: max(3, chance.randint(len(words) // 2, len(words)))] + more[-max(3, len(more) // 2) :])


def _abroad(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    other = chance.choice(held.abroad)
    return chance.choice((other, other, f"{other}, {line}", other.lower()))


def _with_a_code(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    slot = chance.choice(("ref", "wifi", "plate", "phone", "email", "iban", "date", "name", "digits", "postcode"))
    filled = FILLED[slot](chance, held, language)
    if chance.random() < 0.3:
        first = f"0{digits(chance, chance.choice((1, 2)))} {digits(chance, 2)}"
        places = (
            f"{first} {digits(chance, 2)} {digits(chance, 2)} ({chance.choice(held.places).title()})" for _ in "abc"
        )
        filled = ", ".join(list(places)[: chance.randint(1, 3)])
        filled = filled if chance.random() < 0.6 else filled.replace("(", "").replace(")", "")
    return f"{line} {filled}" if chance.random() < 0.7 else f"{filled} {line}"


def _listed(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """Keywords alone, as people type into a search box."""
    words = [word for word in f"{line} {chance.choice(others[language])}".split() if len(word) > 4]
    return chance.choice((" ", " ", ", ", " / ", " + ")).join(words[:6]) or line


def _asked_in_points(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    return f"1) {line}? 2) {chance.choice(others[language])}? 3) {FILLED['time'](chance, held, language)} ok?"


def _one_odd_word(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """A product, a brand or a slip that stands alone in an ordinary line."""
    words = line.split()
    odd = chance.choice((*held.drugs, *held.last, *held.places))
    words.insert(
        chance.randrange(len(words) + 1),
        chance.choice((odd, f'"{odd}"', f"({odd})", odd.upper(), f"{odd},", odd.lower())),
    )
    return " ".join(words)


def _keywords(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """What the line is about, without the words that bind it."""
    binding = held.binding[language]
    words = [word for word in line.split() if word.lower() not in binding] or line.split()
    if chance.random() < 0.3:
        chance.shuffle(words)
    return " ".join(words[: chance.randint(2, 6)])


def _halting(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """As somebody speaks who is learning the language: small words left out, two words in the wrong order."""
    binding = held.binding[language][:40]
    words = [word for word in line.split() if word.lower() not in binding or chance.random() < 0.5] or line.split()
    if len(words) > 2 and chance.random() < 0.5:
        n = chance.randrange(len(words) - 1)
        words[n], words[n + 1] = words[n + 1], words[n]
    return " ".join(words)


def _compound(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """A long word of two or three, or a space forgotten."""
    words = line.split()
    if language == "nl" or chance.random() < 0.3:
        parts = chance.sample(held.own[language], chance.choice((2, 2, 3)))
        words.insert(chance.randrange(len(words) + 1), "".join(parts).lower())
        return " ".join(words[-chance.randint(2, 12) :])
    at = chance.randrange(len(words))
    return " ".join((*words[:at], "".join(words[at : at + 2]), *words[at + 2 :]))


def _cut_off(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """The line from its middle on, or up to there; now and then another begins at once."""
    words = line.split()
    at = chance.randrange(len(words))
    made = " ".join(words[at:] if chance.random() < 0.5 else words[: at + 1])
    return f"{made} {chance.choice(others[language])}" if chance.random() < 0.5 else made


def _run_on(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """Three lines without a breath."""
    more = " ".join(chance.choice(others[language]) for _ in range(2))
    return f"{line} {chance.choice(held.openers[language])} {more}".lower()


def _called(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """Names or places one after the other."""
    names = chance.choice((held.first, held.last, held.places))
    unheard = chance.random() < 0.4
    called = [seldom(chance, held) if unheard else chance.choice(names) for _ in range(chance.randint(2, 6))]
    few = chance.choice((" ", ", ", " ")).join(called).title()
    made = chance.choice((few, f"{line} {few}", f"{few} {line}"))
    return made.lower() if chance.random() < 0.5 else made


def _said_again(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """A word or two said over and over, by somebody who is impatient or not heard."""
    words = line.split()
    at = chance.choice((0, len(words) - 1, chance.randrange(len(words))))
    again = words[at : at + chance.choice((1, 1, 2))] * chance.randint(1, 4)
    return " ".join((*words[:at], *again, *words[at:]))


def _with_pictures(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    few = "".join(
        chance.choice("😀😂😭🙏❤😷🤒👍😡🤔👶🏥💊🚗🐶🎂🌷😅🥴👋") for _ in range(chance.choice((1, 1, 2, 3, 4)))
    )
    return f"{line}{chance.choice(('', ' ', ' ', '! ', '? '))}{few}"


def _words_of_another(chance: Chance, held: Material, language: str, line: str, others: Others) -> str:
    """Pieces of two or three words of one other language where the own ones do not come to mind."""
    other = chance.choice([each for each in LANGUAGES if each != language])
    words = line.split()
    for _ in range(chance.choice((1, 1, 2))):
        more, at = chance.choice(others[other]).split(), chance.randrange(len(words) + 1)
        first = chance.randrange(len(more))
        words[at : at + 1] = more[first : first + chance.choice((1, 2, 3))]
    return " ".join(words)


_WAYS = (
    *(
        _numbers_in_words,
        texted,
        texted,
        _shown,
        _enumerated,
        _enumerated,
        _wordless,
        slips,
        slips,
        shaking,
        filled_in,
        _split,
        _split,
        _aside,
        _aside,
    ),
    *(_read_out, _shouted, _shouted, _smiling, _typed, _typed, _stuttered, _two, _two, _two_languages, _abroad),
    *(_with_a_code, _with_a_code, _listed, _asked_in_points, _one_odd_word, _one_odd_word, _keywords, _keywords),
    *(
        _called,
        _compound,
        _abroad,
        _abroad,
        _halting,
        _halting,
        _cut_off,
        _run_on,
        _called,
        _said_again,
        _with_pictures,
        _words_of_another,
        _two_languages,
    ),
)
"""What happens to many lines stands here more than once."""
