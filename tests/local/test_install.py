"""The first start tells how far pip is, and shows what it said where it fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "requirements" / "install.py"
PIP = """
import sys, time
for name in ("one", "two"):
    print(f"Collecting {name}==1 (from -r FILE)", flush=True)
    time.sleep(0.4)
print("Installing collected packages: one, two", flush=True)
time.sleep(0.4)
sys.exit(CODE)
"""


def installed(tmp_path: Path, code: int) -> subprocess.CompletedProcess[str]:
    """What a person sees where pip says this and ends with a code."""
    pins = tmp_path / "pins.txt"
    pins.write_text("one==1 \\\n    --hash=sha256:0\ntwo==1\nof-windows==1 ; sys_platform == 'win32'\n", "utf-8")
    (tmp_path / "pip.py").write_text(PIP.replace("CODE", str(code)), "utf-8")
    run = (
        f"import runpy, sys; from pathlib import Path; made = runpy.run_path({str(SCRIPT)!r}); "
        f"made['install'].__globals__['EVERY'] = 0.1; "
        f"sys.exit(made['install'](Path({str(pins)!r}), ({sys.executable!r}, {str(tmp_path / 'pip.py')!r})))"
    )
    return subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)


def test_it_counts_packages_while_pip_works(tmp_path: Path) -> None:
    done = installed(tmp_path, 0)
    assert done.returncode == 0
    assert "downloading: 1 of 2 packages" in done.stderr
    assert "installing: 2 of 2 packages" in done.stderr
    assert "Collecting" not in done.stderr, "pages of pip are for when it fails"


@pytest.mark.parametrize("code", [1, 2])
def test_where_pip_fails_all_that_it_said_is_shown(tmp_path: Path, code: int) -> None:
    done = installed(tmp_path, code)
    assert done.returncode == code
    assert "Collecting two==1" in done.stderr


def test_the_makefile_installs_with_it() -> None:
    made = (ROOT / "Makefile").read_text("utf-8")
    assert "INSTALL := $(BIN)/python requirements/install.py" in made
    assert "@$(INSTALL) requirements/laptop.txt" in made
