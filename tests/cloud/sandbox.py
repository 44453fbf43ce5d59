"""Runs a process in a file tree of its own, read-only but for `/tmp`, where nothing of the repository exists.

The tree is mounted at the places it has on AWS, this machine's Python and system libraries beside it, in a mount
namespace of its own (util-linux's `unshare`). The tree's packages stand where this Python looks for installed ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
"""The interpreter below the virtual environment, which knows none of its packages."""
OURS = ("var", "opt", "srv")
"""Folders of a tree that hold what is ours; its packages stand apart."""
SYSTEM = ("/usr", "/etc", "/proc", "/dev", "/sys")
LINKS = ("/bin", "/lib", "/lib64", "/sbin")
_PREPARE = """\
set -e
new=$1; tree=$2; prefix=$3; packages=$4; shift 4
mount --make-rprivate /
mount -t tmpfs -o mode=755 none "$new"
for at in $SYSTEM; do mkdir -p "$new$at"; mount --rbind "$at" "$new$at"; done
for at in $LINKS; do
  if [ -L "$at" ]; then ln -s "$(readlink "$at")" "$new$at"
  elif [ -d "$at" ]; then mkdir "$new$at"; mount --rbind "$at" "$new$at"; fi
done
case "$prefix" in /usr|/usr/*) ;; *) mkdir -p "$new$prefix"; mount --bind "$prefix" "$new$prefix";; esac
mount --bind "$tree/site-packages" "$new$packages"
mount -o remount,bind,ro "$new$packages"
for at in $OURS; do
  if [ -d "$tree/$at" ]; then
    mkdir -p "$new/$at"; mount --bind "$tree/$at" "$new/$at"; mount -o remount,bind,ro "$new/$at"
  fi
done
mkdir -p "$new/tmp"; mount -t tmpfs -o mode=1777,size=512m none "$new/tmp"
mount -o remount,ro "$new"
exec chroot "$new" sh -c 'cd "$0" && exec "$@"' "$@"
"""


def _packages() -> str:
    """Where the interpreter below the virtual environment keeps installed packages."""
    asked = [PYTHON, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


@cache
def refusal() -> str | None:
    """Why no such process can be started on this machine; None where it can."""
    if sys.platform != "linux":
        return "file trees are mounted by Linux alone"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "site-packages").mkdir()
        process = started(Path(folder), "/", [PYTHON, "-c", "pass"], {}, errors=subprocess.PIPE)
        _, said = process.communicate(timeout=30)
        return None if process.returncode == 0 else f"this system refuses a mount namespace: {said.decode().strip()}"


def started(
    tree: Path,
    workdir: str,
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    output: IO[bytes] | int | None = None,
    errors: IO[bytes] | int | None = None,
) -> subprocess.Popen[bytes]:
    """A process in a tree; `python` in its command is this machine's. Killing it kills what runs, as nothing forks."""
    room = tempfile.mkdtemp(prefix="careline-tree-")
    words = [PYTHON if word == "python" else word for word in command]
    mine = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    lists = {"SYSTEM": " ".join(SYSTEM), "LINKS": " ".join(LINKS), "OURS": " ".join(OURS)}
    program = [
        *mine, "env", *(f"{name}={value}" for name, value in lists.items()),
        "sh", "-c", _PREPARE, "sh", room, str(tree), sys.base_prefix, _packages(),
        workdir, "env", *(f"--unset={name}" for name in lists), *words,
    ]  # fmt: skip
    base = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8"}
    return subprocess.Popen(
        program, env={**base, **environment}, stdin=subprocess.DEVNULL, stdout=output, stderr=errors or output
    )
