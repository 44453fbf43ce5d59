"""Reads a short question in the light of the one before it: "and on Sundays?" asks about what was asked last."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from careline.search.answer_kind import (
    BOOKING,
    BRING,
    PEOPLE,
    WHERE,
    answer_kinds,
    asks_for_yes_or_no,
    is_open_question,
)
from careline.search.asked_part import points_back
from careline.search.asked_words import (
    AskedWord,
    has_subject,
    holds,
    is_measure,
    kinds,
    listed,
    named,
    phrase_at,
    phrases,
    said_to_be_about,
    words_of,
)
from careline.search.label_words import question_words, vocabulary
from careline.search.named_person import other_person
from careline.search.other_amount import with_other_amount, with_other_length, with_other_number
from careline.search.other_end import with_other_end
from careline.search.question_kinds import CODE, PLACE, Part, carried_over, parts, with_other_name, without
from careline.search.replaced_word import with_opposite, with_other_quality
from careline.search.travel_direction import with_way_back

LONGEST = 12
"""Words of a question that can lean on the one before; longer ones stand by themselves."""
_WORDS_FOR = 5
"""Words that say what for, at most; more may say other things too."""
_SMALL_WORDS = 3
"""Words of a preposition and an article, at most."""
_WORDS_OF_A_PLACE = 3
"""Words of a follow-up that is a preposition and a name."""


@dataclass(frozen=True, slots=True)
class Cues:
    """Words by which a short question leans on the one before it: as its first word, or as its last."""

    opens: Collection[str]
    ends: Collection[str]


def leans(question: str, language: str, cues: Cues) -> bool:
    """Whether a question leans on the one before: short, and without a subject of its own or with a word that says so.

    "En op zondag?" opens like one and "hoe lang duurt het" ends in one. "En waar kan ik parkeren?" opens like one too;
    what it takes over is only where.
    """
    words = words_of(question)
    if not words or len(words) > LONGEST:
        return False
    if _opens(words, cues) or _led_on(words, 0, language):
        return True
    if len(words) == 1:
        return _is_part_alone(question, language) or _asks(question, language)
    if BOOKING in answer_kinds(question) and not has_subject(question, language):
        return True
    ends = words[-1].text.lower() in cues.ends or words[-1].plain in cues.ends
    if asks_by_itself(question, language):
        return ends and holds(words, phrases("stands_for", language))
    return ends or points_back(question, language)


def without_change_of_topic(question: str, language: str) -> tuple[str, bool]:
    """A question without the words that say it is about something else ("another question"), and whether it had any."""
    bare = without_join(question, language)
    words = words_of(bare)
    taken = phrase_at(words, 0, phrases("changes_topic", language))
    if not taken:
        return question, False
    rest = words[taken:]
    return bare[rest[0].start :] if rest else "", True


def asks_by_itself(question: str, language: str) -> bool:
    """Whether a question has a subject that people ask about without saying more, such as parking, and asks."""
    words = words_of(question)
    asks = any(phrase_at(words, at, phrases("asks", language)) for at in range(min(2, len(words))))
    return asks and any(kinds()["subject"].has(word, language) for word in question_words(question, language))


def is_variation(follow_up: str, language: str) -> bool:
    """Whether a follow-up names days, people, departments, campuses or what is asked of them, and nothing else.

    "And on Sundays?" does, "and the phone number?" too, and "how many weeks at the most?", which names nothing and
    asks; "is that the pills?" names something else.
    """
    words, found = words_of(follow_up), parts(follow_up, language)
    covered = {n for part in found for n in range(part.start, part.end)}
    others = " ".join(word.text for n, word in enumerate(words) if n not in covered)
    asked = vocabulary().asks.get(language, {})
    says = bool(found) or _asks(follow_up, language) or any(word.plain in asked for word in words)
    return says and not named(others, language)


def carried_on(earlier: str, follow_up: str, language: str, cues: Cues) -> str:
    """A follow-up as a question that stands by itself: the earlier one, in which what is new replaces its like."""
    new = _without_cue(follow_up, language, cues)
    if not words_of(new):
        return earlier
    if asks_by_itself(new, language):
        return f"{_bare(new)} {carried_over(earlier, new, language)}".strip() + "?"
    about_another = other_person(earlier, new, language)
    if about_another is not None:
        return f"{_bare(about_another)}?"
    if _corrects(follow_up, language, "means", "corrects") and (renamed := with_other_name(earlier, new, language)):
        return f"{_bare(renamed)}?"
    for with_another in _WITH_ANOTHER:
        if text := with_another(earlier, new, language):
            return text
    elsewhere = _elsewhere(new, language) or _name_alone(earlier, new, language)
    if elsewhere and (renamed := with_other_name(earlier, elsewhere, language)):
        return f"{_bare(renamed)}?"
    after = _places_after(new, language)
    replaced = {part.kind for part in parts(new, language, after)}
    own = {part.plain for part in parts(new, language, after)}
    old = [part for part in parts(earlier, language, after) if part.kind in replaced]
    kept = without(earlier, [part for part in old if part.plain not in own or part.kind == PLACE], language)
    if CODE not in replaced and (_asks_for_another_kind(kept, new) or asks_for_yes_or_no(new)):
        kept = _asked_about(kept, language)
        about = said_to_be_about(kept, language) if _asks_how_long(earlier, new, language) else _about(kept, language)
        return f"{_bare(new)}, {about}".strip(" ,") + "?"
    kept = _without_beginning(kept, new, language)
    return f"{_bare(kept)}{_between(new, language)}{_bare(new)}?".strip(" ,")


def _without_beginning(kept: str, new: str, language: str) -> str:
    """What is kept of a question, without the small words at its end with which a follow-up begins again: of "what do I
    pay for a" and "for a shared room" those of the follow-up stay."""
    ends, begins, small = words_of(kept), words_of(new), listed("small", language)
    for count in range(min(len(ends), len(begins), _SMALL_WORDS), 0, -1):
        again = [word.plain for word in begins[:count]]
        if [word.plain for word in ends[-count:]] == again and small.issuperset(again):
            return kept[: ends[-count].start].rstrip()
    return kept


