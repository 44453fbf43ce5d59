"""Asks a deployed stage for everything it is there for, once, and takes away what that left.

A page is taken in, asked about and deleted; nobody else's question finds it, as it is about a name that is made up for
the check. What stays is what is kept of every turn: the record of the turn and the entries of the audit chain.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml
from pydantic import ValidationError

from careline.errors import CarelineError
from careline.model import JobState
from careline.schemas import wire
from careline_local.cloud.http_client import Api, Refused, Reply
from careline_local.doctor import Finding, State

PROBE = Path(__file__).with_name("probe.yaml")
LOADED_SECONDS = 120.0
"""For models that a server loads while it answers."""
LIVE_SECONDS = 300.0
"""For a document: an index that sleeps wakes in 10 to 30 s, and shows what it was given after up to 60 s."""
RECORD_SECONDS = 10.0
"""For the record of a turn."""
FIRST_TOKEN_SECONDS = 5.0
"""For the first words of an answer from functions that were just used; above it somebody should look."""
LOOK_AGAIN = 1.0
KEEPS_DATA = "careline-prod"
"""Prefix of the stage that must not be without somebody who hears its alarms."""
REFUSES = frozenset({401, 403})
ENDED = frozenset({JobState.COMPLETED, JobState.FAILED, JobState.SUPERSEDED})
SYLLABLES = "ba da fe go ki lu mo ne pa ri so tu va wi zo".split()
FUNCTIONS_LOG = "`aws logs tail /aws/lambda/{prefix}-{name} --since 10m`"
Waiting = Callable[[str], None]


@dataclass
class Check:
    """One run against an API. `open_api` has no login; `api` shows one."""

    api: Api
    open_api: Api
    prefix: str = "careline-STAGE"
    tell: Waiting = field(default=lambda text: None)
    clock: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep
    _may_come: bool = field(default=False, init=False)
    """Whether the page was sent and it is not known what became of it."""

    def run(self) -> Iterator[Finding]:
        """Every check, in order; what stands on one that failed is left out. What was taken in is deleted at the end,
        and it is told whether it was, also when the check is left by an error. Raises: ApiGone."""
        yield self.health()
        yield self.locked()
        signed_in, language, pack = self.signed_in()
        yield signed_in
        if signed_in.state == "fail":
            return
        probe = Probe.made(language)
        conversations: list[str] = []
        try:
            yield from self._taken_in(probe, pack, conversations)
        except GeneratorExit:
            # Nobody listens any more.
            self.cleaned(probe, *conversations)
            raise
        except BaseException:
            yield self.cleaned(probe, *conversations)
            raise
        yield self.cleaned(probe, *conversations)

    def _taken_in(self, probe: Probe, pack: str | None, conversations: list[str]) -> Iterator[Finding]:
        """What leaves something behind; `conversations` gets what must be deleted besides the page."""
        uploaded = self.uploaded(probe)
        yield uploaded
        if uploaded.state != "fail":
            asked, answer = self.asked(probe, pack)
            if answer is not None:
                conversations.append(answer.conversation_id)
            yield asked
            if answer is not None:
                yield self.recorded(answer.id)
        yield self.audited()

    def health(self) -> Finding:
        """Whether anybody answers. A gateway has no `/health`: that it refuses says as much."""
        began = self.clock()
        while _status(reply := self.open_api.get("/health")) == "loading" and self.clock() - began < LOADED_SECONDS:
            self.tell("it loads its models")
            self.pause(LOOK_AGAIN)
        if reply.status == 200 and not _tells(reply, "status"):
            return _no_api("health", "/health")
        if reply.status == 200:
            status = _status(reply)
            state: State = "ok" if status == "ok" else "fail"
            advice = "" if state == "ok" else "wait until every part is loaded; /health names those that failed"
            return Finding("health", state, f"/health says {status}", advice)
        if reply.status in REFUSES | {404}:
            return Finding("health", "ok", f"the gateway answers ({reply.status})")
        return Finding("health", "fail", f"/health answers {reply.why}", self._see("orchestrator"))

    def locked(self) -> Finding:
        """Whether somebody without a login is kept out."""
        reply = self.open_api.get("/v1/packs")
        if reply.status in REFUSES:
            return Finding("locked", "ok", f"without a login the answer is {reply.status}")
        if reply.status == 200 and not _tells(reply, "packs"):
            return _no_api("locked", "/v1/packs")
        if reply.status == 200:
            advice = "set CARELINE_LOGIN; of a server on this machine's own loopback this is as it should be"
            return Finding("locked", "warn", "anybody who reaches it may ask", advice)
        return Finding("locked", "fail", f"/v1/packs answers {reply.why}", self._see("orchestrator"))

    def signed_in(self) -> tuple[Finding, str, str | None]:
        """Whether the login is taken; and the language and the name of the pack that is asked."""
        self.tell("signing in; the first request starts a function")
        reply = self.api.get("/v1/packs")
        if reply.status in REFUSES:
            advice = "give a token of role admin (CLOUD_CHECK_TOKEN), or --sign as a role that CARELINE_IAM_ROLES names"
            return Finding("sign-in", "fail", f"the login is refused: {reply.why}", advice), "", None
        if reply.status != 200:
            found = Finding("sign-in", "fail", f"/v1/packs answers {reply.why}", self._see("orchestrator"))
            return found, "", None
        if not _tells(reply, "packs"):
            return _no_api("sign-in", "/v1/packs"), "", None
        packs = [one for one in reply.body["packs"] if one["audience"] == "public"]
        if not packs:
            advice = "deploy a pack whose audience is public; see docs/packs.md"
            return Finding("sign-in", "fail", "there is no pack for the public", advice), "", None
        language = next((one for one in packs[0]["languages"] if one in texts()), "en")
        return Finding("sign-in", "ok", f"taken; pack {packs[0]['name']}, in {language}"), language, packs[0]["name"]

    def uploaded(self, probe: Probe) -> Finding:
        """Whether a page goes live."""
        self.tell("taking a page in; an index that sleeps takes half a minute to wake")
        began, self._may_come = self.clock(), True
        facts = {"doc_key": probe.doc_key, "language": probe.language, "audience": "public", "title": probe.title}
        reply = self.api.upload(f"{probe.doc_key}.md", probe.content, facts)
        if reply.status not in (200, 201, 202):
            self._may_come = reply.status >= 500
            return Finding("upload", "fail", f"the page is refused: {reply.why}", _upload_advice(reply.status))
        if not _tells(reply, "job"):
            return _no_api("upload", "/v1/documents")
        job = reply.body["job"]
        while job["state"] not in ENDED:
            if self.clock() - began > LIVE_SECONDS:
                advice = f"open the execution of {self.prefix}-ingestion in Step Functions: it names the stage it is in"
                return Finding("upload", "fail", f"not live after {LIVE_SECONDS:.0f} s", advice)
            self.pause(LOOK_AGAIN)
            looked = self.api.get(f"/v1/jobs/{quote(job['job_id'])}")
            if looked.status != 200:
                return Finding("upload", "fail", f"its job cannot be read: {looked.why}", self._see("admin"))
            if not _tells(looked, "state"):
                return _no_api("upload", "/v1/jobs")
            job = looked.body
        self._may_come = False
        if job["state"] != JobState.COMPLETED:
            told = f"{job['state']} in {job['stage'] or 'register'}: {job['error_message'] or 'no reason is given'}"
            return Finding("upload", "fail", told, self._see(f"ingestion-{job['stage'] or 'register'}"))
        return Finding("upload", "ok", f"live after {self.clock() - began:.1f} s")

    def asked(self, probe: Probe, pack: str | None) -> tuple[Finding, wire.Answer | None]:
        """Whether a question streams, and is answered from the page with its citation."""
        self.tell("asking about it")
        began, first = self.clock(), None
        answer: wire.Answer | None = None
        try:
            for event in self.api.ask(wire.QueryRequest(text=probe.question, pack=pack, language=probe.language)):  # type: ignore[arg-type]
                if isinstance(event, wire.Token) and first is None:
                    first = self.clock() - began
                if isinstance(event, wire.Done):
                    answer = event.answer
                if isinstance(event, wire.Failed):
                    told = f"the turn failed: {event.problem.error_code}"
                    return Finding("question", "fail", told, self._see("orchestrator")), None
        except Refused as refused:
            return Finding("question", "fail", f"refused: {refused.reply.why}", self._see("orchestrator")), None
        except ValidationError as error:
            told = f"the stream has a {error.title} that this Careline does not know"
            return Finding("question", "fail", told, "check a stage with the Careline that was deployed"), answer
        if answer is None or first is None:
            advice = f"{self._see('orchestrator')}; what ends after 29 s is no stream: see the gateway's methods"
            return Finding("question", "fail", "the stream ended before its answer", advice), answer
        return _judged(probe, answer, first), answer

    def recorded(self, turn: str) -> Finding:
        """Whether the record of the turn is there in time."""
        self.tell("looking for the record of that turn")
        began = self.clock()
        while (reply := self.api.get(f"/v1/turns/{quote(turn)}")).status == 404:
            if self.clock() - began > RECORD_SECONDS:
                advice = f"see the dead letters of the outbox and {self._see('telemetry')}"
                return Finding("record", "fail", f"not there after {RECORD_SECONDS:.0f} s", advice)
            self.pause(LOOK_AGAIN)
        if reply.status != 200:
            return Finding("record", "fail", f"it cannot be read: {reply.why}", self._see("orchestrator"))
        if not _tells(reply, "turn_id"):
            return _no_api("record", "/v1/turns")
        return Finding("record", "ok", f"there after {self.clock() - began:.1f} s")

    def audited(self) -> Finding:
        """Whether the audit chain is whole."""
        reply = self.api.get("/v1/admin/audit/verification")
        if reply.status != 200:
            return Finding("audit", "fail", f"it cannot be verified: {reply.why}", "sign in with the role admin")
        if not _tells(reply, "intact"):
            return _no_api("audit", "/v1/admin/audit/verification")
        if reply.body["intact"]:
            return Finding("audit", "ok", f"intact, {reply.body['entries']} entries")
        if reply.body["intact"] is None:
            advice = f"nothing was written to it: {self._see('telemetry')}"
            return Finding("audit", "fail", reply.body["nothing"] or "there is no chain", advice)
        advice = "keep the table as it is, and read docs/operations.md, When something fails"
        return Finding("audit", "fail", f"broken at entry {reply.body['fault']}", advice)

    def cleaned(self, probe: Probe, *conversations: str) -> Finding:
        """Whether what the check took in is gone."""
        self.tell("deleting what the check took in")
        page = f"/v1/documents/{quote(probe.doc_key)}"
        left, absent = [], set()
        for path in (page, *(f"/v1/conversations/{quote(one)}" for one in conversations)):
            try:
                reply = self.api.request("DELETE", path)
            except CarelineError as error:
                left.append(f"{path} ({error.message})")
                continue
            if reply.status == 404:
                absent.add(path)
            elif reply.status not in (200, 202, 204):
                left.append(f"{path} ({reply.why})")
        if left:
            return Finding("clean-up", "fail", f"left: {', '.join(left)}", "delete it by hand")
        if page in absent and self._may_come:
            told = f"{page} is not there, and may come yet: nobody heard the end of its upload"
            return Finding("clean-up", "warn", told, "look for it in an hour, and delete it by hand")
        return Finding("clean-up", "ok", "the page and the conversation are deleted")

    def _see(self, name: str) -> str:
        return f"see {FUNCTIONS_LOG.format(prefix=self.prefix, name=name)}"


@dataclass(frozen=True, slots=True)
class Probe:
    """The page of one check and the question about it."""

    language: str
    doc_key: str
    title: str
    text: str
    question: str
    fact: str

    @classmethod
    def made(cls, language: str) -> Probe:
        """A page about a name that was never used before."""
        name = "".join(secrets.choice(SYLLABLES) for _ in range(5)).title()
        said = {key: value.format(name=name) for key, value in texts()[language].items()}
        return cls(language, f"webpage-careline-check-{name.lower()}", **said)

    @property
    def content(self) -> bytes:
        """The page as Markdown."""
        return f"# {self.title}\n\n{self.text}\n".encode()


def _status(reply: Reply) -> str:
    return str(reply.body.get("status", "unknown")) if isinstance(reply.body, dict) else "unknown"


def _tells(reply: Reply, fact: str) -> bool:
    """Whether an answer is a JSON object that has this fact."""
    return isinstance(reply.body, dict) and fact in reply.body


def _no_api(name: str, path: str) -> Finding:
    advice = "give the address of the API, the output ApiUrl of careline-STAGE-api; a console has another"
    return Finding(name, "fail", f"{path} answers 200 with something else: the address is no API of Careline", advice)


def texts() -> Mapping[str, Mapping[str, str]]:
    """The page that is taken in and asked about, by language."""
    found: Mapping[str, Mapping[str, str]] = yaml.safe_load(PROBE.read_text(encoding="utf-8"))
    return found


def _judged(probe: Probe, answer: wire.Answer, first: float) -> Finding:
    """What an answer is worth: it must say the fact and cite the page."""
    cited = any(one.doc_key == probe.doc_key for one in answer.citations)
    told = f"first words after {first:.1f} s"
    if cited and probe.fact in answer.text:
        if first > FIRST_TOKEN_SECONDS:
            return Finding("question", "warn", told, "ask again: the first answer waits for functions to start")
        return Finding("question", "ok", f"answered with its citation, {told}")
    warned = ", ".join(one.code for one in answer.warnings)
    told = f"{answer.disposition} {answer.reason or ''}, not cited, warnings: {warned or 'none'}"
    advice = "vectors of page and question must come from one model: see CARELINE_EMBEDDER of every function"
    return Finding("question", "fail", told, advice)


def _upload_advice(status: int) -> str:
    if status == 403:
        return "403 from the gateway is the firewall's or the login's: see the sampled requests of the web ACL"
    if status == 413:
        return "the gateway takes 10 MB at most; larger files go to the bucket"
    return "see the message; the page is Markdown of a hundred bytes"


def alarms(session: Any, prefix: str, topic: str | None) -> Iterator[Finding]:
    """Whether alarms are quiet, and whether somebody hears them."""
    client = session.client("cloudwatch")
    pages = client.get_paginator("describe_alarms").paginate(AlarmNamePrefix=prefix)
    states = {one["AlarmName"]: one["StateValue"] for page in pages for one in page["MetricAlarms"]}
    ringing = sorted(name for name, state in states.items() if state == "ALARM")
    if not states:
        yield Finding("alarms", "fail", f"no alarm begins with {prefix}", "deploy the stage anew")
    elif ringing:
        advice = "each alarm's description says what it means; docs/cloud.md has what to do"
        yield Finding("alarms", "fail", f"{len(ringing)} of {len(states)} ring: {', '.join(ringing)}", advice)
    else:
        yield Finding("alarms", "ok", f"{len(states)}, none rings")
    if topic is None:
        return
    found = session.client("sns").get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic)
    arns = [one["SubscriptionArn"] for page in found for one in page["Subscriptions"]]
    heard = [arn for arn in arns if arn.startswith("arn:")]
    if heard:
        yield Finding("subscribers", "ok", f"{len(heard)} confirmed")
    elif arns:
        yield Finding("subscribers", "fail", "nobody has confirmed", "open the message that SNS sent, and confirm")
    else:
        # A stage whose data may go is deployed without anybody to tell, and then has those of a deployment alone.
        advice = f"deploy it with ALARMS=somebody@hospital.example, or `aws sns subscribe --topic-arn {topic} …`"
        yield Finding("subscribers", "fail" if prefix == KEEPS_DATA else "warn", "nobody hears the alarms", advice)
