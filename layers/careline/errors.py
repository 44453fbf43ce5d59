"""Every error Careline raises, drawn once, with the HTTP status a client sees.

    CarelineError
    ├── BadRequest                 400  the request is malformed
    │   ├── TooLarge               413  longer or bigger than the limits
    │   └── UnsupportedMedia       415  a body or file of a kind that is not read
    ├── NotAllowed                 403  the caller may not do this
    ├── NotFound                   404  no such document, job, conversation or turn
    ├── Conflict                   409  somebody else changed it first, or the state does not allow it
    │   ├── Contended              409  others kept changing it first; a later try may succeed
    │   └── KeyTaken               409  a file of another name is this document; its sender says which is meant
    ├── TooManyRequests            429  more than the limit; `retry_after` says when to come back
    ├── DocumentRejected           422  one document cannot be ingested; `reason` is a stable code
    ├── EngineUnavailable          503  something behind a port does not answer
    │   ├── IndexUnavailable
    │   │   └── IndexPaused        not asked for a while, as it failed again and again
    │   ├── SourceUnavailable
    │   ├── TableUnavailable
    │   │   └── RecordDamaged      what is stored is not what was written
    │   ├── FilesUnavailable
    │   ├── SecretUnavailable
    │   │   └── SecretMissing      nobody has put it in yet
    │   ├── EmbedderUnavailable
    │   │   ├── EmbedderPaused
    │   │   └── EmbedderRefused
    │   ├── ReaderUnavailable
    │   ├── ExtractionUnavailable
    │   └── ModelUnavailable
    │       ├── ModelPaused        not asked for a while, as it failed again and again
    │       ├── ModelKeyMissing    nobody has put its key in yet
    │       ├── ModelStalled       the answer stopped half way
    │       │   └── ModelOverdue   the time for all of it was over
    │       └── AnswerMisshapen    the model did not give the shape that was asked for
    ├── PackInvalid                500  a pack does not load
    └── SettingsInvalid            500  the configuration cannot be used

Messages are written for the person who has to act and never contain text of a caller or patient.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path


class CarelineError(Exception):
    """Root of the tree: `message` says what to do, `code` is stable for programs."""

    status = 500
    code = "INTERNAL"
    component = "careline"

    def __init__(self, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after = retry_after


class BadRequest(CarelineError):
    """The request is malformed; the message names the field."""

    status = 400
    code = "BAD_REQUEST"
    component = "request"


class TooLarge(BadRequest):
    """The request or file is bigger than the configured limit."""

    status = 413
    code = "TOO_LARGE"


class UnsupportedMedia(BadRequest):
    """The body or file is of a kind that is not read."""

    status = 415
    code = "UNSUPPORTED_MEDIA"


class NotAllowed(CarelineError):
    """The caller is not permitted to do this."""

    status = 403
    code = "NOT_ALLOWED"
    component = "access"


class NotFound(CarelineError):
    """There is no such thing for this tenant."""

    status = 404
    code = "NOT_FOUND"
    component = "request"


class Conflict(CarelineError):
    """Somebody else changed it first, or its state does not allow the change."""

    status = 409
    code = "CONFLICT"
    component = "request"


class Contended(Conflict):
    """Others kept changing it first, as often as it was tried; a later try may succeed."""


class KeyTaken(Conflict):
    """The document that a file's name stands for was made of a file of another name."""

    code = "KEY_TAKEN"
    component = "knowledge"


class TooManyRequests(CarelineError):
    """More than the limit allows; `retry_after` says when to come back."""

    status = 429
    code = "TOO_MANY_REQUESTS"
    component = "request"


class DocumentRejected(CarelineError):
    """One document cannot be ingested. `reason` is a stable code such as `encrypted` or `empty`, `facts` are what its
    message names, such as a number of pages."""

    status = 422
    code = "DOCUMENT_REJECTED"
    component = "knowledge"

    def __init__(self, reason: str, message: str, facts: Mapping[str, str | float] | None = None) -> None:
        super().__init__(message)
        self.reason, self.facts = reason, facts or {}


CUT_SHORT = frozenset({"length", "content_filter"})
"""Kinds of a language model's failure that say nothing of whether it works: it was stopped by a limit, as it should."""
NOBODY_ASKED = frozenset({"no_key", "secret", "credentials"})
"""Kinds of a failure that comes before anything is sent: there was nothing to show, or to sign with."""


class EngineUnavailable(CarelineError):
    """Something behind a port does not answer.

    `answered` is the status of an endpoint that gave one. `was_asked`: something may have been sent to it.
    """

    status = 503
    code = "ENGINE_UNAVAILABLE"
    component = "engine"
    was_asked = True

    def __init__(self, message: str, *, retry_after: int | None = None, answered: int | None = None) -> None:
        super().__init__(message, retry_after=retry_after)
        self.answered = answered


