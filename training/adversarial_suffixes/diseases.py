"""Makes names of rare diseases as clinicians ask about them: long words of Greek, kinds, types, genes and eponyms."""

from __future__ import annotations

import string

from training.adversarial_suffixes.lines import Chance, Material

_ROOTS = (
    "osteo chondro myo neuro dermato kerato nephro hepato spondylo arterio angio lympho "
    "leuco leuko trichorhino oculo dento cranio facio cerebro cardio vasculo gastro entero "
    "hemo hemato thrombo erythro sphero poly hypo hyper dys micro macro acro "
    "brachy pachy onycho retino choroido vitreo oto cysto galacto lipo fuco mucopolysaccharido "
    "glyco hexo phospho methyl carboxy transcobal porphyro melano fibro sclero adreno hypophyso "
    "para pseudo epidermo ichthyo"
).split()
_ENDINGS = {
    "nl": "dysplasie dystrofie pathie atrofie anemie emie urie "
    "ose itis plegie ataxie trofie genese sclerose penie".split(),
    "en": "dysplasia dystrophy pathy atrophy anemia emia uria "
    "osis itis plegia ataxia trophy genesis sclerosis penia".split(),
    "fr": "dysplasie dystrophie pathie atrophie anémie émie urie "
    "ose ite plégie ataxie trophie genèse sclérose pénie".split(),
    "it": "displasia distrofia patia atrofia anemia emia uria "
    "osi ite plegia atassia trofia genesi sclerosi penia".split(),
}
_KINDS = {
    "nl": "autosomaal dominante recessieve familiale congenitale juveniele X-gebonden idiopathische erfelijke ernstige "
    "gecombineerde progressieve paroxismale neonatale chronische gedilateerde multifocale systemische".split(),
    "en": "autosomal dominant recessive familial congenital juvenile X-linked idiopathic hereditary severe combined "
    "progressive paroxysmal nocturnal neonatal transient chronic dilated multifocal systemic cutaneous limited".split(),
    "fr": "autosomique dominante récessive familiale congénitale juvénile liée-à-l'X idiopathique héréditaire sévère "
    "combinée progressive paroxystique nocturne néonatale chronique dilatée multifocale systémique cutanée".split(),
    "it": "autosomica dominante recessiva familiare congenita giovanile X-linked idiopatica ereditaria grave combinata "
    "progressiva parossistica notturna neonatale cronica dilatativa multifocale sistemica cutanea".split(),
}
_HEADS = {
    "nl": "syndroom deficiëntie ziekte tumor agenesie aneurysma epilepsie immunodeficiëntie doofheid".split(),
    "en": "syndrome deficiency disease tumor agenesis aneurysm epilepsy immunodeficiency deafness duplication".split(),
    "fr": "syndrome déficit maladie tumeur agénésie anévrisme épilepsie immunodéficience surdité".split(),
    "it": "sindrome deficit malattia tumore agenesia aneurisma epilessia immunodeficienza sordità".split(),
}


def disease(chance: Chance, held: Material, language: str) -> str:
    """A name of one to six words."""
    words = chance.sample(_KINDS[language], chance.choice((0, 0, 1, 2, 2, 3)))
    words += [_of_greek(chance, language) for _ in range(chance.choice((1, 1, 1, 2)))]
    if chance.random() < 0.5:
        words.append(chance.choice(_HEADS[language]))
    if chance.random() < 0.2:
        words.insert(0, chance.choice(held.last))
    if chance.random() < 0.2:
        words.insert(chance.randrange(len(words)), _gene(chance))
    if chance.random() < 0.2:
        words.append(chance.choice(("type 1", "type 2", "type II", "4B", "7", "1A", "type III")))
    return " ".join(words)


def _of_greek(chance: Chance, language: str) -> str:
    made = "".join(chance.sample(_ROOTS, chance.choice((1, 1, 2, 2, 3)))) + chance.choice(_ENDINGS[language])
    return f"{chance.choice(_ROOTS)}-{made}" if chance.random() < 0.1 else made


def _gene(chance: Chance) -> str:
    letters = "".join(chance.choice(string.ascii_uppercase) for _ in range(chance.choice((2, 3, 4))))
    return f"{letters}{chance.randint(1, 99)}" + chance.choice(("", "", "-related"))
