"""Shells that run real programs, none of which may outlive the test."""

from __future__ import annotations

import os
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from keysh import Events, LocalFS, MemoryFS, Shell
from process.leaked_processes import children, kill_marked, threads
from vfs.timeout import hang_guard  # noqa: F401 - a fixture

Open = Callable[..., Shell]


def told(events: list[dict[str, object]]) -> Events:
    """Return what adds the events of programs to a list."""
    return Events(events.append, only=["program"])


PATH = "/usr/bin:/bin"


def copies() -> list[str]:
    """The private directories on disk."""
    return [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("keysh-")]


def belongings() -> Counter[object]:
    """Count threads, children and private directories; open files may belong to the test."""
    return Counter([*threads(), *children(), *copies()])


@pytest.fixture
def shell(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[Open]:
    """Open shells in a directory of the machine, or in memory on request."""
    request.getfixturevalue("hang_guard")
    # A private one, so that nothing else on the machine changes it.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))
    mark = uuid.uuid4().hex
    opened: list[Shell] = []

    def build(in_memory: bool = False, **options: object) -> Shell:
        local = {"/": MemoryFS(), "/work": LocalFS(tmp_path)}
        given = {
            "fs": None if in_memory else local,
            "cwd": "/" if in_memory else "/work",
            "env": {"PATH": PATH, "LC_ALL": "C.UTF-8", "KEYSH_TEST": mark},
            "external": True,
            "check": False,
            **options,
        }
        made = Shell(**given)  # type: ignore[arg-type]
        opened.append(made)
        return made

    before = belongings()
    yield build
    while opened:
        opened.pop().close()
    left = kill_marked(mark)
    assert not left
    assert not belongings() - before
