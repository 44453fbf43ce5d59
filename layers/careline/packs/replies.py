"""The fixed sentences of a pack: which ones it needs, by what it can do, and whether it has them in every language."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from careline.errors import PackInvalid
from careline.safety.requested_acts import Act
from careline.safety.terminal import Terminal

EVERY, LANGUAGES, VOICE = "every pack", "several languages", "voice"
ADVICE, DISCLAIMER, PATIENTS, NOT_SENT = "advice filter", "disclaimer", "patients", "refused personal data"
ACTS = "requests to act"
ASKS_BACK = "questions back"
CANNOT = "cannot_"
"""What the key of a sentence begins with that says what is not done here; the act follows, in small letters."""
MAY_BE_EMPTY = frozenset({"title_language", "other_language"})
"""Placeholders that stand for nothing where there is nothing to say."""
_PLACEHOLDERS = MAY_BE_EMPTY | {
    "hospital", "emergency_number", "phone", "title", "other", "choices", "language_name", "digit", "unit",
    "asked_unit",
}  # fmt: skip
PLAIN = "_plain"
"""What the key of a sentence's variant without placeholders ends with."""
NAMES = "language_"
"""What the key of a language's name begins with; its code follows, or `other`."""


@dataclass(frozen=True, slots=True)
class Capability:
    """Something that a pack can do, and the sentences that it says then. `when` says which packs can."""

    when: str
    replies: tuple[str, ...]


CAPABILITIES: Mapping[str, Capability] = MappingProxyType(
    {
        EVERY: Capability(
            "always",
            (
                "unknown", "documents_loading", "closest", "closest_two", "foreign_notice", "foreign_title",
                "unsure_notice", "unit_notice", "vague", "model_down", "injection", "screen_down", "withheld",
                "language_spoken", "language_unsupported", "anything_else", "which_one",
            ),
        ),
        ASKS_BACK: Capability(
            "it has `clarifications`; each reply that these name under `ask` besides", ("which_part",)
        ),
        LANGUAGES: Capability(
            "`languages` has more than one; each also has its name, as `language_nl`",
            ("language_choose", "language_write"),
        ),
        VOICE: Capability(
            "`voice: true`",
            (
                "call_opening", "silence", "silence_close", "keypad", "handoff", "farewell", "language_lock",
                "which_row",
            ),
        ),
        Terminal.EMERGENCY: Capability("it finds the class", ("emergency",)),
        Terminal.SAFETY_REFUSAL: Capability("it finds the class", ("safety_refusal",)),
        Terminal.HANDOFF_REQUEST: Capability("it finds the class", ("handoff",)),
        Terminal.REPEAT_REQUEST: Capability("it finds the class", ("repeat",)),
        Terminal.OFF_TOPIC_PERSONAL: Capability("it finds the class", ("off_topic",)),
        Terminal.FAREWELL: Capability("it finds the class", ("farewell",)),
        Terminal.GREETING: Capability("it finds the class", ("greeting",)),
        PATIENTS: Capability(
            "`audience: public`, and its safety rules have the class `PATIENT_INFORMATION`", ("no_patient_information",)
        ),
        ACTS: Capability(
            "it has rules in `acts`, its own or inherited",
            ("cannot_person",),
        ),
        **{act: Capability("its rules in `acts` have the class", (f"{CANNOT}{act.lower()}",)) for act in Act},
        ADVICE: Capability("`advice_filter: true`", ("blocked", "partial_blocked")),
        DISCLAIMER: Capability("`disclaimer` is not `never`", ("disclaimer",)),
        NOT_SENT: Capability("a rule of `routing.yaml` says `use: refuse`", ("phi_refused",)),
    }
)  # fmt: skip
"""By name. A class is found where the pack has rules for it, its own or inherited, or classifiers of utterances."""


def needed(
    capabilities: Iterable[str], languages: Sequence[str], asks_back: Iterable[str] = ()
) -> Mapping[str, str]:
    """The keys of the sentences that a pack needs in each language, with the capability that first asks for each;
    `asks_back` are those that its clarifications name."""
    found: dict[str, str] = {}
    for capability in capabilities:
        for key in CAPABILITIES[capability].replies:
            found.setdefault(key, capability)
        if capability == LANGUAGES:
            found.update((f"{NAMES}{language}", capability) for language in languages)
    for key in asks_back:
        found.setdefault(key, ASKS_BACK)
    return found


def placeholders(sentence: str) -> tuple[str, ...]:
    """Names in braces. Raises: ValueError for a brace that is not closed."""
    return tuple(name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None)


def refuse_incomplete(pack: str, replies: Mapping[str, Mapping[str, str]], wanted: Mapping[str, str]) -> None:
    """Raises: PackInvalid naming pack, language, capability and key of what is missing or cannot be said."""
    for language, sentences in replies.items():
        file = f"{pack}/replies/{language}.yaml"
        for key, capability in wanted.items():
            if key not in sentences:
                raise PackInvalid(f"{file}: {key}: is missing; `{capability}` asks for it in every language")
        for key, sentence in sentences.items():
            if fault := _fault(key, sentence, sentences):
                raise PackInvalid(f"{file}: {key}: {fault}")
        if other := set(sentences) ^ set(next(iter(replies.values()))):
            raise PackInvalid(f"{file}: {min(other)}: not in every language")


def never_said(replies: Mapping[str, Mapping[str, str]], wanted: Mapping[str, str]) -> Iterator[str]:
    """Keys of sentences that a pack has and never says; the names of other languages are said with titles."""
    held = next(iter(replies.values()), {})
    yield from (key for key in held if key.removesuffix(PLAIN) not in wanted and not _is_name(key))


def _is_name(key: str) -> bool:
    code = key.removeprefix(NAMES)
    return code != key and (len(code) == 2 or code == "other")


def _fault(key: str, sentence: str, sentences: Mapping[str, str]) -> str:
    try:
        names = placeholders(sentence)
    except ValueError:
        return "a brace is not closed"
    if unknown := set(names) - _PLACEHOLDERS:
        return f"there is no placeholder {min(unknown)!r}"
    if names and (key.endswith(PLAIN) or f"{key}{PLAIN}" not in sentences):
        return f"needs a {key}{PLAIN} without placeholders"
    return ""
