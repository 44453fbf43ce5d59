"""Finds the words of a question that neither its intent nor the answer explains: it asks something else besides."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from careline.directory.capabilities.facts import Asked, Cite
from careline.directory.capabilities.heeds import (
    COMPLAINT,
    GENERAL,
    PHONE,
    SYMPTOM,
    TARIFF,
    VISITING,
    names_what_is_paid,
)
from careline.directory.phrase_tables import found_in
from careline.directory.rendering.words import FactStatement
from careline.search.split_question import parts_of
from careline.text.asked_words import named, phrases, words_of
from careline.text.frequent_words import frequent_words
from careline.text.label_words import LabelWord, own_words, question_words, vocabulary
from careline.text.spelling.misspelt import common_beginning
from careline.turn.directory_answers.sureness import OF_PURPOSE
from careline.turn.question.asked_of_directory import beside
from careline.turn.turn import Turn
from careline.understanding.entities.name_forms import generic_words
from careline.understanding.entities.recognise import attribute_words
from careline.understanding.intents.pack_classifier import PackClassifier, pack_classifier
from careline.understanding.intents.read_intent import ReadQuestion
from careline.understanding.intents.slots import BEFORE
from careline.understanding.terms.specialty_words import specialty_words

EACH = 8
"""Words of a question of which one may be of a story around it."""
SURELY = (0.75, 0.9)
"""Confidence from which one word that nobody can place is passed over, and a second."""
ANY = 1_000
STORY = 4
"""Words of the story of a bill, a complaint or something that was lost, which is told with it."""
SHORTEST = 4
"""Letters that two forms of a word begin with alike."""
ENDINGS = frozenset(
    "s e es en n ent ons ez er r re ir era eront t te ten de den i o a ano ono iamo ate ato ata ati ing ed d".split()
)
"""With which a form of a word ends and its stem may not, where the stemmer leaves them: "parlent"."""
SMALL = 3
"""Letters of a usual word that names nothing: "en wie van hen"."""
POLITE = ("greets", "corrects", "means")
"""What is said around a question, or to put right the one before it."""


def ready_words(language: str) -> None:
    """Read the words of a language beforehand."""
    _attributes(language)
    frequent_words(language)
    generic_words()
    parts_of(" ", language)
    for table in POLITE:
        phrases(table, language)
    question_words("ready", language)
    specialty_words(language)


def asks_more(turn: Turn, asked: Asked, told: Sequence[FactStatement], labels: Collection[str] = ()) -> bool:
    """Whether a question has words that name nothing, that nobody uses who wants what its intent is, or one of the
    other `labels` that are told with it, and that the answer does not have. A few are passed over in a long question;
    of a price none is, as they may say for whom or when it is another."""
    classifier = pack_classifier(turn.pack)
    if classifier is None or turn.said is None:
        return True
    if turn.intent.label != SYMPTOM and _names_nobody(turn, turn.said, classifier):
        return True
    if turn.intent.label == VISITING and not asked.departments and _names_ward(turn.said, turn.language):
        return True
    return len(_left(turn, asked, told, {turn.intent.label, *labels}, classifier)) > _passed_over(turn, asked)


def _names_nobody(turn: Turn, said: ReadQuestion, classifier: PackClassifier) -> bool:
    """Whether a specialty is named that the hospital does not have: "the number of the dentist" is none of its own. A
    word that everybody uses for any doctor names none, unless a number is asked for."""
    placed, label = _placed(said), turn.intent.label
    # Whoever visits names the ward: hours of the whole hospital are not those of one that nobody knows.
    names_one = label in (GENERAL, PHONE, VISITING)
    usual = frozenset() if names_one else classifier.words(label, turn.language)
    loose = [said.text[slice(*span)] for span in said.recognised.spans if span not in placed]
    return any(word.stem not in usual for text in loose for word in named(text, turn.language))


def _names_ward(said: ReadQuestion, language: str) -> bool:
    """Whether a word of a question is of the name of a specialty, as the first one of "intensive care" is: some ward is
    meant."""
    rest = beside(said.text, said.recognised.time.spans)
    return any(word.stem in specialty_words(language) for word in named(rest, language))


def _passed_over(turn: Turn, asked: Asked) -> int:
    """How many words of a question may be of the story around it."""
    label, confidence = turn.intent.label, turn.intent.confidence
    if label == TARIFF:
        return 0
    if label == SYMPTOM:
        # Who tells a complaint tells a story; the answer is the department of what is recognised in it.
        return ANY if confidence >= SURELY[0] else len(SURELY)
    if OF_PURPOSE.get(label, "") in asked.purposes or (label in (PHONE, GENERAL, COMPLAINT) and _is_by_purpose(asked)):
        return STORY
    if turn.said is None or len(parts_of(turn.said.text, turn.language)) > 1:
        # Where two things are asked, the words of the second tell no story.
        return 0
    longest = sum(len(word.plain) > 1 for word in words_of(turn.said.text)) // EACH
    return min(longest, sum(confidence >= least for least in SURELY))


def _is_by_purpose(asked: Asked) -> bool:
    return bool(asked.purposes) and not (asked.departments or asked.doctors or asked.contacts or asked.campuses)


def _left(
    turn: Turn, asked: Asked, told: Sequence[FactStatement], labels: Collection[str], classifier: PackClassifier
) -> list[str]:
    said, language = turn.said, turn.language
    assert said is not None
    answer = list(_told_words(told, asked))
    stems = {word.stem for word in answer} | _said_by_anybody(turn, asked, told, labels, classifier)
    concepts = _concepts(answer)
    rest = _unsaid(beside(said.text, _placed(said)), asked)
    if _counts_another(rest, answer, turn, asked):
        return [rest]
    words = [word for word in _words(rest, labels, language) if word.stem not in stems and not word.concepts & concepts]
    return [word.stem for word in words if not _is_form(word.stem, stems)]


def _counts_another(rest: str, answer: Sequence[LabelWord], turn: Turn, asked: Asked) -> bool:
    """Whether a question about a price that was told says a number of nothing, which that price has not: "and with
    two?" is of another room than the one for one."""
    named = [one for one in turn.intent.entities if one.kind == TARIFF]
    if turn.intent.label != TARIFF or asked.units or not named or any(one.origin != BEFORE for one in named):
        return False
    said = {word.number for word in question_words(rest, asked.language)} - {None}
    return not said <= {word.number for word in answer}


