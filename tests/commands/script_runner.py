"""Run scripts in keysh, and in the machine's bash."""

from __future__ import annotations

import subprocess
import tempfile

from keysh.interp.run.limits import Limits
from keysh.shell.shell import Shell

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/"}


def our_script(script: str) -> tuple[int, str, str]:
    """Run a script in a new shell; return its status, output and errors."""
    shell = Shell(
        files={"/w/.keep": ""}, cwd="/w", env=ENVIRONMENT, check=False, limits=Limits(seconds=20)
    )
    with shell:
        result = shell.run(script)
    return result.code, result.stdout, result.stderr


def bash_script(script: str) -> tuple[int, str]:
    """Run a script with bash in an empty directory; return its status and output."""
    with tempfile.TemporaryDirectory() as folder:
        actual = subprocess.run(
            ["bash", "--norc", "--noprofile", "-c", script, "keysh"],
            cwd=folder,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
        )
    return actual.returncode, actual.stdout.decode("utf-8", "surrogateescape")
