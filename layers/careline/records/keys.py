"""Where every kind of record stands: its partition and sort key, and what becomes of it.

No other module writes such a key. docs/records.md is made of this one by `careline records --markdown`. The keys of
records that exist never change; a new form is a new kind beside the old one. One file holds them all, because no two
kinds may share a key.
"""

from __future__ import annotations

from typing import NamedTuple

from careline.records.record_kind import record_kind


class Key(NamedTuple):
    """The partition and sort key of one record."""

    partition: str
    sort: str


# The installation
INSTALLATION = "installation"
"""The partition of `key_check`, `chain_break` and `circuits`."""
CHAIN_BREAKS = "break/"
"""What the sort keys of `chain_break` begin with."""


@record_kind(
    "A digest that only the installation's key makes, by which another key is refused. SQLite alone.",
    written_by="the first start, `careline audit new-key`",
)
def key_check() -> Key:
    """The proof of the installation's key."""
    return Key(INSTALLATION, "key")


@record_kind(
    "What a tenant's audit chain was when the key was lost: entries, first and last, digest of all. SQLite alone.",
    written_by="`careline audit new-key`",
    erased_by="the entry of the new chain that tells of it",
)
def chain_break(tenant: str) -> Key:
    """A chain that ended with a lost key."""
    return Key(INSTALLATION, f"{CHAIN_BREAKS}{tenant}")


@record_kind(
    "Which engines failed lately, how often, and which are not asked for a while. Nobody's words.",
    expires="an hour after the last change", written_by="a call of an engine that fails, and one that works again",
)
def circuits() -> Key:
    """The circuits of the installation."""
    return Key(INSTALLATION, "circuits")


TOKENS, SESSIONS, TENANTS = "tokens", "sessions", "tenants"
"""Partitions of `token`, `session` and `tenant`."""


@record_kind(
    "A token's role, tenant, audiences and name, under a keyed digest of its text.",
    written_by="`careline token new`",
    erased_by="`careline token revoke`",
)
def token(digest: str) -> Key:
    """A token by the keyed digest of its text."""
    return Key(TOKENS, digest)


@record_kind(
    "A login of the console: role, tenant and the credential it began with, under a keyed digest of its cookie.",
    expires="`CARELINE_SESSION_HOURS` after it began",
    written_by="`POST /login`",
    erased_by="`POST /logout`, the next login",
)
def session(digest: str) -> Key:
    """A login by the keyed digest of its id."""
    return Key(SESSIONS, digest)


@record_kind(
    "How often a login, or all of a hospital, asked or changed something in one minute, under a keyed digest.",
    expires="two minutes after it began",
    written_by="a question or a change where people log in",
)
def rate_window(tenant: str, limit: str, digest: str, minute: str) -> Key:
    """The count of one minute by the clock, `2026-11-29T15:53`."""
    return Key(f"{tenant}/rate/{limit}/{digest}", minute)


@record_kind(
    "A hospital: names, numbers callers are given, languages, pack, staff, retention, budget.",
    written_by="`careline tenant set`, `careline retention`, the demo",
)
def tenant(tenant: str) -> Key:
    """A hospital."""
    return Key(TENANTS, tenant)


# What people said
def conversations(tenant: str) -> str:
    """The partition of `conversation`."""
    return f"{tenant}/conversations"


@record_kind(
    "A conversation: language, pack, when it was last active, the pseudonyms it is listed under.",
    encrypted="clinical context, what was redacted, what identifies the person",
    expires="`conversations` days after its last turn",
    written_by="a turn, when it is taken out of the outbox",
    erased_by="`DELETE /v1/conversations/…`, `careline erase`",
    goes_with_key=True,
)
def conversation(tenant: str, conversation_id: str) -> Key:
    """The head of a conversation."""
    return Key(conversations(tenant), conversation_id)


@record_kind(
    "What a conversation waits for: what may be meant, or a call that awaits a yes; or which turn answered it.",
    encrypted="the question, its choices, the call and its arguments",
    expires="when it can no longer be answered",
    written_by="a turn that asks back",
    erased_by="with its conversation",
    goes_with_key=True,
)
def pending(tenant: str, conversation_id: str) -> Key:
    """A question asked back, or a call that awaits confirmation."""
    return Key(f"{tenant}/pending", conversation_id)


def messages(tenant: str, conversation_id: str) -> str:
    """The partition of the messages of one conversation."""
    return f"{tenant}/messages/{conversation_id}"


