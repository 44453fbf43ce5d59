"""A phone line at LiveKit: the trunk that takes calls from a carrier, and the rule that sends them to the workers.

What is there is left as it is but for what the line wants of it, so that making it again changes nothing.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.json_format import MessageToDict
from livekit import api
from livekit.protocol.sip import SIP_MEDIA_ENCRYPT_ALLOW, SIP_MEDIA_ENCRYPT_REQUIRE

from careline.errors import BadRequest

LONGEST_CALL_SECONDS = 2 * 60 * 60
"""A call that nobody ends is ended; until then the task that holds it is not stopped."""
RINGING_SECONDS = 30
ROOM = "call-"
"""Rooms are named by this and the number that was called: by the number of who calls, logs would hold it."""


@dataclass(frozen=True, slots=True)
class WantedLine:
    """`numbers` as E.164, `addresses` as networks of the carrier, `agent` as the workers call themselves."""

    name: str
    numbers: tuple[str, ...]
    addresses: tuple[str, ...]
    agent: str
    encrypted: bool = True

    def trunk(self, there: api.SIPInboundTrunkInfo | None) -> api.SIPInboundTrunkInfo:
        """The trunk as it should be; what the line says nothing of, such as a password, is as it is there."""
        wanted = api.SIPInboundTrunkInfo()
        if there is not None:
            wanted.CopyFrom(there)
        del wanted.numbers[:], wanted.allowed_addresses[:]
        wanted.name = self.name
        wanted.numbers.extend(self.numbers)
        wanted.allowed_addresses.extend(self.addresses)
        # What a caller says goes to speech recognition as his telephone sent it.
        wanted.krisp_enabled = False
        # LiveKit's documentation says it in the first place, its protocol has the second as well.
        wanted.media_encryption = SIP_MEDIA_ENCRYPT_REQUIRE if self.encrypted else SIP_MEDIA_ENCRYPT_ALLOW
        wanted.media.encryption = wanted.media_encryption
        wanted.ringing_timeout.seconds = RINGING_SECONDS
        wanted.max_call_duration.seconds = LONGEST_CALL_SECONDS
        return wanted

    def rule(self, there: api.SIPDispatchRuleInfo | None, trunk_id: str) -> api.SIPDispatchRuleInfo:
        """The rule as it should be, for calls of that trunk."""
        wanted = api.SIPDispatchRuleInfo()
        if there is not None:
            wanted.CopyFrom(there)
        del wanted.trunk_ids[:]
        wanted.name = self.name
        wanted.trunk_ids.append(trunk_id)
        wanted.krisp_enabled = False
        callee = wanted.rule.dispatch_rule_callee
        callee.room_prefix, callee.randomize, callee.pin = ROOM, True, ""
        del wanted.room_config.agents[:]
        wanted.room_config.agents.append(api.RoomAgentDispatch(agent_name=self.agent))
        return wanted


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not as it should be. `what` is the trunk or the rule; `there` is None where there is none."""

    what: str
    name: str
    there: Mapping[str, Any] | None
    wanted: Mapping[str, Any]

    @property
    def differences(self) -> dict[str, tuple[Any, Any]]:
        """Fields that differ: what is there, and what is wanted."""
        there = self.there or {}
        names = sorted({*there, *self.wanted})
        return {
            name: (there.get(name), self.wanted.get(name))
            for name in names
            if there.get(name) != self.wanted.get(name)
        }


