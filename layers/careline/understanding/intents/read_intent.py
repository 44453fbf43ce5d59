"""Makes of labels and of what is named one value: what somebody wants, of whom or what, said whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from careline.text.asked_words import listed, named, phrase_at, phrases, words_of
from careline.understanding.entities.recognise import Recognised, attribute_words
from careline.understanding.intents.classifier import Label
from careline.understanding.intents.pack_classifier import PackClassifier
from careline.understanding.intents.slots import (
    BEFORE,
    THING,
    Named,
    filled,
    is_about,
    is_filled,
    pronouns_in,
    slots_of,
)
from careline.understanding.joined import SHORT, leans
from careline.understanding.question import Entity, Intent
from careline.understanding.terms.expansions import expanded
from careline.understanding.terms.lookup import specialties_of
from careline.understanding.transitions import points_back, without_join

LONG = 25
"""Words from which a question says everything itself, however it begins."""
LIKELIEST = 5
"""Labels of which it is looked whether what they need is named."""
LEAST_CONFIDENCE = 0.3
"""Below it nobody knows what is wanted (spec T5)."""
OWN = 0.6
"""How much counts what a question says by itself; the rest is what it says behind the one before it, which it may only
seem to go on from."""
OTHER = "general"


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """One question of a conversation, as it was understood by itself."""

    text: str
    recognised: Recognised
    labels: tuple[Label, ...] = ()

    @property
    def label(self) -> Label:
        """The likeliest label."""
        return self.labels[0] if self.labels else Label(OTHER, "", 1.0)


def is_bare(said: ReadQuestion, language: str) -> bool:
    """Whether a question names something or a time and says nothing of it: "and on Friday?", "no, I meant the one at
    Waterpoort", "cardiology"."""
    if not said.recognised.spans:
        return False
    words = words_of(_rest(said))
    known = [phrases(table, language) for table in ("greets", "corrects", "means", "stands_for", "may_stand_for")]
    grammar = frozenset().union(*(listed(table, language) for table in ("joins", "small", "then")))
    at = 0
    while at < len(words):
        taken = max(phrase_at(words, at, one) for one in known) or int(words[at].plain in grammar)
        if not taken:
            return False
        at += taken
    return True


def last_question(earlier: Sequence[ReadQuestion], language: str) -> ReadQuestion | None:
    """The last question that says what is wanted, and does not only name something; the last one where each only does:
    "is Dr Jones in on Monday?" says it in small words."""
    says = next((one for one in reversed(earlier) if not is_bare(one, language)), None)
    return says or (earlier[-1] if earlier else None)


def goes_on(said: ReadQuestion, language: str) -> bool:
    """Whether a question may leave something to the one before it: it is short, joins on, or points back."""
    count = len(said.text.split())
    if count >= SHORT:
        joins = without_join(said.text, language) != said.text
        return count < LONG and (joins or (bool(pronouns_in(said.text, language)) and not _has_thing(said)))
    return (
        is_bare(said, language)
        or leans(said.text, language)
        or points_back(said.text, language)
        or bool(pronouns_in(said.text, language))
        or not said.recognised.entities
    )


def leaves_thing(said: ReadQuestion, language: str) -> bool:
    """Whether a question that goes on leaves what it is about to the one before it, not only where or when."""
    if _has_thing(said):
        return False
    # "This afternoon" is no pronoun; "that one" points back.
    of_somebody = not pronouns_in(said.text, language).isdisjoint(("female", "male"))
    return of_somebody or is_bare(said, language) or leans(said.text, language) or points_back(said.text, language)


def _has_thing(said: ReadQuestion) -> bool:
    return any(one.kind in THING for one in said.recognised.entities)


def mixed(now: Sequence[Label], together: Sequence[Label]) -> list[Label]:
    """The labels of a question and of it behind the one before, weighed against each other."""
    if not now or not together:
        return list(now or together)
    shares = {one.name: one.share for one in together}
    found = [Label(one.intent, one.sub_intent, OWN * one.share + (1 - OWN) * shares.get(one.name, 0.0)) for one in now]
    return sorted(found, key=lambda one: -one.share)


def unnamed_words(said: ReadQuestion, language: str) -> list[str]:
    """The stems of words that say something and are part of no name and no time."""
    return [word.stem for word in named(_rest(said), language)]


def _rest(said: ReadQuestion) -> str:
    """A question without what it names."""
    rest = said.text
    for start, end in sorted(said.recognised.spans, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    return rest


def unexplained(said: ReadQuestion, label: str, language: str, classifier: PackClassifier) -> list[str]:
    """The words of a question that name nothing and that no example of its label uses: it asks something else."""
    known = classifier.words(label, language) | attribute_words(language)
    return [word for word in unnamed_words(said, language) if word not in known]


def intent_of(now: ReadQuestion, before: Sequence[ReadQuestion], of: Named, language: str) -> Intent:
    """What a question wants, in the light of those before it, oldest first.

    A question that only names something or a time asks of it what the one before asked.
    """
    pronouns, on = pronouns_in(now.text, language), bool(before) and goes_on(now, language)
    leaves = on and leaves_thing(now, language)
    entities_of = {
        one.name: filled(one.name, of, pronouns, goes_on=on, leans=leaves)
        for one in now.labels[:LIKELIEST] or (now.label,)
    }
    label, runner_up = _by_what_is_named(now, entities_of)
    entities, share = entities_of[label.name], label.share
    beside = tuple(one for one in now.recognised.entities if one not in entities and is_about(label.name, one))
    if share < LEAST_CONFIDENCE:
        label = Label(OTHER, "", share)
    _, expansions = expanded(now.text, language)
    return Intent(
        label.intent,
        share,
        label.sub_intent,
        (*entities, *beside),
        is_followup=bool(before) and (_goes_on(entities, of) or leans(now.text, language)),
        history_turns=len(before),
        runner_up=runner_up,
        specialties=specialties_of(now.text, language)[:3],
        expansions=expansions,
    )


def _by_what_is_named(now: ReadQuestion, entities_of: Mapping[str, tuple[Entity, ...]]) -> tuple[Label, float]:
    """The likeliest label and the share of the next one, where those count no more that need what nobody has named."""
    if not now.labels:
        return now.label, 0.0
    lacking = {name for name, entities in entities_of.items() if not is_filled(name, entities)}
    left = [one for one in now.labels if one.name not in lacking]
    whole = sum(one.share for one in left)
    if now.label.name in lacking or slots_of(now.label.name).told or not whole:
        return now.label, now.labels[1].share if len(now.labels) > 1 else 0.0
    first, *rest = (Label(one.intent, one.sub_intent, one.share / whole) for one in left)
    return first, rest[0].share if rest else 0.0


def _goes_on(entities: Sequence[Entity], of: Named) -> bool:
    """Whether what is named was named before."""
    if any(one.origin == BEFORE for one in entities):
        return True
    named_before = {each for entities in of.before for one in entities for each in one.ids}
    return any(each in named_before for one in entities for each in one.ids)


def is_complete(intent: Intent) -> bool:
    """Whether what the intent needs is named."""
    return is_filled(intent.label, intent.entities)