@record_kind(
    "A message: who said it, when, in which turn; the text.",
    encrypted="the text, its personal data, whether it was refused, and what kind of answer it is",
    expires="`conversations` days after its turn",
    written_by="a turn, when it is taken out of the outbox",
    erased_by="`DELETE /v1/conversations/…`, `careline erase`",
    goes_with_key=True,
)
def message(tenant: str, conversation_id: str, message_id: str) -> Key:
    """A message; see `brought_message`, `asked_message` and `answered_message` for its id."""
    return Key(messages(tenant, conversation_id), message_id)


def brought_message(turn_id: str, number: int) -> str:
    """The id of an earlier message that a client brought along with its question; `number` is below 50."""
    return f"{turn_id}-{number:02d}"


def asked_message(turn_id: str) -> str:
    """The id of the question of a turn."""
    return f"{turn_id}-50-user"


def answered_message(turn_id: str) -> str:
    """The id of the answer of a turn."""
    return f"{turn_id}-60-assistant"


@record_kind(
    "That a conversation was deleted, and how: turns of it that are still on their way are dropped.",
    expires="30 days later",
    written_by="`DELETE /v1/conversations/…`, `careline erase`",
    goes_with_key=True,
)
def forgotten(tenant: str, conversation_id: str) -> Key:
    """The note that a conversation was deleted."""
    return Key(f"{tenant}/forgotten", conversation_id)


@record_kind(
    "Who began a turn with `speculative: true`, and whether it is wanted.",
    expires="5 minutes after it began",
    written_by="a turn; `POST /v1/turns/…/decision`",
)
def speculative_turn(tenant: str, turn_id: str) -> Key:
    """A turn that waits for its decision."""
    return Key(f"{tenant}/decisions", turn_id)


# People, by pseudonym
def subject(tenant: str, pseudonym: str) -> str:
    """The partition of everything that is listed under one pseudonym."""
    return f"{tenant}/subjects/{pseudonym}"


OF_CONVERSATION, OF_TURN, OF_AUDIT = "conversation/", "turn/", "audit/"
"""What the sort keys of `subject_conversation`, `subject_turn` and `subject_audit` begin with."""


@record_kind(
    "That a conversation is a person's.",
    expires="with the turn that named them",
    written_by="a turn, when it is taken out of the outbox",
    erased_by="`DELETE /v1/conversations/…`, `careline erase`",
    goes_with_key=True,
)
def subject_conversation(tenant: str, pseudonym: str, conversation_id: str) -> Key:
    """A conversation in the list of a person."""
    return Key(subject(tenant, pseudonym), f"{OF_CONVERSATION}{conversation_id}")


@record_kind(
    "That a turn is a person's.",
    expires="with the turn's record",
    written_by="a turn, when it is taken out of the outbox",
    erased_by="`careline erase`",
    goes_with_key=True,
)
def subject_turn(tenant: str, pseudonym: str, turn_id: str) -> Key:
    """A turn in the list of a person."""
    return Key(subject(tenant, pseudonym), f"{OF_TURN}{turn_id}")


@record_kind(
    "That an audit entry tells of a person.",
    expires="with the entry",
    written_by="whatever appends to the audit chain",
    goes_with_key=True,
)
def subject_audit(tenant: str, pseudonym: str, seq: int) -> Key:
    """An audit entry in the list of a person."""
    return Key(subject(tenant, pseudonym), f"{OF_AUDIT}{audit_number(seq)}")


@record_kind(
    "That a person was erased: turns of theirs that are still on their way are dropped.",
    expires="30 days later",
    written_by="`careline erase`, `DELETE /v1/admin/subjects/…`",
    goes_with_key=True,
)
def subject_erased(tenant: str, pseudonym: str) -> Key:
    """The note that a person was erased."""
    return Key(subject(tenant, pseudonym), "erased")


# How turns went, and what they cost
def turns(tenant: str) -> str:
    """The partition of `turn`."""
    return f"{tenant}/turns"


@record_kind(
    "How a turn went: stages, hits, rules, model, tokens, cost; the question without its personal data.",
    encrypted="the question",
    expires="`turns` days after it began",
    written_by="a turn, when it is taken out of the outbox",
    erased_by="`careline erase`; with a lost key its question",
)
def turn(tenant: str, turn_id: str) -> Key:
    """The record of a turn."""
    return Key(turns(tenant), turn_id)


