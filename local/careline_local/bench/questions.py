"""Questions that the benches ask of the demo hospital: everyday ones in four languages."""

from __future__ import annotations

QUESTIONS: tuple[str, ...] = (
    "Hoeveel kost parkeren op campus Waterpoort?",
    "tot hoe laat mag ik op bezoek komen op de kinderafdeling",
    "Wat moet ik meebrengen voor mijn opname?",
    "hoe bereid ik mij voor op een coloscopie",
    "Waar kan ik een rolstoel lenen?",
    "krijg ik mijn eigen rolstoel terugbetaald",
    "Hoe dien ik een klacht in?",
    "wanneer kan ik bloed laten prikken",
    "How do I prepare for an MRI scan?",
    "what are the visiting hours in maternity",
    "How much is a single room per night?",
    "can I get a second opinion",
    "Where can I charge my electric car?",
    "who do I call about my bill",
    "Combien coûte le stationnement ?",
    "quelles sont les heures de visite en pédiatrie",
    "Que faut-il apporter pour une hospitalisation ?",
    "comment se passe une opération de la cataracte",
    "Quels sont mes droits en tant que patient ?",
    "puis-je emprunter un fauteuil roulant",
    "Quanto costa il parcheggio?",
    "quali sono gli orari di visita",
    "Come mi preparo alla colonscopia?",
    "dove posso fare le analisi del sangue",
    "Come posso presentare un reclamo?",
    "cosa devo portare in maternità",
)
