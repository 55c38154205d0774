"""Run keysh's command and the real one, each in its own copy of a directory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from commands.command_runner import Answer, run_in_copies
from commands.directory_tree import Tree, tree

OLD = 1_000_000  # seconds: 1970-01-12, before any test
ENVIRONMENT = {"TZ": "UTC", "USER": "root"}


def make_old(root: Path) -> None:
    """Give everything below a directory the same old time, so that copies are equal."""
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
    """Run both commands; return their answers and the resulting trees."""
    answer, expected = run_in_copies(
        folder, name, [*words], fill, real=real, stdin=stdin, env=ENVIRONMENT
    )
    here, there = (tree(folder / place, times=True) for place in ("here", "there"))
    return answer, expected, here, there


def without_folder_times(result: Tree) -> Tree:
    """Return a tree without the modification times of directories."""
    return {
        name: (mode, content, same, None if str(mode).startswith("0o4") else time)
        for name, (mode, content, same, time) in result.items()
    }


def cases(table: str) -> list[str]:
    """Return the calls of a table, separated by bars or newlines."""
    return [call.strip() for call in table.replace("\n", "|").split("|") if call.strip()]