@record_kind(
    "What a turn cost: model, tokens, euro, channel. Nobody's name.",
    expires="`billing` days after it began",
    written_by="a turn, when it is taken out of the outbox",
)
def bill(tenant: str, turn_id: str) -> Key:
    """The billing event of a turn."""
    return Key(f"{tenant}/billing", turn_id)


@record_kind(
    "Euro that language models have cost in a month.",
    written_by="a turn that cost something",
)
def spending(tenant: str, month: str) -> Key:
    """The spending of a month, `2026-11`."""
    return Key(f"{tenant}/spending", month)


@record_kind(
    "That a turn was counted in its month.",
    expires="60 days after it began", written_by="a turn that cost something",
)
def counted(tenant: str, turn_id: str) -> Key:
    """The note that a turn's cost was counted."""
    return Key(f"{tenant}/spent", turn_id)


@record_kind(
    "The answer to a change that came with an `Idempotency-Key`, under a keyed digest of key and sender.",
    encrypted="the answer",
    expires="24 hours after it was written",
    written_by="a change with that header", goes_with_key=True,
)
def idempotent_change(tenant: str, digest: str) -> Key:
    """A change that is made once."""
    return Key(f"{tenant}/idempotency", digest)


# The audit chain
def audit(tenant: str) -> str:
    """The partition of `audit_entry`; nothing else is there."""
    return f"{tenant}/audit"


def audit_number(seq: int) -> str:
    """The sort key of an entry; in order of numbers up to a million million."""
    return f"{seq:012d}"


@record_kind(
    "An entry of the audit chain: what was done, when, by which pseudonym, sealed with the entry before it.",
    expires="`audit` days later, never before an older entry",
    written_by="turns, decisions, exports, erasures, tokens, facts of a hospital, retention",
)
def audit_entry(tenant: str, seq: int) -> Key:
    """An entry of the chain by its number."""
    return Key(audit(tenant), audit_number(seq))


@record_kind(
    "An entry of a chain whose key was lost. SQLite alone.",
    expires="as it was written",
    written_by="`careline audit new-key`",
)
def former_audit_entry(tenant: str, stamp: str, seq: int) -> Key:
    """An entry of a chain that was set aside at a moment."""
    return Key(former_audit(tenant, stamp), audit_number(seq))


def former_audit(tenant: str, stamp: str) -> str:
    """The partition of a chain that was set aside."""
    return f"{audit(tenant)} before {stamp}"


@record_kind(
    "Number and seal of the newest entry.",
    written_by="whatever appends to the audit chain",
    goes_with_key=True,
)
def audit_head(tenant: str) -> Key:
    """Where the chain stands."""
    return Key(f"{tenant}/audit_head", "head")


@record_kind(
    "The number of the entry of a turn or action, so that it is told once.",
    expires="with the entry",
    written_by="whatever appends to the audit chain",
    goes_with_key=True,
)
def audit_id(tenant: str, entry_id: str) -> Key:
    """The place of an entry in the chain, by its id."""
    return Key(f"{tenant}/audit_ids", entry_id)


# The library
def documents(tenant: str) -> str:
    """The partition of `document`."""
    return f"{tenant}/documents"


@record_kind(
    "Which versions of a document there are: the latest, the live one, the last deleted one; the newest upload of each "
    "file name, by S3's sequencer.",
    written_by="an upload, an activation, a deletion",
)
def document(tenant: str, doc_key: str) -> Key:
    """The head of a document."""
    return Key(documents(tenant), doc_key)


def versions(tenant: str) -> str:
    """The partition of `version`."""
    return f"{tenant}/versions"


def versions_of(doc_key: str) -> str:
    """What the sort keys of a document's versions begin with."""
    return f"{doc_key}#"


def past_versions_of(doc_key: str) -> str:
    """A sort key behind those of all versions of a document."""
    return f"{doc_key}#999999"


@record_kind(
    "One version of a document: its facts, state and job.",
    written_by="an upload, an activation, a deletion",
)
def version(tenant: str, doc_key: str, number: int) -> Key:
    """One version of a document."""
    return Key(versions(tenant), f"{versions_of(doc_key)}{number:06d}")


def jobs(tenant: str) -> str:
    """The partition of `job`."""
    return f"{tenant}/jobs"


