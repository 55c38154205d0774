"""Running one command by itself: its arguments, files and input go in, what it prints comes out."""

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
    """What a command has done."""

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
    """Run a command of keysh over a file system, in memory where none is given."""
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
    """Run the real tool in a directory, or skip the test where there is none.

    Its messages come with the quotes that it has in an ASCII locale, as ours always do.
    """
    need(name)
    found = subprocess.run(
        [name, *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=20,
        check=False,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(cwd), **env},
    )
    err = found.stderr.decode("utf-8", "surrogateescape")
    return Answer(found.returncode, found.stdout, err.replace("\u2018", "'").replace("\u2019", "'"))


def on_disk(folder: Path) -> LocalFS:
    """The same directory that the real tool sees, for the command of keysh."""
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
    """The answers of ours and of the real tool, each in a directory of its own that `fill` fills.

    These are `here` and `there`, which are kept: a second call finds what the first has left.
    """
    here, there = folder / "here", folder / "there"
    for place in (here, there):
        place.mkdir(parents=True, exist_ok=True)
        fill(place)
    with on_disk(here) as fs:
        answer = run_keysh(name, *words, fs=fs, stdin=stdin, env=env)
    return answer, run_gnu(real or name, *words, cwd=there, stdin=stdin, **(env or {}))
