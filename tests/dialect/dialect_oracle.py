"""Run a script in real bash and in keysh's bash dialect, in equal directories."""

from __future__ import annotations

import subprocess
from pathlib import Path

import keysh

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/home/me", "LC_ALL": "C.UTF-8"}
# Prints its arguments so that each is seen to begin and end.
ARGV = "argv() { local i; printf '%d' $#; for i in \"$@\"; do printf '<%s>' \"$i\"; done; echo; }\n"


def bash_answer(script: str, folder: Path) -> tuple[str, int]:
    """Return what real bash prints, and its status."""
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=20, check=False,
    )  # fmt: skip
    return done.stdout.decode("utf-8", "surrogateescape"), done.returncode


def dialect_answer(script: str, folder: Path) -> tuple[str, int]:
    """Return the same of keysh."""
    shell = keysh.Shell(
        fs={"/": keysh.LocalFS("/")}, cwd=str(folder), env=ENVIRONMENT, dialect="bash"
    )
    with shell:
        result = shell.run(script)
    return result.stdout, result.code