@record_kind(
    "The work on one version: state, stage, counts, error; or that an upload became no version, and why.",
    written_by="an upload and each stage of its ingestion",
)
def job(tenant: str, job_id: str) -> Key:
    """A job."""
    return Key(jobs(tenant), job_id)


@record_kind(
    "A file that was announced: its name, size and facts, and where its parts are put.",
    expires="7 days later",
    written_by="`POST /v1/documents/uploads`",
)
def offered_upload(tenant: str, upload_id: str) -> Key:
    """A file that is on its way; its job will have the same id."""
    return Key(f"{tenant}/uploads", upload_id)


@record_kind(
    "Which announced file an event of the storage told of.",
    expires="7 days after the file was announced",
    written_by="an announced file that arrives in the bucket",
)
def promised_job(tenant: str, event_job: str) -> Key:
    """The job that the sender of a file was promised, by the job that its event alone would make."""
    return Key(f"{tenant}/promised", event_job)


def contacts(tenant: str) -> str:
    """The partition of `document_contacts`."""
    return f"{tenant}/contacts"


@record_kind(
    "Account numbers, hosts and telephone numbers that a document names.",
    written_by="the ingestion of a document that names some",
)
def document_contacts(tenant: str, doc_key: str) -> Key:
    """The contacts of a document."""
    return Key(contacts(tenant), doc_key)


def quarantine(tenant: str) -> str:
    """The partition of `held_passage`."""
    return f"{tenant}/quarantine"


def held_passages_of(doc_key: str, number: int) -> str:
    """What the sort keys of the passages begin with that were held back in one version."""
    return f"{doc_key}#{number:06d}#"


@record_kind(
    "A passage that callers are not told: its text, document, page and why.",
    written_by="the ingestion of its document",
    erased_by="another ingestion of the same version that does not hold it back",
)
def held_passage(tenant: str, doc_key: str, number: int, passage_id: str) -> Key:
    """A passage held back in one version of a document."""
    return Key(quarantine(tenant), f"{held_passages_of(doc_key, number)}{passage_id}")


@record_kind(
    "What a person decided about the words of a passage, or last about a part of it, who and when.",
    written_by="`careline quarantine release` and `discard`",
    erased_by="a later decision, which takes its place",
)
def passage_decision(tenant: str, passage_id: str) -> Key:
    """The decision about a passage."""
    return Key(f"{tenant}/quarantine_decisions", passage_id)


@record_kind(
    "What a person decided about a sentence, line or cell of a passage, who and when.",
    written_by="`careline quarantine release` and `discard` with `--part`",
    erased_by="a later decision, which takes its place",
)
def part_decision(tenant: str, passage_id: str, part_id: str) -> Key:
    """The decision about a part of a passage."""
    whole = passage_decision(tenant, passage_id)
    return Key(whole.partition, f"{whole.sort}#{part_id}")


def answers(tenant: str) -> str:
    """The partition of `answer`."""
    return f"{tenant}/answers"


@record_kind(
    "Who added, changed and retired a curated answer, and when; what it says stands in its document.",
    written_by="`careline answer`, `POST /v1/answers`, the ingestion of a record with a question",
)
def answer(tenant: str, doc_key: str) -> Key:
    """The changes of an answer."""
    return Key(answers(tenant), doc_key)


@record_kind(
    "Which curated answer is told to a question, under a digest of its words, language and audience.",
    written_by="`careline answer`, `POST /v1/answers`, the ingestion of a record with a question",
    erased_by="an answer that takes it when the other is not told any more, which takes its place",
)
def answered_question(tenant: str, digest: str) -> Key:
    """The answer that has a question."""
    return Key(f"{tenant}/answered_questions", digest)


# The directory
@record_kind(
    "Which edition of the hospital's directory holds.",
    written_by="a change of the directory",
)
def directory_head(tenant: str) -> Key:
    """Where the directory stands."""
    return Key(f"{tenant}/directory", "head")


def directory_editions(tenant: str) -> str:
    """The partition of `directory_edition`."""
    return f"{tenant}/directory_editions"


def edition_number(number: int) -> str:
    """The sort key of an edition of the directory; in order of numbers up to a million million."""
    return f"{number:012d}"


@record_kind(
    "One change of the directory: which entries, who, when and why; where the whole edition behind it stands.",
    written_by="a change of the directory",
)
def directory_edition(tenant: str, number: int) -> Key:
    """An edition by its number."""
    return Key(directory_editions(tenant), edition_number(number))


