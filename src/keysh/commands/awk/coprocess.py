"""Coprocesses: `print x |& command`, and `command |& getline` for what it makes of that."""

from __future__ import annotations

from keysh.commands.awk.problem import Fatal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    # Runs the command with an input; its status and its output.
    Run: TypeAlias = Callable[[str], tuple[int, str]]

MOST_HELD = 1 << 28  # characters that may be printed to one


class Coprocess:
    """A command that runs once, when it is first asked: with all that is printed to it before."""

    __slots__ = ("_has_run", "_held", "_name", "_run", "_size", "_status")

    def __init__(self, name: str, run: Run) -> None:
        self._name, self._run = name, run
        self._held: list[str] = []
        self._size = self._status = 0
        self._has_run = False

    def put(self, piece: str) -> None:
        """Print to it."""
        if self._has_run:
            raise Fatal(f"print to `{self._name}', which has answered and gone")
        self._size += len(piece)
        if self._size > MOST_HELD:
            raise Fatal(f"more than {MOST_HELD} characters printed to `{self._name}'")
        self._held.append(piece)

    def answer(self) -> str:
        """All that it prints."""
        self._has_run = True
        self._status, text = self._run("".join(self._held))
        return text

    def close(self) -> float:
        """Its status; it has run then, be it for nobody."""
        if not self._has_run:
            self.answer()
        return float(self._status)