class IndexUnavailable(EngineUnavailable):
    """The passage index cannot be reached in time."""

    code = "INDEX_UNAVAILABLE"
    component = "index"


class IndexPaused(IndexUnavailable):
    """The passage index is not asked for a while, as it failed again and again."""

    was_asked = False


class SourceUnavailable(EngineUnavailable):
    """A source of knowledge does not answer in time."""

    code = "SOURCE_UNAVAILABLE"
    component = "source"


class TableUnavailable(EngineUnavailable):
    """The table cannot be read or written."""

    code = "TABLE_UNAVAILABLE"
    component = "table"


class RecordDamaged(TableUnavailable):
    """One record's stored bytes are not what was written. `sort` is its key, for whoever looks for the damage."""

    code = "RECORD_DAMAGED"

    def __init__(self, sort: str, message: str = "a stored record is damaged and cannot be read") -> None:
        super().__init__(message)
        self.sort = sort


class FilesUnavailable(EngineUnavailable):
    """The file store cannot be read or written."""

    code = "FILES_UNAVAILABLE"
    component = "files"


class SecretUnavailable(EngineUnavailable):
    """A secret cannot be read from where it is kept."""

    code = "SECRET_UNAVAILABLE"
    component = "secret"


class SecretMissing(SecretUnavailable):
    """Where a secret is kept there is nothing yet, or what it was made with."""

    code = "SECRET_MISSING"


class EmbedderUnavailable(EngineUnavailable):
    """The embedding model does not answer. `kind` is a stable word for logs."""

    code = "EMBEDDER_UNAVAILABLE"
    component = "embedder"

    def __init__(
        self,
        message: str,
        *,
        retry_after: int | None = None,
        kind: str = "unavailable",
        answered: int | None = None,
    ) -> None:
        super().__init__(message, retry_after=retry_after, answered=answered)
        self.kind = kind
        self.was_asked = self.was_asked and kind not in NOBODY_ASKED


class EmbedderRefused(EmbedderUnavailable):
    """The embedding model refuses what it is asked, and will however often it is: its key is wrong, say. Somebody has
    to mend something, which the message names."""


class EmbedderPaused(EmbedderUnavailable):
    """The embedding model is not asked for a while, as it failed again and again."""

    was_asked = False


class ReaderUnavailable(EngineUnavailable):
    """Nothing reads question and passage together; the order of the search stands."""

    code = "READER_UNAVAILABLE"
    component = "reader"


class ExtractionUnavailable(EngineUnavailable):
    """The child process that reads documents does not start."""

    code = "EXTRACTION_UNAVAILABLE"
    component = "extraction"


class ModelUnavailable(EngineUnavailable):
    """The language model does not answer.

    `kind` is a stable word for logs. `passing`: the same call may succeed a moment later.
    """

    code = "MODEL_UNAVAILABLE"
    component = "model"

    def __init__(
        self,
        message: str,
        *,
        retry_after: int | None = None,
        kind: str = "unavailable",
        answered: int | None = None,
        passing: bool = True,
    ) -> None:
        super().__init__(message, retry_after=retry_after, answered=answered)
        self.kind, self.passing = kind, passing
        self.was_asked = self.was_asked and kind not in NOBODY_ASKED


class ModelPaused(ModelUnavailable):
    """The language model is not asked for a while, as it failed again and again."""

    was_asked = False

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message, retry_after=retry_after, kind="paused", passing=False)


class ModelKeyMissing(ModelUnavailable):
    """There is no key of the language model yet: nobody was asked."""

    code = "MODEL_KEY_MISSING"
    was_asked = False


class ModelStalled(ModelUnavailable):
    """The language model stopped half way through an answer."""

    code = "MODEL_STALLED"


class ModelOverdue(ModelStalled):
    """The language model had not finished its answer when the time for all of it was over."""

    code = "MODEL_OVERDUE"


class AnswerMisshapen(ModelUnavailable):
    """A language model did not give the shape that was asked for, in any of the attempts it had."""

    code = "ANSWER_MISSHAPEN"


class PackInvalid(CarelineError):
    """A pack does not load; the message names the file and the line that is wrong."""

    code = "PACK_INVALID"
    component = "pack"


class SettingsInvalid(CarelineError):
    """The configuration cannot be used; the message names the setting."""

    code = "SETTINGS_INVALID"
    component = "settings"


def kind_and_place(error: Exception) -> dict[str, str]:
    """What a log line may say of an error that is handled: its type and where it was raised; its message may quote."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return {"kind": type(error).__name__, "at": "".join(f"{Path(one.filename).name}:{one.lineno}" for one in last)}
