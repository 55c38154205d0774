"""Every test here starts real processes, and must leave nothing behind even if it fails."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator

import pytest

from keysh.process import ProcessSpec
from process.leaked_processes import kill_marked, process_resources
from vfs.timeout import hang_guard  # noqa: F401 - a fixture

Make = Callable[..., ProcessSpec]

PATH = "/usr/bin:/bin"


@pytest.fixture
def mark() -> str:
    """Return the mark that the environment of every process of a test contains."""
    return uuid.uuid4().hex


@pytest.fixture
def make(mark: str, request: pytest.FixtureRequest) -> Iterator[Make]:
    """Build specifications of commands; no process may be left when the test ends."""
    request.getfixturevalue("hang_guard")

    def build(*argv: str, env: dict[str, str] | None = None, **options: object) -> ProcessSpec:
        given = {"PATH": PATH, "LC_ALL": "C.UTF-8", "KEYSH_TEST": mark, **(env or {})}
        return ProcessSpec(argv, env=given, **options)  # type: ignore[arg-type]

    before = process_resources()
    yield build
    left = kill_marked(mark)
    assert not left
    assert not process_resources() - before
