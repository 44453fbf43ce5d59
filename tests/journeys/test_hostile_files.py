"""Ten files made to break an importer, in one folder with two good ones: each fails alone and says why."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from tests.journeys.process import Careline

GOOD = {
    "tuin.md": "# De tuin\n\nDe tuin van het ziekenhuis is open van zonsopgang tot zonsondergang.\n",
    "kapel.txt": "De kapel\n\nDe kapel op de gelijkvloerse verdieping is dag en nacht open voor iedereen.\n",
}
REASONS = {
    "beveiligd.pdf": "encrypted",
    "afgebroken.pdf": "corrupt",
    "leeg.txt": "empty",
    "dik.pdf": "too_many_pages",
    "bom.docx": "zip_bomb",
    "vermomd.pdf": "disguised",
    "tekens.html": "charset",
    "lang.md": "too_large",
    "koppeling.md": "symlink",
    "records.jsonl": "unsafe_name",
}
SECRET = "Dit staat buiten de map en mag niemand lezen."


def pdf(pages: int = 1, password: str | None = None) -> bytes:
    """A PDF with a line on its first page."""
    made = io.BytesIO()
    canvas = Canvas(made, encrypt=StandardEncryption(password) if password else None)
    canvas.drawString(72, 720, "De bibliotheek is open.")
    for _ in range(pages):
        canvas.showPage()
    canvas.save()
    return made.getvalue()


def bomb() -> bytes:
    """A DOCX of a few kilobytes that unpacks to 64 megabytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b" " * (64 << 20))
    return made.getvalue()


def write_hostile(folder: Path, outside: Path) -> None:
    """The ten files of `REASONS`."""
    record = {"id": "../../../escaped", "title": "Ontsnapt", "text": "Deze tekst wil naar een andere map."}
    files = {
        "beveiligd.pdf": pdf(password="geheim"),
        "afgebroken.pdf": pdf()[:400],
        "leeg.txt": b"",
        "dik.pdf": pdf(pages=2000),
        "bom.docx": bomb(),
        "vermomd.pdf": b"<!doctype html><html><body><h1>Geen PDF</h1><p>Dit is een webpagina.</p></body></html>",
        "tekens.html": '<!doctype html><meta charset="utf-8"><h1>Prélèvement</h1><p>À jeûn.</p>'.encode("cp1252"),
        "lang.md": b"woord " * (50_000_000 // 6),
        "records.jsonl": json.dumps(record).encode(),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "koppeling.md").symlink_to(outside)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "map"
    made.mkdir()
    for name, text in GOOD.items():
        (made / name).write_text(text, encoding="utf-8")
    outside = tmp_path / "buiten.md"
    outside.write_text(f"# Buiten\n\n{SECRET}\n", encoding="utf-8")
    write_hostile(made, outside)
    return made


def everything_in(folder: Path, *, without: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file below a folder but one."""
    paths = (path for path in folder.rglob("*") if path.is_file() and without not in path.parents)
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in paths}


def test_each_hostile_file_fails_alone_with_a_reason_and_the_good_ones_are_live(folder: Path, tmp_path: Path) -> None:
    careline = Careline(tmp_path / "home")
    before = everything_in(tmp_path, without=careline.home)
    report = careline.json("ingest", str(folder), code=1)
    assert report["live"] == len(GOOD)
    refused = {one["where"].split(",")[0].split(" (")[0]: one for one in report["refused"]}
    assert {name: one["reason"] for name, one in refused.items()} == REASONS
    assert all(one["message"].endswith((".", "characters", "points to", "BYTES", "200")) for one in refused.values())
    assert everything_in(tmp_path, without=careline.home) == before

    documents = careline.json("documents")["documents"]
    assert {one["file_name"] for one in documents if one["state"] == "live"} == set(GOOD)
    assert "zonsopgang" in careline.json("ask", "wanneer is de tuin van het ziekenhuis open")["text"]
    assert "dag en nacht" in careline.json("ask", "wanneer is de kapel open")["text"]
    assert SECRET not in json.dumps(careline.json("search", "--top", "100", SECRET))
    assert SECRET.encode() not in b"".join(path.read_bytes() for path in careline.home.rglob("*") if path.is_file())


def test_the_same_folder_again_takes_in_nothing_new(folder: Path, tmp_path: Path) -> None:
    for name in ("dik.pdf", "bom.docx", "lang.md"):
        (folder / name).unlink()
    careline = Careline(tmp_path / "home")
    careline.json("ingest", str(folder), code=1)
    again = careline.json("ingest", str(folder), code=1)
    assert (again["live"], again["unchanged"], len(again["refused"])) == (0, len(GOOD), len(REASONS) - 3)


def test_an_upload_whose_name_leads_elsewhere_is_refused(home_of_their_own: Callable[[], Careline]) -> None:
    content = b"# Uit\n\nDeze tekst ontsnapt niet.\n"
    with home_of_their_own().served() as server:
        for name in ("../../uit.md", "/etc/uit.md", "map/../../uit.md", "..\\uit.md", "a\u202eb.md"):
            refused = server.client.post("/v1/documents", files={"file": (name, content)})
            assert (name, refused.status_code, refused.json()["error_code"]) == (name, 422, "DOCUMENT_REJECTED")
        assert "Uit" not in server.client.get("/v1/documents").text


def test_the_limit_of_pages_is_a_setting(tmp_path: Path) -> None:
    (tmp_path / "twee.pdf").write_bytes(pdf(pages=2))
    report = Careline(tmp_path / "home", {"CARELINE_MAX_PAGES": "1"}).json("ingest", str(tmp_path / "twee.pdf"), code=1)
    assert [one["reason"] for one in report["refused"]] == ["too_many_pages"]
