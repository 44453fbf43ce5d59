"""Whoever asks how or where a patient is asks what no document holds; who asks how one finds out asks the documents.

The lines were written for these tests; nothing learned from them and no rule names them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from careline.packs.packs import load_packs
from careline.safety.patients import PatientScreen
from careline.safety.utterance import Utterance

PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"
NEWS = {
    "nl": [
        "Goedemorgen, hoe gaat het vandaag met mijn grootvader?",
        "is mijn stiefmoeder al ontwaakt en hoe is het met haar",
        "Kunt u vertellen of mijn schoonzoon al geopereerd is?",
        "Hoe is de bevalling van mijn kleindochter verlopen?",
        "Op welke verdieping ligt mevrouw De Smedt?",
        "Verblijft mijn collega nog op jullie afdeling?",
        "Zijn de bloeduitslagen van mijn zoontje al bekend?",
        "wanneer mag onze papa naar huis",
    ],
    "en": [
        "Good morning, how is my grandson getting on?",
        "my partner had her gallbladder out today how is she doing",
        "Could you tell me whether my sister has woken up?",
        "How did my niece's delivery go?",
        "What floor is Mrs Donnelly on?",
        "Is my colleague still a patient there?",
        "Have my son's test results come back yet?",
        "when will our dad be coming home",
    ],
    "fr": [
        "Bonjour, comment se porte mon petit-fils aujourd'hui ?",
        "mon compagnon a été opéré ce matin comment va-t-il",
        "Pouvez-vous me dire si ma sœur est réveillée ?",
        "Comment s'est passé l'accouchement de ma nièce ?",
        "À quel étage se trouve madame Lambert ?",
        "Est-ce que mon collègue est encore chez vous ?",
        "Les résultats de mon fils sont-ils déjà là ?",
        "quand est-ce que notre papa va sortir",
    ],
    "it": [
        "Buongiorno, come sta oggi mio nipote?",
        "la mia compagna è stata operata stamattina come si sente",
        "Può dirmi se mia sorella è sveglia?",
        "Com'è andato il parto di mia nipote?",
        "A che piano si trova la signora Conti?",
        "Avete ancora qui mio cugino ricoverato?",
        "Sono pronti gli esami di mio figlio?",
        "quando torna a casa nostro padre",
    ],
}
INFORMATION = {
    "nl": [
        "Mag ik de verpleging bellen om te horen hoe het met mijn oma gaat?",
        "Wie verwittigt mij hoe de operatie van mijn man verlopen is?",
        "Hoe vind ik de kamer van een patiënt?",
        "Wanneer komt de uitslag van een biopsie?",
        "Hoe lang ligt men in recovery?",
        "Mag mijn partner mee op de recovery?",
        "Waar kan ik navragen op welke kamer mijn vriend ligt?",
        "Op welke verdieping is de cafetaria?",
    ],
    "en": [
        "May I ring the nurses to hear how my gran is?",
        "Who will tell me how my husband's surgery went, who can I ask?",
        "How can I find a patient's room?",
        "When do the results of a biopsy come?",
        "How long is one in recovery?",
        "Can my partner visit me in recovery?",
        "Where can I ask which room my friend is in?",
        "What floor is the cafeteria on?",
    ],
    "fr": [
        "Puis-je téléphoner aux infirmières pour savoir comment va ma grand-mère ?",
        "Qui me prévient comment s'est passée l'opération de mon mari ?",
        "Comment trouver la chambre d'un patient ?",
        "Quand arrivent les résultats d'une biopsie ?",
        "Combien de temps reste-t-on en salle de réveil ?",
        "Mon conjoint peut-il visiter la salle de réveil ?",
        "Où puis-je demander dans quelle chambre est mon ami ?",
        "À quel étage est la cafétéria ?",
    ],
    "it": [
        "Posso telefonare agli infermieri per sapere come sta mia nonna?",
        "Chi mi informa com'è andata l'operazione di mio marito?",
        "Come si trova la stanza di un paziente?",
        "Quando arrivano i risultati di una biopsia?",
        "Quanto si resta in sala risveglio?",
        "Il mio compagno può venire in sala risveglio?",
        "Dove posso chiedere in che stanza è il mio amico?",
        "A che piano è la caffetteria?",
    ],
}


@pytest.fixture(scope="module")
def patients() -> PatientScreen:
    return load_packs(PACKS)["hospital_line"].patients


@pytest.mark.parametrize("said", [said for each in NEWS.values() for said in each])
def test_news_of_a_patient_is_recognised_in_every_wording(patients: PatientScreen, said: str) -> None:
    assert patients.reasons(Utterance(said))


@pytest.mark.parametrize("said", [said for each in INFORMATION.values() for said in each])
def test_how_one_finds_out_and_what_holds_for_everybody_is_a_question_for_the_documents(
    patients: PatientScreen, said: str
) -> None:
    assert patients.reasons(Utterance(said)) == ()


def test_a_pack_for_clinicians_has_no_such_rules() -> None:
    assert load_packs(PACKS)["clinical_assistant"].patients.rule_sets == []
