"""Runs a command in a network of its own, from which nothing can leave: `python -m tests.telephone.isolated COMMAND`.

A telephone needs an address that is not loopback, as WebRTC makes no connection over loopback. In a network namespace
it can have one (`TELEPHONE_ADDRESS`) that no other machine can reach. Where the system refuses a namespace, the command
runs without it and finds the reason in `TELEPHONE_REFUSED`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

ADDRESS, REFUSED = "TELEPHONE_ADDRESS", "TELEPHONE_REFUSED"
LOCAL = "192.0.2.1"
"""An address that RFC 5737 keeps for documentation: it is nobody's."""
PREPARE = """\
set -e
ip link set lo up
ip link add phone type veth peer name phone-end
ip link set phone-end up
ip address add "$TELEPHONE_ADDRESS/32" dev phone
ip link set phone up
"""


def namespace() -> list[str]:
    """The command that makes a namespace for another, as this user may."""
    return ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net"]


def refusal() -> str | None:
    """Why there is no network of its own on this machine; None where there can be one."""
    missing = [program for program in ("unshare", "setpriv", "ip") if shutil.which(program) is None]
    if missing:
        return f"{' and '.join(missing)} not installed: apt-get install util-linux iproute2"
    tried = subprocess.run(
        [*namespace(), "sh", "-c", PREPARE],
        env={**os.environ, ADDRESS: LOCAL},
        capture_output=True,
        text=True,
        check=False,
    )
    return None if tried.returncode == 0 else f"this system refuses a network namespace: {tried.stderr.strip()}"


def main(command: Sequence[str]) -> None:
    """Become the command. Raises: SystemExit without one."""
    if not command:
        raise SystemExit("say what to run in a network of its own")
    refused = refusal()
    if refused is not None:
        os.environ[REFUSED] = refused
        os.execvp(command[0], command)
    os.environ[ADDRESS] = LOCAL
    os.execvp("unshare", [*namespace(), "sh", "-c", f'{PREPARE}exec "$@"', "sh", *command])


if __name__ == "__main__":
    main(sys.argv[1:])
