"""Takes answers from files of JSON Lines: the same records that `careline ingest` reads, each saved as a person's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from careline.errors import BadRequest, Conflict, DocumentRejected
from careline.knowledge.answers import answer_file, answers
from careline.knowledge.extract.bulk_records import Refused
from careline.knowledge.register import Upload
from careline.model import JobState
from careline_local.intake import FoundFile, uploads

if TYPE_CHECKING:
    from careline_local.cli.session import CommandSession


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one record."""

    where: str
    state: Literal["saved", "unchanged", "refused"]
    doc_key: str | None = None
    refused: Refused | None = None

    def to_json(self) -> dict[str, Any]:
        """The outcome for programs."""
        said: dict[str, Any] = {"where": self.where, "state": self.state, "doc_key": self.doc_key}
        if self.refused is not None:
            said |= {"reason": self.refused.reason, "message": self.refused.message}
        return said


async def import_answers(
    found: Sequence[FoundFile],
    defaults: Mapping[str, object],
    by: str,
    session: CommandSession,
    tell: Callable[[Imported], None],
) -> list[Imported]:
    """Save the answer of every record, one after the other; one that cannot be is refused and stops no other."""
    told: list[Imported] = []
    for number, taken in enumerate(_records(found, session), 1):
        one = await _one(taken, number, defaults, by, session)
        told.append(one)
        tell(one)
    await session.installation.engines.index.settle()
    return told


def _records(found: Sequence[FoundFile], session: CommandSession) -> Iterator[Upload | Refused]:
    for one in found:
        if not one.holds_records:
            message = "answers come in JSON Lines; take other files in with `careline ingest`"
            yield Refused(one.name, "unsupported", message)
            continue
        yield from uploads(one, session.settings.tenant, {}, session.settings.limits.max_upload_bytes)


async def _one(
    taken: Upload | Refused, number: int, defaults: Mapping[str, object], by: str, session: CommandSession
) -> Imported:
    if isinstance(taken, Refused):
        return Imported(taken.where, "refused", refused=taken)
    where, engines, tenant = f"{taken.file_name}, record {number}", session.installation.engines, taken.tenant
    key = str(taken.doc_key)
    try:
        asked = answer_file.request_of(json.loads(taken.content), defaults)
        saved = await answers.put(tenant, key, asked, by, engines)
        await engines.job_launcher.drain()
        held = await answers.show(tenant, key, engines)
    except DocumentRejected as error:
        return Imported(where, "refused", key, Refused(where, error.reason, error.message))
    except (BadRequest, Conflict) as error:
        return Imported(where, "refused", key, Refused(where, error.code.lower(), error.message))
    if held["state"] == JobState.FAILED.value:
        return Imported(where, "refused", key, Refused(where, "failed", held["error_message"] or ""))
    return Imported(where, "unchanged" if saved["unchanged"] else "saved", key)
