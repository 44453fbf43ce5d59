"""Makes `e5_ordinary.npy`: the mean vector of everyday sentences, which stands in for what a small corpus lacks.

Run as `python -m training.build_ordinary`. The sentences are about whatever people write about, in four languages.
"""

from __future__ import annotations

import numpy as np

import careline_artefacts
from careline.engines.embedded import embedder as embedded

TARGET = careline_artefacts.FOLDER / "sentence_embedding" / "e5_ordinary.npy"
SENTENCES = (
    "De vergadering is verplaatst naar dinsdag om tien uur.",
    "Breng een kopie van uw identiteitskaart mee naar het onthaal.",
    "De bibliotheek is gesloten op zon- en feestdagen.",
    "Na de regen werd het park weer druk bezocht.",
    "U betaalt het saldo binnen dertig dagen na ontvangst van de factuur.",
    "De trein naar de kust vertrekt van spoor vier.",
    "Bel ons gerust als u nog vragen heeft.",
    "De soep wordt op laag vuur een uur gekookt.",
    "Het dak van de oude schuur moet dringend hersteld worden.",
    "Wie zich wil inschrijven, vult het formulier volledig in.",
    "The meeting has been moved to Tuesday at ten.",
    "Please bring a copy of your identity card to reception.",
    "The library is closed on Sundays and public holidays.",
    "After the rain the park filled with people again.",
    "The balance is due within thirty days of the invoice.",
    "The train to the coast leaves from platform four.",
    "Do not hesitate to call us if you have any questions.",
    "The soup simmers on a low heat for an hour.",
    "The roof of the old barn needs urgent repair.",
    "Anyone who wishes to enrol should complete the whole form.",
    "La réunion est reportée à mardi, dix heures.",
    "Veuillez présenter une copie de votre carte d'identité à l'accueil.",
    "La bibliothèque est fermée le dimanche et les jours fériés.",
    "Après la pluie, le parc s'est de nouveau rempli de monde.",
    "Le solde est à payer dans les trente jours suivant la facture.",
    "Le train pour la côte part de la voie quatre.",
    "N'hésitez pas à nous appeler si vous avez des questions.",
    "La soupe mijote une heure à feu doux.",
    "Le toit de la vieille grange doit être réparé d'urgence.",
    "Toute personne qui souhaite s'inscrire remplit le formulaire.",
    "La riunione è stata spostata a martedì alle dieci.",
    "Si prega di portare una copia della carta d'identità alla reception.",
    "La biblioteca è chiusa la domenica e nei giorni festivi.",
    "Dopo la pioggia il parco si è riempito di nuovo di gente.",
    "Il saldo va pagato entro trenta giorni dalla fattura.",
    "Il treno per la costa parte dal binario quattro.",
    "Non esiti a chiamarci se ha delle domande.",
    "La zuppa cuoce un'ora a fuoco lento.",
    "Il tetto del vecchio fienile va riparato con urgenza.",
    "Chi desidera iscriversi compila il modulo per intero.",
)


def main() -> None:
    """Write the file."""
    rows = embedded.E5Embedder().embed("passage: ", SENTENCES)
    np.save(TARGET, rows.mean(0).astype(np.float32), allow_pickle=False)


if __name__ == "__main__":
    main()
