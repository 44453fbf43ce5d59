"""What is told of a file stands under its own sub-heading: five formats, four languages, through the whole turn."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import docx
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import ListFlowable, ListItem, Paragraph, SimpleDocTemplate

from careline.knowledge.chunk.chunk import chunk
from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import Limits, read
from careline.model import Chunk, Passage
from careline.passages.sub_headings import lines_of
from tests.builders import a_document
from tests.fakes import NOW, OneLanguage
from tests.turn.turns import TENANT, an_installation, ask, shown, with_passages

Items = list["str | tuple[str, Items]"]
WORDS = {
    "nl": ("Indicaties en dosis", "Voorkamerfibrillatie", "Diepe veneuze trombose", "mg tweemaal per dag, met water",
           "Naar leeftijd", "Volwassenen", "Kinderen", "welke dosis per dag bij voorkamerfibrillatie"),
    "en": ("Indications and dose", "Atrial fibrillation", "Deep vein thrombosis", "mg twice daily, with water",
           "By age", "Adults", "Children", "dose twice daily with atrial fibrillation"),
    "fr": ("Indications et dose", "Fibrillation auriculaire", "Thrombose veineuse profonde",
           "mg deux fois par jour, avec de l'eau", "Selon l'âge", "Adultes", "Enfants",
           "quelle est la dose de lunafix dans la fibrillation auriculaire"),
    "it": ("Indicazioni e dose", "Fibrillazione atriale", "Trombosi venosa profonda",
           "mg due volte al giorno, con acqua", "Secondo l'età", "Adulti", "Bambini",
           "qual è la dose di lunafix nella fibrillazione atriale"),
}  # fmt: skip
"""Heading, two sub-headings, what follows an amount, another heading, two items with items under them, a question."""


def parts(language: str) -> list[tuple[int, str, Items]]:
    """Each heading of the file with its level and the list under it."""
    dose, first, second, daily, ages, adults, children, _ = WORDS[language]
    return [
        (1, "Lunafix", []), (2, dose, []), (3, first, [f"5 {daily}."]), (3, second, [f"10 {daily}.", f"15 {daily}."]),
        (2, ages, [(adults, [f"7 {daily}", f"8 {daily}"]), (children, [f"1 {daily}"])]),
    ]  # fmt: skip


def markdown(language: str) -> bytes:
    def lines(items: Items, depth: int) -> list[str]:
        told: list[str] = []
        for item in items:
            text, under = (item, []) if isinstance(item, str) else item
            told += ["  " * depth + f"- {text}", *lines(under, depth + 1)]
        return told

    written = [["#" * level + f" {title}", "", *lines(items, 0), ""] for level, title, items in parts(language)]
    return "\n".join(line for part in written for line in part).encode()


def plain(language: str) -> bytes:
    return markdown(language).replace(b"### ", b"").replace(b"## ", b"").replace(b"# ", b"")


def html(language: str) -> bytes:
    def a_list(items: Items) -> str:
        told = ""
        for item in items:
            text, under = (item, []) if isinstance(item, str) else item
            told += f"<li>{text}{a_list(under) if under else ''}</li>"
        return f"<ul>{told}</ul>"

    body = "".join(
        f"<h{level}>{title}</h{level}>{a_list(items) if items else ''}" for level, title, items in parts(language)
    )
    return f"<!doctype html><html><head><meta charset=utf-8></head><body>{body}</body></html>".encode()


def word(language: str) -> bytes:
    document = docx.Document()

    def add(items: Items, depth: int) -> None:
        for item in items:
            text, under = (item, []) if isinstance(item, str) else item
            paragraph = document.add_paragraph(text, style="List Bullet")
            properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
            properties.get_or_add_ilvl().val = depth
            properties.get_or_add_numId().val = 1
            add(under, depth + 1)

    for level, title, items in parts(language):
        document.add_heading(title, level)
        add(items, 0)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def pdf(language: str) -> bytes:
    styles = getSampleStyleSheet()

    def a_list(items: Items) -> ListFlowable:
        told: list[Any] = []
        for item in items:
            text, under = (item, []) if isinstance(item, str) else item
            told.append(ListItem([Paragraph(text, styles["BodyText"]), *([a_list(under)] if under else [])]))
        return ListFlowable(told, bulletType="bullet", start="•", leftIndent=18)

    story: list[Any] = []
    for level, title, items in parts(language):
        story.append(Paragraph(title, styles[f"Heading{level}"]))
        story += [a_list(items)] if items else []
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4).build(story)
    return buffer.getvalue()


WRITERS: dict[str, Callable[[str], bytes]] = {"md": markdown, "txt": plain, "html": html, "docx": word, "pdf": pdf}


def chunks_of(name: str, language: str) -> list[Chunk]:
    extracted = clean(read(f"lunafix.{name}", WRITERS[name](language), Limits()))
    return chunk(extracted, language, lambda text: len(text.split()) * 4 // 3)


def passages_of(name: str, language: str) -> list[Passage]:
    facts = {"title": "Lunafix", "language": language, "audience": "clinician", "source_type": "drug_reference"}
    of = a_document(tenant=TENANT, doc_key="lunafix", facts=facts)
    return [
        Passage(
            chunk_id=f"lunafix:1:{one.ordinal}", tenant=TENANT, doc_key=of.doc_key, version=of.version,
            document_id=of.document_id, file_name=f"lunafix.{name}", facts=of.facts, embedding_model="words",
            chunk=one, indexed_at=NOW,
        )
        for one in chunks_of(name, language)
    ]  # fmt: skip


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("name", WRITERS)
def test_every_figure_of_a_file_stands_under_its_own_sub_heading(name: str, language: str) -> None:
    _, first, second, daily, _, adults, children, _ = WORDS[language]
    right = {"5": first, "10": second, "15": second, "7": adults, "8": adults, "1": children}
    found: dict[str, str] = {}
    for one in chunks_of(name, language):
        for line in lines_of(one):
            if daily in line.text:
                found[line.text.split()[0]] = (*one.heading_path, *line.above)[-1]
    assert found == right


@pytest.mark.parametrize(("name", "language"), list(zip((*WRITERS, "pdf"), (*WORDS, "en", "nl"), strict=True)))
async def test_the_dose_of_another_indication_is_not_told_as_that_of_the_one_that_was_asked(
    name: str, language: str
) -> None:
    _, first, second, daily, *_, question = WORDS[language]
    clinical: dict[str, Any] = {"pack": "clinical_assistant", "language": language}
    fakes = an_installation()
    quoting = replace(fakes, engines=replace(fakes.engines, model=None))
    said = shown(await ask(await with_passages(quoting, *passages_of(name, language)), question, **clinical))
    under = ""
    for line in said.replace(" [1]", "").splitlines():
        under = line.rstrip(": ") if line.endswith(":") else under
        assert not (f"10 {daily}" in line and second not in (under, *line.split(": "))), said
    for told, is_said in ((f"{first}: 5 {daily}", True), (f"{first}: 10 {daily}", False), (f"10 {daily}", False)):
        model = await with_passages(
            an_installation([f"{told} [1]."], identify=OneLanguage(language)), *passages_of(name, language)
        )
        text = shown(await ask(model, question, **clinical))
        assert (daily in text) is is_said, (told, text)
