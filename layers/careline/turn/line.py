"""Makes what a phone line says of itself out of the tenant's facts and the pack's replies."""

from __future__ import annotations

from careline.installation import Installation
from careline.speech.line import PROMPTS, PhoneLine
from careline.tenants import tenant_records
from careline.turn.chosen_pack import chosen_pack

MOST_KEYTERMS = 100
"""Terms that speech recognition is told to expect; more make it worse at everything else."""


async def line(name: str | None, installation: Installation) -> PhoneLine:
    """The line of a pack, the installation's own when none is named.

    Raises: BadRequest for a pack that is unknown or not made for the phone, NotAllowed for a pack for others,
    TableUnavailable.
    """
    settings = installation.settings
    tenant = await tenant_records.tenant(installation.engines.table, settings.tenant, settings)
    pack = chosen_pack(name, "voice", tenant, installation)
    usual = tenant.default_language
    facts = {"phone": tenant.helpdesk_phone, "emergency_number": tenant.emergency_number}
    return PhoneLine.model_validate(
        {
            "tenant": tenant.tenant_id,
            "pack": pack.name,
            "languages": list(pack.languages),
            "default_language": usual if usual in pack.languages else pack.default_language,
            "openings": {one: pack.say("call_opening", one, hospital=tenant.name_in(one)) for one in pack.languages},
            "prompts": {one: {key: pack.say(key, one, **facts) for key in PROMPTS} for one in pack.languages},
            "emergency_number": tenant.emergency_number,
            "helpdesk_phone": tenant.helpdesk_phone,
            "transfer_to": tenant.transfer_to,
            "keyterms": tenant.staff[:MOST_KEYTERMS],
        }
    )
