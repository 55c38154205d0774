"""Interrupt a test that hangs in the kernel, so that it fails."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


class HungTest(BaseException):
    """Derived from BaseException, so that no test takes it for a result."""


@pytest.fixture
def hang_guard() -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise HungTest

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(60)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
