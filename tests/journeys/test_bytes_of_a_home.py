"""Names and numbers of a conversation, looked for in the bytes of every file of a home, and gone with an erasure."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.process import Careline

CONVERSATION = (
    "ik ben Lieselotte Vanhaverbeke, geboren op 12 maart 1961, hoeveel kost parkeren per uur",
    "mijn rijksregisternummer is 85.07.30-033.28 en u belt mij op 0478 12 34 56, wanneer is er bezoek",
    "of mail naar lotte.vanhaverbeke@voorbeeld.be, hoeveel kost parkeren",
    "dokter Quaegebeur zei dat ik een rolstoel kan lenen, rekening BE68 5390 0754 7034",
)
CONTEXT = {"chief_complaint": "Zwangerschapscholestase bij mevrouw Vanhaverbeke", "medications": ["ursodeoxycholzuur"]}
NAMED = "Vanhaverbeke-Lieselotte"
TRACES = (
    "Lieselotte", "Vanhaverbeke", "Quaegebeur", "1961", "85.07.30", "033.28", "0478 12 34 56", "478123456",
    "lotte.vanhaverbeke", "5390 0754", "Zwangerschapscholestase", "ursodeoxycholzuur", NAMED,
)  # fmt: skip
WAYS = (
    "+32 478 12 34 56", "85073003328", "Lotte.Vanhaverbeke@voorbeeld.be", "BE68539007547034",
    "Vanhaverbeke Lieselotte 12/03/1961",
)  # fmt: skip


def spelt(word: str) -> re.Pattern[bytes]:
    """A word in the encodings that SQLite and JSON may give it.

    Four digits stand by chance in the base64 and hexadecimal digits of what is encrypted now and then:
    a number that short is looked for as a number of its own, which is how a caller's words would hold it.
    """
    either = "|".join(re.escape(word.lower().encode(encoding)).decode("latin-1") for encoding in ("utf-8", "utf-16-le"))
    alone = "[0-9a-z+/_=-]" if word.isdigit() and len(word) < 6 else "(?!)"
    return re.compile(f"(?<!{alone})(?:{either})(?!{alone})".encode("latin-1"))


def traces(home: Path, words: tuple[str, ...] = TRACES) -> list[tuple[str, str]]:
    """Where in a home a word stands, in any of its encodings and whatever its case."""
    found = []
    for path in home.rglob("*"):
        if path.is_file() and "files" not in path.relative_to(home).parts:
            content = path.read_bytes().lower()
            found += [(path.name, word) for word in words if spelt(word).search(content)]
    return found


def hold(careline: Careline) -> list[str]:
    """The conversation from end to end, by somebody who names no user; the turns."""
    with careline.served() as server:
        answers = [
            server.ask(text, conversation_id=NAMED, language="nl", clinical_context=CONTEXT) for text in CONVERSATION
        ]
        ids = {answer["conversation_id"] for answer in answers}
        assert len(ids) == 1
        assert not any("vanhaverbeke" in one.lower() for one in ids)
        for answer in answers:
            assert "Quaegebeur" not in str(server.record(answer["id"]))
        assert traces(careline.home) == [], "while it runs"
        server.process.terminate()
        said, complained = server.process.communicate(timeout=60)
        assert not [word for word in TRACES if word in said + complained]
    return [answer["id"] for answer in answers]


@pytest.fixture(scope="module")
def held_before(home_of_their_own: Callable[[], Careline]) -> tuple[Path, list[str]]:
    """A home in which the conversation was held, to be copied, and the turns."""
    careline = home_of_their_own()
    turns = hold(careline)
    assert traces(careline.home) == []
    return careline.home, turns


@pytest.mark.parametrize("way", WAYS)
def test_a_caller_without_a_user_is_exported_and_erased_by_anything_they_said(
    held_before: tuple[Path, list[str]], tmp_path: Path, way: str
) -> None:
    home, turns = held_before
    careline = Careline(Path(shutil.copytree(home, tmp_path / "home")))
    held = careline.json("export", "--subject", way)
    (conversation,) = held["conversations"]
    assert [one["text"] for one in conversation["messages"] if one["role"] == "user"] == list(CONVERSATION)
    assert conversation["clinical_context"]["chief_complaint"] == CONTEXT["chief_complaint"]
    assert len(held["turns"]) == len(held["billing"]) == len(held["audit"]) == len(turns)
    done = careline.json("erase", "--subject", way)
    assert done["erased"] == {"conversations": 1, "messages": 8, "turns": 4}
    assert traces(careline.home) == []
    identifiers = (conversation["conversation_id"], "messages/", "question_encrypted")
    assert [where for where in traces(careline.home, identifiers[1:]) if where[0] == "records.sqlite"] == []
    for other in WAYS:
        assert careline.json("export", "--subject", other)["conversations"] == []
    assert careline.json("audit", "verify")["intact"] is True


def test_a_name_alone_is_too_weak_and_that_is_said(careline: Careline) -> None:
    for command in ("erase", "export"):
        done = careline.run(command, "--subject", "Lieselotte Vanhaverbeke")
        assert (done.returncode, "give the date of birth too" in done.stderr) == (1, True)
        assert "Vanhaverbeke" not in done.stderr
