"""Finds where a document sends its readers: telephone numbers that cost a fortune, bank accounts, web addresses.

Everything is RE2 over text as it stands in the document; a number is compared by its digits alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from careline.text.bounded_re2 import compile_bounded

NEIGHBOURS = frozenset("BE NL FR LU DE IT CH AT LI SM MC GB IE".split())
"""Countries whose accounts a hospital's page names without surprise."""
_PREMIUM = compile_bounded(
    r"(?:^|[^\d+])(?:"
    r"0[\s./-]?9[\s./-]?0[\s./-]?[0-9](?:[\s./-]?\d){4,8}"  # 0900-0909: Belgium, the Netherlands, Germany
    r"|0[\s./-]?8[\s./-]?9[\s./-]?[0-9](?:[\s./-]?\d){5,7}"  # 089x: France
    r"|8[\s./-]?9[\s./-]?[2-59](?:[\s./-]?\d){5,8}"  # 892-895, 899: Italy
    r"|0[\s./-]?9[\s./-]?[0-9][\s./-]?[0-9](?:[\s./-]?\d){7}"  # 09x in eleven digits: the United Kingdom
    r"|90[015](?:[\s./-]?\d){5}"  # 900, 901, 905 in eight digits: Luxembourg
    r"|(?:\+|00)[\s./-]?(?:32|31|39|33|49|41|43|352)[\s./-]?(?:\(0\)[\s./-]?)?(?:90[0-9]|89[0-9]|93[0-9])(?:[\s./-]?\d){4,8}"
    r"|(?:\+|00)[\s./-]?44[\s./-]?(?:\(0\)[\s./-]?)?(?:9\d|87[0-3]|70\d)(?:[\s./-]?\d){7,9}"
    r"|(?:\+|00)[\s./-]?(?:87[08]|88[1-3]|979)(?:[\s./-]?\d){6,12}"  # satellite and international premium
    r")(?:$|\D)"
)
_HOURS = compile_bounded(r"\b(?:[01]?\d|2[0-4])[.:h][0-5]\d ?[-–] ?(?:[01]?\d|2[0-4])[.:h][0-5]\d\b")
_REMOTE_COUNTRIES = compile_bounded(
    r"(?:\+|00)[\s./-]?(?:2\d\d|37[0-57-9]|38[0-25-9]|5[0-9]\d|6[7-9]\d|7\d|80\d|85\d|9[6-9]\d)(?:[\s./()-]{0,2}\d){6,12}"
)
_PUBLIC_SERVICES = frozenset("090399000 090010500 09008844 09000101 09000113 0900112112".split())
"""Numbers of this kind that authorities run: pharmacies on duty, police, suicide prevention."""
_IBAN = compile_bounded(r"\b([A-Z]{2}\d{2}(?:[ .]?[A-Z0-9]{2,4}){3,8}(?: [0-9])?)\b")
_IBAN_LENGTH = {
    **{"BE": 16, "NL": 18, "LU": 20, "AT": 20, "CH": 21, "LI": 21, "DE": 22},
    **{"FR": 27, "IT": 27, "SM": 27, "MC": 27, "GB": 22, "IE": 22},
}
_EUROS = compile_bounded(
    r"(?i)(?:€|£|\beur|\beuro|\bchf)\s?(\d{1,3}(?:[.,]\d{1,2})?)(?:$|\D)|(\d{1,3}(?:[.,]\d{1,2})?)\s?(?:€|eur\b|euros?\b|chf\b|pounds?\b)"
)
_CENTS = compile_bounded(r"(?i)(\d{1,3})\s?(?:ct|p|pence|cents?|centimes?|centesimi|eurocents?)\b")
_URL = compile_bounded(
    r"(?i)\b((?:https?://|www\.)[^\s<>\"'()\[\]]+|(?:[a-z0-9-]+\.)+(?:be|nl|fr|it|eu|ch|uk|lu|de|at|com|org|net|info|xyz|top|click|online|site|shop|store"
    r"|link|live|icu|ru|cn|tk|cc|ws|pw|app|care|health|support|help|pay|money|cash|finance|eu|io|me|co|biz|example)(?:/[^\s<>\"'()\[\]]*)?)"
)
_NUMBER = compile_bounded(r"(?:^|[^\dA-Za-z+/.,-])((?:\+|00?)\(?\d(?:[ ./()-]{0,2}\d){6,13})(?:$|[^\d])")
_MOBILE_OF_ITALY = compile_bounded(r"(?:^|[^\dA-Za-z+/.,-])(3[2-9]\d(?:[ ./-]?\d){6,7})(?:$|[^\d])")
_NATIONAL = compile_bounded(r"^(?:0800|0900|116|070)")
_EXCHANGE = 5
"""Digits by which numbers of one house begin alike."""
_SHORTENERS = frozenset(
    "bit.ly tinyurl.com t.co goo.gl is.gd ow.ly cutt.ly rb.gy rebrand.ly shorturl.at tiny.cc t.ly".split()
)
_TELLING = 6
"""Letters from which the name of a host is not in another by chance."""
_CAPITAL = compile_bounded(r"\b[A-Z][a-z]{4,30}\b")
"""Words that may be a name, of five letters and more."""
_LOWER = compile_bounded(r"\b[a-z]{5,31}\b")
"""Words that are no names, however they are written elsewhere."""
_ODD_HOST = compile_bounded(
    r"^\d{1,3}(?:\.\d{1,3}){3}$|(?:^|\.)xn--|\.(?:xyz|top|click|icu|tk|ml|ga|cf|gq|zip|mov|ru|cn"
    r"|shop|store|buzz|rest|bid|win|loan|vip|cam|monster|cc|ws|pw|cash|money)$"
)


