"""Records the sentences that the phone needs when its vendors are away: `python -m careline_local.voice.record`.

Spoken by espeak-ng and kept as Opus; a sentence that is recorded already is left alone. With `--line` the sentences of
the menu of this hospital are recorded too, into a folder for `CARELINE_VOICE_RECORDINGS`: of the line as the worker's
orchestrator has it, which is kept beside them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import av
import click

from careline.directory.directory import Directory
from careline.errors import CarelineError
from careline.model import LANGUAGES
from careline.settings import PhoneSettings
from careline.speech import language_data
from careline.speech.line import RECORDED, PhoneLine
from careline.speech.menu import Menu
from careline_local.voice import sound
from careline_voice.asking.orchestrator import Orchestrator
from careline_voice.speaking.recordings import SHIPPED, file_name, sentence, sentence_keys

BITS_PER_SECOND = 16_000


@click.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=SHIPPED, show_default=True)
@click.option("--line", "of_line", is_flag=True, help="The menu of this hospital too, as its orchestrator has it.")
def main(out: Path, of_line: bool) -> None:
    """Record what is not recorded yet."""
    if not of_line:
        made = sum(record(text, language, out) for language in LANGUAGES for text in texts(language, Directory()))
        click.echo(f"{made} sentences recorded in {out}")
        return
    try:
        line = asyncio.run(asked(PhoneSettings.load()))
    except CarelineError as error:
        raise click.ClickException(f"{error.code}: {error.message}") from None
    click.echo(f"{record_line(line, out)} sentences recorded in {out}, of edition {line.edition} of the directory")


async def asked(settings: PhoneSettings) -> PhoneLine:
    """The line as the worker is told it. Raises: OrchestratorUnavailable, OrchestratorRefused, SettingsInvalid."""
    orchestrator = Orchestrator(settings.orchestrator, settings.aws.aws_region)
    try:
        return await orchestrator.line(settings.pack)
    finally:
        await orchestrator.close()


def record_line(line: PhoneLine, folder: Path) -> int:
    """Record the menu of a line, and keep the line beside it once all of it is there. Gives how many were made."""
    made = sum(record(text, one, folder) for one in line.languages for text in texts(one, line.directory))
    (folder / RECORDED).write_text(line.model_dump_json(), "utf-8")
    return made


def texts(language: str, directory: Directory) -> Iterator[str]:
    """Everything that may have to be said without the voice's vendor."""
    yield from (sentence(key, language) for key in sentence_keys())
    yield from language_data.texts(language, "silence", "prompts")
    yield language_data.text(language, "silence", "close")
    yield from Menu(directory, language).prompts()


def record(text: str, language: str, folder: Path) -> bool:
    """Record one sentence; False when that was done before."""
    path = folder / language / file_name(text)
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    encode(sound.speak(text, language), path)
    return True


def encode(samples: sound.Samples, path: Path) -> None:
    """Samples of 16 kHz as an Opus file."""
    with av.open(str(path), "w", format="ogg") as file:
        stream = file.add_stream("libopus", rate=sound.RATE, layout="mono")
        stream.bit_rate = BITS_PER_SECOND
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = sound.RATE
        for packet in (*stream.encode(frame), *stream.encode(None)):
            file.mux(packet)


if __name__ == "__main__":
    main()
