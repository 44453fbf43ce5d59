"""Makes what a phone line says of itself out of the tenant's facts and the pack's replies."""

from __future__ import annotations

from careline.errors import BadRequest, NotAllowed
from careline.installation import Installation
from careline.speech.line import PROMPTS, PhoneLine
from careline.tenants import directory

MOST_KEYTERMS = 100
"""Terms that speech recognition is told to expect; more make it worse at everything else."""


async def line(name: str | None, installation: Installation) -> PhoneLine:
    """The line of a pack, the installation's own when none is named.

    Raises: BadRequest for an unknown pack, NotAllowed for a pack for others, TableUnavailable.
    """
    settings = installation.settings
    chosen = name or settings.pack
    if chosen not in installation.packs:
        raise BadRequest(f"pack: there is no pack of this name; known: {', '.join(sorted(installation.packs))}")
    pack = installation.packs[chosen]
    if not installation.asker.may_see(pack.audience):
        raise NotAllowed("pack: this one is for clinicians; use the token of one")
    tenant = await directory.tenant(installation.engines.table, settings.tenant, settings)
    facts = {"phone": tenant.helpdesk_phone, "emergency_number": tenant.emergency_number}
    return PhoneLine.model_validate(
        {
            "tenant": tenant.tenant_id,
            "pack": pack.name,
            "languages": list(pack.languages),
            "default_language": tenant.default_language or pack.default_language,
            "openings": {one: pack.say("call_opening", one, hospital=tenant.name_in(one)) for one in pack.languages},
            "prompts": {one: {key: pack.say(key, one, **facts) for key in PROMPTS} for one in pack.languages},
            "emergency_number": tenant.emergency_number,
            "helpdesk_phone": tenant.helpdesk_phone,
            "keyterms": tenant.staff[:MOST_KEYTERMS],
        }
    )
