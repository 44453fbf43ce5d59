"""Reads a PDF page by page: its own text where it has any, a recognised picture of text where it has none."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from careline.errors import DocumentRejected
from careline.knowledge.extract import facts, text
from careline.knowledge.extract.admission import kind_of
from careline.knowledge.extract.pdf import ocr
from careline.knowledge.extract.pdf.annotations import form_of, read_annotations
from careline.knowledge.extract.pdf.blocks import (
    Typography,
    blocks_of,
    lines_of,
    plain,
    typography,
    with_whole_headings,
)
from careline.knowledge.extract.pdf.columns import reading_order
from careline.knowledge.extract.pdf.geometry import Line, PageWord
from careline.knowledge.extract.pdf.glyphs import Sheet, read_sheet
from careline.knowledge.extract.pdf.streams import check_streams
from careline.knowledge.extract.pdf.tables.banded import take_tables_without_grid
from careline.knowledge.extract.pdf.tables.beside import with_own_headings
from careline.knowledge.extract.pdf.tables.ruled import take_ruled_tables
from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits
from careline.model import LeftOut
from careline.tables.extracted import Block, BlockKind, Extracted, Page

FEWEST_CHARACTERS = 100
"""A page with less text than this is recognised when it shows a picture."""

_ENOUGH_CHARACTERS = 20
"""A page with this much text (a cover with a photo) is kept as it is where nothing can recognise its picture."""

_PICTURE_SHARE = 0.05
"""Share of the page that pictures must cover to be worth recognising: a logo is not a scan."""

_LOST_SHARE = 0.1
_FEWEST_LOST = 20
"""A page is recognised when this share of its letters, and so many, are of fonts that do not say what they are."""

_TOLD_SHARE = 0.01
_MOST_TOLD = 20
_LOST = (
    "Letters of which the fonts do not say what they are could not be read: {pages}. Export the file again with its "
    "text (PDF/A, or tagged for accessibility), or install tesseract, which recognises such pages."
)

_DOTS_PER_POINT = 300 / 72
_MOST_PIXELS = 30_000_000
_PDFIUM = threading.Lock()
"""Pdfium is not thread-safe (pypdfium2 README, "Thread incompatibility"): one caller at a time in a process."""

_PDF_DATE = re.compile(r"D:(\d{4})")
_MOST_OUTLINE_ENTRIES = 5_000


@dataclass(frozen=True, slots=True)
class _Read:
    """One page: its regions of lines, or the text that was recognised on it, and what lies on top of it."""

    regions: tuple[tuple[Line, ...], ...]
    turned: str
    recognised: str | None
    warning: str | None
    on_top: tuple[str, ...]
    lost: float
    hidden: str = ""
    struck: str = ""


def read(content: bytes, limits: Limits) -> Extracted:
    """The text of a PDF with its headings, lists and tables; two columns are read one after the other.

    Raises: DocumentRejected `disguised`, `corrupt`, `encrypted`, `too_many_pages`, `too_large`, `zip_bomb`,
    `ocr_unavailable`.
    """
    _check(content, limits)
    with _opened(content) as document:
        with _PDFIUM:
            form = form_of(document)
            count = len(document)
            stated, outline = _stated(document), _outline(document)
        if count > limits.max_pages:
            raise rejected("too_many_pages", pages=count, limit=limits.max_pages)
        pages = list(_pages(document, form, count, limits, stated.get("language")))
    style = typography([line for page in pages for region in page.regions for line in region], outline)
    finished = tuple(
        Page(number, _blocks(page, style), page.recognised is not None) for number, page in enumerate(pages, 1)
    )
    stated = facts.with_title(stated, (block for page in finished[:3] for block in page.blocks))
    warnings = [page.warning for page in pages if page.warning] + _losses([page.lost for page in pages])
    return Extracted(finished, stated, tuple(warnings), paged=True)


def _check(content: bytes, limits: Limits) -> None:
    kind = kind_of(content)
    if kind not in (None, "a PDF") or (kind is None and b"%PDF-" not in content[:1024]):
        found = kind or "something else"
        raise rejected("disguised", extension=".pdf", found=found)
    if b"%%EOF" not in content[-2048:].rstrip(b"\0") and b"%%EOF" not in content[-65_536:].rstrip(b"\0\r\n ")[-2048:]:
        raise rejected("corrupt", detail="it stops before its end")
    check_streams(content, limits)


@contextmanager
def _opened(content: bytes) -> Iterator[Any]:
    import pypdfium2
    import pypdfium2.raw as pdfium

    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(content)
        except pypdfium2.PdfiumError as error:
            if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
                raise rejected("encrypted") from error
            raise rejected("corrupt", detail="its structure cannot be read") from error
    try:
        yield document
    finally:
        with _PDFIUM:
            document.close()


def _pages(document: Any, form: Any, count: int, limits: Limits, language: object) -> Iterator[_Read]:
    characters = 0
    for index in range(count):
        sheet, on_top, picture = _sheet(document, form, index)
        characters += sheet.characters + sum(map(len, on_top))
        if characters > limits.max_characters:
            raise rejected("too_large", limit=f"{limits.max_characters:,} characters")
        recognised, warning = None, None
        if picture is not None:
            recognised, warning = _recognised(sheet, picture, index + 1, limits, language)
        if recognised is not None:
            yield _Read((), "", recognised, warning, on_top, 0.0, _joined(sheet.hidden))
        else:
            turned, unseen, crossed = _joined(sheet.turned), _joined(sheet.hidden), _joined(sheet.struck)
            yield _Read(_regions(sheet), turned, None, warning, on_top, sheet.lost, unseen, crossed)


def _joined(words: tuple[PageWord, ...]) -> str:
    return " ".join(word.text for word in words)


def _losses(lost: list[float]) -> list[str]:
    """A warning that names the pages of which letters were lost, with the share of each."""
    told = [f"{share:.0%} of page {number}" for number, share in enumerate(lost, 1) if share >= _TOLD_SHARE]
    more = [f"and {len(told) - _MOST_TOLD} pages more"] if len(told) > _MOST_TOLD else []
    return [_LOST.format(pages=", ".join(told[:_MOST_TOLD] + more))] if told else []


def _sheet(document: Any, form: Any, index: int) -> tuple[Sheet, tuple[str, ...], bytes | None]:
    """What stands on a page, what lies on top of it, and its picture when it has to be recognised."""
    import pypdfium2

    with _PDFIUM:
        try:
            page = document[index]
        except pypdfium2.PdfiumError as error:
            raise rejected("corrupt", detail=f"page {index + 1} cannot be read") from error
        try:
            sheet = read_sheet(page)
            needed = _is_scanned(sheet) or (sheet.lost >= _LOST_SHARE and sheet.unmapped >= _FEWEST_LOST)
            return sheet, read_annotations(page, form), _picture(page) if needed else None
        finally:
            page.close()


def _is_scanned(sheet: Sheet) -> bool:
    return sheet.characters < FEWEST_CHARACTERS and sheet.picture_share >= _PICTURE_SHARE


def _picture(page: Any) -> bytes:
    """The page in grey at 300 dots an inch, as a portable graymap."""
    width, height = page.get_size()
    scale = min(_DOTS_PER_POINT, (_MOST_PIXELS / max(1.0, width * height)) ** 0.5)
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        grey = bytes(bitmap.buffer)
        rows = (grey[row * bitmap.stride : row * bitmap.stride + bitmap.width] for row in range(bitmap.height))
        return b"P5 %d %d 255\n" % (bitmap.width, bitmap.height) + b"".join(rows)
    finally:
        bitmap.close()


def _recognised(
    sheet: Sheet, picture: bytes, number: int, limits: Limits, language: object
) -> tuple[str | None, str | None]:
    """The text on a page's picture when that is more than the page itself says."""
    try:
        languages = ocr.languages_for(language if isinstance(language, str) else None, number)
    except DocumentRejected as unavailable:
        if not _is_scanned(sheet):
            return None, None  # The warning of lost letters says the same for all such pages together.
        if sheet.characters < _ENOUGH_CHARACTERS:
            raise
        return None, unavailable.message
    found = ocr.read_picture(picture, languages, limits.ocr_seconds_per_page)
    if found is None:
        return None, f"Page {number} could not be recognised within {limits.ocr_seconds_per_page:g} seconds."
    return (found, None) if len("".join(found.split())) > sheet.characters else (None, None)


