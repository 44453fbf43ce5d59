"""`/twirp`: the methods of LiveKit's server API that a worker and an administrator of telephone lines use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from google.protobuf.message import Message
from livekit.protocol import room, sip

from tests.telephone.livekit_double.access import claims
from tests.telephone.livekit_double.rooms import new_id
from tests.telephone.livekit_double.signalling import ROOMS
from tests.telephone.livekit_double.sip_endpoint import SipEndpoint

SIP = web.AppKey("sip", SipEndpoint)


class ApiError(Exception):
    """A refusal, as Twirp says it."""

    def __init__(self, code: str, status: int, message: str, **meta: str) -> None:
        super().__init__(message)
        self.code, self.status, self.meta = code, status, meta


async def serve(request: web.Request) -> web.Response:
    """Answer one call of the API."""
    claims(request)
    name = f"{request.match_info['service']}/{request.match_info['method']}"
    try:
        if name not in METHODS:
            raise ApiError("bad_route", 404, f"the double does not have {name}")
        answered = await METHODS[name](request.app, await request.read())
    except ApiError as error:
        told = {"code": error.code, "msg": str(error), "meta": error.meta}
        return web.json_response(told, status=error.status)
    return web.Response(body=answered.SerializeToString(), content_type="application/protobuf")


async def _delete_room(app: web.Application, body: bytes) -> Message:
    asked = room.DeleteRoomRequest.FromString(body)
    found = app[ROOMS].by_name.get(asked.room)
    if found is None:
        raise ApiError("not_found", 404, "there is no such room")
    await app[ROOMS].close(found)
    return room.DeleteRoomResponse()


async def _list_trunks(app: web.Application, _: bytes) -> Message:
    return sip.ListSIPInboundTrunkResponse(items=app[SIP].trunks.values())


async def _list_rules(app: web.Application, _: bytes) -> Message:
    return sip.ListSIPDispatchRuleResponse(items=app[SIP].rules.values())


async def _create_trunk(app: web.Application, body: bytes) -> Message:
    trunk = sip.CreateSIPInboundTrunkRequest.FromString(body).trunk
    trunk.sip_trunk_id = new_id("ST_")
    app[SIP].trunks[trunk.sip_trunk_id] = trunk
    return trunk


async def _create_rule(app: web.Application, body: bytes) -> Message:
    rule = sip.CreateSIPDispatchRuleRequest.FromString(body).dispatch_rule
    rule.sip_dispatch_rule_id = new_id("SDR_")
    app[SIP].rules[rule.sip_dispatch_rule_id] = rule
    return rule


async def _transfer(app: web.Application, body: bytes) -> Message:
    asked = sip.TransferSIPParticipantRequest.FromString(body)
    caller = app[ROOMS].participant(asked.room_name, asked.participant_identity)
    call = app[SIP].call_of(caller) if caller is not None else None
    if call is None:
        raise ApiError("not_found", 404, "there is no such caller")
    status, reason = await call.refer(asked.transfer_to, dict(asked.headers), asked.ringing_timeout.seconds)
    if status != 200:
        told = f"call transfer failed: sip status: {status}: {reason}"
        raise ApiError("failed_precondition", 412, told, sip_status_code=str(status), sip_status=reason)
    return sip.TransferSIPParticipantResponse()


METHODS: dict[str, Callable[[web.Application, bytes], Awaitable[Message]]] = {
    "livekit.RoomService/DeleteRoom": _delete_room,
    "livekit.SIP/ListSIPInboundTrunk": _list_trunks,
    "livekit.SIP/ListSIPDispatchRule": _list_rules,
    "livekit.SIP/CreateSIPInboundTrunk": _create_trunk,
    "livekit.SIP/CreateSIPDispatchRule": _create_rule,
    "livekit.SIP/TransferSIPParticipant": _transfer,
}
