"""Tells which language a text is in: frequent words decide short questions, a statistical model the rest.

Speech comes without accents and in three words; there a model of characters guesses (py3langid calls "parking tarief"
English), while words such as "het", "combien" or "orari" do not leave a doubt.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from careline.model import LANGUAGES

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier as Statistical

SHORT = 160
"""Characters up to which frequent words are asked first."""

FREQUENT: dict[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in {
        "nl": "de het een en van ik te dat die in is je niet op zijn er maar met voor u mij aan om waar wat hoe hoeveel kan "
        "mag moet mijn ook bij nog wel als wanneer welke waarom wie naar geen heb hebt heeft ben bent wordt worden uw jullie "
        "wij zij hem haar deze dit kost kosten graag goedendag goeiedag goedemorgen goedemiddag hallo dank bedankt alsjeblieft "
        "alstublieft ge gij euh eerste tweede uur uren bezoek bezoekuur bezoekuren ziekenhuis dokter afspraak tarief parkeren "
        "rolstoel opname onderzoek bloed kamer kinderen klacht rekening factuur tot ziens daag daar ligt vrouw man kind over",
        "en": "the a an and of to i you it is in that my your for on with be at have this are not but what how much many where "
        "when which who why can could may do does did should would will need want there their our we he she his her from about "
        "please hello hi hey thanks thank bye goodbye good morning hours visiting park hospital doctor appointment room bill "
        "complaint children blood test cost price ward wheelchair insurance before after bring stay",
        "fr": "le la les un une des du de et je vous que qui est en pour pas sur ce il elle au aux avec mon ma mes votre vos "
        "combien comment quand quel quelle quels quelles ou pourquoi puis peux peut dois doit faut avoir ai avez suis sont "
        "bonjour bonsoir merci salut au revoir cest quest jai ne plus ou mais si tout nous leur dans par heures visite visites "
        "hopital medecin rendez prix cout coute chambre enfants plainte facture sang fauteuil roulant prise avant apres",
        "it": "il lo la i gli le un uno una e di che non per con sono mi si ho ha hai del della dei delle al alla nel nella da "
        "quanto quanta quanti quante come dove quando quale quali cosa chi perche posso devo puo possono deve vorrei mio mia "
        "miei suo sua ci c\u00e8 ce buongiorno buonasera salve grazie ciao arrivederci orari orario visita visite ospedale medico "
        "appuntamento costa costo camera bambini reclamo fattura sangue sedia rotelle prima dopo portare parcheggio esame",
    }.items()
}
_WORD = re.compile(r"[a-z]+")


class FrequentWordsThenStatistics:
    """The language identifier port. The statistical model (0.5 s, 100 MB) is loaded when it is first needed."""

    def __init__(self) -> None:
        self._statistical: Statistical | None = None

    def identify(self, text: str) -> tuple[str, float]:
        """See `ports.LanguageIdentifier.identify`. Text of up to 160 characters is one of the four languages."""
        short = len(text) <= SHORT
        if short:
            found = by_frequent_words(text)
            if found is not None:
                return found
        code, confidence = self._ask(text, LANGUAGES if short else None)
        return code, confidence * 0.8 if short else confidence

    def _ask(self, text: str, among: tuple[str, ...] | None) -> tuple[str, float]:
        if self._statistical is None:
            from py3langid.langid import MODEL_FILE
            from py3langid.langid import LanguageIdentifier as Statistical

            self._statistical = Statistical.from_model_file(MODEL_FILE, norm_probs=True)
        ranked = self._statistical.rank(text)
        allowed = [(str(code), float(share)) for code, share in ranked if among is None or code in among]
        total = sum(share for _, share in allowed) or 1.0
        best, share = max(allowed, key=lambda pair: pair[1])
        return best, share / total


def by_frequent_words(text: str) -> tuple[str, float] | None:
    """The language whose frequent words a text has most of, or None when two languages have as many."""
    plain = unicodedata.normalize("NFKD", text.lower().replace("\u2019", "").replace("'", " "))
    words = _WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))
    counts = sorted(((sum(word in known for word in words), code) for code, known in FREQUENT.items()), reverse=True)
    (most, code), (next_most, _) = counts[0], counts[1]
    if most == 0 or most == next_most:
        return None
    return code, min(1.0, 0.6 + 0.2 * (most - next_most))
