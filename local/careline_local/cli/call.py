"""`careline call`: a phone conversation in text or from WAV files, with what is heard and where the time went."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from careline.curation.hospital import hospital
from careline.errors import BadRequest, EngineUnavailable, SettingsInvalid
from careline.installation import Installation
from careline.schemas import wire
from careline.speech.silence import is_goodbye
from careline.tenants import tenant_records
from careline.turn.chosen_pack import chosen_pack, usual_pack
from careline_local.cli import session as cli
from careline_local.cli.ask import answered, read
from careline_local.cli.batch.language import LANGUAGE

if TYPE_CHECKING:
    from careline_local.voice.recorded_call import Failing

NEEDED = ("aiohttp", "livekit")
TOO_SLOW = "This machine was too busy at times: an idle one hears and answers sooner than in this call."
INSTALL = "run `make voice`, or `pip install -r requirements/voice.txt`"


@click.command(name="call")
@click.option(
    "--text", "said", multiple=True, help="What the caller says, once per utterance; standard input when absent."
)
@click.option(
    "--lang",
    type=LANGUAGE,
    help="Language of the line; the first utterance decides when absent.",
)
@click.option("--pack", help="Pack that answers.")
@click.option(
    "--wav",
    "wavs",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A WAV of what the caller says, once per utterance; needs `make voice`.",
)
@click.option("--said", "words", multiple=True, help="Words of each --wav, in order; else a .txt file beside it.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("call"),
    show_default=True,
    help="Folder for the recording, the transcript and the waterfall of --wav.",
)
@click.option(
    "--failing",
    type=click.Choice(["hearing", "voice", "orchestrator"]),
    help="What breaks in the call of --wav: recognition in mid-sentence, the voice's key, the orchestrator.",
)
@click.option("--server", help="Address of a running `careline up` for --wav; one is started otherwise.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession,
    said: tuple[str, ...],
    lang: str | None,
    pack: str | None,
    wavs: tuple[Path, ...],
    words: tuple[str, ...],
    out: Path,
    failing: Failing | None,
    server: str | None,
    as_json: bool,
) -> None:
    """Hold a phone conversation in text or from WAV files."""
    if wavs:
        _hold(wavs, words, lang, pack, out, failing, server, session, as_json)
        return
    if failing is not None:
        raise BadRequest("--failing: nothing can break in a call of text; give --wav")
    utterances: Iterable[str] = said or _listened(session)
    session.run(_call(utterances, lang, pack, session, as_json))


def _hold(
    wavs: tuple[Path, ...],
    words: tuple[str, ...],
    lang: str | None,
    pack: str | None,
    out: Path,
    failing: Failing | None,
    server: str | None,
    session: cli.CommandSession,
    as_json: bool,
) -> None:
    if words and len(words) != len(wavs):
        raise BadRequest("--said: give the words of every --wav, in the same order, or of none")
    voice_installed()
    from careline_local.voice import framework_messages, recorded_call

    spoken = [recorded_call.spoken(wav, words[at] if words else None, lang) for at, wav in enumerate(wavs)]
    settings = session.settings.with_changes(**({"pack": pack} if pack else {}))
    with framework_messages.left_out() as noticed:
        finished = asyncio.run(recorded_call.hold(spoken, settings, server, language=lang, failing=failing))
    if noticed.slow:
        session.note(TOO_SLOW)
    files = recorded_call.write(finished, out)
    told = {**finished.as_json(), "files": {name: str(path) for name, path in files.items()}}
    (out / "transcript.json").write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")
    if as_json:
        session.print_json(told)
        return
    _show_call(told, session)


def voice_installed() -> None:
    """Raises: SettingsInvalid saying what to do when the phone worker's requirements are not installed."""
    if any(find_spec(name) is None for name in NEEDED):
        raise SettingsInvalid(f"this needs what the phone worker runs on; {INSTALL}")


def _show_call(told: dict[str, Any], session: cli.CommandSession) -> None:
    session.console.print(Text(f"careline: {told['opening']}", style="green"))
    for turn in told["turns"]:
        session.console.print(Text(f"caller:   {turn['caller']}", style="bold"))
        session.console.print(Text(f"careline: {turn['spoken'] or '(nothing)'}", style="green"))
        first = turn["first_audio_seconds"]
        heard = "nothing was heard" if first is None else f"first word after {first:.2f} s"
        parts = " · ".join(f"{name} {1000 * seconds:.0f}" for name, seconds in turn["waterfall"].items())
        session.console.print(Text(f"          {heard} · ms: {parts}", style="dim"))
    session.console.print(Text(f"          longest silence {told['longest_silence_seconds']:.1f} s", style="dim"))
    for reason in told["transfers"]:
        session.console.print(Text(f"          put through to a person ({reason})", style="dim"))
    for name in told["unused"]:
        session.console.print(Text(f"          {name} was not used: the call was over before", style="dim"))
    for path in told["files"].values():
        session.console.print(Text(path, style="dim"))


def _listened(session: cli.CommandSession) -> Iterable[str]:
    while True:
        if sys.stdin.isatty():
            session.progress_console.print("caller> ", end="")
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


async def _call(
    utterances: Iterable[str], lang: str | None, pack: str | None, session: cli.CommandSession, as_json: bool
) -> None:
    installation = session.installation
    conversation = installation.engines.new_id()
    if not as_json:
        session.console.print(Text(f"careline: {await opening(installation, lang, pack)}", style="green"))
    for utterance in utterances:
        asked = read(
            {"text": utterance, "language": lang, "pack": pack, "channel": "voice", "conversation_id": conversation}
        )
        answer = await answered(asked, installation)
        if as_json:
            session.print_json(_said(utterance, answer))
        else:
            _show(utterance, answer, session)
        if answer.disposition == "farewelled" and is_goodbye(utterance, answer.language):
            # As on the telephone: thanks alone end no call.
            return


async def opening(installation: Installation, lang: str | None, pack: str | None) -> str:
    """What the line says first; it says that it is a machine (AI Act, article 50)."""
    settings = installation.settings
    try:
        tenant, _ = await hospital(installation.engines, settings.tenant, settings, installation.directories_seen)
    except EngineUnavailable:
        # A line is answered also while the records are down; what is said next tells of them.
        tenant = tenant_records.of_settings(settings.tenant, settings)
    name = pack or usual_pack(tenant, installation)
    if name not in installation.packs:
        raise cli.no_pack(name, installation.packs)
    chosen = chosen_pack(name, "voice", tenant, installation)
    language = lang or tenant.default_language or chosen.default_language
    return chosen.say("call_opening", language, hospital=tenant.name_in(language) or "")


def _said(utterance: str, answer: wire.Answer) -> dict[str, Any]:
    return {
        "caller": utterance,
        "spoken": answer.text,
        "language": answer.language,
        "disposition": answer.disposition,
        "reason": answer.reason,
        "warnings": [warning.code for warning in answer.warnings],
        "model": answer.model,
        "timings": [timing.model_dump() for timing in answer.timings],
        "citations": [citation.doc_key for citation in answer.citations],
    }


def _show(utterance: str, answer: wire.Answer, session: cli.CommandSession) -> None:
    session.console.print(Text(f"caller:   {utterance}", style="bold"))
    session.console.print(Text(f"careline: {answer.text}", style="green"))
    for warning in answer.warnings:
        session.console.print(Text(f"          ! {warning.message}", style="yellow"))
    stages = " · ".join(f"{timing.stage} {timing.ms:.0f}" for timing in answer.timings)
    session.console.print(Text(f"          {answer.language} · {answer.disposition} · ms: {stages}", style="dim"))
