"""Every route of the HTTP API, in one table.

The apps, the check of roles, the published description, the gateway's routes and the table in docs/api.md are made of
it. What is not in it is refused to everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from careline.identity import Role
from careline.model import JobState
from careline.schemas import wire
from careline.schemas.answers import AnswerBody, AnswerPage, AnswerRequest, AnswerSaved
from careline.schemas.library import (
    Begun,
    DecisionMade,
    DocumentPage,
    DocumentPassages,
    DocumentText,
    HeldBack,
    HeldText,
    JobBody,
    Jobs,
    Unchanged,
    UploadOffer,
    UploadTaken,
    Versions,
)
from careline.schemas.oversight import Erasure, Explanation, Export, TurnRecord, VerdictBody
from careline.schemas.questions import (
    ConversationBody,
    ConversationList,
    Health,
    Packs,
    SearchResult,
    Session,
    SuggestedQuestions,
)
from careline.speech.line import PhoneLine
from careline.web import directory_routes, proposal_routes
from careline.web.operation import (
    JSON,
    MULTIPART,
    NOBODY,
    OCTETS,
    URL_ENCODED,
    Operation,
    Parameter,
    Reply,
    Server,
)

CALLER, USER, MANAGER, ADMIN, OWNER = Role.CALLER, Role.USER, Role.MANAGER, Role.ADMIN, Role.OWNER
PATH_PARAMETERS: Mapping[str, str] = MappingProxyType(
    {
        "conversation_id": "The conversation.",
        "turn_id": "The turn; `Answer.id`.",
        "doc_key": "`{source_type}-{identifier}`",
        "job_id": "The job.",
        "upload_id": "`job_id` of the answer to the announcement.",
        "ticket": "What the address was given as; nothing else is needed.",
        "passage_id": "16 hexadecimal digits, made of the passage's content.",
        **directory_routes.PATH_PARAMETERS,
        **proposal_routes.PATH_PARAMETERS,
        "subject": "A user id, a caller number, or `pseudonym:` and 16 digits, which tells an access log nothing.",
    }
)
"""What each parameter of a path is; all are text."""
_TEXT: Mapping[str, Any] = MappingProxyType({"type": "string"})
_SIZE: Mapping[str, Any] = MappingProxyType({"type": "integer", "minimum": 1, "maximum": 1000})
_NUMBER: Mapping[str, Any] = MappingProxyType({"type": "integer", "minimum": 1, "maximum": 999_999})
_PART = Parameter("part", _TEXT, "`part_id` of a sentence, line or cell of the passage; all of it when absent.")
_VERSION = Parameter("version", _NUMBER, "The live one when absent.")
UPLOAD_FORM: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "string", "contentMediaType": OCTETS},
            "doc_key": dict(_TEXT),
            "title": dict(_TEXT),
            "source_type": dict(_TEXT),
            "language": dict(_TEXT),
            "audience": {"enum": ["public", "clinician"]},
        },
    }
)
"""The usual fields of an upload; the form takes every fact of a document."""
PART_CONTENT: Mapping[str, Any] = MappingProxyType({"type": "string", "contentMediaType": OCTETS})
"""The bytes of a part."""
_OPENAPI: Mapping[str, Any] = MappingProxyType({"type": "object", "required": ["openapi", "info", "paths"]})
"""Its own schema is the OpenAPI Initiative's."""

CONSOLE_FILES = Operation(
    "showFile", "GET", "/{file}", "local", NOBODY,
    "The files of the console.",
    (Reply(200, "A file."),),
)  # fmt: skip
"""The console's own files, which `careline up` serves wherever no route is."""