def _for_another(earlier: str, new: str, language: str) -> str:
    """The earlier question in which what it asks for is replaced: "how long do I fast for cholesterol?" and "and for
    iron?"; empty where a follow-up begins otherwise, or where it cannot be told what it replaces."""
    words, said, known = words_of(new), words_of(earlier), listed("for", language)
    if not words or words[0].plain not in known or parts(new, language) or not named(new, language):
        return ""
    starts = [n for n, word in enumerate(said) if word.plain in known]
    if len(starts) != 1:
        return ""
    start = end = starts[0]
    while end < len(said) and not (end > start and phrase_at(said, end, phrases("asks", language))):
        end += 1
    replaced = earlier[said[start].start : said[end - 1].end]
    if end - start > _WORDS_FOR or any(is_measure(word.text, language) for word in said[start:end]):
        return ""
    if any(part.kind != "examination" for part in parts(replaced, language)) or not named(replaced, language):
        return ""
    return f"{_bare(earlier[: said[start].start] + _bare(new) + earlier[said[end - 1].end :])}?"


_WITH_ANOTHER = (
    with_other_end,
    with_way_back,
    with_opposite,
    with_other_quality,
    with_other_amount,
    _for_another,
    with_other_length,
    with_other_number,
)
"""Each gives the earlier question with what a follow-up says in the place of its like, or nothing."""


def is_correction(question: str, language: str) -> bool:
    """Whether a question puts right what was said before ("oh sorry, I meant campus East") and says what is meant."""
    return _corrects(question, language, "means")


def _corrects(question: str, language: str, *tables: str) -> bool:
    words = words_of(question)
    taken = _taken_off(words, language)
    return taken < len(words) and any(holds(words[:taken], phrases(table, language)) for table in tables)


def _asks_for_another_kind(earlier: str, new: str) -> bool:
    """Whether a duration is asked for now and was not before, when it may have been a price: it takes the place of what
    was."""
    return bool(answer_kinds(new) - answer_kinds(earlier) - {PEOPLE, BRING, WHERE})


def _asked_about(kept: str, language: str) -> str:
    """What a question was about to which a yes or no was asked before: the night, and no longer the coffee."""
    asked, _, about = _bare(kept).partition(", ")
    names_alone = bool(about) and said_to_be_about(about, language) == about
    return about if names_alone and asks_for_yes_or_no(asked) else kept


def _asks_how_long(earlier: str, new: str, language: str) -> bool:
    """Whether it was asked if something is so, such as that one fasts, and now for how long; "how long does it take?"
    is asked of the examination."""
    takes = any(word.plain in listed("lasts", language) for word in words_of(new))
    return "duration" in answer_kinds(new) and not takes and not is_open_question(earlier)


def _between(new: str, language: str) -> str:
    """What stands between a question and what is new: a second question, a noun or a few words more."""
    if _asks(new, language):
        return "? "
    return " " if words_of(new)[0].plain in listed("goes_on", language) else ", "


def _about(earlier: str, language: str) -> str:
    """What a question is about: its examination, campus and department, where it names an examination; for of that it
    asked something else."""
    if any(part.kind == "examination" for part in parts(earlier, language)):
        return carried_over(earlier, "", language)
    return said_to_be_about(earlier, language)


