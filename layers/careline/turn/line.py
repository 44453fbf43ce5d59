"""Makes what a phone line says of itself out of the hospital's facts, its directory and the pack's replies."""

from __future__ import annotations

from careline.curation.hospital import hospital
from careline.curation.staff import staff_of
from careline.installation import Installation
from careline.speech.line import PROMPTS, PhoneLine, of_menu
from careline.speech.overlay import keyterms
from careline.turn.chosen_pack import chosen_pack


async def line(name: str | None, installation: Installation) -> PhoneLine:
    """The line of a pack, the installation's own when none is named, with the directory as it is today.

    Raises: BadRequest for a pack that is unknown or not made for the phone, NotAllowed for a pack for others,
    TableUnavailable, RecordDamaged.
    """
    engines, settings = installation.engines, installation.settings
    tenant, edition = await hospital(engines, settings.tenant, settings, installation.directories_seen)
    directory = edition.directory.valid_on(tenant.day_of(engines.clock.now()))
    pack = chosen_pack(name, "voice", tenant, installation)
    usual, doctors = tenant.default_language, set(staff_of(edition.directory))
    others = [name for name in tenant.staff if name not in doctors]
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
            "keyterms": {one: keyterms(directory, one, others) for one in pack.languages},
            "edition": edition.number,
            "directory": of_menu(directory, tenant.emergency_number, tenant.helpdesk_phone),
        }
    )
