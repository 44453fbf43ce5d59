"""The routes of a hospital's directory, a part of the table in `careline.web.routes`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from careline.directory.directory import Directory
from careline.directory.entry_json import ALL_SECTIONS
from careline.identity import Role
from careline.schemas.directory import DirectoryChanges, DirectoryFindings, DirectorySaved, RejectedDirectory
from careline.web.operation import JSON, OCTETS, Operation, Parameter, Reply

YAML = "application/yaml"
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FHIR = "application/fhir+json"
MERGE_PATCH = "application/merge-patch+json"
FORMS: Mapping[str, str] = MappingProxyType({"json": JSON, "yaml": YAML, "xlsx": WORKBOOK, "fhir": FHIR})
"""What a directory is sent and taken as: the name of the form, and its media type."""
PATH_PARAMETERS: Mapping[str, str] = MappingProxyType(
    {
        "section": f"One of {', '.join(ALL_SECTIONS)}.",
        "entry_id": "`id` of the entry; `hospital` for the hospital itself, the department's id for lay words.",
        "number": "The edition that the change made.",
    }
)
_FLAG: Mapping[str, Any] = MappingProxyType({"enum": ["true", "false", "1", "0"]})
_LIMIT: Mapping[str, Any] = MappingProxyType({"type": "integer", "minimum": 1, "maximum": 1000})
_ENTRY: Mapping[str, Any] = MappingProxyType(
    {"type": "object", "description": "An entry as it stands in its section of `Directory`; what is not set is absent."}
)
_DRY_RUN = Parameter("dry_run", _FLAG, "`true` says what is wrong and what would change, and keeps nothing.")
_NOTE = Parameter("note", {"type": "string", "maxLength": 300}, "Why, for the history.")
_FORM = Parameter("form", {"enum": list(FORMS)}, "What it is sent as; told from `Accept` when absent, else json.")
_LANGUAGE = Parameter("language", {"enum": ["nl", "en", "fr", "it"]}, "Of its headings; English when absent.")
_SAVED = Reply(200, "What was changed; `ETag` is that of what holds now.", DirectorySaved)
_UNCHANGED = Reply(304, "It is as `If-None-Match` has it.")
_PLACE, _ENTRY_PLACE = "/v1/admin/directory", "/v1/admin/directory/{section}/{entry_id}"
READ, CHANGED = Role.MANAGER, Role.ADMIN

OPERATIONS = (
    Operation(
        "showDirectory", "GET", _PLACE, "admin", READ,
        "The hospital's directory as it holds; `ETag` names the edition.",
        (Reply(200, "All of it.", Directory, others=(YAML, WORKBOOK, FHIR)), _UNCHANGED),
        (400,),
        query=(_FORM,),
    ),
    Operation(
        "replaceDirectory", "PUT", _PLACE, "admin", CHANGED,
        "Take the whole directory in; `If-Match` names the edition that it was made of.",
        (_SAVED,),
        (400, 409, 412, 413, 415, 422, 428),
        takes=Directory,
        sent_as=(JSON, YAML, WORKBOOK, FHIR, OCTETS),
        query=(_DRY_RUN, _NOTE),
        counted="change",
        rejected=RejectedDirectory,
    ),
    Operation(
        "checkDirectory", "GET", f"{_PLACE}/check", "admin", READ,
        "What a person should look at: what is missing, what has ended, what was not confirmed for a year.",
        (Reply(200, "Warnings.", DirectoryFindings),),
    ),
    Operation(
        "listDirectoryChanges", "GET", f"{_PLACE}/changes", "admin", READ,
        "Who changed what in the directory, the last change first.",
        (Reply(200, "Changes.", DirectoryChanges),),
        (400,),
        query=(Parameter("limit", _LIMIT, "How many at most; 50 when absent."),),
    ),
    Operation(
        "undoDirectoryChange", "POST", f"{_PLACE}/changes/{{number}}/undo", "admin", CHANGED,
        "Take back one change; what was changed since stays.",
        (_SAVED,),
        (404, 409, 422),
        counted="change",
        rejected=RejectedDirectory,
    ),
    Operation(
        "showDirectoryTemplate", "GET", f"{_PLACE}/template", "admin", READ,
        "The workbook to fill in.",
        (Reply(200, "A workbook.", media_type=WORKBOOK),),
        (400,),
        query=(_LANGUAGE,),
    ),
    Operation(
        "showDirectoryEntry", "GET", _ENTRY_PLACE, "admin", READ,
        "One entry; `ETag` changes with it.",
        (Reply(200, "The entry.", _ENTRY), _UNCHANGED),
        (404,),
    ),
    Operation(
        "putDirectoryEntry", "PUT", _ENTRY_PLACE, "admin", CHANGED,
        "Add an entry (`If-None-Match: *`) or write it anew (`If-Match`).",
        (_SAVED,),
        (400, 404, 409, 412, 413, 415, 422, 428),
        takes=_ENTRY,
        query=(_NOTE,),
        counted="change",
        rejected=RejectedDirectory,
    ),
    Operation(
        "changeDirectoryEntry", "PATCH", _ENTRY_PLACE, "admin", CHANGED,
        "Change fields of an entry by a JSON merge patch (RFC 7396); null takes a field away.",
        (_SAVED,),
        (400, 404, 409, 412, 413, 415, 422),
        takes=_ENTRY,
        sent_as=(MERGE_PATCH, JSON),
        query=(_NOTE,),
        counted="change",
        rejected=RejectedDirectory,
    ),
    Operation(
        "removeDirectoryEntry", "DELETE", _ENTRY_PLACE, "admin", CHANGED,
        "Remove an entry that no other one names.",
        (_SAVED,),
        (400, 404, 409, 412, 422),
        query=(_NOTE,),
        counted="change",
        rejected=RejectedDirectory,
    ),
)  # fmt: skip
