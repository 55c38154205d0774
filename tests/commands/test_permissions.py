"""Files and directories that only root may read, write or search, against the real tools."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.archive_copies import cases
from commands.command_runner import run_in_copies
from commands.directory_tree import Tree, tree
from unprivileged import unprivileged

# `hidden` may not be read and `fixed` not be written, `ro` takes no new names, and what is in
# `shut` cannot be seen.
CALLS = """
gzip -c hidden|gzip -k hidden ro/r shut|gzip -c shut|gzip -dc shut/s|gzip -r shut|gzip -l shut
bzip2 -c hidden|bzip2 -k hidden ro/r shut|bzip2 -t hidden shut|bzip2 -dc shut/s
xz -c hidden|xz -k hidden ro/r shut|xz -dc shut/s|xz -l shut
mkdir shut/x|mkdir -p shut/s|mkdir -p shut/x/y d/n|mkdir -pv ro/x/y
install -d shut/s|install -d shut/x/y|mv -n f shut|mv -n f shut/s|cp -n f shut
cp f shut/x|cp shut/s d|ls f shut|ls shut|ls shut f ro
strings hidden f|strings shut/s shut f
"""


def fill(root: Path) -> None:
    (root / "d").mkdir()
    for name, mode in {"ro": 0o555, "shut": 0}.items():
        (root / name).mkdir()
        (root / name / name[0]).write_bytes(b"inside\n")
        (root / name).chmod(mode)
    for name, mode in {"f": 0o644, "hidden": 0, "fixed": 0o444, "d/x": 0o644}.items():
        (root / name).write_bytes(b"b\na\n")
        (root / name).chmod(mode)


def seen(root: Path) -> Tree:
    """Return everything below a directory, although only root could see it."""
    return tree(root, times=False)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Create a directory that the user `nobody` can reach; pytest's own are private."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@pytest.mark.parametrize("call", cases(CALLS))
def test_permission_errors_match_the_real_tool(folder: Path, call: str) -> None:
    name, *words = shlex.split(call)
    with unprivileged(folder):
        answer, real = run_in_copies(folder, name, words, fill)
    assert answer == real
    if os.geteuid() == 0:
        assert seen(folder / "here") == seen(folder / "there")
