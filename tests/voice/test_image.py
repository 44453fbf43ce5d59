"""The worker's image, which cannot be built everywhere: its tree is laid out as the Dockerfile says, and it starts
there with nothing of the repository within reach."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from tests.cloud import sandbox
from tests.cloud.image import Image, build
from tests.source_roots import ROOT

pytestmark = pytest.mark.timeout(300)
DOCKERFILE = ROOT / "voice_worker" / "Dockerfile"
BEGIN = """\
import careline_voice.main
from careline.settings import PhoneSettings
from careline_voice.line_setup import LineSetup
from careline_voice.speaking.recordings import sentence, sentence_keys
setup = LineSetup.of(PhoneSettings.load())
assert all(setup.recordings.path(sentence(key, "nl"), "nl") for key in sentence_keys())
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    if refused := sandbox.refusal():
        pytest.skip(refused)
    return build(ROOT, DOCKERFILE, None, tmp_path_factory.mktemp("image"))


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """Where a worker looks for LiveKit."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(120)
        yield listening


def environment(image: Image, **more: str) -> Mapping[str, str]:
    return {**image.environment, **more}


def test_what_the_image_copies_is_in_the_repository() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    sources = [line.split()[1] for line in DOCKERFILE.read_text("utf-8").splitlines() if line.startswith("COPY ")]
    assert sources
    for source in sources:
        assert any(name == source or name.startswith(f"{source}/") for name in tracked), source


def test_a_call_can_be_taken_with_nothing_but_what_the_image_holds(image: Image) -> None:
    process = sandbox.started(
        image.root, image.workdir, ["python", "-c", BEGIN], environment(image), output=subprocess.PIPE
    )
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 0, said.decode()


def test_the_image_starts_and_looks_for_its_server(image: Image, server: socket.socket) -> None:
    where = f"ws://127.0.0.1:{server.getsockname()[1]}"
    ports = {"CARELINE_VOICE_HEALTH_PORT": "0", "CARELINE_VOICE_METRICS_PORT": "0"}
    keys = {"LIVEKIT_URL": where, "LIVEKIT_API_KEY": "key", "LIVEKIT_API_SECRET": "a secret of thirty-two letters"}
    vendors = {"CARELINE_DEEPGRAM_API_KEY": "k", "CARELINE_ELEVENLABS_API_KEY": "k"}
    process = sandbox.started(
        image.root,
        image.workdir,
        [*image.entrypoint, *image.command],
        environment(image, **keys, **ports, **vendors),
        output=subprocess.PIPE,
    )
    try:
        asking, _ = server.accept()
        with asking:
            assert asking.recv(4096).startswith(b"GET /agent")
    finally:
        process.kill()
        process.communicate()


def test_the_image_installs_every_package_with_its_hash() -> None:
    assert "--no-deps --require-hashes --only-binary :all:" in DOCKERFILE.read_text("utf-8")
    assert Path(ROOT / "requirements" / "voice.txt").read_text("utf-8").count("--hash=sha256:") > 1
