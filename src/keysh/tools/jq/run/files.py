"""The input files, read as one stream of text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call_input import CommandInput


class JqInputs:
    """Yields the text of the inputs in chunks, and knows which input each is from."""

    __slots__ = ("_inputs", "_names", "current_index", "lines_before")

    def __init__(self, inputs: Iterator[CommandInput]) -> None:
        self._inputs = inputs
        self._names: list[str] = []
        self.current_index = -1
        self.lines_before = 0  # in the inputs before the current one

    def chunks(self) -> Iterator[str]:
        lines = 0
        for source in self._inputs:
            self._names.append(source.name)
            for number, chunk in enumerate(source.chunks()):
                if not number:
                    self.current_index, self.lines_before = len(self._names) - 1, lines
                lines += chunk.count("\n")
                yield chunk

    def name(self, index: int) -> str | None:
        """Return the name of an input; None for -1, before anything was read."""
        return self._names[index] if index >= 0 else None