def _bare(text: str) -> str:
    return text.strip().rstrip(" ?.!…,;")


def _opens(words: Sequence[AskedWord], cues: Cues) -> bool:
    # With its accent: "où" asks where, "ou" means or.
    return words[0].text.lower() in cues.opens


def _led_on(words: Sequence[AskedWord], at: int, language: str) -> int:
    """How many words correct what was said ("oh sorry, I meant") or go on from it ("what about")."""
    end = _exclaimed(words, at, language)
    taken = max(phrase_at(words, end, phrases(table, language)) for table in ("corrects", "means", "goes_on_from"))
    return end - at + taken if taken else 0


def _exclaimed(words: Sequence[AskedWord], at: int, language: str) -> int:
    """Where what is meant begins behind "oh", "sorry" and the like."""
    while taken := phrase_at(words, at, phrases("greets", language)):
        at += taken
    return at


def _is_part_alone(question: str, language: str) -> bool:
    """Whether a word alone is a day or somebody it is for, and no topic."""
    return any(part.kind not in {"subject", "service", "examination"} for part in parts(question, language))


def _asks(text: str, language: str) -> bool:
    return phrase_at(words_of(text), 0, phrases("asks", language)) > 0


def _without_cue(text: str, language: str, cues: Cues) -> str:
    """The follow-up without the word that joins it on and without "no, I meant"."""
    words = words_of(text)
    start = _taken_off(words, language, cues)
    return text[words[start].start :] if start < len(words) else ""


def without_join(question: str, language: str) -> str:
    """A question without an "and" at its beginning."""
    words = words_of(question)
    start = 1 if words and words[0].plain in listed("joins", language) else 0
    return question[words[start].start :] if start < len(words) else ""


def _taken_off(words: Sequence[AskedWord], language: str, cues: Cues | None = None) -> int:
    """How many words at the beginning join on, correct and exclaim."""
    joins, start, led = listed("joins", language), 0, False
    while start < len(words):
        taken = _led_on(words, start, language)
        led = led or taken > 0
        if not taken and cues is not None:
            taken = int(words[start].plain in joins and words[start].text.lower() in cues.opens)
        if not taken:
            break
        start += taken
    return _exclaimed(words, start, language) if led else start


def without_other_site(follow_up: str, language: str) -> str | None:
    """What a follow-up says besides "at the other campus" and the word that joins it on; None where it says no such."""
    words, others = words_of(follow_up), listed("others", language)
    place = next((part for part in parts(follow_up, language) if _is_other(words, part, others)), None)
    if place is None:
        return None
    rest = without(follow_up, [place], language)
    return rest if named(rest, language) else ""


def names_place(follow_up: str, language: str) -> bool:
    """Whether a follow-up names a site of the hospital."""
    return any(part.kind == PLACE for part in parts(follow_up, language))


def _is_other(words: Sequence[AskedWord], place: Part, others: Collection[str]) -> bool:
    return place.kind == PLACE and place.plain.partition(" ")[0] in others


def _elsewhere(new: str, language: str) -> str:
    """The name in "at the other one, Westhof", however it is written; empty where something else is said."""
    words, others = words_of(new), listed("others", language)
    at = next((n for n, word in enumerate(words) if word.plain in others), len(words))
    behind = [word for word in words[at + 1 :] if word.plain not in listed("sites", language) | {"one"}]
    before = all(word.plain in listed("small", language) for word in words[:at])
    return behind[0].text if before and len(behind) == 1 else ""


def _name_alone(earlier: str, new: str, language: str) -> str:
    """The name in a follow-up that is a place and nothing more, where the question before has none that reads as one,
    or that is one word with a capital: "what about Westhof"; empty else."""
    words, places = words_of(new), [part for part in parts(new, language) if part.kind == PLACE]
    if len(words) == 1 and words[0].is_name and not words[0].is_token and not places:
        return words[0].text
    if len(places) != 1 or places[0].end - places[0].start != len(words):
        return ""
    names = [word.text for word in words if word.is_name]
    is_told = any(part.kind == PLACE for part in parts(earlier, language))
    return names[0] if len(names) == 1 and not is_told else ""


def _places_after(new: str, language: str) -> frozenset[str]:
    """The preposition of a follow-up that is only that and a name, as speech-to-text writes it: "e a rivalago"."""
    words = words_of(new)
    names = [word for word in named(new, language) if not word.concepts]
    only = 2 <= len(words) <= _WORDS_OF_A_PLACE and len(names) >= 1 and words[0].plain in vocabulary().before_places
    unhyphened = [word for word in words if not word.hyphened]
    return frozenset((words[0].plain,)) if only and len(unhyphened) == 2 else frozenset()
