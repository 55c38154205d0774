"""Operations of a LocalFS against a process that exchanges links and directories meanwhile."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from keysh.vfs.api import LinkInPath
from keysh.vfs.local.filesystem import LocalFS
from vfs.test_containment import SECRET, VERBS, Machine, is_from_outside

Act = Callable[[LocalFS, str], object]

RACER = Path(__file__).with_name("racer.py")
# What an operation may meet while the other process is between two changes.
MOMENTS = {"done", "link", "ENOENT", "ENOTDIR", "EEXIST", "EISDIR", "ENOTEMPTY", "EINVAL"}


@contextlib.contextmanager
def racing(machine: Machine) -> Iterator[Callable[[], int]]:
    """Run the racer on a machine; yield a function that ends it and returns its changes."""
    (machine.root / "decoy").symlink_to(machine.outside)
    (machine.root / "victim/link").unlink()
    (machine.root / "victim/link").symlink_to(machine.outside / "sub")
    command = [sys.executable, "-S", str(RACER), str(machine.root.parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as racer:
        try:
            assert racer.stdout is not None
            assert racer.stdout.readline() == "ready\n"

            def end() -> int:
                racer.terminate()
                return int(racer.communicate()[0])

            yield end
        finally:
            racer.kill()


def race(folder: Path, operations: int) -> tuple[Counter[str], int]:
    """Run operations against the racer; return how they ended, and how many changes it made."""
    machine = Machine(folder)
    victim = os.open(machine.root / "victim", os.O_RDONLY)
    outcomes: Counter[str] = Counter()
    never_done = set(VERBS)
    order, shuffle = list(VERBS.items()), random.Random(1).shuffle
    try:
        with racing(machine) as end, LocalFS(machine.root) as fs:
            for _ in range(operations // len(order) + 1):
                restore(machine, victim)
                shuffle(order)  # restore what one operation consumes, for the others
                for name, act in order:
                    ended = outcome(fs, machine, act)
                    outcomes[ended] += 1
                    if ended == "done":
                        never_done.discard(name)
            changes = end()
    finally:
        os.close(victim)
    if machine.look() != machine.before:
        outcomes["changed outside"] += 1
    stray = {path.lstat().st_ino for path in machine.root.rglob("*")} & machine.inodes
    outcomes["taken from outside"] += len(stray)
    for name in never_done:
        outcomes[f"never done: {name}"] += 1
    return +outcomes, changes


def outcome(fs: LocalFS, machine: Machine, act: Act) -> str:
    """Return how one operation ended."""
    try:
        answer = act(fs, "/victim")
    except LinkInPath as link:
        return "link" if link.path.startswith("/victim") else f"link {link.path}"
    except OSError as error:
        if str(machine.root.parent) in f"{error} {error!r}":
            return "an error that tells a path of the host"
        return errno.errorcode[error.errno or 0]
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)
    # The link in the directory is the racer's own, with the path of what is outside.
    is_link_text = isinstance(answer, str) and answer == str(machine.outside / "sub")
    if not is_link_text and (is_from_outside(answer, machine) or SECRET.decode() in text):
        return "outside"
    return "done"


def restore(machine: Machine, victim: int) -> None:
    """Make again what operations consume, below the directory's descriptor."""
    for name in ("new", "sub/new", "sub/made", "renamed"):
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=victim)
    with contextlib.suppress(OSError):
        os.rmdir("made", dir_fd=victim)
    with contextlib.suppress(OSError):
        os.mkdir("empty", dir_fd=victim)
    with contextlib.suppress(OSError):
        inner = os.open("sub", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=victim)
        try:
            os.close(os.open("file", os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=inner))
        finally:
            os.close(inner)
    with contextlib.suppress(OSError):
        os.close(os.open("file", os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o644, dir_fd=victim))
    (machine.root / "taken").unlink(missing_ok=True)
    (machine.root / "own").touch()
