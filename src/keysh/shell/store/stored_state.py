"""StoredState: a version of a state in a store, which is read when somebody asks for it."""

from __future__ import annotations

from keysh.shell.history.state_version import StateVersion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class StoredState(StateVersion):
    """A version of a state that is read from its row when somebody asks for anything in it."""

    __slots__ = ("_load", "row")

    def __init__(self, row: int, load: Callable[[int], StateVersion]) -> None:
        self.row, self._load = row, load

    def __getattr__(self, name: str) -> object:
        # Only for what is not there yet.
        if name not in StateVersion.__slots__:
            raise AttributeError(name)
        version = self._load(self.row)
        for slot in StateVersion.__slots__:
            setattr(self, slot, getattr(version, slot))
        return getattr(version, name)
