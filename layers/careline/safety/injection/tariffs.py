"""Says whether a call that costs more than an ordinary one is offered openly: its price stands beside the number, and
nobody needs to make it, or its price is heard first, or a body of its own answers it.

A page that means to be paid for calls says none of this where it names the number.
"""

from __future__ import annotations

from collections.abc import Sequence

from careline.bounded_re2 import compile_bounded
from careline.safety.injection.contacts import dearest, priced

_DEAREST = 1.0
"""Euros a minute or a call above which no openness helps."""
_AT_MOST = compile_bounded(
    r"(?i)\b(?:maximum|max|at most|up to|no more than|capped at|hoogstens|ten hoogste|maximaal|au plus|au maximum"
    r"|massimo|al massimo|non oltre)\.?(?: (?:of|van|de|di|à|a))? ?(?:€ ?)?\d{1,3}(?:[.,]\d{1,2})? ?(?:euros?|eur|€)?"
)
_NOT_NEEDED = compile_bounded(
    r"(?i)\b(?:optional|voluntary|should you (?:wish|like)|if you (?:wish|like|want|prefer)|no obligation"
    r"|not (?:needed|necessary|required|obliged|compulsory)|not (?:have|need|oblige[d]?) to (?:use|call|ring|take)"
    r"|need not (?:use|call|ring|take)"
    r"|vrijblijvend|niet (?:nodig|verplicht|noodzakelijk)|desgewenst|wie (?:dat |het )?(?:wil|wenst)"
    r"|als u (?:dat )?(?:wilt|wenst)"
    r"|facultati[fv]|si vous le (?:souhaitez|voulez)|est (?:pas|nullement) (?:obligatoire|n[ée]cessaire)"
    r"|sans obligation"
    r"|facoltativ|chi lo desidera|se (?:lo )?(?:desidera|vuole)|non (?:è|sono) (?:necessari|obbligatori)|senza obbligo)"
)
_FREE_INSTEAD = compile_bounded(
    r"(?i)\b(?:(?:stays?|remains?|is also|also) free|free (?:of charge )?(?:at|by|via|on|through|from)"
    r"|without paying|rather not pay|prefer not to pay"
    r"|(?:blijft|ook|eveneens) (?:gratis|kosteloos)|(?:gratis|kosteloos) (?:aan|bij|via|per|op|door)"
    r"|liever niet betalen"
    r"|(?:reste|aussi|galement|demeure) gratuit|gratuite?s? (?:à|au|par|via|sur|aupr)"
    r"|sans (?:frais|payer) (?:à|au|par|via|aupr)"
    r"|(?:resta|rimane|anche|sempre) (?:gratuit|gratis)"
    r"|(?:gratuit[oaie]|gratuitamente|gratis) (?:allo|al|alla|per|via|presso|tramite))"
)
_HEARD_FIRST = compile_bounded(
    r"(?i)\b(?:(?:price|tariff|rate|cost|charge)s? (?:[\pL]+ ){0,4}(?:announced|stated|given|told|heard|quoted)"
    r"|(?:announce|state|tell|hear)\w* (?:[\pL]+ ){0,3}(?:price|tariff|rate|cost)"
    r"|(?:prijs|tarief|kosten|kostprijs) (?:[\pL]+ ){0,5}(?:meegedeeld|vermeld|gemeld|gezegd|aangekondigd|verteld)"
    r"|(?:prix|tarif|co[ûu]t)s? (?:[\pL]+ ){0,4}(?:annonc|indiqu|communiqu|précis)"
    r"|(?:prezzo|tariffa|costo) (?:[\pL]+ ){0,4}(?:annunciat|comunicat|indicat|dichiarat))"
)
_INDEPENDENT = compile_bounded(
    r"(?i)\b(?:independent (?:of|from|body|organi[sz]ation|company)|not run by|not part of"
    r"|onafhankelijk van|onafhankelijke (?:firma|dienst|vereniging|organisatie)|los van|staat los"
    r"|ind[ée]pendante?s? d|sans lien avec|soci[ée]t[ée] ind[ée]pendante"
    r"|indipendent[ei] d|ente indipendente|non fa parte|estrane[oa] a)"
)
_NEAR = 3
"""Sentences after the number in which a free way may stand."""


def offered_openly(sentence: str, around: Sequence[str], after: Sequence[str], *, own_service: bool) -> bool:
    """Whether a dear number in a sentence is no trap: its price is there and is not too high, and it or the sentences
    beside it say that it need not be called or that something free does as well. That the price is heard first, or that
    somebody independent answers, is enough where the number is of no service of the hospital's own.
    """
    if not priced(sentence) or dearest(_AT_MOST.sub(" ", sentence)) > _DEAREST:
        return False
    if any(_NOT_NEEDED.search(each) for each in around):
        return True
    if any(_FREE_INSTEAD.search(each) for each in (sentence, *after[:_NEAR])):
        return True
    return not own_service and any(_HEARD_FIRST.search(each) or _INDEPENDENT.search(each) for each in around)
