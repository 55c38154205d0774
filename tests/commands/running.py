"""Running one command by itself: its arguments, files and input go in, what it prints comes out."""

from __future__ import annotations

import importlib
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from keysh.commands import FILES
from keysh.runtime.call import Call
from keysh.runtime.invoke import invoke
from keysh.runtime.streams import Reader, Writer
from keysh.schema.declare import Command, command_of
from keysh.text.lines import decoded, encoded
from keysh.vfs.api import FileSystem
from keysh.vfs.local import LocalFS
from keysh.vfs.memory import MemoryFS
from keysh.vfs.router import Router

Files = Mapping[str, str | bytes]


class Answer(NamedTuple):
    """What a command has done."""

    status: int
    out: bytes
    err: str


def command_named(name: str) -> Command:
    """A command's declaration, by the file it stands in."""
    name = FILES.get(name, name)
    module = importlib.import_module(f"keysh.commands.{name}")
    return command_of(getattr(module, name, None) or getattr(module, f"{name}_"))


def ours(
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
        fs if isinstance(fs, Router) else Router(fs or MemoryFS(dict(files or {}))),
        cwd,
        env or {},
        Reader(decoded(lambda size: next(chunks, b""))),
        Writer(out.append),
        Writer(err.append),
        run or (lambda words, **_: 127),
        lambda: None,
    )
    status = invoke(command_named(name), call, arguments)
    return Answer(status, encoded("".join(out)), "".join(err))


def gnu(name: str, *arguments: str, cwd: Path, stdin: bytes = b"", **env: str) -> Answer:
    """Run the real tool in a directory."""
    found = subprocess.run(
        [name, *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=20,
        check=False,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(cwd), **env},
    )
    return Answer(found.returncode, found.stdout, found.stderr.decode("utf-8", "surrogateescape"))


def on_disk(folder: Path) -> LocalFS:
    """The same directory that the real tool sees, for the command of keysh."""
    return LocalFS(folder)