_QUESTIONS = (
    Operation(
        "query", "POST", "/v1/query", "orchestrator", CALLER,
        "Ask a question; `Accept: text/event-stream` streams the answer.",
        (Reply(200, "The answer.", wire.Answer),),
        (400, 413),
        takes=wire.QueryRequest,
        streams=True,
        counted="question",
        needs_models=True,
    ),
    Operation(
        "decideTurn", "POST", "/v1/turns/{turn_id}/decision", "orchestrator", CALLER,
        "Commit or drop a speculative turn; nothing is kept of a dropped one.",
        (Reply(204, "Decided; what was decided first holds."),),
        (400, 404),
        takes=wire.Decision,
        counted="change",
    ),
    Operation(
        "listConversations", "GET", "/v1/conversations", "orchestrator", USER,
        "Conversations of whoever asks, the last one first.",
        (Reply(200, "Conversations.", ConversationList),),
        (400,),
        query=(Parameter("limit", _SIZE, "How many at most."),),
    ),
    Operation(
        "showConversation", "GET", "/v1/conversations/{conversation_id}", "orchestrator", CALLER,
        "The messages of a conversation.",
        (Reply(200, "The conversation.", ConversationBody),),
        (404,),
    ),
    Operation(
        "forgetConversation", "DELETE", "/v1/conversations/{conversation_id}", "orchestrator", CALLER,
        "Delete a conversation and its messages.",
        (Reply(204, "Deleted."),),
        (404,),
        counted="change",
    ),
    Operation(
        "showLine", "GET", "/v1/line", "orchestrator", CALLER,
        "What a phone line says of itself: openings, prompts, numbers, names to listen for, its menu's directory.",
        (Reply(200, "The line.", PhoneLine),),
        (400,),
        query=(Parameter("pack", _TEXT, "The line's pack; the default one's."),),
    ),
    Operation(
        "listPacks", "GET", "/v1/packs", "orchestrator", CALLER,
        "The packs that can be asked.",
        (Reply(200, "Packs.", Packs),),
    ),
    Operation(
        "suggestQuestions", "GET", "/v1/suggestions", "orchestrator", CALLER,
        "Questions that the hospital's own documents answer, for a first screen.",
        (Reply(200, "Questions, at most four.", SuggestedQuestions),),
        (400,),
        query=(
            Parameter("pack", _TEXT, "The pack that is asked; the default one's."),
            Parameter("language", _TEXT, "Language of the questions: nl, en, fr, it."),
        ),
        needs_models=True,
    ),
    Operation(
        "search", "POST", "/v1/search", "orchestrator", USER,
        "Find passages without an answer.",
        (Reply(200, "Hits, best first.", SearchResult),),
        (400, 413),
        takes=wire.SearchRequest,
        counted="question",
        needs_models=True,
    ),
)  # fmt: skip
_ABOUT = (
    Operation(
        "health", "GET", "/health", "orchestrator", NOBODY,
        "Whether the process serves.",
        (Reply(200, "It does.", Health),),
        by_gateway=False,
    ),
    Operation(
        "describe", "GET", "/openapi.json", "orchestrator", NOBODY,
        "This document.",
        (Reply(200, "OpenAPI 3.1.", _OPENAPI),),
    ),
)  # fmt: skip
_LOGIN = (
    Operation(
        "login", "POST", "/login", "local", NOBODY,
        "Begin a session of the console with a token.",
        (Reply(200, "Who is logged in.", Session), Reply(303, "Logged in by a form; the console is there.")),
        (400, 413),
        takes=wire.Login,
        sent_as=(JSON, URL_ENCODED),
    ),
    Operation(
        "logout", "POST", "/logout", "local", NOBODY,
        "End the session.",
        (Reply(204, "There is no session any more."),),
    ),
    Operation(
        "showSession", "GET", "/v1/session", "orchestrator", CALLER,
        "Who is logged in, and the CSRF token of the session.",
        (Reply(200, "Who is logged in.", Session),),
    ),
)  # fmt: skip
_LIBRARY = (
    Operation(
        "readDocument", "GET", "/v1/documents/{doc_key}/text", "admin", USER,
        "The text of a version, page by page.",
        (Reply(200, "Pages of blocks.", DocumentText),),
        (400, 404),
        query=(_VERSION,),
    ),
    Operation(
        "readPassages", "GET", "/v1/documents/{doc_key}/passages", "admin", MANAGER,
        "What callers can be told of a version, and what of it is left out.",
        (Reply(200, "Passages in order, held back or not, and the text that is left out.", DocumentPassages),),
        (400, 404),
        query=(_VERSION,),
    ),
    Operation(
        "downloadDocument", "GET", "/v1/documents/{doc_key}/original", "admin", USER,
        "The file as it came in.",
        (Reply(200, "The file.", media_type=OCTETS),),
        (400, 404),
        query=(_VERSION,),
    ),
    Operation(
        "listDocuments", "GET", "/v1/documents", "admin", MANAGER,
        "Documents in order of their key.",
        (Reply(200, "A page.", DocumentPage),),
        (400,),
        query=(Parameter("limit", _SIZE, "Size of a page."), Parameter("after", _TEXT, "`next` of the page before.")),
    ),
    Operation(
        "uploadDocument", "POST", "/v1/documents", "admin", MANAGER,
        "Take a file in; its indexing job is in the answer.",
        (
            Reply(200, "The same content is live already.", Unchanged),
            Reply(202, "The job.", Begun),
        ),
        (400, 409, 413, 415, 422),
        takes=UPLOAD_FORM,
        sent_as=(MULTIPART,),
        counted="change",
    ),
    Operation(
        "offerUpload", "POST", "/v1/documents/uploads", "admin", MANAGER,
        "Announce a file that is too large for a request; the answer says where to put it.",
        (Reply(201, "Where the file is put, and the job it will have.", UploadOffer),),
        (400, 409, 413, 422),
        takes=wire.UploadRequest,
        counted="change",
    ),
    Operation(
        "completeUpload", "POST", "/v1/documents/uploads/{upload_id}/complete", "admin", MANAGER,
        "Say that every part of a file was put.",
        (Reply(202, "The job it has or will have.", UploadTaken),),
        (400, 404, 409, 413, 422),
        takes=wire.UploadParts,
        counted="change",
    ),
    Operation(
        "receivePart", "PUT", "/v1/uploads/{ticket}", "admin", NOBODY,
        "Put a part of a file at an address of this server; in the cloud the storage takes it.",
        (Reply(200, "Taken; `ETag` names it."),),
        (400, 404, 413),
        takes=PART_CONTENT,
        sent_as=(OCTETS,),
        by_gateway=False,
    ),
    Operation(
        "showDocument", "GET", "/v1/documents/{doc_key}", "admin", MANAGER,
        "Every version of a document.",
        (Reply(200, "Versions, oldest first.", Versions),),
        (404,),
    ),
    Operation(
        "deleteDocument", "DELETE", "/v1/documents/{doc_key}", "admin", MANAGER,
        "Take a document out of the answers.",
        (Reply(204, "Deleted."),),
        (404, 409),
        counted="change",
    ),
    Operation(
        "listJobs", "GET", "/v1/jobs", "admin", MANAGER,
        "Jobs, newest first.",
        (Reply(200, "Jobs.", Jobs),),
        (400,),
        query=(
            Parameter("state", {"type": "string", "enum": [one.value for one in JobState]}, "Only jobs in this state."),
            Parameter("limit", _SIZE, "How many."),
        ),
    ),
    Operation(
        "showJob", "GET", "/v1/jobs/{job_id}", "admin", MANAGER,
        "One job.",
        (Reply(200, "The job.", JobBody),),
        (404,),
    ),
    Operation(
        "retryJob", "POST", "/v1/jobs/{job_id}/retry", "admin", MANAGER,
        "Run a failed job again.",
        (Reply(202, "The job.", Begun),),
        (404, 409),
        counted="change",
    ),
)  # fmt: skip
_ANSWERS = (
    Operation(
        "listAnswers", "GET", "/v1/answers", "admin", MANAGER,
        "What people wrote in answer to questions, in order of their keys.",
        (Reply(200, "A page.", AnswerPage),),
        (400,),
        query=(
            Parameter("all", {"enum": ["0", "1"]}, "1 lists those that were retired too."),
            Parameter("limit", _SIZE, "Size of a page."),
            Parameter("after", _TEXT, "`next` of the page before."),
        ),
    ),
    Operation(
        "addAnswer", "POST", "/v1/answers", "admin", MANAGER,
        "Write what a question is answered with.",
        (
            Reply(200, "It is there already, word for word.", AnswerSaved),
            Reply(202, "It was saved.", AnswerSaved),
        ),
        (400, 409, 413, 422),
        takes=AnswerRequest,
        counted="change",
    ),
    Operation(
        "showAnswer", "GET", "/v1/answers/{doc_key}", "admin", MANAGER,
        "One answer, and who changed it when.",
        (Reply(200, "The answer.", AnswerBody),),
        (404,),
    ),
    Operation(
        "editAnswer", "PUT", "/v1/answers/{doc_key}", "admin", MANAGER,
        "Write an answer anew; a retired one is told again.",
        (
            Reply(200, "It says that already.", AnswerSaved),
            Reply(202, "It was saved.", AnswerSaved),
        ),
        (400, 404, 409, 413, 422),
        takes=AnswerRequest,
        counted="change",
    ),
    Operation(
        "retireAnswer", "DELETE", "/v1/answers/{doc_key}", "admin", MANAGER,
        "Take an answer out at once; what it said is kept.",
        (Reply(204, "Retired."),),
        (404, 409),
        counted="change",
    ),
)  # fmt: skip
_TURNS = (
    Operation(
        "showTurn", "GET", "/v1/turns/{turn_id}", "orchestrator", MANAGER,
        "The record of a turn: stages, hits, model, cost, the question without its personal data. Right behind `done` "
        "it may take a moment to be there: the request waits for it, three seconds at the most.",
        (Reply(200, "The record.", TurnRecord),),
        (404,),
    ),
    Operation(
        "explainTurn", "GET", "/v1/turns/{turn_id}/explanation", "orchestrator", MANAGER,
        "Why a turn went the way it did: what was seen, which rules fired, what left for whom.",
        (Reply(200, "The explanation.", Explanation),),
        (404,),
    ),
)  # fmt: skip
_QUARANTINE = (
    Operation(
        "listQuarantine", "GET", "/v1/admin/quarantine", "admin", MANAGER,
        "Passages of live documents that nobody is told until a person has looked.",
        (Reply(200, "Document, page, reasons and excerpt of each.", HeldBack),),
        (400,),
        query=(
            Parameter("all", {"enum": ["0", "1"]}, "1 lists those that were decided about too."),
            Parameter("limit", _SIZE, "How many at most."),
        ),
    ),
    Operation(
        "showHeldPassage", "GET", "/v1/admin/quarantine/{passage_id}", "admin", MANAGER,
        "One passage that was held back, with its whole text, the words that are held against it, and its parts.",
        (Reply(200, "The passage.", HeldText),),
        (404,),
    ),
    Operation(
        "releasePassage", "POST", "/v1/admin/quarantine/{passage_id}/release", "admin", MANAGER,
        "Let callers be told a passage, or a part of it, wherever the same words come again.",
        (Reply(200, "The decision, its documents and its audit entry.", DecisionMade),),
        (400, 404),
        query=(_PART,),
        counted="change",
    ),
    Operation(
        "discardPassage", "POST", "/v1/admin/quarantine/{passage_id}/discard", "admin", MANAGER,
        "Keep a passage, or a part of it, from callers for good.",
        (Reply(200, "The decision, its documents and its audit entry.", DecisionMade),),
        (400, 404),
        query=(_PART,),
        counted="change",
    ),
)  # fmt: skip
_OVERSIGHT = (
    Operation(
        "verifyAudit", "GET", "/v1/admin/audit/verification", "admin", ADMIN,
        "Read the whole audit chain and compare the heads noted of it; the first entry that does not fit is named.",
        (Reply(200, "The verdict, also when it is a bad one.", VerdictBody),),
        (400,),
        query=(Parameter("head", _TEXT, "`SEQ:HASH` that was noted earlier and must be part of the chain."),),
    ),
    Operation(
        "exportSubject", "GET", "/v1/admin/subjects/{subject}", "admin", ADMIN,
        "Everything that is held about a person.",
        (Reply(200, "Conversations, turns, billing and audit entries.", Export),),
        (400,),
    ),
    Operation(
        "eraseSubject", "DELETE", "/v1/admin/subjects/{subject}", "admin", OWNER,
        "Delete a person's conversations and turn records for good.",
        (Reply(200, "How many, and the audit entry that says so.", Erasure),),
        (400,),
        counted="change",
    ),
)  # fmt: skip

OPERATIONS: tuple[Operation, ...] = (
    *_ABOUT, *_LOGIN, *_QUESTIONS, *_LIBRARY, *_ANSWERS, *_TURNS, *directory_routes.OPERATIONS, *_QUARANTINE,
    *proposal_routes.OPERATIONS,
    *_OVERSIGHT,
)  # fmt: skip
"""Everything that has a handler. A caller is answered about their own conversations alone, and from public documents;
both are checked where conversations and documents are read."""
BY_ROUTE: Mapping[tuple[str, str], Operation] = MappingProxyType({one.route: one for one in OPERATIONS})
"""By method and path as the route is written."""


def operations_of(server: Server) -> tuple[Operation, ...]:
    """What one server serves, in the order of the table."""
    return tuple(one for one in OPERATIONS if one.server == server)
