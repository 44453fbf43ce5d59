"""The demonstration documents must be real files: these tests open each format with the reader a stranger would use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import lxml.html  # type: ignore[import-untyped]
import pypdfium2  # type: ignore[import-untyped]
import pytest
import yaml
from docx import Document

from careline_local.demo.build_documents import WRITERS, SourcesRejected, build, find_sources, main
from careline_local.demo.page_furniture import furniture_by_language
from careline_local.demo.read_source import LANGUAGES

HOSPITAL = {
    "nl": "Ziekenhuis Proefdorp",
    "fr": "Hôpital de Proefdorp",
    "it": "Ospedale di Proefdorp",
    "en": "Proefdorp Hospital",
}
HYPHENATED = "\ufffe"  # how pdfium gives back a hyphen that a line break put into a word
OPENING = (
    "De **ziekenhuisapotheker** bespreekt uw thuismedicatie met de behandelende arts en noteert "
    "geneesmiddelenallergieën in het elektronisch patiëntendossier, zodat de continuïteit van uw behandeling "
    "gewaarborgd blijft. Arbeidsongeschiktheidsattesten worden door de *sociale dienst* afgehandeld.\n"
)
BODY = f"""\
# Uw opname & verblijf

{OPENING}
> **Let op:** “nuchter” betekent ≥ 6 uur niet eten; SpO₂ en 10⁹/L zijn meetwaarden.

## Meebrengen

- Identiteitskaart
- Medicatie
  - ook druppels
