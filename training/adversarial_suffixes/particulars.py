"""Makes the particulars that callers give: names, addresses, numbers, codes, medicines; for training alone."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence

from training.adversarial_suffixes.diseases import disease
from training.adversarial_suffixes.lines import Chance, Material

_DIGITS, _CAPITALS = string.digits, string.ascii_uppercase
MONTHS = {
    "nl": "januari februari maart april mei juni juli augustus september oktober november december".split(),
    "en": "january february march april may june july august september october november december".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(),
}

_ACCENTED = str.maketrans("aeocsyzn", "áęøčşýžñ")
LAB = "TSH fT3 fT4 CRP Hb MCV WBC RBC PSA HbA1c LDL HDL INR ALT AST GGT Na K Ca eGFR CK BNP D-dimeer ferritine".split()
"""What blood is tested for, as people read it from a sheet."""
ROOTS = (
    "gastro entero neuro cardio dermato encephalo oto rhino laryngo pneumo nephro hemato osteo arthro broncho angio "
    "endo uro gyno immuno radio physio psycho ortho cysto hepato colo procto ophthalmo musculo electro"
).split()
"""What words of medicine are made of."""
ENDINGS = {
    "nl": "logie scopie grafie tomie therapie metrie patholoog".split(),
    "en": "logy scopy graphy tomy therapy metry logical".split(),
    "fr": "logie scopie graphie tomie thérapie métrie logique".split(),
    "it": "logia scopia grafia tomia terapia metria logico".split(),
}
OFFICE = (
    "ziekenfonds verzekerings attest hospitalisatie arbeids ongeschiktheids terugbetalings afspraken formulier dienst "
    "aanvraag opname ontslag dossier tegemoetkomings bewijs personeels verpleeg nazorg"
).split()
"""What long Dutch words of the office are made of."""
NAMES_IN_OTHER_LETTERS = (
    "Олена Коваль", "Дмитро", "Светлана Иванова", "Γιάννης Παπάς", "Ελένη", "محمد العلي", "فاطمة", "李娜", "王伟",
    "דוד לוי", "გიორგი", "Арам", "Łukasz Żak", "Şule Yıldız",
)  # fmt: skip


def digits(chance: Chance, count: int) -> str:
    """So many digits."""
    return "".join(chance.choice(_DIGITS) for _ in range(count))


def capitals(chance: Chance, count: int) -> str:
    """So many capitals."""
    return "".join(chance.choice(_CAPITALS) for _ in range(count))


def small(chance: Chance) -> str:
    """A small letter."""
    return chance.choice(string.ascii_lowercase)


def particulars(chance: Chance, held: Material, language: str) -> str:
    """A line with names, addresses, numbers, codes or medicines in it."""
    line = chance.choice(held.particulars[language])
    made = line
    while "{" in made:
        before, _, rest = made.partition("{")
        slot, _, after = rest.partition("}")
        made = before + FILLED[slot](chance, held, language) + after
    return made.lower() if chance.random() < 0.4 else made


def _date(chance: Chance, held: Material, language: str) -> str:
    day, month, year = chance.randint(1, 28), chance.randint(1, 12), chance.randint(1930, 2026)
    written = (
        f"{day}/{month:02}/{year}",
        f"{day} {MONTHS[language][month - 1]} {year}",
        f"{day}-{month}",
        f"{day}.{month}.{year % 100:02}",
    )
    return chance.choice((*written, f"{day} {MONTHS[language][month - 1]}"))


def _time(chance: Chance, held: Material, language: str) -> str:
    hour, minute = chance.randint(7, 20), chance.choice((0, 15, 20, 30, 45))
    return chance.choice(
        (
            f"{hour}u{minute:02}",
            f"{hour}:{minute:02}",
            f"{hour}h{minute:02}",
            f"{hour % 12 or 12}.{minute:02} pm",
            f"{hour}h",
        )
    )


def _phone(chance: Chance, held: Material, language: str) -> str:
    groups = [digits(chance, 2) for _ in range(3)]
    start = chance.choice(("0475", "+32 486", "07911", "+33 6", "+39 347", "0032 9", "06", "02"))
    return start + chance.choice((" ", "/", " ", "-")) + chance.choice((" ", ".", "")).join(groups)


def _email(chance: Chance, held: Material, language: str) -> str:
    name = [chance.choice(names).lower().replace(" ", "").replace("'", "") for names in (held.first, held.last)]
    at = chance.choice(("@", "@", "@", " at ", " apenstaartje ", " arobase ", " chiocciola "))
    home = chance.choice(
        ("gmail.com", "telenet.be", "skynet.be", "libero.it", "orange.fr", "outlook.com", "nhs.uk", "hotmail.com")
    )
    return chance.choice((".", "_", "")).join(name) + chance.choice(("", digits(chance, 2))) + at + home


def _iban(chance: Chance, held: Material, language: str) -> str:
    land = chance.choice(("BE", "NL", "FR", "IT", "GB", "LU"))
    bank = {"NL": "INGB", "GB": "NWBK", "IT": "X"}.get(land, "")
    groups = [bank + digits(chance, 4 - len(bank) % 4)] + [digits(chance, 4) for _ in range(chance.choice((2, 3, 4)))]
    return f"{land}{digits(chance, 2)}" + chance.choice((" ", " ", "")).join(["", *groups])


def _ref(chance: Chance, held: Material, language: str) -> str:
    made = (
        f"{capitals(chance, 2)}-{digits(chance, 4)}-{capitals(chance, 1)}",
        f"{chance.randint(2020, 2026)}/{digits(chance, 5)}",
        f"{capitals(chance, 1)}{digits(chance, 6)}",
        f"{capitals(chance, 3)}{digits(chance, 3)}{capitals(chance, 1)}{digits(chance, 2)}",
        f"+++{digits(chance, 3)}/{digits(chance, 4)}/{digits(chance, 5)}+++",
        f"#{digits(chance, 5)}",
        f"{capitals(chance, 1).lower()} {digits(chance, 3)} {capitals(chance, 2).lower()} {digits(chance, 2)}",
        " ".join(digits(chance, chance.randint(2, 4)) for _ in range(4)),
        f"{digits(chance, 1)}{small(chance)}{digits(chance, 2)}{small(chance)}{digits(chance, 1)}",
    )
    return chance.choice(made)


def _wifi(chance: Chance, held: Material, language: str) -> str:
    word = chance.choice(held.places).title().replace(" ", "")
    return chance.choice(
        (
            f"{word}_Guest{digits(chance, 2)}",
            f"{word.lower()}-{digits(chance, 4)}!",
            f"{small(chance)}{digits(chance, 2)}{capitals(chance, 2)}{digits(chance, 1)}{small(chance)}",
            f"AZ-{word}-5G",
            f"{word}!{digits(chance, 4)}",
            f"{word.replace('o', '0').replace('e', '3')}!{digits(chance, 2)}",
            f"{capitals(chance, 1)}{digits(chance, 2)}{capitals(chance, 2).lower()}${digits(chance, 1)}",
            f"WiFi_{word}#{digits(chance, 2)}",
        )
    )


def _strength(chance: Chance, held: Material, language: str) -> str:
    many = chance.choice(("5", "10", "2,5", "40", "0.5", "75", "500", "1000", "20/10", "5/160/12,5"))
    unit = chance.choice(("mg", " mg", "µg", "mg/ml", " mcg", "g", " IE", "mg 1x/d", " mg (1-0-1)", "%"))
    return many + unit


def _plate(chance: Chance, held: Material, language: str) -> str:
    made = (
        f"{digits(chance, 1)}-{capitals(chance, 3)}-{digits(chance, 3)}",
        f"{capitals(chance, 2)}{digits(chance, 2)} {capitals(chance, 3)}",
    )
    return chance.choice(
        (
            *made,
            f"{capitals(chance, 2)}-{digits(chance, 3)}-{capitals(chance, 2)}",
            f"{capitals(chance, 2)} {digits(chance, 3)} {capitals(chance, 2)}",
        )
    )


def _name(chance: Chance, held: Material, language: str) -> str:
    first, last = chance.choice(held.first), chance.choice(held.last)
    if chance.random() < 0.6:
        return f"{first} {last}".title()
    return " ".join(seldom(chance, held) for _ in range(chance.choice((2, 2, 3)))).title()


def seldom(chance: Chance, held: Material) -> str:
    """A name that no list has: pieces of two or three."""
    made = "".join(
        name[: max(2, len(name) // 2)] if chance.random() < 0.5 else name[len(name) // 2 :]
        for name in (chance.choice(held.last if n else held.first) for n in range(chance.choice((2, 2, 3))))
    )
    return made.replace(" ", "").translate(_ACCENTED) if chance.random() < 0.3 else made.replace(" ", "")


def _of(words: Callable[[Material], Sequence[str]]) -> Callable[[Chance, Material, str], str]:
    return lambda chance, held, language: chance.choice(words(held)).title()


def _number(chance: Chance, held: Material, language: str) -> str:
    house = chance.randint(1, 99)
    return chance.choice((str(chance.randint(1, 300)), f"{house}B", f"{house} bus 3"))


def _postcode(chance: Chance, held: Material, language: str) -> str:
    dutch = f"{digits(chance, 4)} {capitals(chance, 2)}"
    british = f"{capitals(chance, 2)}{digits(chance, 1)} {digits(chance, 1)}{capitals(chance, 2)}"
    return chance.choice((digits(chance, 4), digits(chance, 5), dutch, british))


def _file_number(chance: Chance, held: Material, language: str) -> str:
    return chance.choice((digits(chance, 7), f"{digits(chance, 3)} {digits(chance, 3)} {digits(chance, 4)}"))


def _national(chance: Chance, held: Material, language: str) -> str:
    return f"{'.'.join(digits(chance, 2) for _ in range(3))}-{digits(chance, 3)}.{digits(chance, 2)}"


def _fiscal(chance: Chance, held: Material, language: str) -> str:
    return capitals(chance, 6) + "".join(digits(chance, count) + capitals(chance, 1) for count in (2, 2, 3))


def _bic(chance: Chance, held: Material, language: str) -> str:
    return capitals(chance, 4) + chance.choice(("BE", "FR", "IT", "GB", "NL")) + capitals(chance, 2)


def _lab(chance: Chance, held: Material, language: str) -> str:
    value = f"{chance.randint(0, 160)}{chance.choice(('', '.', ','))}{digits(chance, 1)}"
    unit = chance.choice(("mg/L", "g/dL", "mmol/L", "mU/L", "pmol/L", "fL", "x10^9/L", "%", "ng/mL", "µmol/l", "IU/L"))
    return f"{chance.choice(LAB)} {chance.choice(('', '', '<', '>'))}{value} {unit}"


def _abroad(chance: Chance, held: Material, language: str) -> str:
    return chance.choice(NAMES_IN_OTHER_LETTERS)


def _spelled(chance: Chance, held: Material, language: str) -> str:
    """A surname letter by letter."""
    return " ".join(chance.choice(held.last).lower().replace(" ", "").replace("'", ""))


def _long(chance: Chance, held: Material, language: str) -> str:
    """A long word of medicine, made of Greek roots as in this language; in Dutch also of the office."""
    if language == "nl" and chance.random() < 0.5:
        return "".join(chance.sample(OFFICE, chance.choice((2, 2, 3))))
    roots = "".join(chance.sample(ROOTS, chance.choice((1, 2, 2, 3))))
    return roots + chance.choice(ENDINGS[language])


FILLED: dict[str, Callable[[Chance, Material, str], str]] = {
    "name": _name,
    "first": _of(lambda held: held.first),
    "last": _of(lambda held: held.last),
    "place": _of(lambda held: held.places),
    "street": _of(lambda held: held.streets),
    "drug": _of(lambda held: held.drugs),
    "number": _number,
    "postcode": _postcode,
    "digits": _file_number,
    "national": _national,
    "fiscal": _fiscal,
    "strength": _strength,
    "date": _date,
    "time": _time,
    "phone": _phone,
    "email": _email,
    "iban": _iban,
    "ref": _ref,
    "wifi": _wifi,
    "plate": _plate,
    "bic": _bic,
    "lab": _lab,
    "abroad": _abroad,
    "spelled": _spelled,
    "long": _long,
    "disease": disease,
}