def _regions(sheet: Sheet) -> tuple[tuple[Line, ...], ...]:
    tables, words = take_ruled_tables(sheet.words, sheet.rules) if sheet.rules else ([], list(sheet.words))
    others, segments = take_tables_without_grid(words, sheet.rules)
    regions = [part for region in reading_order(segments + tables + others) for part in with_own_headings(region)]
    return tuple(tuple(lines_of(region)) for region in regions)


def _blocks(page: _Read, style: Typography) -> tuple[Block, ...]:
    kinds = ((page.struck, LeftOut.STRUCK), (page.hidden, LeftOut.HIDDEN))
    left_out = (Block(BlockKind.PARAGRAPH, said, left_out=kind) for said, kind in kinds if said)
    return (*_seen_blocks(page, style), *left_out)


def _seen_blocks(page: _Read, style: Typography) -> tuple[Block, ...]:
    added = tuple(Block(BlockKind.PARAGRAPH, said) for said in (page.turned, *page.on_top) if said)
    if page.recognised is not None:
        return *text.blocks(page.recognised), *added
    return *with_whole_headings(block for region in page.regions for block in blocks_of(region, style)), *added


def _stated(document: Any) -> dict[str, object]:
    """Title, authors and year of the information dictionary, language of the catalogue."""
    import ctypes

    import pypdfium2.raw as pdfium

    title, author, created = (
        _readable(partial(document.get_metadata_value, name)) for name in ("Title", "Author", "CreationDate")
    )
    made = _PDF_DATE.match(created)
    size = pdfium.FPDFCatalog_GetLanguage(document.raw, None, 0)
    language = ""
    if 2 < size <= 200:
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDFCatalog_GetLanguage(document.raw, ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), size)
        language = buffer.raw.decode("utf-16-le", "ignore").rstrip("\0")
    return facts.stated(
        {
            "title": title,
            "authors": author,
            "year": made.group(1) if made else "",
            "language": language,
        }
    )


def _outline(document: Any) -> dict[str, int]:
    """Titles of the bookmarks with their levels from 1."""
    found: dict[str, int] = {}
    for _, bookmark in zip(range(_MOST_OUTLINE_ENTRIES), document.get_toc(max_depth=5), strict=False):
        if title := plain(_readable(bookmark.get_title)):
            found.setdefault(title, bookmark.level + 1)
    return found


def _readable(ask: Callable[[], str | None]) -> str:
    """A text of the file's structure; one that is not UTF-16 as it should be is none."""
    try:
        return ask() or ""
    except UnicodeDecodeError:
        return ""
