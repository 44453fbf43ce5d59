"""Signs that are computed rather than written as patterns: where a sentence sends its readers, compared with what other
pages of the hospital name, and what only the marks and clauses of a sentence tell.

`kinds.yaml` names them in small letters, like its own patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from careline.safety.injection.attempts import read_markup
from careline.safety.injection.conditions import Part, leads_on
from careline.safety.injection.contacts import (
    NEIGHBOURS,
    accounts,
    faraway_numbers,
    hosts,
    imitates,
    is_known,
    is_named_in,
    is_odd,
    links,
    numbers,
    premium_numbers,
    unknown_numbers,
)

_MARKUP = ("chat-token", "bracket-tag", "role-object")
"""Marks of a conversation with a model that no page of a hospital has a use for."""


def _strange_accounts(part: Part) -> Iterator[str]:
    return (each for each in accounts(part.text) if each not in part.place.passage.known.accounts)


def _strange_hosts(part: Part) -> Iterator[str]:
    return (each for each in hosts(part.text) if not is_known(each, part.place.passage.known.hosts))


def _strange_links(part: Part) -> Iterator[str]:
    return (each for each in links(part.text) if not is_known(each, part.place.passage.known.hosts))


def _named_after_the_page(host: str, part: Part) -> bool:
    """Whether a host bears a name that the passage or its headings write elsewhere."""
    sentences = (each.sentence for each in part.place.passage.places)
    return is_named_in(host, (each.text for each in sentences if each is not part.place.sentence))


def _only_warns(part: Part) -> bool:
    here = part.place.sentence
    return here.asks != here.whole and not here.asking


def _imitating(part: Part) -> bool:
    return any(imitates(each, part.place.passage.known.hosts) for each in _strange_hosts(part))


SIGNS: Mapping[str, Callable[[Part], bool]] = {
    "strange_account": lambda part: any(True for _ in _strange_accounts(part)),
    "strange_account_abroad": lambda part: any(each[:2] not in NEIGHBOURS for each in _strange_accounts(part)),
    "web_address": lambda part: any(hosts(part.text)),
    "strange_host": lambda part: any(_strange_hosts(part)),
    "strange_host_that_hides": lambda part: any(is_odd(each) for each in _strange_hosts(part)),
    "strange_host_that_imitates": _imitating,
    "strange_host_not_named_after_the_page": (
        lambda part: any(not _named_after_the_page(each, part) for each in _strange_hosts(part))
    ),
    "strange_link_not_named_after_the_page": (
        lambda part: any(not _named_after_the_page(each, part) for each in _strange_links(part))
    ),
    "strange_number": lambda part: bool(unknown_numbers(part.text, part.place.passage.known.numbers)),
    "number_named_nowhere": lambda part: not part.place.passage.known.numbers.issuperset(numbers(part.text)),
    "premium_rate_number": lambda part: bool(premium_numbers(part.text)),
    "faraway_number": lambda part: bool(faraway_numbers(part.text)),
    "knows_numbers": lambda part: bool(part.place.passage.known.numbers),
    "knows_hosts": lambda part: bool(part.place.passage.known.hosts),
    "chat_markup": lambda part: any(read_markup()[name].search(part.text) for name in _MARKUP),
    "leads_on": lambda part: leads_on(part.text),
}
"""Of what is written, by the names that `kinds.yaml` uses."""
SIGNS_OF_SENTENCES: Mapping[str, Callable[[Part], bool]] = {
    "told_elsewhere": lambda part: part.place.passage.known.says_when_to_call,
    "one_clause": lambda part: len(part.place.sentence.clauses) <= 1,
    "only_warns": _only_warns,
}
"""Of how a sentence is read, which differs from language to language, or of its document."""
