"""The documents that the console is tried with: three languages, three kinds of file, and markup where text belongs."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

MARKUP = '<img src=x onerror="window.harmed=1">'
DOCUMENTS = {
    "bezoek.html": '<!doctype html><html lang="nl"><title>Bezoekuren</title><h1>Bezoekuren</h1>'
    "<p>De bezoekuren op de kraamafdeling zijn van 14 tot 20 uur. Per kamer zijn er hoogstens drie bezoekers.</p>"
    "<h2>Kinderafdeling</h2><p>Ouders mogen dag en nacht op de kinderafdeling blijven.</p>",
    "parking.md": "# Parking at the hospital\n\nThe car park costs 2 euro per hour and 12 euro per day. "
    "The first thirty minutes are free of charge.\n",
    "scanner.md": "# Préparer un scanner\n\nVous devez être à jeun quatre heures avant un scanner avec produit de "
    "contraste. Le service de radiologie se trouve au deuxième étage.\n",
    "rolstoel.html": '<!doctype html><html lang="nl"><title>Rolstoelen &lt;img src=x onerror="window.harmed=1"&gt;'
    "</title><p>Een rolstoel leent u gratis aan het onthaal: typ &lt;script&gt;window.harmed=1&lt;/script&gt; en neem "
    "uw &lt;b&gt;ticket&lt;/b&gt; mee.</p>",
    "pijnstilling.md": "# Pijnstilling na een ingreep\n\nVolwassenen krijgen paracetamol 1 gram om de zes uur, met een "
    "maximum van 4 gram per dag.\n",
}
FACTS = {"pijnstilling.md": {"audience": "clinician", "source_type": "protocol"}}


def large_pdf(title: str, line: str) -> bytes:
    """A page with a title, a line and a picture that no packing makes smaller: some five megabytes."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.setTitle(title)
    noise = Image.frombytes("RGB", (1400, 1200), random.Random(4).randbytes(1400 * 1200 * 3))
    for number, text in enumerate((title, line, "U vraagt het aan op de afdeling, bij de balie, voor 18 uur.")):
        canvas.drawString(72, 780 - 24 * number, text)
    canvas.drawImage(ImageReader(noise), 72, 72, 200, 180)
    canvas.save()
    return buffer.getvalue()


def pdf(title: str, *lines: str, password: str | None = None) -> bytes:
    """A page with a title and lines of text; locked when there is a password."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, encrypt=StandardEncryption(password) if password else None)
    canvas.setTitle(title)
    for number, line in enumerate((title, *lines)):
        canvas.drawString(72, 780 - 24 * number, line)
    canvas.save()
    return buffer.getvalue()


def write_library(folder: Path) -> int:
    """Write them all and their manifest; how many they are."""
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    lines = ("Het laboratorium is open op werkdagen van 7 uur 30 tot 17 uur.", "Neem een nummer aan het onthaal.")
    (folder / "laboratorium.pdf").write_bytes(pdf("Bloedafname in het laboratorium", *lines))
    # YAML reads JSON.
    (folder / "careline.yaml").write_text(json.dumps({"documents": FACTS}), encoding="utf-8")
    return len(DOCUMENTS) + 1