@dataclass(slots=True)
class LineAtLiveKit:
    """What LiveKit has of a line, read once."""

    wanted: WantedLine
    trunk: api.SIPInboundTrunkInfo | None
    rule: api.SIPDispatchRuleInfo | None
    others: Sequence[str] = field(default_factory=list)
    """What else takes calls of these numbers or of this trunk, in words."""

    @classmethod
    async def read(cls, livekit: api.LiveKitAPI, wanted: WantedLine) -> LineAtLiveKit:
        """Ask LiveKit. Raises: BadRequest where two of a name are there, TwirpError, ClientError."""
        trunks = list((await livekit.sip.list_inbound_trunk(api.ListSIPInboundTrunkRequest())).items)
        rules = list((await livekit.sip.list_dispatch_rule(api.ListSIPDispatchRuleRequest())).items)
        trunk, rule = _named(trunks, wanted.name, "trunks"), _named(rules, wanted.name, "dispatch rules")
        others = [*_taken(trunks, trunk, wanted), *_ruled(rules, rule, trunk)]
        return cls(wanted, trunk, rule, others)

    def changes(self) -> list[Change]:
        """What is missing or otherwise; none where the line is as it should be."""
        trunk_id = self.trunk.sip_trunk_id if self.trunk is not None else "(the new trunk)"
        found = [
            _change("trunk", self.trunk, self.wanted.trunk(self.trunk), self.wanted.name),
            _change("dispatch rule", self.rule, self.wanted.rule(self.rule, trunk_id), self.wanted.name),
        ]
        return [one for one in found if one.differences]

    async def apply(self, livekit: api.LiveKitAPI, *, drops_numbers: bool = False) -> None:
        """Make the line as it should be. Raises: BadRequest where others take its calls, and where it would lose
        numbers that it has and that is not asked for; TwirpError, ClientError."""
        if self.others:
            raise BadRequest("; ".join(self.others))
        lost = sorted(set(self.trunk.numbers) - set(self.wanted.numbers)) if self.trunk is not None else []
        if lost and not drops_numbers:
            advice = "name them too with --number, give another --name, or say --drop-numbers"
            told = f"{self.wanted.name} takes calls of {', '.join(lost)}, which would not ring any more"
            raise BadRequest(f"{told}; {advice}")
        trunk = await self._apply_trunk(livekit)
        rule = self.wanted.rule(self.rule, trunk.sip_trunk_id)
        if self.rule is None:
            await livekit.sip.create_dispatch_rule(api.CreateSIPDispatchRuleRequest(dispatch_rule=rule))
        elif rule != self.rule:
            await livekit.sip.update_dispatch_rule(self.rule.sip_dispatch_rule_id, rule)

    async def _apply_trunk(self, livekit: api.LiveKitAPI) -> api.SIPInboundTrunkInfo:
        wanted = self.wanted.trunk(self.trunk)
        if self.trunk is None:
            return await livekit.sip.create_inbound_trunk(api.CreateSIPInboundTrunkRequest(trunk=wanted))
        if wanted != self.trunk:
            return await livekit.sip.update_inbound_trunk(self.trunk.sip_trunk_id, wanted)
        return self.trunk


def network(written: str) -> str:
    """A network or an address that calls may come from. Raises: BadRequest, also for the whole of the internet."""
    try:
        found = ipaddress.ip_network(written)
    except ValueError:
        raise BadRequest(f"--allow: {written} is no network; write it as 54.171.127.192/30") from None
    if found.prefixlen == 0:
        raise BadRequest(f"--allow: {written} is everybody; name the networks of the carrier")
    return str(found)


def _named(found: Iterable[Any], name: str, kind: str) -> Any:
    same = [one for one in found if one.name == name]
    if len(same) > 1:
        raise BadRequest(f"LiveKit has {len(same)} {kind} named {name}: delete all but one, or give another --name")
    return same[0] if same else None


def _taken(trunks: Iterable[Any], own: Any, wanted: WantedLine) -> Iterator[str]:
    """Trunks that take calls of the same numbers; one without numbers takes those of all."""
    for trunk in trunks:
        if own is not None and trunk.sip_trunk_id == own.sip_trunk_id:
            continue
        shared = sorted(set(trunk.numbers) & set(wanted.numbers))
        if shared or not trunk.numbers:
            calls = ", ".join(shared) or "every number"
            yield f"the trunk {trunk.name or trunk.sip_trunk_id} already takes calls of {calls}"


def _ruled(rules: Iterable[Any], own: Any, trunk: Any) -> Iterator[str]:
    """Rules of another name for the same trunk."""
    for rule in rules:
        if own is not None and rule.sip_dispatch_rule_id == own.sip_dispatch_rule_id:
            continue
        if trunk is not None and trunk.sip_trunk_id in rule.trunk_ids:
            yield f"the dispatch rule {rule.name or rule.sip_dispatch_rule_id} already takes calls of this trunk"


def _change(what: str, there: Any, wanted: Any, name: str) -> Change:
    return Change(what, name, None if there is None else _shown(there), _shown(wanted))


def _shown(message: Any) -> dict[str, Any]:
    """A message as people read it; passwords, ids and times are not what they look for."""
    told = MessageToDict(message, preserving_proto_field_name=True)
    hidden = ("auth_username", "auth_password", "created_at", "updated_at", "sip_trunk_id", "sip_dispatch_rule_id")
    return {name: value for name, value in told.items() if name not in hidden}
