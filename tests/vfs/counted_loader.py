"""Functions for a MemoryFS that count how often they are called."""

from __future__ import annotations


class Tick:
    """A clock that counts its calls."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        self.now += 1
        return self.now


class Source:
    """A loader of a lazy file that counts its calls and fails a given number of times."""

    def __init__(self, content: object = "lazy", failures: int = 0) -> None:
        self.content, self.failures, self.calls = content, failures, 0

    def __call__(self) -> str | bytes:
        self.calls += 1
        if self.calls <= self.failures:
            raise LookupError(f"not yet, {self.calls}")
        return self.content  # type: ignore[return-value]
