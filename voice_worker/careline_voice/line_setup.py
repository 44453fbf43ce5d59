"""Everything the calls of one worker process share: the orchestrator, what the line says of itself, the recordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from careline.directory.directory import Directory
from careline.errors import CarelineError, SettingsInvalid
from careline.log.event_log import EventLog
from careline.settings import PhoneSettings
from careline.speech import overlay
from careline.speech.filler import ladder
from careline.speech.language_lock import LanguageLock
from careline.speech.line import PhoneLine
from careline.speech.overlay import Overlay
from careline_voice.asking.orchestrator import Orchestrator
from careline_voice.listening.consent import accepts
from careline_voice.speaking.recordings import Recordings

log = EventLog(__name__)
LANGUAGES = ("nl", "en", "fr", "it")
FALLBACK = "nl"
"""Language of a line that could not be asked for its own and has none in the settings."""


@dataclass(slots=True)
class LineSetup:
    """What calls are made with. `line` is the last one that was heard of, at first that of the recordings; None where
    there never was one."""

    settings: PhoneSettings
    orchestrator: Orchestrator
    overlays: Mapping[str, Overlay]
    recordings: Recordings
    line: PhoneLine | None = None

    @classmethod
    def of(cls, settings: PhoneSettings) -> LineSetup:
        """From the settings. Raises: SettingsInvalid naming the setting or the entry of a file that is wrong."""
        voice = settings.voice
        written = "{}" if voice.overlays is None else _read(voice.overlays, "OVERLAYS")
        overlays = overlay.read_overlays(written, "CARELINE_VOICE_OVERLAYS")
        folders = [voice.recordings] if voice.recordings else []
        orchestrator = Orchestrator(settings.orchestrator, settings.aws.aws_region)
        recordings = Recordings(*folders)
        made = cls(settings, orchestrator, overlays, recordings, recordings.line)
        made.warm()
        return made

    async def refresh(self) -> None:
        """Ask what the line says, which also warms the connection; what was known stays where nobody answers."""
        try:
            self.line = await self.orchestrator.line(self.settings.pack)
        except CarelineError as error:
            log.write("line_not_read", error=error.code)
            return
        recorded = self.recordings.line
        if recorded is not None and recorded.edition != self.line.edition:
            log.write("recordings_outdated", edition=self.line.edition, recorded=recorded.edition)

    def warm(self) -> None:
        """Read what the first caller would otherwise wait for: the words of every language."""
        for language in LANGUAGES:
            ladder(language)
            LanguageLock(language).heard("warm this up", language, 0.0)
            accepts("warm", language)

    @property
    def default_language(self) -> str:
        """The language a call begins in."""
        return self.line.default_language if self.line else (self.settings.hospital.default_language or FALLBACK)

    def keyterms(self, language: str) -> list[str]:
        """Names that speech recognition should expect, of the directory as it was when the call began."""
        return self.line.keyterms.get(language, []) if self.line else []

    def directory(self, *, recorded: bool = False) -> Directory:
        """What the menu knows of the hospital. `recorded`: as it was when the menu was recorded, where that was done;
        of anything else nothing can be said without the voice's vendor."""
        line = (self.recordings.line if recorded else None) or self.line
        return line.directory if line else Directory()

    @property
    def person(self) -> str | None:
        """Where a person answers; None when nobody was named."""
        helpdesk, transfer = (self.line.helpdesk_phone, self.line.transfer_to) if self.line else (None, None)
        return self.settings.hospital.transfer_to or transfer or helpdesk


def _read(path: Path, name: str) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise SettingsInvalid(f"CARELINE_VOICE_{name}: {path} cannot be read as text") from None
