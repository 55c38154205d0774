"""Every test here starts real processes, and must leave nothing behind, whatever fails."""

from __future__ import annotations

import gc
import uuid
from collections.abc import Callable, Iterator

import pytest

from keysh.process import ProcessSpec
from process.leftovers import children, descriptors, kill_marked, threads
from vfs.hanging import hanging_fails  # noqa: F401 - a fixture

Make = Callable[..., ProcessSpec]

PATH = "/usr/bin:/bin"


@pytest.fixture(scope="module", autouse=True)
def _collected() -> None:
    """What other modules have left to the collector holds descriptors, which are counted here."""
    gc.collect()


@pytest.fixture
def mark() -> str:
    """What the environment of every process of a test holds."""
    return uuid.uuid4().hex


@pytest.fixture
def make(mark: str, request: pytest.FixtureRequest) -> Iterator[Make]:
    """Makes the specification of a command; nothing of it may be left when the test ends."""
    request.getfixturevalue("hanging_fails")

    def build(*argv: str, env: dict[str, str] | None = None, **options: object) -> ProcessSpec:
        given = {"PATH": PATH, "LC_ALL": "C.UTF-8", "KEYSH_TEST": mark, **(env or {})}
        return ProcessSpec(argv, env=given, **options)  # type: ignore[arg-type]

    before = descriptors(), len(threads()), children()
    yield build
    left = kill_marked(mark)
    assert not left
    assert (descriptors(), len(threads()), children()) == before
