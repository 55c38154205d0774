"""Two copies of a directory, in one of which our command works and in the other the real one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from commands.command_runner import Answer, run_in_copies
from commands.directory_tree import Tree, tree

OLD = 1_000_000  # seconds: 1970-01-12, before any test
ENVIRONMENT = {"TZ": "UTC", "USER": "root"}


def make_old(root: Path) -> None:
    """Give all that is below a directory one old time, so that copies of it are alike."""
    for folder, folders, files in os.walk(root, topdown=False):
        for name in [*folders, *files]:
            os.utime(os.path.join(folder, name), (OLD, OLD), follow_symlinks=False)
    os.utime(root, (OLD, OLD))


def run_both(
    folder: Path,
    name: str,
    words: Iterable[str],
    fill: Callable[[Path], None],
    stdin: bytes = b"",
    real: str = "",
) -> tuple[Answer, Answer, Tree, Tree]:
    """What ours and the real one say and make."""
    answer, expected = run_in_copies(
        folder, name, [*words], fill, real=real, stdin=stdin, env=ENVIRONMENT
    )
    here, there = (tree(folder / place, times=True) for place in ("here", "there"))
    return answer, expected, here, there


def without_folder_times(found: Tree) -> Tree:
    """What was made, without when directories changed last."""
    return {
        name: (mode, content, same, None if str(mode).startswith("0o4") else time)
        for name, (mode, content, same, time) in found.items()
    }


def cases(table: str) -> list[str]:
    """The calls of a table, which stand between bars or on lines."""
    return [call.strip() for call in table.replace("\n", "|").split("|") if call.strip()]
