"""What documents propose for the directory, over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from starlette.requests import Request
from starlette.responses import Response

from careline.curation.proposals import contradictions, decide, store
from careline.curation.proposals.proposal import Kind, Proposal, State
from careline.errors import BadRequest
from careline.schemas import wire
from careline.schemas.proposals import ProposalDecision, ProposalDecisions
from careline.web import http
from careline.web.handlers import Handler
from careline_functions.admin.asker import by, tenant_of


async def list_proposals(request: Request) -> Response:
    """GET /v1/admin/proposals."""
    installation = http.installation(request)
    asked = request.query_params
    state, kind = asked.get("state") or "open", asked.get("kind") or None
    if state not in ("all", *get_args(State)):
        raise BadRequest(f"state: one of all, {', '.join(get_args(State))}")
    if kind is not None and kind not in get_args(Kind):
        raise BadRequest(f"kind: one of {', '.join(get_args(Kind))}")
    limit = http.whole_number(request, "limit", 200, 1000)
    found = await store.listing(
        installation.settings.tenant,
        installation.engines,
        state=next((one for one in get_args(State) if one == state), None),
        kind=next((one for one in get_args(Kind) if one == kind), None),
        doc_key=asked.get("document", ""),
    )
    shown = [one.to_json() for one in found[:limit]]
    return http.json_response({"proposals": shown, "more": max(0, len(found) - limit)})


async def decide_proposal(request: Request) -> Response:
    """POST /v1/admin/proposals/{proposal_id}/decision."""
    tenant, installation = tenant_of(request)
    asked = wire.read_body(ProposalDecision, await http.body(request))
    engines, asker = installation.engines, by(installation)
    ids = [request.path_params["proposal_id"]]
    if asked.decision != "confirm":
        act = decide.reject if asked.decision == "reject" else decide.reopen
        (done,) = await act(tenant, ids, engines, by=asker)
        return _decided(done, None)
    made = await decide.confirm(
        tenant, ids, engines, by=asker, corrections=asked.corrections, as_read=asked.as_read
    )
    return _decided(made.proposals[0], made.edition.number)


def _decided(proposal: Proposal, edition: int | None) -> Response:
    return http.json_response({"proposal": proposal.to_json(), "edition": edition})


async def decide_proposals(request: Request) -> Response:
    """POST /v1/admin/proposals/decisions."""
    tenant, installation = tenant_of(request)
    asked = wire.read_body(ProposalDecisions, await http.body(request))
    engines, asker, edition = installation.engines, by(installation), None
    if asked.decision == "reject":
        done = await decide.reject(tenant, asked.proposal_ids, engines, by=asker)
    else:
        made = await decide.confirm(tenant, asked.proposal_ids, engines, by=asker)
        done, edition = made.proposals, made.edition.number
    return http.json_response({"proposals": [one.to_json() for one in done], "edition": edition})


async def list_contradictions(request: Request) -> Response:
    """GET /v1/admin/contradictions."""
    installation = http.installation(request)
    found = await contradictions.contradictions(
        installation.settings.tenant, installation.engines, request.query_params.get("document", "")
    )
    return http.json_response({"contradictions": [one.to_json() for one in found]})


HANDLERS: Mapping[str, Handler] = {
    "listProposals": list_proposals,
    "decideProposal": decide_proposal,
    "decideProposals": decide_proposals,
    "listContradictions": list_contradictions,
}
"""By the names of the operations in `careline.web.proposal_routes`."""