@dataclass(frozen=True, slots=True)
class Contacts:
    """Accounts without spaces, hosts in small letters and telephone numbers as digits that a document names."""

    accounts: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Known:
    """What the hospital's other pages name; nothing is known to a first document. `says_when_to_call`: whether the
    passage's own document tells elsewhere when help is to be called."""

    accounts: frozenset[str] = field(default_factory=frozenset)
    hosts: frozenset[str] = field(default_factory=frozenset)
    numbers: frozenset[str] = field(default_factory=frozenset)
    says_when_to_call: bool = False


def contacts(text: str) -> Contacts:
    """Accounts, hosts and telephone numbers in a text."""
    return Contacts(frozenset(accounts(text)), frozenset(hosts(text)), frozenset(numbers(text)))


def numbers(text: str) -> Iterator[str]:
    """Telephone numbers with a trunk or country code, as digits; internal and short national ones are no such."""
    for pattern in (_NUMBER, _MOBILE_OF_ITALY):
        for found in pattern.finditer(text):
            yield "".join(filter(str.isdigit, found.group(1)))


def without_numbers(text: str) -> str:
    """The text without its long telephone numbers."""
    return str(_MOBILE_OF_ITALY.sub(" ", _NUMBER.sub(" ", text)))


def with_numbers_joined(text: str) -> str:
    """The text with its long telephone numbers in one piece, so that none of their groups reads like 112 or 118."""
    if not any(map(str.isdigit, text)):
        return text
    for pattern in (_NUMBER, _MOBILE_OF_ITALY):
        parts: list[str] = []
        end = 0
        for found in pattern.finditer(text):
            parts += [text[end : found.start(1)], "".join(filter(str.isdigit, found.group(1)))]
            end = found.end(1)
        text = "".join([*parts, text[end:]])
    return text


def unknown_numbers(text: str, known: frozenset[str]) -> list[str]:
    """Numbers that neither a public service has nor a known number of the same house begins like."""
    houses = {each[:_EXCHANGE] for each in known if not each.startswith("04")}
    return [
        each
        for each in numbers(text)
        if each not in known and each[:_EXCHANGE] not in houses and not _NATIONAL.match(each)
    ]


def _without_hours(text: str) -> str:
    """The text without hours from and to, which read like a number: "09.00-10.45"."""
    return str(_HOURS.sub(" # ", text))