@record_kind(
    "A piece of an edition of the directory: names, numbers, hours and prices of the hospital, names of its staff.",
    written_by="a change of the directory",
    erased_by="the fiftieth change after it",
)
def directory_piece(tenant: str, edition_id: str, number: int) -> Key:
    """A piece of an edition."""
    return Key(f"{tenant}/directory_pieces", f"{edition_id}#{number:04d}")


def statements(tenant: str) -> str:
    """The partition of `document_statements`."""
    return f"{tenant}/statements"


@record_kind(
    "What the live version of a document says that the directory could hold: prices, numbers, hours, consultations.",
    written_by="the activation of the version, `careline proposals find`",
    erased_by="the next version, which takes its place; the deletion of the document",
)
def document_statements(tenant: str, doc_key: str) -> Key:
    """The statements of a document."""
    return Key(statements(tenant), doc_key)


def proposal_decisions(tenant: str) -> str:
    """The partition of `proposal_decision`."""
    return f"{tenant}/proposal_decisions"


@record_kind(
    "A proposal of a document for the directory that a person confirmed or rejected, who and when.",
    written_by="`careline proposals confirm` and `reject`, `POST /v1/admin/proposals/…/decision`",
    erased_by="a later decision, which takes its place",
)
def proposal_decision(tenant: str, proposal_id: str) -> Key:
    """The decision about a proposal."""
    return Key(proposal_decisions(tenant), proposal_id)


# The index on OpenSearch
@record_kind(
    "Version, generation and size of a tenant's index. DynamoDB alone.",
    written_by="an activation, a deletion, `careline reindex`",
)
def corpus(tenant: str) -> Key:
    """Where a tenant's index stands."""
    return Key(f"passages#{tenant}", "corpus")


def editions(tenant: str, generation: int) -> str:
    """The partition of everything that one generation of a tenant's index consists of."""
    return f"passages#{tenant}#{generation}"


GROUPS, HIDDEN, CHANGES = "group#", "hidden#", "change#"
"""What the sort keys of `edition_group`, `hidden_edition` and `edition_change` begin with."""


@record_kind(
    "What is about to be indexed as a version of a document. DynamoDB alone.",
    written_by="the ingestion of the document",
    erased_by="`careline reindex`",
)
def edition(tenant: str, generation: int, doc_key: str, number: int) -> Key:
    """An edition that was announced."""
    return Key(editions(tenant, generation), f"edition#{doc_key}#{number:08d}")


@record_kind(
    "Which edition of a document is found. DynamoDB alone.",
    written_by="an activation, a deletion",
    erased_by="`careline reindex`",
)
def live_edition(tenant: str, generation: int, doc_key: str) -> Key:
    """The live edition of a document."""
    return Key(editions(tenant, generation), f"live#{doc_key}")


@record_kind(
    "Sums over the passages of a document's live edition. DynamoDB alone.",
    written_by="an activation, a deletion",
    erased_by="`careline reindex`",
)
def edition_sums(tenant: str, generation: int, doc_key: str) -> Key:
    """The sums of a document."""
    return Key(editions(tenant, generation), f"sum#{doc_key}")


@record_kind(
    "Sums over the live passages of one language and audience. DynamoDB alone.",
    written_by="an activation, a deletion",
    erased_by="`careline reindex`",
)
def edition_group(tenant: str, generation: int, name: str) -> Key:
    """The sums of a group of documents."""
    return Key(editions(tenant, generation), f"{GROUPS}{name}")


@record_kind(
    "An edition in the index that nobody may find: announced, replaced or deleted. DynamoDB alone.",
    written_by="the ingestion of the document, an activation, a deletion",
    erased_by="its activation, `careline reindex`",
)
def hidden_edition(tenant: str, generation: int, edition_name: str) -> Key:
    """An edition that searches leave out."""
    return Key(editions(tenant, generation), f"{HIDDEN}{edition_name}")


@record_kind(
    "What one change of the index hid and showed. DynamoDB alone.",
    written_by="the ingestion of a document, an activation, a deletion",
    erased_by="the thousandth change after it, `careline reindex`",
)
def edition_change(tenant: str, generation: int, number: int) -> Key:
    """An entry of the log of changes."""
    return Key(editions(tenant, generation), f"{CHANGES}{number:012d}")
