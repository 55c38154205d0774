"""Two copies of a directory, in one of which our command works and in the other the real one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from commands.conformance import plain
from commands.running import Answer, gnu, on_disk, ours
from commands.trees import Tree, tree

OLD = 1_000_000  # seconds: 1970-01-12, before any test
ENVIRONMENT = {"TZ": "UTC", "USER": "root"}


def old(root: Path) -> None:
    """Give all that is below a directory one old time, so that copies of it are alike."""
    for folder, folders, files in os.walk(root, topdown=False):
        for name in [*folders, *files]:
            os.utime(os.path.join(folder, name), (OLD, OLD), follow_symlinks=False)
    os.utime(root, (OLD, OLD))


def both(
    folder: Path,
    name: str,
    words: Iterable[str],
    fill: Callable[[Path], None],
    stdin: bytes = b"",
    real: str = "",
) -> tuple[Answer, Answer, Tree, Tree]:
    """What ours and the real one say and make."""
    mine, theirs = folder / "mine", folder / "theirs"
    for place in (mine, theirs):
        place.mkdir()
        fill(place)
    words = list(words)
    with on_disk(mine) as fs:
        answer = ours(name, *words, fs=fs, stdin=stdin, env=ENVIRONMENT)
    expected = plain(gnu(real or name, *words, cwd=theirs, stdin=stdin, **ENVIRONMENT))
    return answer, expected, tree(mine, times=True), tree(theirs, times=True)


def without_folder_times(found: Tree) -> Tree:
    """What was made, without when directories changed last."""
    return {
        name: (mode, content, same, None if str(mode).startswith("0o4") else time)
        for name, (mode, content, same, time) in found.items()
    }


def cases(table: str) -> list[str]:
    """The calls of a table, which stand between bars or on lines."""
    return [call.strip() for call in table.replace("\n", "|").split("|") if call.strip()]