def premium_numbers(text: str) -> list[str]:
    """Numbers whose caller pays a third party, as digits; those of public services are left out."""
    if not any(map(str.isdigit, text)):
        return []
    found = (
        "".join(filter(str.isdigit, each.group(0)))
        for each in _PREMIUM.finditer(_without_accounts(_without_hours(text)))
    )
    return [digits for digits in found if digits not in _PUBLIC_SERVICES]


def dearest(text: str) -> float:
    """The highest amount that a text names, in euros; 0 where it names none."""
    euros = (float((one or other).replace(",", ".")) for one, other in _EUROS.findall(text))
    cents = (float(one) / 100 for one in _CENTS.findall(text))
    return max((*euros, *cents), default=0.0)


def _without_accounts(text: str) -> str:
    """The text without its accounts, in whose groups of digits a telephone number seems to stand."""
    left: list[str] = []
    end = 0
    for found in _IBAN.finditer(text):
        written = found.group(1)
        length = _IBAN_LENGTH.get(written[:2])
        if length is None:
            continue
        left.append(text[end : found.start(1)])
        end = found.start(1) + _reach(written, length)
    return " # ".join([*left, text[end:]])


def _reach(written: str, length: int) -> int:
    """Characters in which so many letters and digits stand; what follows is no longer the account."""
    seen = 0
    for at, character in enumerate(written, 1):
        seen += character.isalnum()
        if seen == length:
            return at
    return len(written)


def faraway_numbers(text: str) -> list[str]:
    """Numbers of countries that no hospital of the region has a telephone in, as digits."""
    return ["".join(filter(str.isdigit, each.group(0))) for each in _REMOTE_COUNTRIES.finditer(text)]


def accounts(text: str) -> Iterator[str]:
    """Bank accounts that are written as an IBAN, its check digits right or not."""
    for found in _IBAN.finditer(text):
        account = "".join(filter(str.isalnum, found.group(1)))
        if 15 <= len(account) <= 34 and sum(map(str.isdigit, account)) >= 8:
            yield account


def hosts(text: str) -> Iterator[str]:
    """Hosts of the web addresses in a text, without `www.`."""
    yield from (host for host, _ in _addressed(text))


def links(text: str) -> list[str]:
    """Hosts of the web addresses that are no mailbox."""
    return [host for host, is_mail in _addressed(text) if not is_mail]


def _addressed(text: str) -> Iterator[tuple[str, bool]]:
    for found in _URL.finditer(text):
        address = found.group(1)
        try:
            host = urlsplit(address if "://" in address else f"//{address}").hostname or ""
        except ValueError:
            continue
        if "." in host:
            yield host.removeprefix("www.").rstrip("."), text[: found.start(1)].endswith("@")


def is_odd(host: str) -> bool:
    """Whether an address hides where it leads: a shortener, a bare number, foreign letters, a throw-away domain."""
    return host in _SHORTENERS or bool(_ODD_HOST.search(host))


def imitates(host: str, known: frozenset[str]) -> bool:
    """Whether a strange host has the name of a known one within its own: `pay-hospital.com` beside `hospital.com`."""
    name = _name(host)
    return any(len(one) >= _TELLING and one in name and one != name for one in map(_name, known))


def is_named_in(host: str, texts: Iterable[str]) -> bool:
    """Whether a host bears a name that the texts write with a capital: "Quillhaven" and `portal.quillhaven.example`."""
    written = list(texts)
    names = {each for text in written for each in _CAPITAL.findall(text)}
    words = {each for text in written for each in _LOWER.findall(text)}
    return any(each.casefold() in host for each in names if each.casefold() not in words)


def _name(host: str) -> str:
    labels = host.split(".")
    return labels[-2] if len(labels) > 1 else host


def is_known(host: str, known: frozenset[str]) -> bool:
    """Whether a host, or the one it is a part of, is among those known."""
    return any(host == one or host.endswith(f".{one}") for one in known)
