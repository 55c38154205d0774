"""Run a single command with arguments, files and input, and return its output."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.shell.command_listing import command_named
from keysh.text.chunks import bytes_of_text, decode_chunks
from keysh.vfs.api import FileSystem
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router
from real_tools import need

Files = Mapping[str, str | bytes]


class Answer(NamedTuple):
    """The status and output of a command."""

    status: int
    out: bytes
    err: str


def run_keysh(
    name: str,
    *arguments: object,
    stdin: bytes = b"",
    fs: FileSystem | None = None,
    files: Files | None = None,
    cwd: str = "/",
    env: Mapping[str, str] | None = None,
    run: Callable[..., int] | None = None,
) -> Answer:
    """Run a command of keysh on a file system, by default one in memory."""
    out: list[str] = []
    err: list[str] = []
    chunks = iter([stdin])
    call = Call(
        name,
        FakeShell(
            fs if isinstance(fs, Router) else Router(fs or MemoryFS(dict(files or {}))),
            cwd,
            env,
            run,
        ),
        Reader(decode_chunks(lambda size: next(chunks, b""))),
        Writer(out.append),
        Writer(err.append),
    )
    status = invoke(command_named(name), call, arguments)
    return Answer(status, bytes_of_text("".join(out)), "".join(err))


def run_gnu(name: str, *arguments: str, cwd: Path, stdin: bytes = b"", **env: str) -> Answer:
    """Run the real tool in a directory, or skip the test if the tool is missing.

    The quotes in its messages are changed to those of an ASCII locale, which keysh always uses.
    """
    need(name)
    result = subprocess.run(
        [name, *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=20,
        check=False,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(cwd), **env},
    )
    err = result.stderr.decode("utf-8", "surrogateescape")
    return Answer(
        result.returncode, result.stdout, err.replace("\u2018", "'").replace("\u2019", "'")
    )


def on_disk(folder: Path) -> LocalFS:
    """Return the directory of the real tool as a file system for keysh's command."""
    return LocalFS(folder)


def run_in_copies(
    folder: Path,
    name: str,
    words: Sequence[str],
    fill: Callable[[Path], object],
    *,
    real: str = "",
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
) -> tuple[Answer, Answer]:
    """Run keysh's command and the real tool, each in its own directory that `fill` fills.

    The directories `here` and `there` are kept, so a second call sees the files of the first.
    """
    here, there = folder / "here", folder / "there"
    for place in (here, there):
        place.mkdir(parents=True, exist_ok=True)
        fill(place)
    with on_disk(here) as fs:
        answer = run_keysh(name, *words, fs=fs, stdin=stdin, env=env)
    return answer, run_gnu(real or name, *words, cwd=there, stdin=stdin, **(env or {}))
