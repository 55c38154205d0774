"""Run many calls of a bash builtin in one process."""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from commands.command_runner import Answer

PLACE = re.compile(rb"^bash: line \d+: ", re.MULTILINE)


def bash_builtin(name: str, calls: Sequence[Sequence[str]], cwd: Path) -> list[Answer]:
    """Return the answer to each call, given as arguments; all calls share the directory."""
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder)
        lines = [
            f"{shlex.join([name, *arguments])} >{notes}/{n}.out 2>{notes}/{n}.err; "
            f"echo $? >{notes}/{n}.status"
            for n, arguments in enumerate(calls)
        ]
        subprocess.run(
            ["bash", "--norc", "--noprofile", "-c", 'eval "$(cat)"', "bash"],
            cwd=cwd,
            input="\n".join(lines).encode("utf-8", "surrogateescape"),
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
            timeout=60,
            check=False,
        )
        return [read(notes, n) for n in range(len(calls))]


def read(notes: Path, n: int) -> Answer:
    err = PLACE.sub(b"", (notes / f"{n}.err").read_bytes())
    return Answer(
        int((notes / f"{n}.status").read_text()),
        (notes / f"{n}.out").read_bytes(),
        err.decode("utf-8", "surrogateescape"),
    )
