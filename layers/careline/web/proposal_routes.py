"""The routes of what documents propose for the directory; part of `careline.web.routes`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from careline.curation.proposals.proposal import KINDS, STATES
from careline.identity import Role
from careline.schemas.directory import RejectedDirectory
from careline.schemas.proposals import (
    Contradictions,
    ProposalDecided,
    ProposalDecision,
    ProposalDecisions,
    Proposals,
    ProposalsDecided,
)
from careline.web.operation import Operation, Parameter, Reply

PATH_PARAMETERS: Mapping[str, str] = MappingProxyType(
    {"proposal_id": "16 hexadecimal digits, made of what the document says."}
)
_DOCUMENT = Parameter("document", {"type": "string"}, "Of this document alone, by its key.")

OPERATIONS = (
    Operation(
        "listProposals", "GET", "/v1/admin/proposals", "admin", Role.MANAGER,
        "What live documents say that the directory does not, for a person to decide about.",
        (Reply(200, "Proposals with their sources.", Proposals),),
        (400,),
        query=(
            Parameter("state", {"enum": ["all", *STATES]}, "In this state; the open ones."),
            Parameter("kind", {"enum": list(KINDS)}, "Of this kind."),
            _DOCUMENT,
            Parameter("limit", {"type": "integer", "minimum": 1, "maximum": 1000}, "How many at most."),
        ),
    ),
    Operation(
        "decideProposal", "POST", "/v1/admin/proposals/{proposal_id}/decision", "admin", Role.MANAGER,
        "Put a proposal into the directory, corrected or as it is, or reject it; or take such a decision back.",
        (Reply(200, "The proposal as it was decided.", ProposalDecided),),
        (400, 404, 409, 413, 422),
        takes=ProposalDecision,
        counted="change",
        rejected=RejectedDirectory,
    ),
    Operation(
        "decideProposals", "POST", "/v1/admin/proposals/decisions", "admin", Role.MANAGER,
        "Put several proposals into the directory as they were read, in one edition, or reject them; all or none.",
        (Reply(200, "The proposals as they were decided.", ProposalsDecided),),
        (400, 404, 409, 413, 422),
        takes=ProposalDecisions,
        counted="change",
        rejected=RejectedDirectory,
    ),
    Operation(
        "listContradictions", "GET", "/v1/admin/contradictions", "admin", Role.MANAGER,
        "Where live documents say something else than the directory, from which callers are answered.",
        (Reply(200, "Both values of each, and where the document says it.", Contradictions),),
        query=(_DOCUMENT,),
    ),
)  # fmt: skip
"""Operations in the order of the table."""