def _said_by_anybody(
    turn: Turn, asked: Asked, told: Sequence[FactStatement], labels: Collection[str], classifier: PackClassifier
) -> frozenset[str]:
    """The stems of words that who asks such a thing uses. Of a price examples name whatever is paid somewhere, crutches
    and wheelchairs too, so that only what is asked about anything names nothing else there: what is paid for, the
    entry has to name itself. A word by which another price is told apart is none that everybody says: "privata"."""
    attributes = _attributes(turn.language)
    if turn.intent.label == TARIFF:
        return (attributes | classifier.common_words(turn.language)) - _of_others(told, asked)
    return attributes.union(*(classifier.words(label, turn.language) for label in labels))


def _placed(said: ReadQuestion) -> list[tuple[int, int]]:
    """Where times stand, and what names an entry: a specialty that the hospital does not have names none."""
    named_so = {one.text for one in said.recognised.entities}
    of_time = said.recognised.time.spans
    return [span for span in said.recognised.spans if span in of_time or said.text[slice(*span)] in named_so]


def _words(rest: str, labels: Collection[str], language: str) -> list[LabelWord]:
    """The words that name something; for who asks for the hospital's own number, every word that says something: "the
    dentist" is no part of it."""
    if set(labels) == {GENERAL}:
        return [word for word in question_words(rest, language) if not word.is_talk and word.number is None]
    usual = frequent_words(language)
    said = [word for word in named(rest, language) if word.text not in generic_words()]
    return [word for word in said if len(word.text) > SMALL or word.text not in usual]


def _unsaid(text: str, asked: Asked) -> str:
    """A text without what is read of it besides: units, purposes, what a capability heeds, and polite words."""
    words = words_of(text)
    spans = {
        (words[start].start, words[end - 1].end)
        for name in ("qualifiers", "units", "purposes")
        for table, start, end in found_in(words, name, asked.language)
        if _is_said_besides(name, table, asked)
    }
    for table in POLITE:
        known = phrases(table, asked.language)
        for at in range(len(words)):
            for phrase in known.get(words[at].plain, ()):
                if tuple(word.plain for word in words[at : at + len(phrase)]) == phrase:
                    spans.add((words[at].start, words[at + len(phrase) - 1].end))
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _is_said_besides(name: str, table: str, asked: Asked) -> bool:
    """Whether a phrase of a table names nothing that an answer has to have."""
    if name == "purposes":
        # "Lost" of who has lost weight is of no purpose, and neither is the weight.
        return table in asked.purposes
    return name != "qualifiers" or asked.label != TARIFF or not names_what_is_paid(table)


def _told_words(told: Sequence[FactStatement], asked: Asked) -> Iterator[LabelWord]:
    """The words of an answer, and those of the entries that it rests on, whichever language they are in."""
    for one in told:
        yield from question_words(one.text, asked.language)
    for cite in dict.fromkeys(cite for one in told for cite in one.cites):
        yield from _entry_words(cite, asked)


def _of_others(told: Sequence[FactStatement], asked: Asked) -> frozenset[str]:
    """The stems of words that other prices have in their names and conditions."""
    cited = {cite for one in told for cite in one.cites}
    others = [("tariffs", one.id) for one in asked.directory.tariffs if ("tariffs", one.id) not in cited]
    return frozenset(word.stem for cite in others for word in _entry_words(cite, asked) if not word.is_talk)


def _entry_words(cite: Cite, asked: Asked) -> Iterator[LabelWord]:
    section, entry_id = cite
    entry = asked.directory.entry(section, entry_id) if entry_id else None
    for field in ("names", "subject", "condition", "focus"):
        for code, text in (getattr(entry, field, None) or {}).items():
            yield from own_words(text, code)
    synonyms = getattr(entry, "synonyms", None)
    for code, listed in synonyms.items() if isinstance(synonyms, dict) else ():
        for text in listed:
            yield from own_words(text, code)


def _concepts(words: Collection[LabelWord]) -> frozenset[str]:
    return frozenset().union(*(word.concepts for word in words)) - vocabulary().generic


@cache
def _attributes(language: str) -> frozenset[str]:
    """The stems of words that ask of doctors what they are to be."""
    return frozenset(word.stem for text in attribute_words(language) for word in question_words(text, language))


def _is_form(stem: str, known: Collection[str]) -> bool:
    """Whether a word is a known one with another ending: "travaillent" is "travaille"."""
    return any(
        (at := common_beginning(stem, one)) >= SHORTEST
        and stem[at:] in ENDINGS | {""}
        and one[at:] in ENDINGS | {""}
        for one in known
    )
