"""Reads what lies on top of a PDF's page: the values of form fields with their labels, text boxes, and notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from careline.knowledge.extract.rejections import rejected

_MOST_OPTIONS = 500
_MOST_CHARACTERS = 1_000_000
"""Of all annotations of one page, each as often as it is named."""

_HIDDEN = 0x2 | 0x20
"""Flags `Hidden` and `NoView` (ISO 32000-2, table 167): what no reader sees is not what the document says."""

_PASSWORD = 1 << 13
_MADE_UP_NAME = re.compile(
    r"(?i)(?:text|field|undefined|check ?box|dropdown|combo ?box|group|veld|champ|campo)?[\W_\d]*"
)
"""Names that form programs give to fields by themselves."""


def form_of(document: Any) -> Any:
    """What pdfium needs to know of a document's form before its pages are opened; None when it has no form."""
    if document.get_formtype() == 0:
        return None
    document.init_forms()
    return document.formenv.raw if document.formenv is not None else None


def read_annotations(page: Any, form: Any) -> tuple[str, ...]:
    """The texts on top of a page, each once, in the order of the file. The caller holds the pdfium lock.

    Raises: DocumentRejected `too_large`.
    """
    import pypdfium2.raw as pdfium

    found: dict[str, None] = {}
    characters = 0
    for text in _texts(pdfium, page.raw, form):
        characters += len(text)
        if characters > _MOST_CHARACTERS:
            raise rejected("too_large", limit=f"{_MOST_CHARACTERS:,} characters of annotations on one page")
        found.setdefault(text)
    return tuple(text for text in found if text)


def _texts(pdfium: Any, page: Any, form: Any) -> Iterator[str]:
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            if not pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
                yield _text(pdfium, annotation, form)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _text(pdfium: Any, annotation: Any, form: Any) -> str:
    kind = pdfium.FPDFAnnot_GetSubtype(annotation)
    if kind in (pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_TEXT):
        return _said(pdfium, pdfium.FPDFAnnot_GetStringValue, annotation, b"Contents")
    if kind == pdfium.FPDF_ANNOT_WIDGET and form is not None:
        value = _value(pdfium, annotation, form)
        label = _label(pdfium, annotation, form)
        return f"{label}: {value}" if value and label else value
    return ""


def _label(pdfium: Any, annotation: Any, form: Any) -> str:
    """What a reader is told about a field: its tooltip, else its own name unless a program made that up."""
    told = _said(pdfium, pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
    if told:
        return told.rstrip(" :")
    name = _said(pdfium, pdfium.FPDFAnnot_GetFormFieldName, form, annotation).rpartition(".")[2]
    return "" if _MADE_UP_NAME.fullmatch(name[:60]) else name.replace("_", " ").strip()


def _value(pdfium: Any, annotation: Any, form: Any) -> str:
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON):
        if not pdfium.FPDFAnnot_IsChecked(form, annotation):
            return ""
        return _said(pdfium, pdfium.FPDFAnnot_GetFormFieldExportValue, form, annotation) or "x"
    if kind in (pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX):
        chosen = ", ".join(_chosen(pdfium, annotation, form))
        return chosen or _said(pdfium, pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
    secret = pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD
    if kind != pdfium.FPDF_FORMFIELD_TEXTFIELD or secret:
        return ""
    return _said(pdfium, pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)


def _chosen(pdfium: Any, annotation: Any, form: Any) -> Iterator[str]:
    for index in range(min(_MOST_OPTIONS, pdfium.FPDFAnnot_GetOptionCount(form, annotation))):
        if pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index):
            yield _said(pdfium, pdfium.FPDFAnnot_GetOptionLabel, form, annotation, index)


def _said(pdfium: Any, ask: Callable[..., int], *about: Any) -> str:
    """A text that pdfium writes into a buffer as UTF-16, once it has said how long it is in bytes."""
    size = ask(*about, None, 0)
    if size <= 2:
        return ""
    buffer = (pdfium.FPDF_WCHAR * (size // 2 + 1))()
    ask(*about, buffer, size)
    text = bytes(buffer).decode("utf-16-le", "replace").rstrip("\0").replace("\r", "\n")
    return " ".join(text.replace("\0", "").split())
