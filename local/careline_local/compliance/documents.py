"""The two documents in Markdown. What only the hospital can tell is marked, so that no page pretends to be finished."""

from __future__ import annotations

from collections.abc import Iterator

from careline_local.compliance.processing import Measure, Processing, missing
from careline_local.compliance.recipients import Recipient
from careline_local.markdown_table import table

GAP = "**To be filled in by the hospital:**"
MADE_BY = (
    "Made from the settings of this installation by `careline compliance`. It is a draft: where it says "
    f"“{GAP.strip('*:')}” the settings do not know, and no lawyer has read it.\n"
)
NEEDS = {
    "aws": "deployment on AWS",
    "phi_detection": "`CARELINE_PHI_MODE`, which is off",
    "login": "a login: `CARELINE_TOKEN` or `CARELINE_LOGIN`",
    "noted_heads": "`CARELINE_NOTED_HEADS` outside the home, or `CARELINE_HEADS_BUCKET` on AWS",
}
"""What a measure that is off waits for."""


def article_30(found: Processing) -> str:
    """The record of processing activities: the points of article 30(1), in their order."""
    parts = [
        "# Record of processing activities (GDPR, article 30)\n",
        MADE_BY,
        "## Controller\n",
        f"{found.controller or f'{GAP} name of the hospital'}.",
        f"{GAP} address, representative, data protection officer.\n",
        "## Purposes, persons and data\n",
        table(("purpose", "persons", "data"), ((p.purpose, p.subjects, p.categories) for p in found.purposes)),
        f"{GAP} legal basis (articles 6 and 9) of each purpose.\n",
        "## Recipients\n",
        _recipients(found),
        "## Transfers to third countries\n",
        *_transfers(found.recipients),
        "## Time limits for erasure\n",
        _kept(found),
        f"{GAP} how long copies outside Careline are kept: exports, prints, recordings of the telephone exchange.\n",
        "## Measures of security (article 32)\n",
        _measures(found),
    ]
    return "\n".join(parts)


def impact_assessment(found: Processing) -> str:
    """A draft of the assessment: the points of article 35(7), in their order."""
    parts = [
        "# Data protection impact assessment (GDPR, article 35): draft\n",
        MADE_BY,
        "## Systematic description\n",
        "Questions are answered from the hospital's own documents, with citations. Those who ask often tell of their "
        "health; article 35(3)(b) asks for an assessment where such data is processed on a large scale.\n",
        table(("purpose", "persons", "data"), ((p.purpose, p.subjects, p.categories) for p in found.purposes)),
        _recipients(found),
        _kept(found),
        "## Necessity and proportionality\n",
        "- Answers need no identity: nobody is asked for a name, and what identifies a person is a keyed pseudonym in "
        "records of turns.\n- No decision about a person is made (article 22): the assistant informs and refers.",
        f"- Conversations are kept {found.days['conversations']} days, records of turns {found.days['turns']}. "
        f"{GAP} why these are needed.",
        f"- {GAP} legal basis, how callers are informed, how they object, views of patients and staff.\n",
        "## Risks and what reduces them\n",
        table(("risk", "reduced by", "likelihood and severity after"), _risks(found)),
        "## Measures\n",
        _measures(found),
        "## What this installation lacks\n",
        *_lacks(found),
        "## Advice and decision\n",
        f"{GAP} advice of the data protection officer, decision, date of the next review.",
        "",
    ]
    return "\n".join(parts)


def _recipients(found: Processing) -> str:
    if not found.recipients:
        return "Nobody outside the hospital: everything runs on its own machine.\n"
    rows = ((one.name, one.task, one.receives, f"`{one.by_setting}`") for one in found.recipients)
    asked = f"{GAP} contract of each as a processor (article 28).\n"
    return table(("who", "for", "receives", "switched on by"), rows) + "\n" + asked


def _transfers(found: tuple[Recipient, ...]) -> Iterator[str]:
    if not found:
        yield "None.\n"
    for name, region in dict.fromkeys((one.name, one.region) for one in found):
        said = f"the settings say {region}" if region else "the settings do not say where"
        yield f"- {name}: {said}. {GAP} country, and the safeguard of article 46 where it is outside the EEA."
    yield ""


def _kept(found: Processing) -> str:
    rows = ((one.record, one.what, one.encrypted or "no", one.until, one.erased_by) for one in found.kept)
    return table(("record", "what", "encrypted", "until", "erased before by"), rows)


def _measures(found: Processing) -> str:
    rows = ((one.what, f"`{one.where}`", _state(one)) for one in found.measures.values())
    return table(("measure", "where", "here"), rows)


def _state(measure: Measure) -> str:
    return "on" if measure.is_on else f"OFF: needs {NEEDS[measure.needs]}"


def _risks(found: Processing) -> Iterator[tuple[str, str, str]]:
    for one in found.risks:
        on = [found.measures[name] for name in one.measures if found.measures[name].is_on]
        yield one.risk, "; ".join(measure.what for measure in on) or "nothing that is on", GAP.strip(":*")


def _lacks(found: Processing) -> Iterator[str]:
    for measure in missing(found):
        yield f"- {measure.what}: needs {NEEDS[measure.needs]}."
    for one in found.recipients:
        if one.region is None:
            yield f"- Where {one.name} processes is not known to the settings."
    yield ""
