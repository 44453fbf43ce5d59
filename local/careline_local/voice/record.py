"""Records the sentences that the phone needs when its vendors are away: `python -m careline_local.voice.record`.

Spoken by espeak-ng and kept as Opus; a sentence that is recorded already is left alone. With a directory file the
sentences of this hospital's menu are recorded too, into a folder for `CARELINE_VOICE_RECORDINGS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import av
import click

from careline.directory.hospital import PhoneDirectory, read_directory
from careline.model import LANGUAGES
from careline.speech import language_data
from careline.speech.menu import Menu
from careline_local.voice import sound
from careline_voice.speaking.recordings import SHIPPED, file_name, sentence, sentence_keys

BITS_PER_SECOND = 16_000


@click.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=SHIPPED, show_default=True)
@click.option(
    "--directory", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A hospital's directory."
)
def main(out: Path, directory: Path | None) -> None:
    """Record what is not recorded yet."""
    known = PhoneDirectory() if directory is None else read_directory(directory.read_text("utf-8"), directory.name)
    made = sum(record(text, language, out) for language in LANGUAGES for text in texts(language, known))
    click.echo(f"{made} sentences recorded in {out}")


def texts(language: str, directory: PhoneDirectory) -> Iterator[str]:
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
