"""A shell, and a guard that no test of scatter waits for ever."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from keysh import Shell
from vfs.timeout import hang_guard  # noqa: F401 - a fixture


@pytest.fixture(autouse=True)
def guarded(request: pytest.FixtureRequest) -> None:
    """Interrupt a test that hangs."""
    request.getfixturevalue("hang_guard")


@pytest.fixture
def shell() -> Iterator[Shell]:
    with Shell() as shell:
        yield shell
