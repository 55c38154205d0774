"""Where the items of a scatter come from: its operands, or the lines of its input."""

from __future__ import annotations

from keysh.values import ABSENT, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keysh.interp.state.call_input import CallReader


class Items:
    """Items of an iterable. `known_items`: those that can be looked at before any of them runs."""

    __slots__ = ("_items", "has_ended", "known_items")

    def __init__(self, items: Iterable[object]) -> None:
        self._items = iter(items)
        self.known_items: Sequence[object] = ()
        self.has_ended = False

    def is_ready(self) -> bool:
        """Whether `take` would not have to wait."""
        return True

    def take(self) -> object:
        """Return the next item; ABSENT at the end."""
        item = next(self._items, ABSENT)
        self.has_ended = item is ABSENT
        return item


class OperandItems(Items):
    """The operands of a command."""

    __slots__ = ()

    def __init__(self, items: Sequence[object]) -> None:
        super().__init__(items)
        self.known_items = items


class InputItems(Items):
    """The lines of an input: a line of JSON is its value, another one its text."""

    __slots__ = ("_reader",)

    def __init__(self, reader: CallReader) -> None:
        super().__init__(())
        self._reader = reader

    def is_ready(self) -> bool:
        """Whether there is input, as far as the reader can tell."""
        is_ready = getattr(self._reader.source, "is_ready", None)
        return is_ready is None or is_ready(0)

    def take(self) -> object:
        line = self._reader.read_line()
        if not line:
            self.has_ended = True
            return ABSENT
        return item_of_line(line.removesuffix("\n"))


def item_of_line(line: str) -> object:
    """Return the value of a line of JSON, or else its text."""
    try:
        return value_of_json(line)
    except ValueError:
        return line
