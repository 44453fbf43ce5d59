"""The stages that decide a turn, in the order in which they happen; those that ask a language model stand elsewhere.

The turn that somebody waits for runs them with the models' stages between (`careline.turn.pipeline`), and a question
that nobody asks runs them alone (`careline.turn.dry_run`), so that both end alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from careline.installation import Installation
from careline.turn.stages.answer_from_directory import answer_from_directory
from careline.turn.stages.clarify import clarify
from careline.turn.stages.detect_language import detect_language
from careline.turn.stages.detect_phi import detect_phi
from careline.turn.stages.screening.classify_embedding import classify_embedding
from careline.turn.stages.screening.embed_question import embed_question
from careline.turn.stages.screening.screen_input import screen_input
from careline.turn.stages.search.embed_query import embed_query
from careline.turn.stages.search.rerank import rerank
from careline.turn.stages.search.retrieve import retrieve
from careline.turn.stages.search.rewrite_query import rewrite_query
from careline.turn.stages.understand import understand
from careline.turn.turn import Turn

Stage = Callable[[Turn, Installation], Awaitable[Turn]]

# fmt: off
SCREENS: tuple[Stage, ...] = (
    detect_language,    # the language of the answer
    detect_phi,         # what must not leave the trust boundary
    screen_input,       # rules and lexical classifiers: emergencies, refusals, injections, greetings end the turn
    embed_question,     # for the screens, where words leave a doubt
    classify_embedding, # the semantic classifiers, which may end the turn too
)
ANSWERS: tuple[Stage, ...] = (
    understand,         # intent, what is named, what it goes on from
    answer_from_directory, # what a person has confirmed needs no search and no model
    clarify,            # which of several things is meant
)
SEARCH: tuple[Stage, ...] = (
    rewrite_query,      # what a follow-up leaves unsaid
    embed_query,        # for the search, unless the question's embedding serves
    retrieve,           # five seconds, one more try
    rerank,             # best passages, no duplicates, enough evidence or none
)
# fmt: on