- Bel [het onthaal](https://www.proefdorp.example/onthaal)

1. Meld u aan.
2. Wacht.

### Prijzen

| Kamer | Prijs per dag (€) |
| --- | ---: |
| Eenpersoonskamer | 62,50 |
| Meerpersoonskamer | 0 |

## Daarna

1. Ga naar huis.

"""


def write_source(folder: Path, name: str = "opname", body: str = BODY, **front: Any) -> Path:
    facts = {
        "title": "Uw opname & verblijf", "format": "pdf", "source_type": "brochure", "identifier": name,
        "language": "nl", "audience": "patient", "valid_from": date(2025, 3, 3), "owner": "Onthaal", "campus": "Noord",
    }  # fmt: skip
    given = {key: value for key, value in {**facts, **front}.items() if value is not None}
    path = folder / "sources" / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"---\n{yaml.safe_dump(given, allow_unicode=True)}---\n\n{body}", encoding="utf-8")
    return path


def built(folder: Path, sources: Sequence[Path]) -> dict[str, bytes]:
    target = build(sources, folder, hospital=HOSPITAL).parent
    return {str(path.relative_to(target)): path.read_bytes() for path in target.rglob("*.*")}


def pdf_pages(path: Path) -> list[str]:
    pdf = pypdfium2.PdfDocument(path)
    pages = [page.get_textpage().get_text_range() for page in pdf]
    pdf.close()
    return pages


def rejection(folder: Path, *sources: Path) -> str:
    with pytest.raises(SourcesRejected) as caught:
        build(sources, folder / "out", hospital=HOSPITAL)
    (line,) = caught.value.lines
    return line


def test_the_same_sources_give_the_same_bytes_in_every_format(tmp_path: Path) -> None:
    sources = [write_source(tmp_path, f"opname-{kind}", format=kind) for kind in WRITERS]

    first, second = built(tmp_path / "first", sources), built(tmp_path / "second", sources)

    assert first == second
    assert len(first) == len(WRITERS) + 1


def test_a_pdf_is_a_brochure_with_header_page_numbers_and_print_date(tmp_path: Path) -> None:
    source = write_source(tmp_path, body=BODY + f"{OPENING}\n" * 30, running_header="Opname en verblijf")

    build([source], tmp_path / "out", hospital=HOSPITAL)

    pages = pdf_pages(tmp_path / "out/nl/opname.pdf")
    assert len(pages) > 1
    for number, page in enumerate(pages, 1):
        assert page.startswith("Ziekenhuis Proefdorp brochure nr. ")
        assert "Opname en verblijf" in page
        assert page.rstrip().endswith(f"pagina {number} van {len(pages)} gedrukt op 03/03/2025")


def test_a_pdf_has_words_hyphenated_at_line_ends(tmp_path: Path) -> None:
    build([write_source(tmp_path, body=BODY + f"{OPENING}\n" * 3)], tmp_path / "out", hospital=HOSPITAL)

    text = "".join(pdf_pages(tmp_path / "out/nl/opname.pdf"))

    assert re.search(rf"\w{HYPHENATED}\w", text)
    assert "geneesmiddelenallergieën" in text.replace(HYPHENATED, "")


def test_a_pdf_keeps_signs_that_change_a_meaning(tmp_path: Path) -> None:
    build([write_source(tmp_path)], tmp_path / "out", hospital=HOSPITAL)

    text = "".join(pdf_pages(tmp_path / "out/nl/opname.pdf"))

    for words in ("“nuchter” betekent ≥ 6 uur", "SpO2 en 10^9/L", "Prijs per dag (€)", "62,50", "Uw opname & verblijf"):
        assert words in text


def test_a_pdf_says_its_title_author_and_language(tmp_path: Path) -> None:
    source = write_source(tmp_path, authors=["Dr. A. Peeters", "B. Maes"])

    build([source], tmp_path / "out", hospital=HOSPITAL)

    content = (tmp_path / "out/nl/opname.pdf").read_bytes()
    facts = pypdfium2.PdfDocument(content).get_metadata_dict()
    assert (facts["Title"], facts["Author"]) == ("Uw opname & verblijf", "Dr. A. Peeters, B. Maes")
    assert b"/Lang (nl-BE)" in content


def test_some_pdfs_are_set_in_two_columns_read_one_after_the_other(tmp_path: Path) -> None:
    sources = [write_source(tmp_path, f"opname-{number}", body=BODY + f"{OPENING}\n" * 30) for number in range(12)]

    build(sources, tmp_path / "out", hospital=HOSPITAL)

    longest_lines = [
        max(len(line) for line in re.split(rf"\r\n|{HYPHENATED}", pdf_pages(path)[1]))
        for path in (tmp_path / "out/nl").glob("*.pdf")
    ]
    assert 0 < sum(longest < 75 for longest in longest_lines) < len(sources)


def test_a_word_file_has_real_headings_lists_tables_and_properties(tmp_path: Path) -> None:
    build([write_source(tmp_path, format="docx")], tmp_path / "out", hospital=HOSPITAL)

    word = Document(str(tmp_path / "out/nl/opname.docx"))

    styled = {(p.style.name if p.style else "", p.text) for p in word.paragraphs}
    assert {
        ("Heading 1", "Uw opname & verblijf"), ("Heading 2", "Meebrengen"), ("List Bullet", "Medicatie"),
        ("List Bullet 2", "ook druppels"), ("List Number", "Meld u aan."), ("List Bullet", "Bel het onthaal"),
    } <= styled  # fmt: skip
    assert [cell.text for cell in word.tables[0].rows[1].cells] == ["Eenpersoonskamer", "62,50"]
    assert word.core_properties.title == "Uw opname & verblijf"
    assert word.core_properties.language == "nl-BE"
    assert word.sections[0].header.paragraphs[0].text.startswith("Ziekenhuis Proefdorp")


def test_a_word_file_counts_its_pages_and_starts_every_list_at_one(tmp_path: Path) -> None:
    build([write_source(tmp_path, format="docx")], tmp_path / "out", hospital=HOSPITAL)

    with ZipFile(tmp_path / "out/nl/opname.docx") as package:
        footer = package.read("word/footer1.xml").decode()
    numbered = [
        p
        for p in Document(str(tmp_path / "out/nl/opname.docx")).paragraphs
        if p.style and p.style.name == "List Number"
    ]
    assert re.findall(r'w:instr="(\w+)"', footer) == ["PAGE", "NUMPAGES"]
    first, second, third = (p._p.xpath("string(w:pPr/w:numPr/w:numId/@w:val)") for p in numbered)
    assert first == second != third


def test_a_web_page_holds_the_document_in_its_article_and_a_site_around_it(tmp_path: Path) -> None:
    build([write_source(tmp_path, format="html")], tmp_path / "out", hospital=HOSPITAL)

    page = lxml.html.fromstring((tmp_path / "out/nl/opname.html").read_bytes())

    (article,) = page.xpath("//main/article")
    assert page.get("lang") == "nl-BE"
    assert article.xpath("string(h1)") == "Uw opname & verblijf"
    assert article.xpath("count(.//table//tr)") == 3
    assert article.xpath("string(ul/li/ul/li)") == "ook druppels"
    assert page.xpath("//meta[@name='description']/@content")[0].startswith("De ziekenhuisapotheker")
    for around in ("cookies", "Bloemenkiosk", "Privacyverklaring", "Startpagina"):
        assert around in page.text_content()
        assert around not in article.text_content()


def test_a_markdown_file_keeps_the_facts_and_drops_what_is_only_for_print(tmp_path: Path) -> None:
    build([write_source(tmp_path, format="md")], tmp_path / "out", hospital=HOSPITAL)

    _, front, body = (tmp_path / "out/nl/opname.md").read_text(encoding="utf-8").split("---\n", 2)

    facts = yaml.safe_load(front)
    assert facts["valid_from"] == date(2025, 3, 3)
    assert not {"format", "campus", "running_header"} & facts.keys()
    assert body.strip() == BODY.strip()


def test_a_text_file_fits_78_characters_and_lines_up_its_tables(tmp_path: Path) -> None:
    build([write_source(tmp_path, format="txt")], tmp_path / "out", hospital=HOSPITAL)

    text = (tmp_path / "out/nl/opname.txt").read_text(encoding="utf-8")

    assert max(map(len, text.splitlines())) <= 78
    assert text.startswith("Uw opname & verblijf\n====================\n")
    assert "Eenpersoonskamer   62,50\nMeerpersoonskamer  0\n" in text
    assert "\n- Medicatie\n  - ook druppels\n" in text
    assert "**" not in text


def test_the_manifest_lists_every_document_with_only_the_facts_given(tmp_path: Path) -> None:
    dutch = write_source(tmp_path, "parkeren", owner=None, valid_from=None)
    french = write_source(tmp_path, "stationner", identifier="parkeren", language="fr", format="html", year=2024)

    manifest = build([french, dutch], tmp_path / "out", hospital=HOSPITAL)

    assert manifest == tmp_path / "out/careline.yaml"
    documents = yaml.safe_load(manifest.read_text(encoding="utf-8"))["documents"]
    assert list(documents) == ["fr/stationner.html", "nl/parkeren.pdf"]
    assert documents["nl/parkeren.pdf"] == {
        "doc_key": "brochure-parkeren-nl",
        "title": "Uw opname & verblijf",
        "source_type": "brochure",
        "language": "nl",
        "audience": "patient",
    }
    assert documents["fr/stationner.html"]["doc_key"] == "brochure-parkeren-fr"
    assert documents["fr/stationner.html"]["year"] == 2024


def test_progress_is_told_after_every_source(tmp_path: Path) -> None:
    sources = [write_source(tmp_path, f"opname-{number}", format="txt") for number in range(3)]
    told: list[tuple[int, int]] = []

    build(sources, tmp_path / "out", lambda done, total: told.append((done, total)), hospital=HOSPITAL)

    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("front", "complaint"),
    [
        ({"title": None, "identifier": None}, "the front matter has no title, identifier"),
        ({"format": "odt"}, "format 'odt' is not one of pdf, docx, html, md, txt"),
        ({"language": "de"}, "language 'de' is not one of nl, fr, it, en"),
        ({"langauge": "nl"}, "the front matter has an unknown key: langauge"),
        ({"identifier": "Op Name"}, "identifier 'Op Name' is not lower-case letters and digits joined by - or _"),
        ({"review_date": "spring"}, "review_date 'spring' is not a date like 2026-01-31"),
    ],
)
def test_bad_front_matter_is_reported_in_one_line_that_names_the_file(
    tmp_path: Path, front: dict[str, Any], complaint: str
) -> None:
    source = write_source(tmp_path, "fout", **front)

    assert rejection(tmp_path, source) == f"{source}: {complaint}"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"# No front matter\n", "does not start with front matter"),
        (b"---\ntitle: [\n---\n\nText\n", "the front matter is not YAML"),
        (b"---\njust words\n---\n\nText\n", "the front matter is not a list of keys and values"),
        (b"---\ntitle: caf\xe9\n---\n", "the file is not UTF-8 text"),
    ],
)
def test_a_file_that_is_not_a_source_is_reported_in_one_line(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "fout.md"
    path.write_bytes(content)

    line = rejection(tmp_path, path)

    assert line.startswith(f"{path}: ")
    assert complaint in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("![foto](foto.png)\n", "image"),
        ("```\ncode\n```\n", "fence"),
        ("# Titel\n\n\U0001f637 mondmasker\n", "U+1F637"),
        (f"| Vraag | Antwoord |\n| --- | --- |\n| Waarom? | {'omdat het moet ' * 2000} |\n", "does not fit"),
    ],
)
def test_content_that_would_be_lost_on_paper_is_reported(tmp_path: Path, body: str, complaint: str) -> None:
    assert complaint in rejection(tmp_path, write_source(tmp_path, body=body))


def test_a_rejected_source_costs_no_other_document(tmp_path: Path) -> None:
    good, bad, last = (write_source(tmp_path, name) for name in ("goed", "slecht", "laatst"))
    bad.write_text("", encoding="utf-8")

    line = rejection(tmp_path, good, bad, last)

    assert str(bad) in line
    documents = yaml.safe_load((tmp_path / "out/careline.yaml").read_text(encoding="utf-8"))["documents"]
    assert list(documents) == ["nl/goed.pdf", "nl/laatst.pdf"]
    assert all((tmp_path / "out" / name).exists() for name in documents)


def test_two_sources_that_claim_one_document_key_are_reported(tmp_path: Path) -> None:
    first, second = write_source(tmp_path, "een"), write_source(tmp_path, "twee", identifier="een")

    assert rejection(tmp_path, first, second) == f"{second}: brochure-een-nl is already made from {first}"


def test_every_language_has_its_phrases_and_its_hyphenation(tmp_path: Path) -> None:
    assert set(furniture_by_language()) == set(LANGUAGES)
    sources = [write_source(tmp_path, f"opname-{language}", language=language) for language in LANGUAGES]

    build(sources, tmp_path / "out", hospital=HOSPITAL)

    for language, footer in {
        "nl": "pagina 1 van 1",
        "fr": "page 1 sur 1",
        "it": "pagina 1 di 1",
        "en": "page 1 of 1",
    }.items():
        assert footer in pdf_pages(tmp_path / f"out/{language}/opname-{language}.pdf")[0]


def test_all_committed_sources_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 0, capsys.readouterr().err
    assert len(list(tmp_path.glob("*/*"))) == len(find_sources())


def test_the_command_without_a_target_says_how_to_use_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("usage:")
