"""Which pack answers: the one that is named, where whoever asks may use it in this way."""

from __future__ import annotations

from careline.errors import BadRequest, NotAllowed
from careline.installation import Installation
from careline.installation import usual_pack as usual_pack
from careline.model import Channel
from careline.packs.packs import Pack
from careline.tenants.tenant_records import Tenant


def chosen_pack(name: str | None, channel: Channel, tenant: Tenant, installation: Installation) -> Pack:
    """The pack of this name, else the hospital's, else the installation's; in the languages of the hospital.

    Raises: BadRequest for an unknown pack and for one without the sentences of a phone line on the phone, NotAllowed
    for a pack for others.
    """
    chosen = name or usual_pack(tenant, installation)
    if chosen not in installation.packs:
        raise BadRequest(f"pack: there is no pack of this name; known: {', '.join(sorted(installation.packs))}")
    pack = installation.packs[chosen]
    if not installation.asker.may_see(pack.audience):
        raise NotAllowed("pack: this one is for clinicians; use the token of one")
    if channel == "voice" and not pack.voice:
        raise BadRequest("pack: this one is not made for the phone; `voice: true` in its pack.yaml says that one is")
    return pack.in_languages(tenant.languages, tenant.default_language)
