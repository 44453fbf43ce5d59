"""One document of each format, each with an answer that no other one has."""

from __future__ import annotations

import io
from dataclasses import dataclass

import docx
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas


@dataclass(frozen=True, slots=True)
class Asked:
    """A file, a question that it answers and a text that stands in the answer."""

    name: str
    content: bytes
    question: str
    said: str


def documents() -> list[Asked]:
    """Markdown, text, HTML, DOCX, PDF, and a PDF that is a picture of text."""
    return [
        Asked("bezoekuren.md", MARKDOWN.encode(), "Wanneer mag ik op bezoek komen op de kraamafdeling?", "19.30 uur"),
        Asked("wifi voor gasten.txt", TEXT.encode(), "Hoe heet het wifi-netwerk voor gasten?", "Merelbeek-Gast"),
        Asked("parkeren.html", HTML.encode(), "Wat kost parkeren per dag?", "€ 14,20"),
        Asked("bloedafname.docx", _docx(), "Vanaf hoe laat kan ik bloed laten prikken?", "7.15 uur"),
        Asked("ombudsdienst.pdf", _pdf(), "Wanneer is de ombudsdienst bereikbaar?", "donderdag van 9 tot 12.45 uur"),
        Asked("kapel.pdf", _scan(), "Wanneer is er een viering in de kapel?", "10.40"),
    ]


MARKDOWN = """# Bezoekuren

## Kraamafdeling

Op de kraamafdeling is bezoek welkom van 14 tot 19.30 uur. Broers en zussen mogen altijd mee.
"""
TEXT = """Wifi voor gasten

Het wifi-netwerk voor gasten heet Merelbeek-Gast. Een wachtwoord is niet nodig.
"""
HTML = """<!doctype html><html lang="nl"><head><title>Parkeren</title></head><body><h1>Parkeren</h1>
<p>U parkeert onder het ziekenhuis, dag en nacht.</p>
<table><tr><th>Duur</th><th>Prijs</th></tr><tr><td>Per uur</td><td>&euro; 2,10</td></tr>
<tr><td>Per dag</td><td>&euro; 14,20</td></tr></table></body></html>"""


def _docx() -> bytes:
    document = docx.Document()
    document.add_heading("Bloedafname", 1)
    document.add_paragraph("U kunt bloed laten prikken op werkdagen vanaf 7.15 uur, zonder afspraak, op route 42.")
    kept = io.BytesIO()
    document.save(kept)
    return kept.getvalue()


def _pdf() -> bytes:
    kept = io.BytesIO()
    page = canvas.Canvas(kept, invariant=True)
    page.setFont("Helvetica-Bold", 18)
    page.drawString(72, 760, "Ombudsdienst")
    page.setFont("Helvetica", 11)
    page.drawString(72, 725, "De ombudsdienst is bereikbaar op dinsdag en donderdag van 9 tot 12.45 uur.")
    page.drawString(72, 708, "Een klacht mag u ook schriftelijk bezorgen aan het onthaal.")
    page.save()
    return kept.getvalue()


def _scan() -> bytes:
    """A page without a letter of text: Tesseract reads it."""
    picture = Image.new("L", (1654, 900), 255)
    pen = ImageDraw.Draw(picture)
    pen.text((120, 120), "Kapel", font=ImageFont.load_default(64), fill=0)
    lines = ("In de kapel op de eerste verdieping is er", "elke zondag een viering om 10.40 uur.")
    for number, line in enumerate(lines):
        pen.text((120, 260 + 80 * number), line, font=ImageFont.load_default(44), fill=0)
    kept = io.BytesIO()
    page = canvas.Canvas(kept, pagesize=(595, 324), invariant=True)
    page.drawImage(ImageReader(picture), 0, 0, 595, 324)
    page.save()
    return kept.getvalue()
