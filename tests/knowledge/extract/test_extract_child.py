"""Documents that break, stop or take over the process that reads them: each fails alone, and no process stays."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from careline.errors import DocumentRejected, ExtractionUnavailable
from careline.knowledge.extract import Limits
from careline.knowledge.extract.child import frames, read_in_child
from careline.knowledge.extract.child.memory import by_proc, by_ps
from careline.knowledge.extract.child.pool import ReaderPool
from careline.knowledge.extract.child.process import ReaderProcess, environment_of_child
from careline.knowledge.extract.rejections import MESSAGES
from careline.tables.extracted import Extracted
from tests.knowledge.extract.misbehaving_reader import MISDEEDS
from tests.source_roots import PYTHONPATH

ROOT = Path(__file__).parents[3]
MISBEHAVING = "tests.knowledge.extract.misbehaving_reader"
SHORT = Limits(extract_seconds=0.5)
LONG = Limits(extract_seconds=60.0)
REASONS = {
    "segfault": "crashed", "abort": "crashed", "exit": "crashed", "nonsense": "crashed", "pickle": "crashed",
    "endless": "crashed", "shape": "crashed", "pages": "crashed", "surrogate": "crashed", "lie": "crashed",
    "reason": "crashed", "long": "crashed", "lines": "crashed", "figure": "crashed", "message": "crashed",
    "deep": "crashed", "bug": "crashed", "bug-that-talks": "crashed",
    "cpu": "too_slow", "sleep": "too_slow", "pauses": "too_slow", "grandchild": "too_slow",
    "kill": "too_much_memory", "hoard": "too_much_memory",
}  # fmt: skip


@pytest.fixture
def pool() -> Iterator[ReaderPool]:
    made = ReaderPool(1, MISBEHAVING)
    yield made
    made.close()


def text_of(extracted: Extracted) -> str:
    return "\n".join(page.text for page in extracted.pages)


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has asked about yet has ended too."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def eventually(true: Callable[[], bool]) -> bool:
    """Whether something becomes true; the limit is there for a test that would never end."""
    return any(true() or time.sleep(0.02) for _ in range(1000))


def children() -> set[int]:
    """Of this process itself: those of servers that other tests have started come and go."""
    return {child.pid for child in psutil.Process().children()}


def test_every_misdeed_has_its_expected_reason() -> None:
    assert REASONS.keys() == MISDEEDS.keys()
    assert set(REASONS.values()) <= MESSAGES.keys()


@pytest.mark.parametrize("misdeed", REASONS)
async def test_a_document_that_takes_the_child_over_fails_alone_with_a_reason_and_the_next_is_read(
    misdeed: str, pool: ReaderPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = children()
    first = (await pool.read("goed.txt", b"een", LONG)).stated["pid"]
    limits = Limits(extract_seconds=0.5 if REASONS[misdeed] == "too_slow" else 60.0, ocr_seconds_per_page=0.0,
                    extract_memory_bytes=200 * 1024 * 1024, max_pages=1000 if misdeed != "pauses" else 3)  # fmt: skip
    with pytest.raises(DocumentRejected) as refused:
        await pool.read(f"{misdeed}.txt", b"kwaad", limits)
    assert refused.value.reason == REASONS[misdeed]
    assert refused.value.message.endswith(".")
    assert "Jan" not in refused.value.message
    assert "0900" not in refused.value.message
    assert isinstance(first, int)
    assert is_gone(first)
    again = await pool.read("goed.txt", b"twee", LONG)
    assert text_of(again) == "twee"
    pool.close()
    assert children() <= before
    if misdeed == "grandchild":
        assert eventually(lambda: is_gone(int((tmp_path / "grandchild").read_text())))


def test_what_is_said_of_time_and_memory_names_the_limit_and_its_setting() -> None:
    from careline.knowledge.extract.rejections import rejected

    slow, large = rejected("too_slow", limit=120.0), rejected("too_much_memory", limit=1500)
    assert "120 seconds" in slow.message
    assert "CARELINE_EXTRACT_SECONDS" in slow.message
    assert "1,500 MB" in large.message
    assert "CARELINE_EXTRACT_MEMORY_MB" in large.message


async def test_a_good_child_reads_many_documents_and_says_what_in_process_reading_says() -> None:
    from careline.knowledge.extract import read

    source = b"# Bezoek\n\nBezoek mag van 14 tot 20 uur.\n\n| dag | uur |\n|---|---|\n| ma | 9 |\n"
    found = await asyncio.gather(*(read_in_child("a.md", source, Limits()) for _ in range(20)))
    assert all(extracted == read("a.md", source) for extracted in found)
    for name, content in (("a.pdf", b"<!doctype html><html>x"), ("a.txt", b""), ("../a.txt", b"x")):
        with pytest.raises(DocumentRejected) as inside:
            read(name, content)
        with pytest.raises(DocumentRejected) as outside:
            await read_in_child(name, content, Limits())
        assert (outside.value.reason, outside.value.message) == (inside.value.reason, inside.value.message)


def own_children() -> set[int]:
    return {child.pid for child in psutil.Process().children()}


async def test_a_rejection_does_not_cost_the_child(pool: ReaderPool) -> None:
    good = ReaderPool(1)
    try:
        await good.read("a.txt", b"een", Limits())
        children = own_children()
        with pytest.raises(DocumentRejected):
            await good.read("a.pdf", b"niets", Limits())
        await good.read("a.txt", b"twee", Limits())
        assert own_children() == children
    finally:
        good.close()


async def test_a_child_that_ended_while_nobody_asked_is_replaced_without_a_word(pool: ReaderPool) -> None:
    pid = (await pool.read("goed.txt", b"een", LONG)).stated["pid"]
    assert isinstance(pid, int)
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: is_gone(pid))
    assert text_of(await pool.read("goed.txt", b"twee", LONG)) == "twee"


async def test_children_that_all_ended_while_nobody_asked_are_replaced_without_a_word() -> None:
    pool = ReaderPool(2, MISBEHAVING)
    try:
        both = await asyncio.gather(*(pool.read("goed.txt", b"een", LONG) for _ in range(2)))
        pids = {int(str(one.stated["pid"])) for one in both}
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        assert eventually(lambda: all(map(is_gone, pids)))
        assert text_of(await pool.read("goed.txt", b"twee", LONG)) == "twee"
    finally:
        pool.close()


async def test_a_stopped_child_is_ended_when_its_time_is_over_even_if_it_takes_nothing(pool: ReaderPool) -> None:
    pid = (await pool.read("goed.txt", b"een", LONG)).stated["pid"]
    assert isinstance(pid, int)
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(DocumentRejected) as refused:
        await pool.read("goed.txt", b"x" * 5_000_000, SHORT)
    assert refused.value.reason == "too_slow"
    assert is_gone(pid)


async def test_whoever_gives_up_ends_the_childs_work_and_the_loop_goes_on_meanwhile(pool: ReaderPool) -> None:
    limits = Limits(extract_seconds=3600)
    pid = (await pool.read("goed.txt", b"een", limits)).stated["pid"]
    assert isinstance(pid, int)
    waiting = asyncio.create_task(pool.read("sleep.txt", b"x", limits))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert text_of(await pool.read("goed.txt", b"twee", limits)) == "twee"
    assert is_gone(pid)


async def test_a_program_that_does_not_start_is_no_fault_of_the_document() -> None:
    pool = ReaderPool(1, "careline.no_such_program")
    try:
        with pytest.raises(ExtractionUnavailable):
            await pool.read("a.txt", b"x", Limits())
    finally:
        pool.close()


def test_memory_that_a_reader_asks_for_at_once_is_refused_by_the_system_and_named() -> None:
    child = ReaderProcess()
    try:
        limits = Limits(extract_memory_bytes=64 * 1024 * 1024, max_file_bytes=1 << 30, max_characters=1 << 30)
        with pytest.raises(DocumentRejected) as refused:
            child.read("a.txt", b"een woord of twee\n\n" * 4_000_000, limits, threading.Event())
        assert refused.value.reason == "too_much_memory"
        assert child.ended
    finally:
        child.end()


def test_the_child_is_given_no_key_and_no_password() -> None:
    ours = {"PATH": "/bin", "CARELINE_OPENAI_API_KEY": "x", "AWS_SECRET_ACCESS_KEY": "y", "LANG": "C"}
    given = environment_of_child(ours)
    assert set(given) == {"PATH", "LANG", "PYTHONPATH", "PYTHONSAFEPATH", "PYTHONDONTWRITEBYTECODE"}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_child_ends_with_its_parent_however_that_ends(number: int) -> None:
    program = (
        "import threading, sys\n"
        "from careline.knowledge.extract.child.process import ReaderProcess\n"
        "from careline.limits import Limits\n"
        f"child = ReaderProcess({MISBEHAVING!r} if sys.argv[1] == 'busy' else ReaderProcess.__init__.__defaults__[0])\n"
        "child.read('goed.txt', b'x', Limits(), threading.Event())\n"
        "print(child.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": PYTHONPATH,
    }
    with subprocess.Popen(
        [sys.executable, "-c", program, "idle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert not is_gone(pid)
        parent.send_signal(number)
        parent.wait()
        assert eventually(lambda: is_gone(pid))


def test_both_ways_of_looking_at_memory_agree() -> None:
    if not Path("/proc/self/statm").exists() or not Path("/bin/ps").exists():
        pytest.skip("this system has not both /proc and /bin/ps")
    one, other = by_proc(os.getpid()), by_ps(os.getpid())
    assert one > 1_000_000
    assert abs(one - other) < 0.5 * one
    assert by_proc(2**22 + 1) == by_ps(2**22 + 1) == 0


def test_an_answer_that_a_hostile_child_gives_is_data_and_nothing_else() -> None:
    with pytest.raises(DocumentRejected, match="larger"):
        frames.extracted(Extracted((), {"title": "x" * (2 << 20)}), Limits(max_characters=1))
