"""Nothing on the way from a document to an answer tries to leave this machine."""

from __future__ import annotations

from pathlib import Path

from tests.journeys.conftest import write_documents
from tests.journeys.process import Careline

GUARD = '''
"""Python imports this by itself when it starts: a connection to anywhere but this machine ends the process."""
import ipaddress
import os
import socket
import sys


def refuse(where):
    sys.stderr.write(f"LEFT THE MACHINE: {where}\\n")
    sys.stderr.flush()
    os._exit(99)


def inside(host):
    try:
        return host in (None, "", "localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def guarded(event, arguments):
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if isinstance(address, tuple) and not inside(address[0]):
            refuse(address)
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not inside(arguments[0]):
        refuse(arguments[0])


sys.addaudithook(guarded)
'''


def offline(home: Path, folder: Path) -> Careline:
    """The command under the guard, which is imported because its folder is on the path."""
    (folder / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    usual = Careline(home).variables()["PYTHONPATH"]
    return Careline(home, {"PYTHONPATH": f"{folder}:{usual}"})


def test_documents_are_taken_in_asked_about_and_served_without_a_network(tmp_path: Path) -> None:
    (tmp_path / "guard").mkdir()
    careline = offline(tmp_path / "home", tmp_path / "guard")
    assert careline.json("ingest", str(write_documents(tmp_path / "documents")))["refused"] == []
    assert "2,50 euro" in careline.json("ask", "hoeveel kost parkeren per uur")["text"]
    with careline.served() as server:
        assert "onthaal" in server.ask("waar kan ik hier een rolstoel lenen")["text"]


def test_the_guard_ends_a_process_that_does_leave(tmp_path: Path) -> None:
    careline = offline(tmp_path / "home", tmp_path)
    elsewhere = {
        "CARELINE_MODEL": "openai",
        "CARELINE_OPENAI_API_KEY": "k",
        "CARELINE_OPENAI_BASE_URL": "http://192.0.2.1/v1",
    }
    (tmp_path / "klok.md").write_text("# De klok\n\nDe klok in de inkomhal slaat elk uur.\n", encoding="utf-8")
    assert careline.run("ingest", str(tmp_path / "klok.md")).returncode == 0
    done = Careline(careline.home, {**careline.environment, **elsewhere}).run(
        "ask", "wanneer slaat de klok in de inkomhal"
    )
    assert (done.returncode, "LEFT THE MACHINE" in done.stderr) == (99, True)
