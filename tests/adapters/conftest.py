"""Fixtures for the adapters: no process may outlive the test that started it.

Tests of an asynchronous contract are coroutines. The project that specified the primitive marks its
tests `asyncio` and imports the primitive as `lilux.primitives`, and so do these tests.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import sys
import uuid
from collections import Counter
from collections.abc import Iterator
from types import ModuleType

import pytest

from keysh.adapters import subprocess_primitive
from process.leaked_processes import kill_marked, process_resources
from vfs.timeout import hang_guard  # noqa: F401 - a fixture

PATH = "/usr/bin:/bin"

FLAG, MOST_FLAGS = "anon_inode:[eventfd]", 100

# The rename shim.
sys.modules["lilux"] = ModuleType("lilux")
sys.modules["lilux.primitives"] = subprocess_primitive
sys.modules["lilux.primitives.subprocess"] = subprocess_primitive


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "asyncio: a coroutine, run on an event loop of its own")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    assert pyfuncitem.get_closest_marker("asyncio"), "a coroutine must be marked asyncio"
    wanted = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


@pytest.fixture(autouse=True)
def mark(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[str]:
    """Mark the environment of every process of a test; none may be left at the end."""
    request.getfixturevalue("hang_guard")
    made = uuid.uuid4().hex
    monkeypatch.setenv("KEYSH_TEST", made)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    before = process_resources()
    yield made
    left = kill_marked(made)
    assert not left
    # A fixture still holds shells, and with them their flags.
    allowed = before + Counter({FLAG: MOST_FLAGS})
    if process_resources() - allowed:
        gc.collect()  # what refers to itself is no leak
    assert not process_resources() - allowed


@pytest.fixture
def env(mark: str) -> dict[str, str]:
    """The environment of a session."""
    return {"PATH": PATH, "LC_ALL": "C.UTF-8", "KEYSH_TEST": mark, "HOME": os.devnull}
